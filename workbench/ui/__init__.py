"""Window of the program, in PySide6: panels, widgets, dialogs, actions and shell."""

from workbench.core.processes import plain_scipy  # noqa: F401 - before anything imports scipy
from workbench.ui.shell import slot_guard

slot_guard.install()
