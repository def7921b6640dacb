"""Layouts and containers, used by two panels or more."""
