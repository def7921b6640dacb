"""What every part of the window stands on: the base class of panels, declarations of actions,
theme, lengths and texts.
"""
