"""Layouts, containers and labels that panels share."""
