"""The panel inside, and all that only it uses."""
