"""Python script that repeats a run with the library of the workbench and checks the result."""

from __future__ import annotations

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.export.base import Share
from workbench.session.export.export_source import ExportSource
from workbench.session.export.repeat_code import SCRIPT, origin_lines, repeat_lines, why_not_repeat


class Script(Share):
    key = "script"
    title = tr("Python script")
    summary = tr(
        "Python script that repeats the run with Embedding Workbench as a library. With "
        "one thread, the vectors are identical."
    )
    order = 10

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        return why_not_repeat(subject)

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        lines = [*origin_lines(subject, SCRIPT), *repeat_lines(subject, SCRIPT)]
        return {"repeat.py": "\n".join(lines) + "\n"}
