"""Word analogies: solving, decomposition, vector offsets and question files."""
