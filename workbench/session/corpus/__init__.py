"""Opening and counting of corpora in a session."""
