"""Games for programs that learn: arrays over many games at once."""
