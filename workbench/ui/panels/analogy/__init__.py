"""The panel analogy, and all that only it uses."""
