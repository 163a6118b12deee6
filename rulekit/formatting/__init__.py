"""Rule files in the one form in which they are written: canonical order and spacing."""

from rulekit.formatting.source import format_opened, format_source

__all__ = ["format_opened", "format_source"]
