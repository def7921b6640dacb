"""Statistics of a corpus and forecasts from it: Zipf's law, growth of the vocabulary, cost of a training."""
