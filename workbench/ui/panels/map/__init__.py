"""The panel map, and all that only it uses."""
