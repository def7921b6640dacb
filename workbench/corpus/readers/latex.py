r"""LaTeX: the words that a reader of the printed page sees.

Leaves out the preamble, comments, formulas, tables and figures, and the arguments of commands that
print none of their words there (``\cite``, ``\label``). Keeps the arguments of all other commands;
unknown macros can therefore leave a word too many, which a note says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import beginning, lines

# Commands whose arguments aren’t words of the text at this place.
_SILENT = frozenset(
    [
        "addbibresource",
        "bibliography",
        "bibliographystyle",
        "bibitem",
        "cite",
        "citep",
        "citet",
        "citealp",
        "citeauthor",
        "citeyear",
        "citeyearpar",
        "parencite",
        "textcite",
        "footcite",
        "autocite",
        "nocite",
        "documentclass",
        "usepackage",
        "eqref",
        "autoref",
        "cref",
        "Cref",
        "pageref",
        "ref",
        "vref",
        "include",
        "includegraphics",
        "includeonly",
        "index",
        "glossary",
        "input",
        "label",
        "newcommand",
        "renewcommand",
        "providecommand",
        "newenvironment",
        "renewenvironment",
        "newtheorem",
        "DeclareMathOperator",
        "def",
        "let",
        "setlength",
        "addtolength",
        "setcounter",
        "addtocounter",
        "setstretch",
        "hspace",
        "vspace",
        "pagestyle",
        "thispagestyle",
        "pagenumbering",
        "url",
        "path",
        "hypersetup",
        "graphicspath",
        "selectlanguage",
        "color",
        "definecolor",
        "geometry",
        "fontsize",
        "linespread",
        "hyphenation",
        "vskip",
        "hskip",
        "rule",
        "phantomsection",
        "addcontentsline",
    ]
)
# Commands that only LaTeX has, and the minimum number and share of lines that contain them.
_COMMON = re.compile(
    rb"\\(?:emph|text(?:it|bf|sc|tt)|(?:sub)*section|chapter|cite[pt]?|ref|label|footnote|begin)\*?\{"
)
_FEWEST_MARKED, _MARKED = 3, 0.1
# Environments whose content isn’t running text.
_SKIPPED = frozenset(
    [
        "equation",
        "align",
        "gather",
        "multline",
        "eqnarray",
        "displaymath",
        "math",
        "alignat",
        "flalign",
        "tabular",
        "tabularx",
        "longtable",
        "array",
        "tikzpicture",
        "verbatim",
        "lstlisting",
        "minted",
        "filecontents",
        "thebibliography",
        "picture",
        "comment",
    ]
)
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ", "th": "þ", "TH": "Þ", "dh": "ð", "DH": "Ð",
    "ng": "ŋ", "dj": "đ", "ldots": "…", "dots": "…", "textquoteright": "’", "textendash": "–",
    "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§", "P": "¶", "textellipsis": "…",
}  # fmt: skip
_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_TITLES = frozenset(
    [
        "part",
        "chapter",
        "section",
        "subsection",
        "subsubsection",
        "paragraph",
        "subparagraph",
        "title",
        "author",
        "caption",
    ]
)
# Commands that print all their arguments but the first.
_FIRST_SILENT = frozenset(("href", "textcolor", "hyperlink", "foreignlanguage", "raisebox"))
_NOTES = frozenset(("footnote", "footnotetext", "endnote", "thanks", "marginpar"))
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"))
# Signs after a backslash that aren’t printed as they are.
_SIGNS = {"\\": " ", ",": " ", ";": " ", ":": " ", "!": "", "(": " ", ")": " ", "@": ""}
# A tie is a space, and so is the border of a cell.
_SPACES = re.compile(r"(?<!\\)[&~]")
# Commands that separate words, whatever stands between.
_BREAKS = frozenset(
    (
        *("newline", "linebreak", "pagebreak", "newpage", "clearpage", "hfill", "vfill", "quad"),
        *("qquad", "hspace", "vspace", "thinspace", "enspace", "space", "smallskip", "medskip"),
        *("bigskip", "noindent", "indent", "centering", "item", "hline", "cline", "multicolumn"),
    )
)
_BREAKS_PARAGRAPH = frozenset(("par", "item", "bigskip", "medskip", "smallskip"))
# Ends a paragraph within one of the source.
_APART = "\f"
_BRACES = {ord("{"): None, ord("}"): None}
_ACCENTED = re.compile(
    r"""\\(?:([`'^~"=.])\s*|([uvHckrdb])(?![A-Za-z])\s*)"""
    r"""(?:\{\s*(\\[ij]\b|[^\W\d_])\s*\}|(\\[ij]\b\s*|[^\W\d_]))"""
)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_VERB = re.compile(r"\\(?:verb|lstinline)\*?([^A-Za-z*\s])(.*?)\1")
_MATH = re.compile(
    r"(?<!\\)\$\$.*?(?<!\\)\$\$|(?<!\\)\$[^$]*?(?<!\\)\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL
)
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\s*\{([A-Za-z]+)(\*?)\}|\\(if[A-Za-z@]*|fi|else)(?![A-Za-z@])"
)
# A part that is never printed, and the one after a part that always is.
_NEVER = ("iffalse", "else of iftrue")
_COMMAND = re.compile(r"\\([A-Za-z@]+)(\*?)[ \t]*|\\(.)", re.DOTALL)
# The short forms of babel in German texts: "a is ä, "- and "" show where a word may be cut.
_GERMAN = re.compile(
    r"\\(?:usepackage|documentclass|documentstyle)\s*(?:\[[^\]]*\bn?german\b|\{n?german\})"
    r"|\[[^\]]*\bn?(?:german|austrian|swissgerman)\b[^\]]*\]\s*\{babel\}"
)
_SHORTHAND = re.compile(r"""(?<!\\)"([aouAOUsz`'~=|"-]|c(?=k))""")
_WRITTEN_OUT = {
    "a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü", "s": "ß", "z": "ß", "`": "„",
    "'": "“", "~": "-", "=": "-", "c": "c",
}  # fmt: skip
# Bounded, so that a brace that is never closed costs little.
_ARGUMENT = re.compile(
    r"\s{0,9}(\[[^\[\]]{0,2000}\]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,999}\}){0,999}\}){0,4000}\})"
)
_BEGINS = re.compile(
    r"\s*(?:%[^\n]*\n\s*)*\\(?:documentclass|documentstyle|chapter|section|input|begin)\b"
)
# Paragraphs are short; one that doesn’t end is cut here.
_LONGEST = 1 << 16


class Latex(Reader):
    key = "latex"
    title = tr("LaTeX document")
    suffixes = (".tex", ".latex", ".ltx")

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes or _BEGINS.match(beginning(document)[:8192]):
            return True
        # A part of a document has no preamble.
        rows = [line for line in document.head.split(b"\n") if line.strip()]
        marked = sum(_COMMON.search(line) is not None for line in rows)
        return marked >= max(_FEWEST_MARKED, _MARKED * len(rows))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        preamble = r"\begin{document}" in beginning(document)
        state = _Skipped()
        german = _GERMAN.search(beginning(document)) is not None
        wants_notes = document.options.notes
        paragraph: list[str] = []
        size = seen = 0
        for _, line in lines(document):
            seen += len(line)
            text = _COMMENT.sub(r"\1", line)
            if text != line and text.strip():
                # A comment also hides the line end and the indentation of the next line.
                text = text.rstrip("\n")
            elif text != line:
                text = ""
            if preamble:
                _, found, text = text.partition(r"\begin{document}")
                preamble = not found
            if r"\end{document}" in text:
                text = text.partition(r"\end{document}")[0]
                preamble = True
            text = state.outside(text)
            if german:
                text = _SHORTHAND.sub(_written_out, text)
            paragraph.append(text)
            size += len(text)
            ends = not line.strip() or size > _LONGEST
            if ends or seen > BLOCK // 4:
                printed = _printed("".join(paragraph), wants_notes) if ends else ""
                yield printed.encode(errors="replace")
                seen = 0
            if ends:
                paragraph, size = [], 0
        yield _printed("".join(paragraph), wants_notes).encode(errors="replace")
        document.note(
            tr("Formulas, tables and references were left out; macros of your own aren’t expanded.")
        )


class _Skipped:
    """Leaves out environments that aren’t running text, and parts that a condition never prints."""

    def __init__(self) -> None:
        # The name of the environment that is left out, or of the condition, and the conditions
        # that are open within that part; and all others that are open.
        self._name = ""
        self._depth = 0
        self._conditions: list[str] = []

    def outside(self, text: str) -> str:
        """The part of a line outside of what is left out."""
        kept = []
        at = 0
        for mark in _ENVIRONMENT.finditer(text):
            before, within = at, bool(self._name)
            if mark[4]:
                changed = self._meet_condition(mark[4])
            else:
                changed = self._meet_environment(mark[1], mark[2])
            if changed and not within:
                kept.append(text[before : mark.start()] + ("" if mark[4] else " "))
            if changed:
                at = mark.end()
        if not self._name:
            kept.append(text[at:])
        return "".join(kept)

    def _meet_environment(self, kind: str, name: str) -> bool:
        """Whether a part that is left out begins or ends here."""
        if self._name:
            ends = kind == "end" and name == self._name
            self._name = "" if ends else self._name
            return ends
        if kind == "begin" and name in _SKIPPED:
            self._name = name
            return True
        return False

    def _meet_condition(self, command: str) -> bool:
        """Whether a part that is left out begins or ends here, or is continued."""
        if self._name and self._name not in _NEVER:
            return False
        if self._name:
            if command == "fi" and self._depth == 0:
                self._name = ""
            elif command == "else" and self._depth == 0:
                self._name = ""
                self._conditions.append("else")
            else:
                self._depth += (command != "else") - 2 * (command == "fi")
                return False
        elif command == "iffalse":
            self._name = command
        elif command == "fi":
            if self._conditions:
                self._conditions.pop()
        elif command == "else":
            if not (self._conditions and self._conditions[-1] == "iftrue"):
                return True
            self._conditions.pop()
            self._name = "else of iftrue"
        else:
            self._conditions.append(command)
        return True


def _printed(source: str, wants_notes: bool) -> str:
    """The printed words of a paragraph, then those of its footnotes, each followed by an empty
    line; "" for none.
    """
    text = _VERB.sub(lambda found: f" {found[2]} ".replace("\\", " "), source)
    text = _SPACES.sub(" ", _ACCENTED.sub(_composed, _MATH.sub(" ", text)))
    pieces: list[str] = []
    notes: list[str] = []
    at = 0
    while found := _COMMAND.search(text, at):
        pieces.append(text[at : found.start()])
        at = found.end()
        name = found[1]
        if name is None:
            # \- shows where a word may be cut, \/ separates letters for their looks.
            pieces.append("" if found[3] in "-/" else _SIGNS.get(found[3], found[3]))
            if found[3] == "\\":
                at = _after_option(text, at)
        elif name in _LETTERS:
            pieces.append(_LETTERS[name])
            at += 2 * text.startswith("{}", at)
        elif name == "discretionary":
            # What is printed where the word isn’t cut.
            at = _after_argument(text, _after_argument(text, at))
        elif name in ("begin", "end"):
            at = _after_arguments(text, at)
            pieces.append(_APART)
        elif name in _SILENT:
            at = _after_arguments(text, at)
            pieces.append(" " if name in _BREAKS else "")
        elif name in _BREAKS or name in _BREAKS_PARAGRAPH:
            at = _after_option(text, at)
            if name == "multicolumn":
                at = _after_argument(text, _after_argument(text, at))
            pieces.append(_APART if name in _BREAKS_PARAGRAPH else " ")
        elif name in _NOTES or name in _TITLES:
            argument = _ARGUMENT.match(text, _after_option(text, at))
            inner = argument[1][1:-1] if argument else ""
            at = argument.end() if argument else at
            if name in _NOTES and wants_notes:
                notes.append(_printed(inner, wants_notes))
            elif name in _TITLES:
                pieces.append(f"{_APART}{_printed(inner, wants_notes)}{_APART}")
        else:
            at = _after_option(text, at)
            if name in _FIRST_SILENT:
                at = _after_argument(text, at)
    pieces.append(text[at:])
    plain = "".join(pieces).translate(_BRACES)
    for marks, letters in _LIGATURES:
        plain = plain.replace(marks, letters)
    printed = [" ".join(part.split()) for part in plain.split(_APART)]
    return "".join(f"{part}\n\n" for part in printed if part) + "".join(notes)


def _after_option(text: str, at: int) -> int:
    """The place after an argument in square brackets, which isn’t printed."""
    option = _ARGUMENT.match(text, at)
    return option.end() if option and option[1].startswith("[") else at


def _after_argument(text: str, at: int) -> int:
    argument = _ARGUMENT.match(text, at)
    return argument.end() if argument else at


def _after_arguments(text: str, at: int) -> int:
    while argument := _ARGUMENT.match(text, at):
        at = argument.end()
    return at


def _composed(found: re.Match[str]) -> str:
    letter = (found[3] or found[4]).strip()
    letter = letter.removeprefix("\\")
    return unicodedata.normalize("NFC", letter + _ACCENTS[found[1] or found[2]])


def _written_out(found: re.Match[str]) -> str:
    return _WRITTEN_OUT.get(found[1], "")
