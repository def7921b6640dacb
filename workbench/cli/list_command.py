"""``workbench list``: list of algorithms, parameters, formats and presets."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from workbench.cli import output
from workbench.cli.parsing import Parser
from workbench.core.params import Spec
from workbench.models.base import MODELS
from workbench.vectors.formats import FORMATS


def list_command(parser: Parser, arguments: Sequence[str]) -> int:
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    args = parser.parse_all(arguments)
    if args.json:
        output.print_json(catalogue())
    else:
        print(_algorithms_text())
    return 0


def catalogue() -> dict[str, Any]:
    """Everything that is registered, in the form of ``list --json``."""
    return {
        "algorithms": [
            {
                "key": kind.key,
                "title": kind.title,
                "family": kind.family,
                "summary": kind.summary,
                "citation": kind.citation,
                "parameters": [spec.to_json() for spec in kind.params_type.specs()],
            }
            for kind in MODELS
        ],
        "formats": [
            {"key": kind.key, "title": kind.title, "suffixes": list(kind.suffixes)}
            for kind in FORMATS
        ],
        "presets": [
            {
                "algorithm": kind.key,
                "name": preset.name,
                "values": dict(preset.values),
                "source": preset.source,
            }
            for kind in MODELS
            for preset in kind.presets
        ],
    }


def _algorithms_text() -> str:
    parts = []
    for kind in MODELS:
        text = textwrap.fill(kind.summary, 100, initial_indent="  ", subsequent_indent="  ")
        rows = [
            [
                "    " + spec.option,
                spec.symbol,
                f"{spec.default}" or "–",
                spec.describe_range() + _unit(spec),
            ]
            for spec in kind.params_type.specs()
        ]
        parts.append(
            f"{kind.key}: {kind.title}\n{text}\n  {kind.citation}\n{output.format_table(rows)}"
        )
    formats = [["  " + kind.key, kind.title, " ".join(kind.suffixes)] for kind in FORMATS]
    parts.append("Formats\n" + output.format_table(formats))
    presets = [
        ["  " + preset.name, kind.key, preset.source] for kind in MODELS for preset in kind.presets
    ]
    if presets:
        parts.append("Presets\n" + output.format_table(presets))
    return "\n\n".join(parts)


def _unit(spec: Spec) -> str:
    if spec.unit:
        return f", in {spec.unit}"
    return ""
