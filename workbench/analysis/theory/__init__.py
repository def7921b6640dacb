"""What a model's products should be by theory, and how near they come: targets, fits, loss weights."""
