"""One training step of an algorithm, term by term."""
