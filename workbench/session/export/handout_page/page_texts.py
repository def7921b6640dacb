"""Texts that all sections of the page use."""

from __future__ import annotations

from workbench.core.language import mark as tr

SHARED = {
    "noscript": tr("This page needs JavaScript. It loads nothing from the network."),
    "about": tr("Words: {words}, dimensions: {dimensions}"),
    "made_by": tr("Made by Embedding Workbench. This page works without a network."),
    "context": tr("Context"),
    "unknown": tr("“{word}” isn’t on this page."),
    "similar": tr("Do you mean “{word}”?"),
    "suggestions": tr("Suggestions"),
    "sections": tr("Sections"),
}
