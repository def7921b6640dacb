"""The panel pair, and all that only it uses."""
