"""Methods paragraph for a paper, with its references."""

from __future__ import annotations

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.export import references
from workbench.session.export.base import Share
from workbench.session.export.export_source import NO_RECIPE, ExportSource
from workbench.session.export.methods_text import paragraph
from workbench.session.export.programs import one_line


class Methods(Share):
    key = "methods"
    title = tr("Methods paragraph")
    summary = tr("Description of the training for a paper, with references in BibTeX.")
    order = 60

    @classmethod
    def why_not(cls, subject: ExportSource) -> str | None:
        if subject.recipe is None:
            return NO_RECIPE
        return None

    @classmethod
    def make(cls, subject: ExportSource, run: JobControl) -> dict[str, str]:
        recipe = subject.recipe
        assert recipe is not None
        works = references.parse(recipe.kind.citation)
        version = one_line(str(subject.metadata.get("version", "")))
        entries = [work.entry for work in works] + [references.workbench_entry(version)]
        listed = "".join(f"- {work.short_name}: `@{work.key}`\n" for work in works)
        listed += "- Embedding Workbench: `@embeddingworkbench`\n"
        text = f"# Methods\n\n{paragraph(subject)}\n\n## References\n\n{listed}"
        return {"methods.md": text, "references.bib": "\n\n".join(entries) + "\n"}
