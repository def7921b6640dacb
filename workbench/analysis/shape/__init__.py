"""Shape of a space of vectors: lengths, directions, spectrum and hubs, before and after centring
and whitening.
"""
