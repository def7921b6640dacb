"""Help > About: versions of everything, licences, and how to cite it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QPlainTextEdit,
    QTabWidget,
    QWidget,
)

from workbench.core import version_info
from workbench.core.folders import resources
from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_3, Theme
from workbench.ui.dialogs.text import TextDialog, copy
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn

_MOTTO = tr("Train word embeddings, see what they factorise and explore the vector space.")


class AboutDialog(TextDialog):
    """Pages on versions and licences, the licence, and the citation; each can be copied."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, "about", tr("About {TITLE}", TITLE=version_info.TITLE), (640, 520))
        icon = kit.label()
        side = scaled_length(56)
        icon.setPixmap(
            QIcon(str(resources() / "icons" / "workbench.svg")).pixmap(QSize(side, side))
        )
        names = kit.column(gap=SPACE_1)
        (title, version), *others = version_info.system_versions()
        for local, text, role in (
            ("title", f"{title} {version}", "title"),
            ("motto", _MOTTO, ""),
            ("system", " · ".join(f"{name} {value}" for name, value in others), "muted"),
        ):
            label = kit.label(text, role=role, wrap=True, selectable=True)
            kit.add(names, self.named(label, local, text))
        head = kit.row(kit.at_top(icon), kit.stretch(names), gap=SPACE_3)
        self.pages = self.named(QTabWidget(), "pages", tr("Pages about the workbench"))
        self.libraries = self._libraries(theme)
        self.licence = self.text_box("licence", tr("Licence of the workbench"))
        self.licence.setPlainText(_licence())
        self.citation = self.text_box("citation", tr("Citation of the workbench in BibTeX format"))
        self.citation.setPlainText(version_info.bibtex())
        for widget, text in (
            (self.libraries, tr("Built on")),
            (self.licence, tr("Licence")),
            (self.citation, tr("Citation")),
        ):
            self.pages.addTab(widget, text)
        self.pages.setDocumentMode(True)
        kit.add(self.column, head, kit.stretch(self.pages))
        self.copy = self.button("copy", tr("Copy"), self._copy, tr("Copy the displayed text"))
        kit.add(self.buttons, kit.stretch())
        self.button("close", tr("Close"), self.close).setDefault(True)

    def _libraries(self, theme: Theme) -> DataTable:
        rows = version_info.installed_libraries()
        table = self.named(
            DataTable(theme), "libraries", tr("Libraries with versions and licences")
        )
        licences = [library.licence for library in rows]
        table.set_columns(
            [
                TableColumn(tr("Library"), [library.name for library in rows]),
                TableColumn(tr("Version"), [library.version for library in rows]),
                TableColumn(tr("Licence"), licences, tips=licences, stretch=True),
            ]
        )
        return table

    def _copy(self) -> None:
        page = self.pages.currentWidget()
        if isinstance(page, QPlainTextEdit):
            copy(page.toPlainText())
            return
        versions = [f"{name} {value}" for name, value in version_info.system_versions()]
        copy(
            "\n".join(
                [
                    *versions,
                    *(
                        f"{one.name} {one.version}\t{one.licence}"
                        for one in version_info.installed_libraries()
                    ),
                ]
            )
        )


def _licence() -> str:
    """The workbench's own licence, and a note on the licences of other parts."""
    beside = tr(
        "PySide6 and Qt are used under the LGPL: they are loaded as shared libraries from "
        "separate packages,\nwhich you may replace with other versions. “Built on” lists "
        "the licences of all libraries.\n"
    )
    return f"{version_info.licence_text()}\n{beside}"
