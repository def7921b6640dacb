"""Export of the matrices as a figure or as CSV tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from workbench.analysis.matrix.board import Board
from workbench.analysis.matrix.values import MatrixResult
from workbench.core import table_export
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import source_text, tr
from workbench.core.table_export import Cell
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.action import set_action_key
from workbench.ui.base.exporter import What
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.theme import LIGHT
from workbench.ui.export.captions import caption, modes_stem, shown_modes
from workbench.ui.export.export_actions import lack_of, nothing_to_save, report_saved
from workbench.ui.export.figure_dialog import SaveReport, ask_figure
from workbench.ui.export.figure_export import TABLE, PageSetup, ask_path, save_figure
from workbench.ui.export.file_jobs import write_in_job
from workbench.ui.panels.matrix.image import MatrixImage, make_images
from workbench.ui.panels.matrix.view import MatrixView
from workbench.ui.widgets.layout.result_view import Request, ResultJob


def write_wide(path: Path, result: MatrixResult, run: JobControl | None = None) -> None:
    """Write one matrix as CSV: words down, contexts across, empty for unobserved pairs.

    A name that a spreadsheet would take for a formula is preceded by an apostrophe. Raises
    UserError if the file can't be written, and Cancelled.
    """
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(table_export.to_csv(["", *result.columns], []))
        for at, word in enumerate(result.words):
            _report_progress(run, at, len(result.words))
            file.write(_csv_lines([[word, *result.values[at].tolist()]]))


def write_long(path: Path, board: Board, titles: list[str], run: JobControl | None = None) -> None:
    """Write all matrices as CSV: a line for each pair with its value in every pane, and its counts
    from the first pane that has them. Raises as :func:`write_wide`.
    """
    shown = [
        (title, pane)
        for title, pane in zip(titles, board.panes, strict=True)
        if isinstance(pane, MatrixResult)
    ]
    counts = next((pane.counts for _, pane in shown if pane.counts is not None), None)
    header = ["word", "context", *(source_text(title) for title, _ in shown)] + (
        ["#(w,c)"] if counts is not None else []
    )
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        file.write(table_export.to_csv(header, []))
        for at, word in enumerate(board.words):
            _report_progress(run, at, len(board.words))
            columns: list[list[Cell]] = [[word] * len(board.columns), list(board.columns)]
            columns += [pane.values[at].tolist() for _, pane in shown]
            if counts is not None:
                columns.append(counts[at].tolist())
            file.write(_csv_lines([list(row) for row in zip(*columns, strict=True)]))


def _csv_lines(rows: list[list[Cell]]) -> str:
    """Lines of CSV without a header."""
    return table_export.to_csv([], rows).partition("\n")[2]


def _report_progress(run: JobControl | None, at: int, total: int) -> None:
    if run is not None:
        run.check()
        run.advance(at / total, tr("Writing the table"))


class MatrixExports:
    """“Save figure…” and “Save data…” of all views and of each.

    titles : titles of the panes; shared : whether the panes share their scales
    """

    def __init__(
        self,
        view: MatrixView,
        session: Session,
        titles: Callable[[], list[str]],
        shared: Callable[[], bool],
    ) -> None:
        self._view = view
        self._session = session
        self._titles = titles
        self._drawing = ResultJob(session.jobs, "matrix.figure")
        self._shared = shared
        self.button = kit.button(tr("Export"))
        # All counts of the corpus, whatever part is shown; the owner of the view provides the
        # corpus.
        self.counts = QAction(tr("Save all counts…"), view)
        set_action_key(self.counts, "matrix.save_counts")
        menu = QMenu(self.button)
        menu.aboutToShow.connect(menu.clear)
        menu.aboutToShow.connect(lambda: self.fill(menu))
        self.button.setMenu(menu)
        view.export = self

    def fill(self, menu: QMenu) -> None:
        """Add the available exports to a menu."""
        for action in self.menu_actions():
            action.setParent(menu)
            action.setEnabled(self._view.board is not None)
            menu.addAction(action)
        menu.addSeparator()
        self.counts.setEnabled(self._session.corpora.current is not None)
        menu.addAction(self.counts)

    def menu_actions(self, about: str = "") -> list[QAction]:
        """Export actions for the current matrices; ``about`` names them in menus that offer
        several.
        """
        if about:
            figure = tr("Save figure of {about}…", about=about)
            data = tr("Save data of {about}…", about=about)
        else:
            figure = tr("Save figure…")
            data = tr("Save data…")
        actions = [
            self._add_action("figure", figure, self.ask_figure),
            self._add_action("data", data, self.ask_data),
        ]
        board = self._view.board
        if board is not None and len(board.panes) > 1:
            for at, title in enumerate(self._titles()):
                if isinstance(board.panes[at], MatrixResult):
                    actions.append(
                        self._add_action(
                            "data",
                            tr("Save data of {title}…", title=title),
                            partial(self.ask_data, at),
                        )
                    )
        return actions

    def _add_action(self, what: str, text: str, slot: Callable[[], None]) -> QAction:
        action = QAction(menu_text(text), self._view)
        set_action_key(action, f"matrix.save_{what}")
        action.triggered.connect(lambda _=False: slot())
        return action

    def ask_figure(self) -> None:
        if self._has_matrices():
            caption_text = caption(
                self._session,
                tr("Matrices of words: {join}", join="; ".join(self._titles())),
                modes=shown_modes(self._view, self._session),
            )
            size, _ = self._view.paper_frame()
            ask_figure(
                self._view,
                self._session,
                tr("Save the figure"),
                modes_stem("matrix", shown_modes(self._view, self._session)),
                size,
                caption_text,
                self.save_figure,
            )

    def ask_data(self, pane: int | None = None) -> None:
        """Ask where to save all views as a long table, or the one in ``pane`` as shown."""
        path = None
        if self._has_matrices():
            stem = modes_stem("matrix", shown_modes(self._view, self._session))
            path = ask_path(self._view, self._session.settings, tr("Save the numbers"), stem, TABLE)
        if path is not None:
            self.save_data(path, pane)

    @property
    def owner(self) -> QWidget:
        return self._view

    def offers(self, what: What) -> bool:
        return what != "copy"

    def ask(self, what: What) -> None:
        (self.ask_figure if what == "figure" else self.ask_data)()

    def _has_matrices(self) -> bool:
        """Whether there are matrices to save; shows a message if not."""
        if self._view.board is None or self._view.covered:
            error = nothing_to_save(self._view, lack_of(self._view))
            self._session.message.emit(error.message, error.hint, False)
            return False
        return True

    def save_figure(
        self, path: Path, page: PageSetup | None = None, report: SaveReport | None = None
    ) -> None:
        """Save the current view on white; report the result, or pass a reason for failure to
        ``report`` instead of the window. A job makes the images, as there may be millions of cells.
        """
        board, shared, titles = self._view.board, self._shared(), self._titles()
        failed = report or self._session.message.report
        if board is None:
            failed(nothing_to_save(self._view, lack_of(self._view)))
            return

        def write(drawn: list[MatrixImage | None]) -> None:
            if self._view.board is not board:
                failed(
                    UserError(
                        tr("The matrix changed before it was saved."), tr("Save the matrix again.")
                    )
                )
                return
            view = self._view
            try:
                save_figure(
                    path,
                    view.paper_frame()[0],
                    lambda painter: view.save_picture(painter, drawn, titles),
                    tr("Matrix"),
                    page,
                )
            except UserError as error:
                failed(error)
            else:
                self._report_saved(path)
                if report is not None:
                    report(None)

        self._drawing.ask(
            Request(
                (object(),),
                tr("Drawing {name}", name=path.name),
                lambda run: make_images(board.panes, shared, LIGHT),
                write,
                quiet=True,
                failed=failed,
            )
        )

    def save_data(self, path: Path, pane: int | None = None) -> None:
        """Save a table in a job, as it can have millions of lines, and report the result."""
        board, titles = self._view.board, self._titles()
        if board is None:
            return
        if len(board.panes) == 1:
            one = board.panes[0]
        elif pane is not None:
            one = board.panes[pane]
        else:
            one = None

        def work(run: JobControl) -> None:
            if isinstance(one, MatrixResult):
                write_wide(path, one, run)
            else:
                write_long(path, board, titles, run)

        write_in_job(
            self._session,
            path,
            work,
            title=tr("Writing {name}", name=path.name),
            key="matrix.export",
            saved=lambda _: self._report_saved(path),
        )

    def _report_saved(self, path: Path) -> None:
        report_saved(self._session, self._view, path)
