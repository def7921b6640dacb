"""Readers of books, articles and pages of the web, by the marks within them."""
