"""The window and everything outside its panels: docks, bars, notifications, start and quit."""
