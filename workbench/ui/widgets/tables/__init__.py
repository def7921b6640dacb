"""Tables and lists that panels share."""
