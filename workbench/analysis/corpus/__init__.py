"""Corpus statistics and forecasts: Zipf’s law, vocabulary growth and training costs."""
