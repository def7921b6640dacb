"""The panel matrix, and all that only it uses."""
