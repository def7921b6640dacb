"""Which lines of a text a number of a model comes from, and what it would be without them."""
