"""The connection to a cluster: workers of this machine or a scheduler elsewhere, and its state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QLineEdit,
    QWidget,
)

from workbench.core.errors import ParameterError
from workbench.core.language import tr, trn
from workbench.counts.cluster import ClusterParams, ClusterStatus
from workbench.session.corpus.cluster_controller import missing_cluster
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.text import memory, plural
from workbench.ui.base.theme import SPACE_2, Theme, set_property
from workbench.ui.widgets.inputs.form import MARK_WIDTH, Form, ParamField
from workbench.ui.widgets.inputs.missing_packages import MissingPackages

W = TypeVar("W", bound=QWidget)
_HERE, _THERE = "here", "there"
_CAPTION_WIDTH = 128


class ClusterWhere(QWidget):
    """The form of the connection. ``changed`` is emitted at every edit, ``connect_asked`` by the
    button. Widgets are named ``cluster.<name>``.
    """

    changed = Signal()
    connect_asked = Signal()

    def __init__(self, session: Session, theme: Theme, kept: ClusterParams) -> None:
        super().__init__()
        self._session = session
        self._link = ""
        places = {_HERE: tr("Workers on this machine"), _THERE: tr("A scheduler at an address")}
        self.place = named(kit.ChoiceBox.of(places), "place", tr("Cluster"))
        self.workers = ParamField(ClusterParams.spec("workers"), "cluster", self._address_edited)
        self.address = QLineEdit()
        self.address.setPlaceholderText("tcp://host:8786")
        self.scheduler = ParamField(
            ClusterParams.spec("scheduler"), "cluster", self._address_edited, own=self.address
        )
        self.more = Form("cluster.param", theme, without=("scheduler", "workers"))
        self.more.more.setObjectName("cluster.more_params")
        values = kept.to_dict()
        self.more.set_kind(ClusterParams, ClusterParams().to_dict(), values)
        self.place.setCurrentIndex(1 if kept.scheduler else 0)
        self.trust = named(kit.label(wrap=True), "trust", tr("Scheduler security"))
        self.button = named(
            kit.button(tr("Connect"), pressed=self.connect_asked),
            "connect",
            tr("Connect to the cluster"),
        )
        self.button.setAutoDefault(False)
        self.status = named(kit.label(wrap=True), "status", tr("Cluster status"))
        self.dashboard = named(
            kit.button(tr("Dashboard"), role="link", pressed=self._open_dashboard),
            "dashboard",
            tr("Open the cluster’s dashboard in the browser"),
        )
        self.dashboard.setAutoDefault(False)
        self.missing = MissingPackages("cluster.missing")
        self.missing.explain(missing_cluster())
        self._build()
        self.place.currentIndexChanged.connect(self._address_edited)
        self.address.returnPressed.connect(self.button.click)
        self.more.changed.connect(self._address_edited)
        self.workers.put(kept.workers)
        self.scheduler.put(kept.scheduler)
        self._show_place()
        self.show_status(None, 0, connecting=False, fits=True)

    def _build(self) -> None:
        # Aligned with the form below, whose marks are in the margin.
        beside_marks = (MARK_WIDTH, 0, 0, 0)
        grid = kit.grid(
            (kit.label(tr("Where"), buddy=self.place), self.place),
            (self.workers.label, kit.at_left(self.workers.editor)),
            (self.scheduler.label, self.address),
            (kit.across(self.trust, 2),),
            gap=0,
            row_gap=SPACE_2,
            margins=beside_marks,
            shares=(0, 1),
        )
        grid.setColumnMinimumWidth(0, _CAPTION_WIDTH + 20)
        status = (self.button, kit.stretch(self.status), self.dashboard)
        missing = kit.row(self.missing, margins=beside_marks)
        kit.fill(self, kit.column(grid, self.more, missing, kit.row(*status, margins=beside_marks)))

    @property
    def local(self) -> bool:
        return bool(self.place.currentData() == _HERE)

    @property
    def possible(self) -> bool:
        """Whether all required packages are installed."""
        return self.missing.isHidden()

    def params(self) -> ClusterParams | None:
        """The current connection, or None while a value is invalid or there is no address."""
        chosen = self.more.values()
        if self.local:
            # Kept for the next scheduler that asks for them.
            chosen |= {"workers": self.workers.value(), "tls_ca": "", "tls_cert": "", "tls_key": ""}
        else:
            chosen |= {"scheduler": self.address.text().strip()}
        if not self.local and not self.address.text().strip():
            return None
        params = _valid(chosen)
        set_property(self.address, "invalid", params is None and not self.local)
        return params

    def show_status(
        self, status: ClusterStatus | None, lost: int, *, connecting: bool, fits: bool
    ) -> None:
        """Show the state of the cluster; ``fits``: it is connected with the current settings."""
        role, text = "muted", tr("Not connected yet.")
        if connecting:
            text = tr("Starting workers…") if self.local else tr("Connecting…")
        elif status is not None and not fits:
            text = tr("Connected with different settings. Connect again.")
        elif status is not None:
            workers, threads = plural(status.workers, "worker"), plural(status.threads, "thread")
            text = tr("{workers} with {threads}", workers=workers, threads=threads)
            if status.memory:
                used, whole = memory(status.used), memory(status.memory)
                text = tr(
                    "{text}; {used} of {whole} of memory used", text=text, used=used, whole=whole
                )
            if not status.local:
                text = tr("{address}: {text}", address=status.address, text=text)
            if not status.workers:
                role, text = (
                    "warning",
                    tr("The scheduler at {address} has no workers.", address=status.address),
                )
            elif lost:
                role = "warning"
                gone = trn("{number} worker was lost", "{number} workers were lost", lost)
                text = tr("{text}. {loss}. Unfinished tasks are repeated.", text=text, loss=gone)
        if text != self.status.text():
            self.status.setText(text)
            set_property(self.status, "role", role)
        if status is not None and fits and _is_page(status.dashboard):
            self._link = status.dashboard
        else:
            self._link = ""
        if bool(self._link) == self.dashboard.isHidden():
            self.dashboard.setVisible(bool(self._link))
        self.dashboard.setToolTip(safe_tip(self._link))
        again = status is not None and fits
        self.button.setText(tr("Connect again") if again else tr("Connect"))
        self.button.setEnabled(self.possible and not connecting and self.params() is not None)

    def _open_dashboard(self) -> None:
        if self._link and not QDesktopServices.openUrl(QUrl(self._link)):
            self._session.message.emit(
                tr("Couldn’t open a browser for {link}.", link=self._link), "", True
            )

    def _address_edited(self) -> None:
        self._show_place()
        self.changed.emit()

    def _show_place(self) -> None:
        self.workers.show(self.local)
        self.scheduler.show(not self.local)
        self.trust.setVisible(not self.local)
        params = self.params()
        text = tr(
            "The owner of this scheduler can run programs on this machine as you, and you can run "
            "programs on "
            "its workers. Connect only to a scheduler that you trust."
        )
        proven = params is not None and params.uses_tls
        if not proven:
            others = tr("Without tls://, others can read the data and impersonate the scheduler.")
            text = f"{text} {others}"
        if text != self.trust.text():
            self.trust.setText(text)
            set_property(self.trust, "role", "muted" if proven else "warning")


def named(widget: W, local: str, accessible: str) -> W:
    """Give a widget of this dialog its stable object name and its accessible name."""
    widget.setObjectName(f"cluster.{local}")
    widget.setAccessibleName(accessible)
    return widget


def _valid(values: Mapping[str, Any]) -> ClusterParams | None:
    try:
        return ClusterParams.from_mapping(values)
    except ParameterError:
        return None


def _is_page(link: str) -> bool:
    """Whether a link is a web address, the only kind to open: the link comes from the scheduler."""
    return QUrl(link).scheme() in ("http", "https")
