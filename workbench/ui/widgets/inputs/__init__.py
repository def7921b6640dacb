"""Fields, choices and forms, used by two panels or more."""
