"""Runs panel: table, filter, queue and grids of runs."""
