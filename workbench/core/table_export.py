"""Tables as text: CSV for spreadsheets, LaTeX for papers, Markdown for notes, each escaped for its
reader.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

Cell = str | int | float | bool | None

MINUS = "\u2212"
# Characters that a spreadsheet takes for the start of a formula.
_FORMULA = ("=", "+", "-", "@", MINUS, "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    MINUS: "$-$",
    "±": r"$\pm$",
    "ρ": r"$\rho$",
    "–": "--",
    "\n": " ",
    "\r": " ",
}


def safe_cell(text: str) -> str:
    """``text``, preceded by an apostrophe if a spreadsheet would take it for a formula; numbers
    stay unchanged.
    """
    if text.startswith(_FORMULA) and not _is_number(text):
        return "'" + text
    return text


def cell_text(text: str) -> str:
    """A text for a cell of CSV or TSV: safe from formulas, on one line for all readers, and with
    escapes for lone surrogates, such as those of file names that aren’t UTF-8.
    """
    # The csv module doesn’t quote carriage returns, which readers take for the end of the line.
    one_line = safe_cell(text).replace("\r", " ")
    return one_line.encode("utf-8", "backslashreplace").decode("utf-8")


def to_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> str:
    """RFC 4180 with line feeds: numbers in full, None and NaN empty, texts safe from formulas."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow([cell_text(name) for name in header])
    for row in rows:
        writer.writerow([_csv_cell(cell) for cell in row])
    return text.getvalue()


def to_latex(header: Sequence[str], rows: Sequence[Sequence[Cell]], caption: str = "") -> str:
    """A ``table`` with the rules of booktabs; columns of numbers are right-aligned."""
    sides = "".join(
        "r" if _is_numeric(row[at] for row in rows) else "l" for at in range(len(header))
    )
    lines = ["% \\usepackage{booktabs}", "\\begin{table}", "  \\centering"]
    if caption:
        lines.append(f"  \\caption{{{_escape_latex(caption)}}}")
    lines += [
        f"  \\begin{{tabular}}{{{sides}}}",
        "    \\toprule",
        _latex_row(header),
        "    \\midrule",
    ]
    lines += [_latex_row([format_cell(cell) for cell in row]) for row in rows]
    lines += ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"]
    return "\n".join(lines) + "\n"


def to_markdown(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table in GitHub's Markdown; columns of numbers are right-aligned."""
    sides = ["---:" if _is_numeric(row[at] for row in rows) else "---" for at in range(len(header))]
    lines = [list(map(_escape_markdown, header)), sides]
    lines += [[_escape_markdown(format_cell(cell)) for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def format_cell(cell: Cell) -> str:
    """A cell formatted for reading: non-integers with four significant digits, None and NaN as
    “–”.
    """
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, bool):
        if cell:
            return "yes"
        return "no"
    if isinstance(cell, float):
        return f"{cell:.4g}".replace("-", MINUS)
    if isinstance(cell, int):
        return str(cell).replace("-", MINUS)
    return cell


def _csv_cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        if math.isfinite(cell):
            return repr(cell)
        return ""
    if isinstance(cell, str):
        return cell_text(cell)
    return cell


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _is_numeric(cells: Iterable[Cell]) -> bool:
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(
        isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in known
    )


def _latex_row(cells: Sequence[str]) -> str:
    return "    " + " & ".join(map(_escape_latex, cells)) + r" \\"


def _escape_latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def _escape_markdown(text: str) -> str:
    escaped = "".join("\\" + letter if letter in "\\|`*_<>[]~#" else letter for letter in text)
    return " ".join(escaped.split())
