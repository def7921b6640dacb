"""The panel step, and all that only it uses."""
