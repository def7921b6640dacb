"""Settings that are kept between starts, and those that session files contain."""
