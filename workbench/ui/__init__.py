"""The window and all that is in it."""

from workbench.ui.shell import slot_guard

slot_guard.install()
