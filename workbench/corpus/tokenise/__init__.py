"""Steps from text to token ids: normalisation, sentence splitting, tokeniser kernel and token
filters.
"""
