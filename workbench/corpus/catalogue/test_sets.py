"""Known test sets: analogies and pairs of words with human scores."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry, Kind


def _commit(repository: str, commit: str) -> str:
    """Where git's checksum of a file is published."""
    return tr("commit {commit} of {repository}", commit=commit[:8], repository=repository)


_GLUON = "gluonnlp/data/word_embedding_evaluation.py in github.com/dmlc/gluon-nlp"
_VECTO_COMMIT = "9b61d0e067e2e68af22160d09450f82d9544cd70"
_VECTO = (
    f"https://raw.githubusercontent.com/vecto-ai/word-benchmarks/{_VECTO_COMMIT}/"
    "word-similarity/monolingual/en/{}.csv"
)
_VECTO_TREE = _commit("github.com/vecto-ai/word-benchmarks", _VECTO_COMMIT)
_WORD2VEC = "20c129af10659f7c50e86e3be406df663beff438"
_LEVIANT = "https://leviants.com/multilingual-simlex999-and-wordsim353/"
_LEVIANT_FILES = "https://leviants.com/wp-content/uploads/2020/01/{}.zip"
_NOT_STATED = tr("not stated")


def _multilingual(language: str, name: str, title: str) -> CatalogueEntry:
    return CatalogueEntry(
        key=f"simlex-{language}",
        title=title,
        summary=tr(
            "999 pairs of SimLex, translated and scored by 13 speakers of the language (Leviant "
            "and Reichart 2015)."
        ),
        url=_LEVIANT_FILES.format("SimLex_ALL_Langs_TXT_Format"),
        file="SimLex_ALL_Langs_TXT_Format.zip",
        size=0,
        licence=_NOT_STATED,
        source=_LEVIANT,
        include=f"*/MSimLex999_{name}.txt",
        kind=Kind.SIMILARITY,
        language=language,
    )


def _from_vecto(
    key: str, file: str, title: str, summary: str, licence: str, source: str, size: int, blob: str
) -> CatalogueEntry:
    return CatalogueEntry(
        key=key,
        title=title,
        summary=summary,
        url=_VECTO.format(file),
        file=f"{file}.csv",
        size=size,
        licence=licence,
        source=source,
        checksum=f"git:{blob}",
        checksum_source=_VECTO_TREE,
        kind=Kind.SIMILARITY,
    )


TEST_SETS = (
    CatalogueEntry(
        key="google-questions",
        title=tr("Google’s analogies"),
        summary=tr("19,544 analogies in 14 sections (Mikolov et al. 2013)."),
        url=f"https://raw.githubusercontent.com/tmikolov/word2vec/{_WORD2VEC}/questions-words.txt",
        file="questions-words.txt",
        size=603_955,
        licence="Apache 2.0",
        source="https://github.com/tmikolov/word2vec",
        checksum="git:bd2963b2e9a12c7b0b5d0443c44b56f6a9921d30",
        checksum_source=_commit("github.com/tmikolov/word2vec", _WORD2VEC),
        kind=Kind.ANALOGIES,
    ),
    CatalogueEntry(
        key="bats",
        title="BATS 3.0",
        summary=tr("40 relations with 50 pairs each (Gladkova, Drozd and Matsuoka 2016)."),
        url="https://vecto-data.s3-us-west-1.amazonaws.com/BATS_3.0.zip",
        file="BATS_3.0.zip",
        size=0,
        licence=_NOT_STATED,
        source="https://vecto.space/projects/BATS/",
        checksum="sha1:bf94d47884be9ea83af369beeea7499ed25dcf0d",
        checksum_source=_GLUON,
        include="BATS_3.0/*/*.txt",
        mirrors=(
            "https://github.com/asahi417/AnalogyTools/releases/download/0.0.0/BATS_3.0.zip",
            "https://s3.amazonaws.com/blackbirdprojects/tut_vsm/BATS_3.0.zip",
        ),
        kind=Kind.ANALOGIES,
    ),
    CatalogueEntry(
        key="simlex-999",
        title="SimLex-999",
        summary=tr("999 pairs scored by similarity, not relatedness (Hill et al. 2015)."),
        url="https://fh295.github.io/SimLex-999.zip",
        file="SimLex-999.zip",
        size=0,
        licence=_NOT_STATED,
        source="https://fh295.github.io/simlex.html",
        checksum="sha1:0d3afe35b89d60acf11c28324ac7be10253fda39",
        checksum_source=_GLUON,
        include="*/SimLex-999.txt",
        mirrors=("https://www.cl.cam.ac.uk/~fh295/SimLex-999.zip",),
        kind=Kind.SIMILARITY,
    ),
    _multilingual("de", "German", tr("SimLex in German")),
    _multilingual("it", "Italian", tr("SimLex in Italian")),
    _multilingual("ru", "Russian", tr("SimLex in Russian")),
    CatalogueEntry(
        key="ws-353",
        title="WordSim-353",
        summary=tr("353 pairs scored by relatedness (Finkelstein et al. 2002)."),
        url=_LEVIANT_FILES.format("wordsim353"),
        file="wordsim353.zip",
        size=0,
        licence="CC BY 4.0",
        source=_LEVIANT,
        include="*combined.tab",
        kind=Kind.SIMILARITY,
    ),
    _from_vecto(
        "ws-353-sim",
        "wordsim353-sim",
        tr("WordSim-353, similarity"),
        tr("The 203 pairs of WordSim-353 that are similar or unrelated (Agirre et al. 2009)."),
        "CC BY 4.0",
        "http://alfonseca.org/eng/research/wordsim353.html",
        4_714,
        "5ac2bf3b423c1ada5291c33f5cb8c1b0b193b91a",
    ),
    _from_vecto(
        "ws-353-rel",
        "wordsim353-rel",
        tr("WordSim-353, relatedness"),
        tr("The 252 pairs of WordSim-353 that are related or unrelated (Agirre et al. 2009)."),
        "CC BY 4.0",
        "http://alfonseca.org/eng/research/wordsim353.html",
        6_063,
        "e67fe5bcdb55b20f1ecb531858b6173a9db5c7a9",
    ),
    CatalogueEntry(
        key="men",
        title="MEN",
        summary=tr("3,000 pairs scored by relatedness (Bruni et al. 2012)."),
        url="https://staff.fnwi.uva.nl/e.bruni/resources/MEN.tar.gz",
        file="MEN.tar.gz",
        size=0,
        licence="CC BY 2.0",
        source="https://staff.fnwi.uva.nl/e.bruni/MEN",
        checksum="sha1:3c4af1b7009c1ad75e03562f7f7bc5f51ff3a31a",
        checksum_source=_GLUON,
        include="MEN/MEN_dataset_natural_form_full",
        kind=Kind.SIMILARITY,
    ),
    CatalogueEntry(
        key="rw",
        title=tr("Rare Words"),
        summary=tr("2,034 pairs with a rare word (Luong et al. 2013)."),
        url="https://nlp.stanford.edu/~lmthang/morphoNLM/rw.zip",
        file="rw.zip",
        size=0,
        licence=_NOT_STATED,
        source="https://nlp.stanford.edu/~lmthang/morphoNLM/",
        checksum="sha1:bf9c5959a0a2d7ed8e51d91433ac5ebf366d4fb9",
        checksum_source=_GLUON,
        include="rw/rw.txt",
        kind=Kind.SIMILARITY,
    ),
    _from_vecto(
        "mturk-771",
        "mturk-771",
        "MTurk-771",
        tr("771 pairs scored by relatedness (Halawi et al. 2012)."),
        _NOT_STATED,
        "http://www2.mta.ac.il/~gideon/mturk771.html",
        21_856,
        "2cd6609e2fc53b53d0ae284d835cf7fa05a2cc40",
    ),
)
