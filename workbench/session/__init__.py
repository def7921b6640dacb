"""State of the program without a window: corpus, runs, trainings, selection, recovery, files and
lessons.
"""
