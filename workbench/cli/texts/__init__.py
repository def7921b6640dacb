"""Commands that compare parts of a text, or draw its documents again."""
