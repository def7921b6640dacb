"""Path from files and pipes to token ids on disk: discovery, decompression, decoding, preview and
spilling.
"""
