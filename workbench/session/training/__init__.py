"""Training in a session: queue, grid, continuation, recovery, memory check and the API for
scripts.
"""
