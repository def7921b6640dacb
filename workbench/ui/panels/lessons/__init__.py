"""Lessons panel: list, pages and player of lessons."""
