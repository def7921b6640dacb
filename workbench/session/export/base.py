"""Base class of exports. Each kind of export is one module of this package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from workbench.core.job_control import JobControl
from workbench.session.export.export_source import ExportSource


class Share(ABC):
    """One kind of output: texts by the names of their files.

    ``summary`` says in a sentence what the output is for. ``alone``: one file that takes time and
    is large, so it is only made by itself, when it is asked for.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    order: ClassVar[int] = 100
    alone: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        """Why this run cannot be exported, in a sentence; None if it can."""

    @classmethod
    @abstractmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        """Texts by file name, for a subject that ``why_not`` allows. Raises UserError and
        Cancelled.
        """
