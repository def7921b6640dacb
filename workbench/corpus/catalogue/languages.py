"""Texts in other languages: Leipzig Corpora by language and size, and treebanks of Universal
Dependencies.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry, RemoteFile

_LEIPZIG = "https://downloads.wortschatz-leipzig.de/corpora/{}.tar.gz"
_LEIPZIG_PAGE = "https://wortschatz-leipzig.de/en/download"
_SIZES = (10, 100, 1000)
_RELEASE = "r2.16"
_UD = "https://raw.githubusercontent.com/UniversalDependencies/{}/{}/{}"


class _News(NamedTuple):
    """A corpus of the Leipzig collection: its name without the size, language and title."""

    corpus: str
    language: str
    title: str


_NEWS = (
    _News("deu_news_2023", "de", tr("German")),
    _News("eng_news_2023", "en", tr("English")),
    _News("fra_news_2022", "fr", tr("French")),
    _News("spa_news_2023", "es", tr("Spanish")),
    _News("ita_news_2022", "it", tr("Italian")),
    _News("por_news_2022", "pt", tr("Portuguese")),
    _News("nld_news_2022", "nl", tr("Dutch")),
    _News("pol_news_2022", "pl", tr("Polish")),
    _News("ces_news_2022", "cs", tr("Czech")),
    _News("rus_news_2022", "ru", tr("Russian")),
    _News("tur_news_2022", "tr", tr("Turkish")),
    _News("fin_news_2022", "fi", tr("Finnish")),
    _News("hun_news_2022", "hu", tr("Hungarian")),
    _News("swe_news_2022", "sv", tr("Swedish")),
)


def _leipzig(news: _News, thousands: int) -> CatalogueEntry:
    size = "1M" if thousands == 1000 else f"{thousands}K"
    name = f"{news.corpus}_{size}"
    return CatalogueEntry(
        key=f"leipzig-{news.corpus[:3]}-{size.lower()}",
        title=tr(
            "{language} news, {number:,} sentences", language=news.title, number=1000 * thousands
        ),
        summary=tr(
            "Sentences of newspapers in random order, from the Leipzig Corpora Collection "
            "({name}).",
            name=name,
        ),
        url=_LEIPZIG.format(name),
        file=f"{name}.tar.gz",
        size=0,
        licence=tr("CC BY (see the page)"),
        source=_LEIPZIG_PAGE,
        include="*-sentences.txt",
        language=news.language,
    )


def _treebank(
    repository: str,
    stem: str,
    language: str,
    title: str,
    tokens: int,
    licence: str,
    parts: tuple[tuple[str, str, int], ...],
    commit: str = _RELEASE,
) -> CatalogueEntry:
    """A treebank; ``parts``: name, content’s name in the repository and size of each file, of which
    Git’s tree of the ``commit``, or of release 2.16, publishes the first two.
    """
    files = [
        RemoteFile(
            f"{stem}-ud-{part}.conllu",
            _UD.format(repository, commit, f"{stem}-ud-{part}.conllu"),
            size,
            f"git:{blob}",
        )
        for part, blob, size in parts
    ]
    first = files[0]
    return CatalogueEntry(
        key=f"ud-{stem.replace('_', '-')}",
        title=title,
        summary=tr(
            "Treebank of Universal Dependencies with {tokens:,} tokens. Words, lemmas and "
            "parts of speech can be read.",
            tokens=tokens,
        ),
        url=first.url,
        file=first.name,
        size=first.size,
        licence=licence,
        source=f"https://github.com/UniversalDependencies/{repository}",
        checksum=first.checksum,
        checksum_source=tr(
            "the files of {place} ({release})",
            place=f"github.com/UniversalDependencies/{repository}",
            release=commit[:8],
        ),
        language=language,
        more=tuple(files[1:]),
        folder=stem.replace("_", "-"),
    )


LANGUAGES = (
    *(_leipzig(news, size) for news in _NEWS for size in _SIZES),
    _treebank(
        "UD_German-GSD",
        "de_gsd",
        "de",
        tr("German treebank GSD"),
        287_708,
        "CC BY-SA 4.0",
        (
            ("train", "9d2f5124449fc1b4ca34be17857c16e84a36bac2", 0),
            ("dev", "27d148550b267edfbfbf832759d6dde3b6d4488c", 904_804),
            ("test", "93e8f95c5cdb44facb7a051525168edc38df4724", 1_207_783),
        ),
    ),
    _treebank(
        "UD_English-EWT",
        "en_ewt",
        "en",
        tr("English treebank EWT"),
        251_489,
        "CC BY-SA 4.0",
        (
            ("train", "34731d23bafeeff233fdcee18ffc0254b1aa0e28", 0),
            ("dev", "a994b6990643429070ecc6e236d26ad6a04bfefb", 1_805_545),
            ("test", "c59667960ae967636606f47bc35f132a5557ad39", 1_804_515),
        ),
    ),
    _treebank(
        "UD_French-GSD",
        "fr_gsd",
        "fr",
        tr("French treebank GSD"),
        389_362,
        "CC BY-SA 4.0",
        (
            ("train", "280d3b6dd727c0c4083fa20af4ef194b1c8f9242", 0),
            ("dev", "01101b0087171ca6d27f87d24f993af286adf750", 2_316_421),
            ("test", "ddb238ebd54508714a5d975fb5f29de5fcc580d6", 652_793),
        ),
    ),
    _treebank(
        "UD_Spanish-AnCora",
        "es_ancora",
        "es",
        tr("Spanish treebank AnCora"),
        547_558,
        "CC BY 4.0",
        (
            ("train", "f72bc2ea9fe03c4ff87cb7e5063a96bccc987884", 0),
            ("dev", "7097d927993061a69dff2c3f51f0dae4d5ca616e", 0),
            ("test", "c9b9e15324e24845684135cd4ab53e8b88d408b2", 0),
        ),
    ),
    _treebank(
        "UD_Italian-ISDT",
        "it_isdt",
        "it",
        tr("Italian treebank ISDT"),
        278_424,
        "CC BY-NC-SA 3.0",
        (
            ("train", "28dc1294b16aac17eea76d8aec531c860f945c52", 0),
            ("dev", "1e3abd5dd2641149844c0ffb72ba562aaed93b90", 0),
            ("test", "310691bcddc5b287682dd4b9048aafdbba422ee9", 0),
        ),
    ),
    _treebank(
        "UD_Dutch-Alpino",
        "nl_alpino",
        "nl",
        tr("Dutch treebank Alpino"),
        208_613,
        "CC BY-SA 4.0",
        (
            ("train", "ef5f7cd487c2ec52ca20904f1388ea0f9f92796e", 0),
            ("dev", "40a2faad29893874d7001036aa3d6bd9de1c39cc", 997_933),
            ("test", "12e94f9e690483cb42e471e4a2190410b778a11f", 951_318),
        ),
        "95e374a608d114ec6c6b32f0fbd5f324d29ef286",
    ),
    _treebank(
        "UD_Portuguese-Bosque",
        "pt_bosque",
        "pt",
        tr("Portuguese treebank Bosque"),
        210_958,
        "CC BY-SA 4.0",
        (
            ("train", "cc81cdd1bcee48ea3cfd1ca7288de7389929b606", 0),
            ("dev", "431a04c609792199d57839d68cae84c05c1bfdfb", 1_873_903),
            ("test", "856be03b7e334c66c2eb3a5c1d44fb13f73911af", 1_819_980),
        ),
        "5de7ac34028ff6d1718031a4b0ae895717ed8dbe",
    ),
    _treebank(
        "UD_Swedish-Talbanken",
        "sv_talbanken",
        "sv",
        tr("Swedish treebank Talbanken"),
        96_820,
        "CC BY-SA 4.0",
        (
            ("train", "d98ea1fe694a821cf8742ca224ae8ce841175ada", 0),
            ("dev", "8ebaa940833811f89cb3658da2e14a44e27d4e77", 863_506),
            ("test", "659a12f982a6c4a3afbc05ac05c30458ad70bdf2", 1_802_467),
        ),
        "30067217d275233ed460d0c0abafeaf22d63a3d2",
    ),
    _treebank(
        "UD_Finnish-TDT",
        "fi_tdt",
        "fi",
        tr("Finnish treebank TDT"),
        201_949,
        "CC BY-SA 4.0",
        (
            ("train", "c40c00e550565b2b43dd3d4aa5f75159810823a9", 0),
            ("dev", "acba0d796f72c736eba59b923234743f131f8ce6", 1_504_222),
            ("test", "e69e8e7a6d248b42c8624244f773ce4202eaeeb4", 1_727_677),
        ),
        "5e3a88a671ea673fa330e10cc59f54da587a95a7",
    ),
    _treebank(
        "UD_Turkish-IMST",
        "tr_imst",
        "tr",
        tr("Turkish treebank IMST"),
        56_422,
        "CC BY-NC-SA 4.0",
        (
            ("train", "f3dddb0d5b74902c0d9b3dc200f4083209189b46", 3_120_510),
            ("dev", "61853aa178c3bebc1b32de51899894ed5dfe49b3", 894_821),
            ("test", "8d39b6d0864aedfe464511ee93f9db5f598d6cce", 841_235),
        ),
        "bcd48daa9957794a9137d85a4e2a115cdcdd4b1a",
    ),
    _treebank(
        "UD_Russian-GSD",
        "ru_gsd",
        "ru",
        tr("Russian treebank GSD"),
        97_994,
        "CC BY-SA 4.0",
        (
            ("train", "0b44cb343f2bfc70484b903c7df94c0764c2428b", 0),
            ("dev", "9b7d9a98fad6967dd2afc89511092ef66ef2afb1", 1_052_011),
            ("test", "cda06d77bd5bb40c3404dae961c0eea49a9cbb61", 1_027_273),
        ),
        "5400f2fd7264b7699727bb61b09f53841899df26",
    ),
)
