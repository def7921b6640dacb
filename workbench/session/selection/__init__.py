"""Selected words, and the undo history."""
