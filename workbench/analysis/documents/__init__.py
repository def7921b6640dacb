"""Documents of a text as vectors, and search in them."""
