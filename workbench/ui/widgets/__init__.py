"""Widgets that two or more panels share."""
