"""Update the catalogues of translations: ``python tests/tools/translations.py [--check]``.

Reads every text from the source (arguments of ``tr``, ``trc``, ``trn`` and ``plural``, texts that
``param`` declares, and the choices it names), adds new ones to
``resources/translations/<language>/<part>.po`` without a translation, removes those no longer in
use, and compiles all parts of a language into ``resources/translations/<language>.mo``, which the
program reads. ``--check`` changes nothing and exits with 1 if a file is out of date, a text is not
translated, or a translation fills in other values.
"""

from __future__ import annotations

import argparse
import ast
import io
import string
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"
# The module that defines the functions for looking up texts.
_LOOKS_UP = ROOT / "workbench" / "core" / "language.py"
_DECLARES = ROOT / "workbench" / "core" / "params.py"
# Fields of a hyperparameter’s declaration that people read.
_KEYWORDS = ("doc", "label", "unit", "grows", "source")
# Context of hyperparameters’ choices. These are declared as tuples, by names of tuples, or by the
# keys of a registry.
CHOICE = "choice"
_KEYS = ROOT / "workbench" / "corpus" / "tokenise" / "tokenisers"


@dataclass
class Text:
    """A text of the source. ``more``: its plural, or ""; ``places``: files with lines; ``context``:
    its meaning, or "".
    """

    one: str
    more: str = ""
    places: list[tuple[str, int]] = field(default_factory=list)
    context: str = ""


def part_of(path: Path) -> str:
    """The .po file that contains a module's texts: one for each folder of modules."""
    inside = path.relative_to(ROOT / "workbench").parent.parts
    return "-".join(inside) or "workbench"


def texts(path: Path) -> Iterator[Text]:
    """All texts of a module. Raises ValueError for an argument that is not a literal."""
    name = path.relative_to(ROOT).as_posix()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from choices(tree, path)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function = node.func.id if isinstance(node.func, ast.Name) else ""
        if function in ("tr", "trn"):
            literals = [
                _literal(argument) for argument in node.args[: 1 if function == "tr" else 2]
            ]
            if path == _DECLARES and None in literals:
                continue
            if None in literals or not literals:
                raise ValueError(
                    f"{name}:{node.lineno}: {function} takes a text that is written out"
                )
            yield Text(
                str(literals[0]),
                str(literals[1]) if function == "trn" else "",
                [(name, node.lineno)],
            )
        elif function == "trc":
            context, said_so = ([_literal(argument) for argument in node.args] + [None, None])[:2]
            if context is None or said_so is None:
                raise ValueError(
                    f"{name}:{node.lineno}: trc takes a context and a text that are written out"
                )
            yield Text(said_so, "", [(name, node.lineno)], context)
        elif function == "plural":
            nouns = [_literal(argument) for argument in node.args[1:3]]
            if None in nouns or not nouns:
                raise ValueError(f"{name}:{node.lineno}: plural takes a noun that is written out")
            more = nouns[1] if len(nouns) > 1 else f"{nouns[0]}s"
            yield Text(f"{{number:,}} {nouns[0]}", f"{{number:,}} {more}", [(name, node.lineno)])
        elif function in ("param", "redeclare") and path != _DECLARES:
            first = node.args[1:2] if function == "param" else node.args[3:4]
            for value in [*first, *(word.value for word in node.keywords if word.arg in _KEYWORDS)]:
                if text := _literal(value):
                    yield Text(text, "", [(name, value.lineno)])


def choices(tree: ast.Module, path: Path) -> Iterator[Text]:
    """Values of choices of hyperparameters: from tuples in declarations, named tuples, and keys of
    a registry.
    """
    name = path.relative_to(ROOT).as_posix()
    nodes: list[ast.expr] = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.keyword)
            and node.arg == "choices"
            and isinstance(node.value, ast.Tuple)
        ):
            nodes += node.value.elts
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id in _named_choices() and isinstance(node.value, ast.Tuple):
                nodes += node.value.elts
            elif node.targets[0].id == "key" and path.parent == _KEYS:
                nodes.append(node.value)
    inside = path.relative_to(ROOT / "workbench").parts[0]
    for value in nodes:
        # Choices on the command line are words that must be typed as they are.
        if (text := _literal(value)) and inside not in ("cli", "__main__.py", "program.py"):
            yield Text(text, "", [(name, value.lineno)], CHOICE)


@cache
def _named_choices() -> set[str]:
    """Names of the tuples that declarations use for choices."""
    return {
        node.value.id
        for path in (ROOT / "workbench").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword)
        and node.arg == "choices"
        and isinstance(node.value, ast.Name)
    }


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def gather_texts() -> dict[str, dict[tuple[str, str], Text]]:
    """All texts, by part and then by (text, context)."""
    parts: dict[str, dict[tuple[str, str], Text]] = {}
    for path in sorted((ROOT / "workbench").rglob("*.py")):
        if path == _LOOKS_UP:
            continue
        for text in texts(path):
            entry = parts.setdefault(part_of(path), {}).setdefault(
                (text.one, text.context), Text(text.one, text.more, context=text.context)
            )
            entry.more = entry.more or text.more
            entry.places += text.places
    return parts


def fresh(part: dict[tuple[str, str], Text], translations: Catalog, language: str) -> Catalog:
    """A catalogue of the texts of a part, with the translations already known."""
    catalogue = Catalog(locale=language)
    for text in sorted(part.values(), key=lambda text: text.places[0]):
        before = translations.get(text.one, text.context or None)
        translation = before.string if before is not None else ""
        forms = list(translation) if isinstance(translation, (tuple, list)) else [translation or ""]
        files = sorted({place for place, _ in text.places})
        catalogue.add(
            (text.one, text.more) if text.more else text.one,
            (forms[0], [*forms, ""][1]) if text.more else forms[0],
            locations=[(place, 0) for place in files],
            context=text.context or None,
        )
    return catalogue


def to_po(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    # Without the header, which contains the time and the tool’s version.
    write_po(buffer, catalogue, width=110, omit_header=True, include_lineno=False)
    return buffer.getvalue()


def to_mo(catalogue: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


def same(path: Path, wanted: bytes | None) -> bool:
    """Whether a file has this content; for a compiled catalogue, whether it has the same texts."""
    before = path.read_bytes() if path.exists() else None
    if path.suffix != ".mo" or before is None or wanted is None:
        return before == wanted
    old_texts, new_texts = (
        {(m.context, str(m.id)): m.string for m in read_mo(io.BytesIO(data)) if m.id}
        for data in (before, wanted)
    )
    return old_texts == new_texts


def fields(template: str) -> set[str]:
    """Names of the values to fill into a template; empty if the text isn’t a template."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(template) if name}
    except ValueError:
        return set()


def faults(catalogue: Catalog, part: str) -> Iterator[str]:
    for message in catalogue:
        if not message.id:
            continue
        ids = [message.id] if isinstance(message.id, str) else list(message.id)
        strings = (
            [message.string or ""]
            if isinstance(message.string, str | None)
            else list(message.string)
        )
        if not all(strings):
            yield f"{part}: not translated: {ids[0]!r}"
            continue
        wanted = set().union(*map(fields, ids))
        for one in strings:
            if fields(one) - wanted or (len(ids) == 1 and fields(one) != wanted):
                yield f"{part}: fills in other things: {ids[0]!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description="The catalogues of translations.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    parts = gather_texts()
    wrong: list[str] = []
    for language in sorted(path.name for path in FOLDER.iterdir() if path.is_dir()):
        folder = FOLDER / language
        translations = Catalog(locale=language)
        for path in sorted(folder.glob("*.po")):
            for message in read_po(io.BytesIO(path.read_bytes()), locale=language):
                if message.id and message.string and any(message.string):
                    translations.add(message.id, message.string, context=message.context)
        whole = Catalog(locale=language)
        contents: dict[Path, bytes] = {}
        for part, messages in sorted(parts.items()):
            catalogue = fresh(messages, translations, language)
            wrong += faults(catalogue, f"{language}/{part}")
            contents[folder / f"{part}.po"] = to_po(catalogue)
            for message in catalogue:
                one = message.id if isinstance(message.id, str) else message.id[0]
                if one and whole.get(one, message.context) is None:
                    whole.add(message.id, message.string, context=message.context)
        contents[FOLDER / f"{language}.mo"] = to_mo(whole)
        for path in sorted({*folder.glob("*.po"), *contents}):
            if same(path, contents.get(path)):
                continue
            if check:
                wrong.append(
                    f"{path.relative_to(ROOT)} is not what the source gives: run python "
                    f"tests/tools/translations.py"
                )
            elif path in contents:
                path.write_bytes(contents[path])
            else:
                path.unlink()
    print("\n".join(wrong) or "whole")
    print(
        f"{sum(len(part) for part in parts.values()):,} texts in {len(parts)} parts",
        file=sys.stderr,
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
