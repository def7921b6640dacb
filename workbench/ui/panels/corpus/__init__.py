"""The panel corpus, and all that only it uses."""
