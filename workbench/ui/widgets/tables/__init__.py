"""Tables and lists, used by two panels or more."""
