"""The window itself and what belongs to no panel: docks, bars, notices, start and end of the program."""
