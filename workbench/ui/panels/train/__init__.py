"""Train panel: algorithm, hyperparameters, costs and start of a training."""
