"""Readers of JSON: arrays, lines, objects, and the fields with texts."""
