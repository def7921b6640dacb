"""Training in a session: queue, grid, continuation, history, memory check and the API for
scripts.
"""
