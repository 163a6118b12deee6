"""What differs between two rulesets, by the ids of their parts."""

from rulekit.difference.compare import Change, Difference, compare
from rulekit.difference.prose import as_data, as_text

__all__ = ["Change", "Difference", "as_data", "as_text", "compare"]
