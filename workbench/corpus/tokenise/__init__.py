"""Steps from text to token ids: normalisation, sentence splitting, tokenisers, their kernel and
token filters.
"""
