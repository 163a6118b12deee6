"""Help for those who test rulesets."""
