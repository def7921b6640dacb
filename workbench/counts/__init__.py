"""Co-occurrence counts of a corpus: counting kernels, sampling, association measures, shards and
caches.
"""
