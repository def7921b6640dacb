"""Known vectors: those of gensim-data, GloVe, fastText and model2vec."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry, Kind, RemoteFile

_GENSIM = "https://github.com/RaRe-Technologies/gensim-data/releases/download/{0}/{0}.gz"
_GENSIM_LIST = "list.json in github.com/RaRe-Technologies/gensim-data"
_MXNET = "python/mxnet/contrib/text/_constants.py in github.com/apache/mxnet"
_GLOVE_PAGE = "https://nlp.stanford.edu/projects/glove/"
_GLOVE = "https://nlp.stanford.edu/data/wordvecs/{}.zip"
_GLOVE_MIRROR = "https://huggingface.co/stanfordnlp/glove/resolve/main/{}.zip"
_PDDL = "PDDL 1.0"
_FASTTEXT = "https://dl.fbaipublicfiles.com/fasttext/{}"
_CRAWL_PAGE = "https://fasttext.cc/docs/en/crawl-vectors.html"
_POTION = "https://huggingface.co/minishlab/{}/resolve/{}/{}"


def _summary(words: int, dimensions: int, text: str) -> str:
    return tr(
        "{words:,} words, {dimensions} dimensions, trained on {text}.",
        words=words,
        dimensions=dimensions,
        text=text,
    )


def _pieces(words: int, dimensions: int) -> str:
    return tr(
        "Pieces of words, distilled from a transformer with model2vec. Vectors: {words:,}, "
        "dimensions: {dimensions}.",
        words=words,
        dimensions=dimensions,
    )


def _gensim(
    key: str,
    title: str,
    words: int,
    dimensions: int,
    text: str,
    size: int,
    licence: str,
    md5: str,
    source: str,
    language: str = "en",
) -> CatalogueEntry:
    return CatalogueEntry(
        key=key,
        title=title,
        summary=_summary(words, dimensions, text),
        url=_GENSIM.format(key),
        file=f"{key}.gz",
        size=size,
        licence=licence,
        source=source,
        checksum=f"md5:{md5}",
        checksum_source=_GENSIM_LIST,
        kind=Kind.VECTORS,
        language=language,
    )


def _glove(
    name: str, key: str, title: str, words: int, text: str, size: int, sha1: str = ""
) -> CatalogueEntry:
    old = bool(sha1)
    return CatalogueEntry(
        key=key,
        title=title,
        summary=_summary(words, int(name.rpartition(".")[2].removesuffix("d")), text),
        url=_GLOVE.format(name),
        file=f"{name}.zip",
        size=size,
        licence=_PDDL,
        source=_GLOVE_PAGE,
        checksum=f"sha1:{sha1}" if old else "",
        checksum_source=_MXNET if old else "",
        mirrors=(_GLOVE_MIRROR.format(name),) if old else (),
        kind=Kind.VECTORS,
    )


def _crawl(language: str, name: str) -> CatalogueEntry:
    return CatalogueEntry(
        key=f"fasttext-{language}",
        title=tr("fastText in {language}", language=name),
        summary=tr(
            "Up to 2 million words, 300 dimensions, trained on Common Crawl and Wikipedia (Grave "
            "et al. 2018)."
        ),
        url=_FASTTEXT.format(f"vectors-crawl/cc.{language}.300.vec.gz"),
        file=f"cc.{language}.300.vec.gz",
        size=0,
        licence="CC BY-SA 3.0",
        source=_CRAWL_PAGE,
        kind=Kind.VECTORS,
        language=language,
    )


def _potion(
    name: str,
    revision: str,
    summary: str,
    sizes: tuple[int, int, int] = (0, 0, 0),
    checksums: tuple[str, str, str] = ("", "", ""),
    pinned: str = "",
    language: str = "en",
) -> CatalogueEntry:
    names = ("model.safetensors", "tokenizer.json", "config.json")
    files = [
        RemoteFile(
            file,
            _POTION.format(name, revision, file),
            size,
            f"sha256:{checksum}" if checksum else "",
        )
        for file, size, checksum in zip(names, sizes, checksums, strict=True)
    ]
    return CatalogueEntry(
        key=name,
        title=name,
        summary=summary,
        url=files[0].url,
        file=files[0].name,
        size=files[0].size,
        licence="MIT",
        source=f"https://huggingface.co/minishlab/{name}",
        checksum=files[0].checksum,
        checksum_source=pinned,
        kind=Kind.VECTORS,
        language=language,
        more=tuple(files[1:]),
        folder=name,
    )


_WIKI_GIGA = tr("Wikipedia 2014 and Gigaword 5")
_WIKI_GIGA_2024 = tr("Wikipedia 2024 and Gigaword 5")
_TWITTER = tr("2 billion tweets")
_COMMON_CRAWL = "Common Crawl"
_OF_GLOVE = (
    (50, 69_182_535, "c289bc5d7f2f02c6dc9f2f9b67641813"),
    (100, 134_300_434, "40ec481866001177b8cd4cb0df92924f"),
    (200, 264_336_934, "59652db361b7a87ee73834a6c391dfc1"),
    (300, 394_362_229, "29e9329ac2241937d55b852e8284e89b"),
)
_OF_TWITTER = (
    (25, 109_885_004, "50db0211d7e7a2dcd362c6b774762793"),
    (50, 209_216_938, "c168f18641f8c8a00fe30984c4799b2b"),
    (100, 405_932_991, "b04f7bed38756d64cf55b58ce7e97b15"),
    (200, 795_373_100, "e52e8392d1860b95d5308a525817d8f9"),
)

VECTORS = (
    *(
        _gensim(
            f"glove-wiki-gigaword-{dimensions}",
            tr("GloVe 6B, {dimensions} dimensions", dimensions=dimensions),
            400_000,
            dimensions,
            _WIKI_GIGA,
            size,
            _PDDL,
            md5,
            _GLOVE_PAGE,
        )
        for dimensions, size, md5 in _OF_GLOVE
    ),
    *(
        _gensim(
            f"glove-twitter-{dimensions}",
            tr("GloVe Twitter, {dimensions} dimensions", dimensions=dimensions),
            1_193_514,
            dimensions,
            _TWITTER,
            size,
            _PDDL,
            md5,
            _GLOVE_PAGE,
        )
        for dimensions, size, md5 in _OF_TWITTER
    ),
    _glove(
        "glove.42B.300d",
        "glove-42b",
        "GloVe 42B",
        1_900_000,
        _COMMON_CRAWL,
        1_877_800_501,
        "f8e722b39578f776927465b71b231bae2ae8776a",
    ),
    _glove(
        "glove.840B.300d",
        "glove-840b",
        "GloVe 840B",
        2_200_000,
        _COMMON_CRAWL,
        2_176_768_927,
        "8084fbacc2dee3b1fd1ca4cc534cbfff3519ed0d",
    ),
    _glove(
        "glove.2024.wikigiga.50d",
        "glove-2024-50",
        tr("GloVe 2024, {dimensions} dimensions", dimensions=50),
        1_200_000,
        _WIKI_GIGA_2024,
        301_036_094,
    ),
    _glove(
        "glove.2024.wikigiga.300d",
        "glove-2024-300",
        tr("GloVe 2024, {dimensions} dimensions", dimensions=300),
        1_200_000,
        _WIKI_GIGA_2024,
        0,
    ),
    _gensim(
        "word2vec-google-news-300",
        tr("word2vec, Google News"),
        3_000_000,
        300,
        tr("100 billion words of news"),
        1_743_563_840,
        tr("not stated"),
        "a5e5354d40acb95f9ec66d5977d140ef",
        "https://code.google.com/archive/p/word2vec/",
    ),
    _gensim(
        "word2vec-ruscorpora-300",
        tr("word2vec, Russian National Corpus"),
        184_973,
        300,
        tr("250 million words with parts of speech"),
        208_427_381,
        "CC BY 4.0",
        "9bdebdc8ae6d17d20839dd9b5af10bc4",
        "http://rusvectores.org/en/",
        "ru",
    ),
    _gensim(
        "conceptnet-numberbatch-17-06-300",
        "ConceptNet Numberbatch 17.06",
        1_917_247,
        300,
        tr("ConceptNet, word2vec, GloVe and subtitles"),
        1_225_497_562,
        tr("see the page"),
        "fd642d457adcd0ea94da0cd21b150847",
        "https://github.com/commonsense/conceptnet-numberbatch",
        "",
    ),
    _gensim(
        "fasttext-wiki-news-subwords-300",
        tr("fastText, Wikipedia and news"),
        999_999,
        300,
        tr("Wikipedia 2017, UMBC and news"),
        1_005_007_116,
        "CC BY-SA 3.0",
        "de2bb3a20c46ce65c9c131e1ad9a77af",
        "https://fasttext.cc/docs/en/english-vectors.html",
    ),
    CatalogueEntry(
        key="fasttext-crawl-2m",
        title="fastText, Common Crawl",
        summary=_summary(2_000_000, 300, tr("600 billion words of Common Crawl")),
        url=_FASTTEXT.format("vectors-english/crawl-300d-2M.vec.zip"),
        file="crawl-300d-2M.vec.zip",
        size=1_523_785_255,
        licence="CC BY-SA 3.0",
        source="https://fasttext.cc/docs/en/english-vectors.html",
        checksum="sha1:9b556504d099a6c01f3dd76b88775d02cb2f1946",
        checksum_source=_MXNET,
        member="crawl-300d-2M.vec",
        kind=Kind.VECTORS,
    ),
    *(
        _crawl(language, name)
        for language, name in (
            ("de", tr("German")),
            ("en", tr("English")),
            ("fr", tr("French")),
            ("es", tr("Spanish")),
            ("it", tr("Italian")),
            ("ru", tr("Russian")),
            ("tr", tr("Turkish")),
        )
    ),
    _potion(
        "potion-base-8M",
        "bf8b056651a2c21b8d2565580b8569da283cab23",
        _pieces(29_528, 256),
        (30_236_760, 683_666, 202),
        (
            "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2",
            "e67e803f624fb4d67dea1c730d06e1067e1b14d830e2c2202569e3ef0f70bb50",
            "2a6ac0e9aaa356a68a5688070db78fc3a464fefe85d2f06a1905ce3718687553",
        ),
        "src/volunteerdb/manual_model.py in github.com/sttimothyto/volunteerdb",
    ),
    *(
        _potion(name, "main", _pieces(words, dimensions))
        for name, words, dimensions in (
            ("potion-base-2M", 29_528, 64),
            ("potion-base-4M", 29_528, 128),
            ("potion-base-32M", 63_091, 512),
            ("potion-retrieval-32M", 63_091, 512),
        )
    ),
)
