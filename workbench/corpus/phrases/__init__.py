"""Detection of phrases, and merging of their words into one token."""
