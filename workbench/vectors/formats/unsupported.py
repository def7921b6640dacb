"""Errors for recognised but unsupported vector files, with the format to export instead."""

from __future__ import annotations

import re
import struct
from collections import Counter
from pathlib import Path

from workbench.core.errors import UserError, shorten_text
from workbench.core.language import tr
from workbench.corpus.ingest.document_stream import binary_kind
from workbench.corpus.readers.base import pointer_error
from workbench.vectors.formats.packed import is_packed

_FASTTEXT = struct.pack("<i", 793712314)
_PICKLES = (".kv", ".model", ".pkl", ".pickle", ".joblib")
# The vectors of gensim's fastText without its model, in pickles of any protocol.
_FASTTEXT_VECTORS = re.compile(
    rb"^.{0,99}gensim\.models\.fasttext.{1,4}FastTextKeyedVectors", re.DOTALL
)
_TORCH = (".pt", ".pth")
_SESSION = ".workbench"
_SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
SUFFIXES = frozenset({".npy", ".ftz", ".magnitude", *_PICKLES, *_TORCH})
_NUMBER = r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
# Numbers, also with decimal commas between spaces, and words beside them.
_NUMBERS = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+,\d+(?=\s|$)|\d+)(?:[eE][-+]?\d+)?(?![\w.])"
)
_DECIMAL_COMMAS = re.compile(r"\S.*?(?:[ \t]+-?\d+(?:,\d+)?){2,}(?<=\d)")
_COMMAS = re.compile(r"[ \t]-?\d+,\d+(?:\s|$)")
_LETTER = re.compile(r"[^\W\d_][\w.]*")
_SHORTENED = re.compile(r"\d\s*,?\s*\.\.\.\s*,?\s*[-+\d]")
_FEWEST, _MOST_WORDS, _MOST_LINES, _SHARE, _HEAD = 5, 3, 100, 0.75, 65536
# buckets, dim, min_n, max_n, hashes, seed, and the marks of the beginning and the end of a word
_FLORET = re.compile(r"\d+ \d+ \d+ \d+ \d+ \d+ \S+ \S+")
_JSON = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*-?\d')
# Lists of numbers in other JSON, and the share of a file that they make up if it contains vectors.
_JSON_START = re.compile(rb"\s*[\[{]")
_JSON_LIST = re.compile(rb"\[\s*-?\d[-+.\deE]*(?:\s*,\s*-?\d[-+.\deE]*)+\s*(?:\]|\Z)")
_JSON_SHARE = 0.4
# The words are the index or the first column of text, the numbers all columns with decimals, which
# counts have not, or else lists in the last column.
_FRAME = (
    'd = {read}("{{name}}"){then}.reset_index(); t = d.select_dtypes(exclude="number"); '
    'v = d.select_dtypes("floating"); v = v.to_numpy("f4") if v.shape[1] else '
    'numpy.array(t.iloc[:, -1].tolist(), "f4"); numpy.savez("vectors.npz", '
    "words=t.iloc[:, 0].to_numpy(str), vectors=v)"
)
_HDF = b"\x89HDF\r\n\x1a\n"
# Arrays that pandas hasn't written; list(f) has their names.
_ARRAYS = (
    'f = h5py.File("{name}"); print(list(f)); numpy.savez("vectors.npz", '
    'words=numpy.array(f["words"].asstr(), str), vectors=f["vectors"][:])'
)
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body|\?xml)\b", re.IGNORECASE)
# First bytes of containers, with their names and recipes.
_CONTAINERS = {
    b"PAR1": ("Parquet", _FRAME.format(read="pandas.read_parquet", then="")),
    b"ARROW1": ("Arrow", _FRAME.format(read="pandas.read_feather", then="")),
    b"FEA1": ("Feather", _FRAME.format(read="pandas.read_feather", then="")),
    # A stream of record batches, which begins with the schema.
    b"\xff\xff\xff\xff": (
        "Arrow",
        _FRAME.format(read="pyarrow.ipc.open_stream", then=".read_pandas()"),
    ),
    _HDF: ("HDF5", _FRAME.format(read="pandas.read_hdf", then="")),
}


def by_content(head: bytes, path: Path) -> UserError | None:
    """The error for a file whose first bytes identify another program's own format."""
    if head.startswith(_FASTTEXT) and path.suffix.lower() == ".ftz":
        return _quantised_error(path)
    # torch.save writes a pickle in a zip file; older versions wrote a bare one.
    if head.startswith(b"PK\x03\x04") and b"/data.pkl" in head[:4096]:
        return _torch_error(path)
    if len(head) > 1 and head[0] == 0x80 and 2 <= head[1] <= 5:
        if path.suffix.lower() in _TORCH:
            return _torch_error(path)
        return _pickle_error(path, head)
    if head.startswith(b"SQLite format 3\0"):
        return _database_error(head, path)
    if head.startswith(b"\x93NUMPY"):
        return _array_error(path)
    return pointer_error(path.name, head) or _by_rows(head, path)


def by_markup(head: bytes, path: Path) -> UserError | None:
    """Error for a web page that was downloaded instead of vectors."""
    if not _PAGE.match(head):
        return None
    return UserError(
        tr("{name} is a web page, not a file of vectors.", name=path.name),
        tr("Download the file again: the page may say why the server didn’t send the file."),
    )


def without_vectors(head: bytes, path: Path, known: str) -> UserError:
    """The error for a file in which no format finds vectors; ``known`` lists the formats."""
    if not head:
        return UserError(
            tr("{name} is empty.", name=path.name),
            tr("Choose a file of vectors: {known}.", known=known),
        )
    if path.suffix.lower() == _SESSION:
        return UserError(
            tr("{name} is a session, not a file of vectors.", name=path.name),
            tr("Open the session, then save the vectors of one of its runs."),
        )
    if path.suffix.lower() in _SHEETS:
        return UserError(
            tr("{name} is a spreadsheet, which isn’t supported.", name=path.name),
            tr("Save its sheet as CSV (UTF-8), with the words in the first column."),
        )
    if is_packed(head):
        return UserError(
            tr("{name} is an archive without vectors, or it is truncated.", name=path.name),
            tr("Choose a file of vectors: {known}.", known=known),
        )
    kind = binary_kind(head)
    if not kind:
        return UserError(
            tr("{name} is text without vectors.", name=path.name),
            tr("Train vectors on this text, or choose a file of vectors: {known}.", known=known),
        )
    return UserError(
        tr("{name} doesn’t contain vectors but {kind}.", name=path.name, kind=kind),
        tr("Choose a file of vectors: {known}.", known=known),
    )


def _array_error(path: Path) -> UserError:
    words = _pickled_words(path)
    hint = tr(
        "Put its words into {words}, one per line, or save both in one file: "
        "numpy.savez(file, words=…, vectors=…).",
        words=path.stem + ".words",
    )
    if words is not None:
        hint = tr(
            "Its words may be in {words}. If you trust that file, convert both in Python: {recipe}",
            words=words.name,
            recipe=f'numpy.savez("vectors.npz", words=numpy.array(pickle.load(open("{words.name}", '
            f'"rb"), encoding="utf8"), str), vectors=numpy.load("{path.name}"))',
        )
    return UserError(tr("{name} is an array without words.", name=path.name), hint)


def _pickled_words(path: Path) -> Path | None:
    """The pickled vocabulary beside an array, as in HistWords, or None."""
    stem = path.stem.removesuffix("-w")
    names = (f"{stem}-vocab.pkl", f"{stem}.pkl", f"{stem}.vocab.pkl", "vocab.pkl")
    return next((place for name in names if (place := path.with_name(name)).is_file()), None)


def by_container(head: bytes, path: Path) -> UserError | None:
    """The error for a container of tables, which may be a corpus as well, with a recipe."""
    for magic, (name, recipe) in _CONTAINERS.items():
        if head.startswith(magic):
            if magic == _HDF and b"pandas_type" not in head:
                recipe = _ARRAYS
            return UserError(
                tr(
                    "{name} is a file of {format}, which isn’t opened as vectors.",
                    name=path.name,
                    format=name,
                ),
                tr(
                    "Convert the file in Python: {recipe}",
                    recipe=recipe.format(name=path.name),
                ),
            )
    return None


def _by_rows(head: bytes, path: Path) -> UserError | None:
    """The error for text whose rows are vectors in a notation that isn’t read."""
    if b"\0" in head:
        return None
    text = head.decode("utf-8", "replace")
    lines = [line for line in text.split("\n")[:-1] if line.strip()][:20]
    if not lines:
        return None
    if _FLORET.fullmatch(lines[0].rstrip()) and all(
        line.split()[:1] == [str(at)] for at, line in enumerate(lines[1:])
    ):
        return _floret_error(path)
    return None


class NumbersError(UserError):
    """A text of numbers, in a layout that no format reads. A column of it may be a corpus."""


def by_numbers(head: bytes, path: Path) -> NumbersError | None:
    """The error for text most of whose lines are a few words beside decimal numbers, which no
    format has recognised: read as a corpus, its words would be digits.
    """
    if b"\0" in head:
        return None
    lines = [
        (number, line.rstrip())
        for number, line in enumerate(head.decode("utf-8", "replace").split("\n"), 1)
        if line.strip()
    ]
    if len(head) >= _HEAD and len(lines) > 1:
        lines.pop()
    texts = [line for number, line in lines if number > 1 or not re.fullmatch(r"\d+ \d+", line)]
    commas = any(map(_COMMAS.search, texts))
    if len(texts) > 1 and commas and all(map(_DECIMAL_COMMAS.fullmatch, texts)):
        return NumbersError(
            tr("{name} contains numbers with decimal commas between spaces.", name=path.name),
            tr("Replace the commas in the numbers by points, or save the table as TSV."),
        )
    rows = [(number, line) for number, line in lines[:_MOST_LINES] if _is_vector(line)]
    if len(rows) < 2 or len(rows) < _SHARE * len(lines[:_MOST_LINES]):
        return None
    number, line = rows[0]
    if all(_SHORTENED.search(line) for _, line in rows):
        return NumbersError(
            tr(
                "{name}, line {number:,}: “...” stands for numbers that were left out when the "
                "file was written.",
                name=path.name,
                number=number,
            ),
            tr("Export all numbers, for example with numpy.savez(file, words=…, vectors=…)."),
        )
    if not any(_LETTER.search(_NUMBERS.sub("", line)) for _, line in rows[:_MOST_LINES]):
        above = lines[0]
        return _without_words(
            path, number, len(_LETTER.findall(above[1])) >= _FEWEST and number > above[0]
        )
    # The first line that isn't like the others explains more than one that is.
    fields = Counter(len(line.split()) for _, line in rows).most_common(1)[0][0]
    odd = [(n, text) for n, text in lines if not _is_vector(text) or len(text.split()) != fields]
    number, line = (odd or rows)[0]
    return NumbersError(
        tr(
            "{name} contains vectors in a layout that isn’t supported: line {number:,} is "
            "“{line}”.",
            name=path.name,
            number=number,
            line=shorten_text(line.strip(), 50),
        ),
        tr(
            "Write each word and its numbers on a line, separated by spaces, or save the table as "
            "CSV with the words in the first column. To train on a column of text, name it."
        ),
    )


def _without_words(path: Path, number: int, titled: bool) -> NumbersError:
    """The error for numbers from this line on. titled : a line above contains words"""
    if titled:
        return NumbersError(
            tr(
                "{name} has words in its first line, and numbers, but no words, below.",
                name=path.name,
            ),
            tr("Transpose the table, so that each line contains a word and its numbers."),
        )
    return NumbersError(
        tr(
            "{name}, line {number:,}: there are numbers, but no words.",
            name=path.name,
            number=number,
        ),
        tr(
            "Add the words as the first column: paste words.txt {name} > vectors.tsv",
            name=path.name,
        ),
    )


def _is_vector(line: str) -> bool:
    """Whether a line consists of at least five numbers, most of them decimal, and few words."""
    numbers = _NUMBERS.findall(line)
    decimals = sum("." in number or "," in number for number in numbers)
    words = _LETTER.findall(_NUMBERS.sub(" ", line))
    return len(numbers) >= _FEWEST and 2 * decimals > len(numbers) and len(words) <= _MOST_WORDS


def by_json(head: bytes, path: Path) -> UserError | None:
    """The error for JSON with vectors, which no format has recognised."""
    if _JSON.match(head):
        return UserError(
            tr(
                "{name} is a JSON object of vectors, which isn’t supported.",
                name=path.name,
            ),
            tr(
                "Convert the file in Python: {recipe}",
                recipe=f'd = json.load(open("{path.name}")); numpy.savez("vectors.npz", '
                "words=list(d), vectors=list(d.values()))",
            ),
        )
    if _JSON_START.match(head):
        listed = sum(len(found) for found in _JSON_LIST.findall(head))
        if listed > _JSON_SHARE * len(head):
            return UserError(
                tr("{name} is JSON with lists of numbers, which isn’t supported.", name=path.name),
                tr(
                    "Save the words and vectors in Python: "
                    'numpy.savez("vectors.npz", words=…, vectors=…).'
                ),
            )
    return None


def floret_model_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a floret model: its rows are slots of a hash table, not words.",
            name=path.name,
        ),
        tr("Open the .vec file that floret writes in the same folder (save_vectors)."),
    )


def _floret_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a floret table: its rows are slots of a hash table of n-grams, not words.",
            name=path.name,
        ),
        tr("Open the .vec file that floret writes in the same folder (save_vectors)."),
    )


def by_suffix(path: Path) -> UserError | None:
    """The error for a file with unrecognised content whose suffix belongs to another program."""
    suffix = path.suffix.lower()
    if suffix == ".ftz":
        return _quantised_error(path)
    if suffix == ".magnitude":
        return _database_error(b"magnitude", path)
    if suffix in _TORCH:
        return _torch_error(path)
    if suffix in _PICKLES:
        return _pickle_error(path)
    return None


def _quantised_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a quantised fastText model, which isn’t supported: its vectors are "
            "only approximate.",
            name=path.name,
        ),
        tr("Open the .vec file of the full model."),
    )


def _pickle_error(path: Path, head: bytes = b"") -> UserError:
    vectors = "model.wv"
    if path.suffix.lower() == ".kv":
        vectors = f"KeyedVectors.load(“{path.name}”)"
    hint = tr(
        'From gensim: {vectors}.save_word2vec_format("vectors.bin", binary=True); for FastText, '
        'save_facebook_model(model, "vectors.bin") also saves the n-grams. From other programs: '
        'numpy.savez("vectors.npz", words=…, vectors=…).',
        vectors=vectors,
    )
    if b"compress_fasttext" in head:
        hint = tr(
            "Export the vectors of its words in Python: compress_fasttext.models."
            'CompressedFastTextKeyedVectors.load("{name}").save_word2vec_format("vectors.bin", '
            "binary=True)",
            name=path.name,
        )
    elif path.name.endswith("-vocab.pkl") or (path.with_suffix(".npy")).is_file():
        hint = tr("Open the array beside it (.npy): the message says how to add these words.")
    elif _FASTTEXT_VECTORS.search(head):
        hint = tr(
            "Convert the file in Python: {recipe}",
            recipe=f'w = gensim.models.KeyedVectors.load("{path.name}"); '
            "m = gensim.models.FastText(vector_size=w.vector_size, min_n=w.min_n, max_n=w.max_n, "
            "bucket=w.bucket); m.wv = w; m.syn1neg = numpy.zeros_like(w.vectors_vocab); "
            'gensim.models.fasttext.save_facebook_model(m, "vectors.bin")',
        )
    elif b"gensim.models.fasttext" in head:
        hint = tr(
            "Export the model with its n-grams from gensim: save_facebook_model(model, "
            '"vectors.bin").'
        )
    return UserError(
        tr(
            "{name} is a Python pickle (of gensim, compress-fasttext or another program), which "
            "could run any program when opened, so it isn’t opened.",
            name=path.name,
        ),
        hint,
    )


def _torch_error(path: Path) -> UserError:
    return UserError(
        tr(
            "{name} is a PyTorch pickle, which could run any program when opened, so it "
            "isn’t opened.",
            name=path.name,
        ),
        tr(
            'Save the words and vectors from PyTorch: numpy.savez("vectors.npz", '
            "words=…, vectors=table.numpy())."
        ),
    )


def _database_error(head: bytes, path: Path) -> UserError:
    if b"magnitude" in head.lower() or path.suffix.lower() == ".magnitude":
        return UserError(
            tr(
                "{name} is a database (Magnitude’s format), not a table of vectors.",
                name=path.name,
            ),
            tr("Open the word2vec, GloVe or fastText file that it was created from."),
        )
    return UserError(
        tr("{name} is an SQLite database, not a table of vectors.", name=path.name),
        tr(
            "Export the table of words and numbers as CSV: "
            'sqlite3 -header -csv {name} "SELECT * FROM …" > vectors.csv',
            name=path.name,
        ),
    )
