"""The panel weights, and all that only it uses."""
