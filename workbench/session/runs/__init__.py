"""Runs of a session: records, snapshots, losses, names, filter, scores, and the store on disk with
its journal.
"""
