"""The panel theory, and all that only it uses."""
