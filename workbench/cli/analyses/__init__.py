"""Commands of analyses that have modules of their own."""
