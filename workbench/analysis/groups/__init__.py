"""Words in the groups of a corpus: one row for each group, in a space that all groups share."""
