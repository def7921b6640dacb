"""Dialog to count on a cluster: choice of texts, settings and cluster, the plan, and the start."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from workbench.core.language import tr, trc
from workbench.core.paths import expand_user
from workbench.core.setting import Setting
from workbench.corpus.corpus import OF_FILES, CorpusOptions
from workbench.counts.cluster import ClusterEstimate, ClusterParams, CountWindowParams
from workbench.session.corpus.cluster_controller import ClusterCountRequest, inputs_of
from workbench.session.files.file_names import file_stem
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.file_dialogs import (
    CORPORA,
    ask_folder,
    file_dialog,
    remember_folder,
    start_folder,
)
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_opening_size
from workbench.ui.base.theme import SPACE_3, SPACE_4, SPACE_5, Theme, set_property
from workbench.ui.dialogs.cluster_connection import ClusterWhere, named
from workbench.ui.widgets.inputs.corpus_options import CorpusOptionsBar
from workbench.ui.widgets.inputs.form import MARK_WIDTH, Form
from workbench.ui.widgets.tables.table_model import TableColumn

_ROW = 26
COUNTING = Setting("cluster.counting", CountWindowParams.from_mapping, CountWindowParams())
CLUSTER = Setting("cluster.params", ClusterParams.from_mapping, ClusterParams())
COUNTS_FOLDER = Setting("cluster.folder", str, "")
_QUIET_MS, _LOOK_MS = 500, 1500


class ClusterDialog(QDialog):
    """Not modal. The dialog can be closed during a count, which then continues."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Count on a cluster"))
        self.setObjectName("cluster.dialog")
        self._session = session
        self.clustering = session.clustering
        self._defaults = "\n".join(inputs_of(session.corpora))
        self._planned: tuple[Any, ...] = ()
        self._counted = False
        self.inputs = named(
            QPlainTextEdit(self._defaults), "inputs", tr("Texts to count, one per line")
        )
        self.inputs.setTabChangesFocus(True)
        self.inputs.setPlaceholderText(
            tr("Files, folders or addresses such as s3://bucket/*.txt, one per line")
        )
        self.inputs.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        kit.set_scaled_size(self.inputs, height=76)
        self.files = named(kit.button(tr("Add files…")), "files", tr("Add files to the texts"))
        self.add_folder = named(
            kit.button(tr("Add a folder…")), "add_folder", tr("Add a folder to the texts")
        )
        self.reading = CorpusOptionsBar(
            "cluster.option",
            session.corpora.text.options.lasting()
            if session.corpora.text is not None
            else CorpusOptions(),
            theme,
            session.settings,
        )
        self.windows = Form("cluster.count", theme)
        self.windows.set_kind(
            CountWindowParams,
            CountWindowParams().to_dict(),
            session.settings[COUNTING].to_dict(),
        )
        self.where = ClusterWhere(session, theme, session.settings[CLUSTER])
        self.plan = ClusterPlan(theme)
        self.folder = named(QLineEdit(), "folder", tr("Folder for the counts"))
        self.choose = named(
            kit.button(tr("Choose…")), "choose", tr("Choose a folder for the counts")
        )
        self.count = named(
            kit.button(trc("verb", "Count"), role="primary"), "start", tr("Count on the cluster")
        )
        self.close_button = named(
            kit.button(tr("Close")), "close", tr("Close. Counting continues.")
        )
        for button in (self.files, self.add_folder, self.choose, self.count, self.close_button):
            button.setAutoDefault(False)
        self._make_timers()
        self._build()
        self._propose_folder()
        self._connect()
        self._settings_edited()
        self._looking.start()

    def _make_timers(self) -> None:
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._make_plan)
        self._looking = QTimer(self)
        self._looking.setInterval(_LOOK_MS)
        self._looking.timeout.connect(self.clustering.refresh_status)

    def _build(self) -> None:
        # Beside the forms, whose marks are in the margin.
        beside_marks = (MARK_WIDTH, 0, 0, 0)
        adding = kit.row(self.files, self.add_folder, kit.stretch())
        texts = (_heading(tr("Texts")), self.inputs, adding, self.reading)
        counting = (_heading(tr("Counting"), MARK_WIDTH), self.windows, kit.stretch())
        cluster = (_heading(tr("Cluster"), MARK_WIDTH), self.where, kit.stretch())
        halves = (kit.stretch(kit.column(*counting)), kit.stretch(kit.column(*cluster)))
        settings = kit.column(
            kit.column(*texts, margins=beside_marks),
            kit.row(*halves, gap=SPACE_5),
            kit.column(_heading(tr("Plan")), self.plan, margins=beside_marks),
            kit.stretch(),
            gap=SPACE_4,
            margins=(0, 0, SPACE_4, 0),
        )
        where = kit.row(
            kit.label(tr("Output folder"), buddy=self.folder),
            kit.stretch(self.folder),
            self.choose,
            kit.space(SPACE_3),
            self.close_button,
            self.count,
            margins=(MARK_WIDTH, 0, SPACE_4, 0),
        )
        scroll = kit.stretch(kit.scroll(settings))
        kit.fill(self, kit.column(scroll, where, gap=SPACE_3, margins=(0, SPACE_4)))
        kit.set_scaled_size(self, least_width=700)
        set_opening_size(self, 860, 860)

    def _connect(self) -> None:
        for signal in (
            self.inputs.textChanged,
            self.reading.changed,
            self.windows.changed,
            self.where.changed,
        ):
            signal.connect(self._settings_edited)
        self.inputs.textChanged.connect(self._propose_folder)
        self.folder.textChanged.connect(self._refresh)
        self.files.clicked.connect(self._ask_files)
        self.add_folder.clicked.connect(self._ask_folder)
        self.choose.clicked.connect(self._choose)
        self.where.connect_asked.connect(self._connect_cluster)
        self.count.clicked.connect(self.start)
        self.close_button.clicked.connect(self.reject)
        self.finished.connect(lambda _: self._stop_timers())
        self.clustering.changed.connect(self._show_clustering)

    # -- contents of the fields

    def plan_request(self) -> ClusterCountRequest | None:
        """The count request, or None while a setting is invalid."""
        lines = tuple(
            line.strip() for line in self.inputs.toPlainText().splitlines() if line.strip()
        )
        options, counting = self.reading.options(), self.windows.params()
        if (
            not lines
            or options is None
            or not isinstance(counting, CountWindowParams)
            or not self.reading.missing.isHidden()
        ):
            return None
        return ClusterCountRequest(lines, self._of_files(options), counting)

    def _of_files(self, options: CorpusOptions) -> CorpusOptions:
        """Settings with encoding, column and patterns of the open corpus if its files are
        counted.
        """
        text = self._session.corpora.text
        if text is None or self.inputs.toPlainText() != self._defaults:
            return options
        return options.replace(**{name: getattr(text.options, name) for name in OF_FILES})

    @property
    def fits(self) -> bool:
        """Whether the cluster is connected with the current settings."""
        cluster, params = self.clustering.cluster, self.where.params()
        if (
            cluster is None
            or params is None
            or cluster.params.connection_key != params.connection_key
        ):
            return False
        here = (params.workers, params.worker_memory)
        return (
            bool(params.scheduler) or (cluster.params.workers, cluster.params.worker_memory) == here
        )

    def _propose_folder(self) -> None:
        if self.folder.isModified():
            return
        home = start_folder(self._session.settings, COUNTS_FOLDER)
        first = self.inputs.toPlainText().strip().partition("\n")[0]
        name = PurePosixPath(first.replace("\\", "/")).name.partition(".")[0]
        self.folder.setText(str(home / f"{file_stem(name, 'corpus')}-counts"))

    def _settings_edited(self) -> None:
        self._soon.start()
        self.clustering.forget_plan()

    # -- planning, connecting, counting

    def _make_plan(self) -> None:
        request, params = self.plan_request(), self.where.params()
        if (
            request is not None
            and params is not None
            and self.where.possible
            and self.clustering.counting is None
        ):
            self._planned = self._size()
            self.clustering.make_plan(request, params)

    def _size(self) -> tuple[Any, ...]:
        status = self.clustering.status
        if status is None:
            return ()
        return (status.workers, status.threads, status.memory)

    def _connect_cluster(self) -> None:
        params = self.where.params()
        if params is not None:
            self._session.settings[CLUSTER] = params
            self.clustering.connect(params)

    def start(self) -> None:
        """Count in a job whose progress, pause and cancel are at the foot of the window."""
        request, params = self.plan_request(), self.where.params()
        if request is None or params is None or self.why_not():
            return
        out = expand_user(self.folder.text().strip())
        settings = self._session.settings
        remember_folder(settings, COUNTS_FOLDER, out)
        settings[COUNTING] = request.counting
        settings[CLUSTER] = params
        self._counted = True
        self.clustering.start(request, params, out.absolute())

    def why_not(self) -> str:
        """The reason why counting can't start now, or ""."""
        if self.clustering.counting is not None:
            return tr("Counting… Progress, Pause and Cancel are at the bottom of the window.")
        if self.plan_request() is None:
            return tr("Enter the texts first, and correct the fields marked in red.")
        if not self.fits or self.clustering.connecting:
            return tr("Connect first.")
        if self.clustering.plan is None:
            if self.clustering.planning:
                return tr("The plan is being computed.")
            return tr("No plan yet.")
        if self.folder.text().strip():
            return ""
        return tr("Choose a folder for the counts.")

    # -- messages

    def _show_clustering(self) -> None:
        clustering = self.clustering
        if self._counted and clustering.counting is None:
            self._counted = False
            if clustering.counts_folder is not None:
                self.accept()
                return
        if (
            clustering.counting is None
            and self._size() != self._planned
            and not clustering.connecting
        ):
            self._soon.start()
            self._planned = self._size()
        self._refresh()

    def _refresh(self) -> None:
        clustering = self.clustering
        self.where.show_status(
            clustering.status, clustering.lost, connecting=clustering.connecting, fits=self.fits
        )
        if clustering.counting is not None:
            self.where.button.setEnabled(False)
        self.plan.show_plan(clustering.plan)
        reason = self.why_not()
        if self.count.isEnabled() == bool(reason):
            self.count.setEnabled(not reason)
        self.count.setToolTip(
            safe_tip(reason or tr("Count, save the counts in the folder and open them"))
        )
        if clustering.problem is not None:
            self.plan.set_message(str(clustering.problem), "error")
        elif clustering.counting is not None:
            self.plan.set_message(reason)
        elif clustering.planning:
            self.plan.set_message(tr("Reading a sample of the texts…"))
        elif clustering.plan is not None and clustering.plan.warnings:
            self.plan.set_message(" ".join(clustering.plan.warnings), "warning")
        else:
            self.plan.set_message(reason if self.where.possible else "")

    def _stop_timers(self) -> None:
        self._looking.stop()
        self._soon.stop()
        self.clustering.changed.disconnect(self._show_clustering)
        self.clustering.leave()

    # -- choosing files

    def _add(self, paths: list[str]) -> None:
        if paths:
            before = self.inputs.toPlainText().rstrip()
            # The open corpus was only suggested.
            kept = [] if before == self._defaults or not before else [before]
            self.inputs.setPlainText("\n".join([*kept, *paths]))

    def _ask_files(self) -> None:
        dialog = file_dialog(self, self._session.settings, CORPORA, tr("Texts to count"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self._add(list(paths)))
        dialog.open()

    def _ask_folder(self) -> None:
        title = tr("A folder of texts to count")
        dialog = file_dialog(self, self._session.settings, CORPORA, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly, True)
        dialog.filesSelected.connect(lambda paths: self._add(list(paths)))
        dialog.open()

    def _choose(self) -> None:
        start = str(Path(self.folder.text()).parent)
        settings, title = self._session.settings, tr("Folder for the counts")
        found = ask_folder(self, settings, COUNTS_FOLDER, title, start)
        if found is not None:
            self.folder.setText(str(found))
            self.folder.setModified(True)


def _heading(text: str, indent: int = 0) -> QLabel:
    return kit.label(text, role="heading", margins=(indent, 0, 0, 0))


def count_on_cluster(window: QWidget, session: Session, theme: Theme) -> ClusterDialog:
    """Show the only dialog of this kind, or bring it to the front. It belongs to the session's
    cluster.
    """
    for widget in QApplication.topLevelWidgets():
        if (
            isinstance(widget, ClusterDialog)
            and widget.isVisible()
            and widget.clustering is session.clustering
        ):
            widget.raise_()
            widget.activateWindow()
            return widget
    dialog = ClusterDialog(session, theme, window)
    dialog.show()
    return dialog


class ClusterPlan(QWidget):
    """The rows of a plan below its warnings, or the reason why there is no plan."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.table = named(
            kit.DataTable(theme, rows=_ROW, sortable=False), "plan", tr("Estimated cost")
        )
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.horizontalHeader().hide()
        kit.set_scaled_size(self.table, height=9 * _ROW + 4)
        self.note = named(kit.label(wrap=True), "note", tr("Warnings"))
        kit.fill(self, kit.column(self.note, self.table))
        self._shown: ClusterEstimate | None = None
        # The table's room stays reserved, so that nothing below moves when a plan appears or
        # disappears.
        kept = self.table.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.table.setSizePolicy(kept)
        self.table.hide()
        self.note.hide()

    def show_plan(self, plan: ClusterEstimate | None) -> None:
        """Show the rows of a plan; nothing changes if the plan is already shown."""
        if plan is self._shown:
            return
        self._shown = plan
        self.table.setVisible(plan is not None)
        rows = plan.rows() if plan is not None else []
        names = [name[:1].upper() + name[1:] for name, _ in rows]
        values = [value for _, value in rows]
        self.table.set_columns(
            [
                TableColumn("", names, number=False, key="name"),
                TableColumn("", values, tips=values, number=False, stretch=True, key="value"),
            ]
        )

    def set_message(self, text: str, role: str = "muted") -> None:
        """A sentence above the table, "muted", "warning" or "error"."""
        if (text, role) != (self.note.text(), self.note.property("role")):
            set_property(self.note, "role", role)
            self.note.setText(text)
            self.note.setVisible(bool(text))
