"""Input fields, choices and forms that panels share."""
