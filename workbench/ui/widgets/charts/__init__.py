"""Charts that panels share, and their export as figures."""
