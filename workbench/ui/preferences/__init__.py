"""Preferences: the dialog, and one module for each page."""
