"""The panel evaluate, and all that only it uses."""
