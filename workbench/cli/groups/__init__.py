"""``workbench groups``: words in the groups of a corpus."""
