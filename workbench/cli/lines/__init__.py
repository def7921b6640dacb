"""Commands about what in a text a number of a model comes from, and what a few lines teach it."""
