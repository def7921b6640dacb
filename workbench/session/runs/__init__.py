"""The list of runs: records, names, vectors, scores, and the store on disk."""
