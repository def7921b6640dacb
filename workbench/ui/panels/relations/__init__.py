"""The panel relations, and all that only it uses."""
