"""Panels: one package each. No panel imports another."""
