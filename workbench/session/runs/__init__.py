"""Runs of a session: records, names, facts, filter, scores, and the store on disk."""
