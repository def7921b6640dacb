"""The selected words, and undo."""
