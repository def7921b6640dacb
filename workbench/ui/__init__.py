"""The window and all that is in it."""

from workbench.ui import overrides

overrides.install()
