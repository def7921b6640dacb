"""The panel train, and all that only it uses."""
