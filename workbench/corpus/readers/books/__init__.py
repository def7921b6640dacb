"""Readers of books and articles in XML."""
