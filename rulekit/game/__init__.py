"""Rulesets and games: one face over the language and the engine.

The public names of this room are those of `rulekit` itself; they are imported there when first used.
"""
