"""Figures and tables as files: what panels offer, the dialog, captions and the export."""
