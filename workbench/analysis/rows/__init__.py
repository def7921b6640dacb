"""A single word's vector as a function of its counts, while all other vectors stay as they are."""
