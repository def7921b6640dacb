"""Word analogies: how they are solved, taken apart, drawn as offsets and read from question files."""
