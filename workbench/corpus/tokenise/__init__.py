"""From text to token ids: normalisation, sentence splitting, the tokeniser kernel, filters of tokens."""
