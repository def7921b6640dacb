"""Readers of tables: CSV, TSV, and their rows, titles and columns."""
