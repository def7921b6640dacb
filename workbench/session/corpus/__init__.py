"""Corpora in a session: opening, reopening, counting and forecasts."""
