"""The panel compare, and all that only it uses."""
