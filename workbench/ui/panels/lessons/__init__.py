"""The panel lessons, and all that only it uses."""
