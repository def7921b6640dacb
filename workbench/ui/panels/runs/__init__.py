"""The panel runs, and all that only it uses."""
