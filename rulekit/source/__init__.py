"""Rule files: found, read as YAML with the place of every part, checked in structure, variants resolved."""
