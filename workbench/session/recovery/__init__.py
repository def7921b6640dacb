"""What is saved of trainings and of the queue, and brought back after a crash."""
