"""The panel neighbours, and all that only it uses."""
