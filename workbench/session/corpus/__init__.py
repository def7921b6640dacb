"""Corpora in a session: opening, reopening, recent files, counting and forecasts."""
