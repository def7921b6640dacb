"""The panel loss, and all that only it uses."""
