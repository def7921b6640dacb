"""Groups panel: cosines of words by group, with bands and a control, and their contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit

from workbench.analysis.groups.grouped_words import (
    GroupedWords,
    Question,
    WordInGroups,
    group_words,
)
from workbench.analysis.groups.params import A_LA_CARTE, SGNS, GroupedParams
from workbench.analysis.groups.tables import (
    COLUMNS,
    CONTEXTS,
    context_rows,
    series_rows,
)
from workbench.analysis.groups.trail import Trail, word_trail
from workbench.core.errors import UserError, quoted_words
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import DocumentParams
from workbench.corpus.groups import GroupParams, offered_groups
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice, choice_of
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.groups import GroupsKind
from workbench.ui.panels.groups.figure import (
    context_columns,
    cosines_chart,
    summary,
    title_of,
)
from workbench.ui.panels.groups.group_choice import MOST_YEARS, GroupChoice, labelled
from workbench.ui.widgets.inputs.declared import declared_choice, declared_number
from workbench.ui.widgets.layout.result_view import Request, ResultJob, ResultView
from workbench.vectors.embeddings import Embeddings

# Maximum numbers of curves whose colours differ clearly.
_MOST_WORDS, _MOST_TO = 6, 6
_MOST_COUNT, _MOST_WINDOW = 10_000, 100


@dataclass(frozen=True)
class GroupsState(PanelState):
    """words, to : typed words, separated by spaces; without ``words`` those selected
    by : what groups the sentences, PATTERN for ``pattern``; years : of a group
    pair : title of the curve with its band; "" for the first
    """

    words: str = choice("")
    to: str = choice("")
    by: str = choice("")
    pattern: str = choice("")
    years: int = choice_of(GroupParams, "years", MOST_YEARS)
    method: str = choice_of(GroupedParams, "method")
    documents: str = choice_of(DocumentParams, "documents")
    min_count: int = choice_of(GroupedParams, "min_count", _MOST_COUNT)
    near: int = choice_of(GroupedParams, "window", _MOST_WINDOW)
    pair: str = choice("")


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is compared. ``embeddings``: of the active run, for à-la-carte."""

    corpus: Corpus
    question: Question
    by: GroupParams
    documents: DocumentParams
    params: GroupedParams
    embeddings: Embeddings | None

    def work(self, run: JobControl) -> GroupedWords:
        return group_words(
            self.corpus,
            self.question,
            self.by,
            self.documents,
            self.params,
            run,
            self.embeddings,
        )

    @property
    def key(self) -> tuple[object, ...]:
        question, by = self.question, self.by
        words = (question.words, question.to)
        return (
            *(self.corpus, words, by.by, by.years, self.documents.documents),
            *(self.params.method, self.params.min_count, self.params.window, self.embeddings),
        )


class GroupsPanel(GroupsKind, Panel):
    """The words are typed or, while the field is empty, those selected anywhere."""

    state_kind = GroupsState
    view_state: GroupsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.found: GroupedWords | None = None
        self._asked: _Asked | None = None
        self._group = -1
        self.groups = GroupChoice(self)
        self.words = self.named(
            QLineEdit(),
            "words",
            tr("Words to compare"),
            tr("Words to compare between the groups, separated by spaces (Return)"),
        )
        self.words.setPlaceholderText(tr("words to compare"))
        self.to = self.named(
            QLineEdit(),
            "to",
            tr("Other words"),
            tr(
                "Words of the whole text to compare them with. Leave empty to compare each word "
                "with itself in the whole text."
            ),
        )
        self.to.setPlaceholderText(tr("with these words"))
        self.method = declared_choice(self, GroupedParams, "method")
        self.documents = declared_choice(self, DocumentParams, "documents")
        self.min_count = declared_number(self, GroupedParams, "min_count", _MOST_COUNT, width=72)
        self.near = declared_number(self, GroupedParams, "window", _MOST_WINDOW, width=56)
        self.pair = self.named(
            kit.ChoiceBox.of({}, letters=12),
            "pair",
            tr("Curve with its band"),
            tr("Curve that is shown with its band and its control"),
        )
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.chart = kit.chart(
            self,
            "chart",
            tr("Cosines by group"),
            tr("Click a point to see the contexts of its group"),
            files=kit.Files(
                "groups", tr("Export cosines by group"), self.cosines_table, about=self._about
            ),
        )
        self.heading = self.named(
            kit.with_role(kit.ElidedLabel(lines=2), "heading"),
            "heading",
            tr("Group whose contexts are shown"),
        )
        self.contexts = kit.table(
            self,
            "contexts",
            tr("Contexts gained and lost"),
            files=kit.Files("contexts", tr("Export contexts by group"), self.contexts_table),
        )
        self.contexts.say_empty(tr("No context differs by more than chance."))
        self.map_button = self.named(
            kit.button(tr("Show on the map"), role="quiet", pressed=self.show_trail),
            "map",
            tr("Show the trail on the map"),
            tr("Place the word of each group on the finished map, joined by a line."),
        )
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        assert self.chart.export is not None
        assert self.contexts.export is not None
        exports = {tr("the cosines"): self.chart.export, tr("the contexts"): self.contexts.export}
        export = self.named(ManyExportsButton(exports), "export", tr("Export figures and data"))
        kit.set_scaled_size(self.words, least_width=130)
        kit.set_scaled_size(self.to, least_width=110)
        asked = kit.bar(
            kit.stretch(self.words, 3),
            kit.stretch(self.to, 2),
            *self.groups.parts,
        )
        counted = kit.bar(
            *(
                labelled(kind.spec(name).label, control)
                for kind, name, control in (
                    (GroupedParams, "method", self.method),
                    (DocumentParams, "documents", self.documents),
                    (GroupedParams, "min_count", self.min_count),
                    (GroupedParams, "window", self.near),
                )
            ),
            kit.stretch(),
        )
        shown = kit.bar(self.pair, kit.stretch(self.fact), self.map_button, export)
        side = kit.box(kit.column(self.heading, kit.stretch(self.contexts), gap=kit.SPACE_1))
        views = kit.split_into(
            kit.TurningSplitter(260), self.chart, side, shares=(3, 2), sizes=(560, 320)
        )
        page = kit.box(kit.column(shown, kit.stretch(views)))
        self._following = ResultJob(self.session.jobs, f"{self.key}.trail")
        self._following.on_failed(self.session.message.report)
        self.result = ResultView(self, self.key, f"{self.key}.here", page)
        self.notice = self.result.notice
        margins = (kit.SPACE_3, kit.SPACE_2, kit.SPACE_3, kit.SPACE_3)
        kit.fill(self.body, kit.column(asked, counted, kit.stretch(self.result), margins=margins))

    def _connect(self) -> None:
        self.bind_controls(
            words=self.words,
            to=self.to,
            method=self.method,
            documents=self.documents,
            min_count=self.min_count,
            near=self.near,
            pair=self.pair,
            **self.groups.controls,
        )
        self.chart.picked.connect(self._pick_group)
        self.contexts.picked.connect(self._pick_context)
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.active.changed, self._active_changed)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.result.on_clear(self._clear)

    def drawn_runs(self) -> Sequence[RunRecord]:
        """The active run, if its vectors are used."""
        if self._asked is None or self._asked.embeddings is None or self.session.active.run is None:
            return ()
        return (self.session.active.run,)

    def state_changed(self, before: GroupsState, after: GroupsState) -> None:
        self.groups.show_fields()
        self._ask()
        if after.pair != before.pair:
            self._draw()

    # -- requests

    def _refresh(self) -> None:
        corpus = self.session.corpora.current
        if self.lacks_text():
            self.result.forget()
        elif corpus is None:
            self.result.forget()
            self._clear()
            if self.session.corpora.opening is not None:
                self.show_busy(tr("Opening the corpus…"))
            else:
                self.show_empty(
                    tr("No corpus"),
                    tr(
                        "Open texts of several years, speakers or authors to see how words differ "
                        "between them."
                    ),
                    self.window_action("file.open", tr("Open files…")),
                )
        else:
            self.groups.offer(corpus)
            self.show_body()
            self._ask()

    def _active_changed(self) -> None:
        if self.view_state.method == A_LA_CARTE:
            self._ask()
        self._allow_map()

    def _selection_changed(self) -> None:
        if not self.view_state.words.strip():
            self._ask()

    def _chosen_words(self) -> tuple[str, ...]:
        typed = self.view_state.words.split()
        if typed:
            return tuple(dict.fromkeys(typed))
        selected = self.session.selection.words[-_MOST_WORDS:]
        shown = " ".join(selected) or tr("words to compare")
        self.words.setPlaceholderText(shown)
        return tuple(selected)

    def _ask(self) -> None:
        corpus = self.session.corpora.text
        if corpus is None:
            return
        if not offered_groups(corpus):
            self._say(
                tr("This text has no groups"),
                tr(
                    "Open several files, a folder, a table with a column such as the year, or TEI "
                    "editions."
                ),
            )
            return
        words, by = self._chosen_words(), self.groups.params
        to = tuple(dict.fromkeys(self.view_state.to.split()))
        if by is None:
            self._say(
                tr("Which part of a file name is the group?"),
                tr("Put one pair of brackets around the group, such as _(\\d{4})."),
            )
        elif not words:
            self._say(
                tr("Which words?"),
                tr("Type words above, or select them in any list or on the map."),
            )
        elif len(words) > _MOST_WORDS or len(to) > _MOST_TO:
            self.result.show_error(
                UserError(
                    tr("At most {number} words fit in one figure.", number=_MOST_WORDS),
                    tr("Leave out {words}.", words=quoted_words([*words[6:], *to[6:]])),
                )
            )
        else:
            self._start(_Asked(corpus, Question(words, to), by, *self._settings()))

    def _settings(self) -> tuple[DocumentParams, GroupedParams, Embeddings | None]:
        method, embeddings = self.view_state.method, None
        if method == A_LA_CARTE and self._fits_text(self.session.active.run):
            embeddings = self.session.active.trained
        state = self.view_state
        params = GroupedParams(min_count=state.min_count, window=state.near, method=method)
        return DocumentParams(self.view_state.documents), params, embeddings

    def _fits_text(self, record: RunRecord | None) -> bool:
        """Whether a run was trained on the open text."""
        return record is not None and record.corpus_digest == self.session.corpora.digest

    def _start(self, asked: _Asked) -> None:
        self._asked = asked
        doing = tr("Comparing groups")
        if asked.params.method == SGNS:
            doing = tr("Training on the text, and again on drawn and shuffled texts")
        self.result.ask(
            Request(
                asked.key,
                tr("Comparing {words} between groups", words=quoted_words(asked.question.words)),
                asked.work,
                self._show,
                doing=doing,
            )
        )

    def _say(self, title: str, hint: str) -> None:
        self._asked = None
        self.result.show_message(title, hint)

    # -- results

    def _clear(self) -> None:
        self.found = None
        self.chart.set_chart(None)
        self.contexts.set_columns([])
        self._allow_map()

    def _show(self, found: GroupedWords) -> None:
        self.found = found
        self._group = -1
        titles = [title_of(one) for one in found.series]
        self.pair.replace_choices([(title, title) for title in titles])
        self.pair.setVisible(len(titles) > 1)
        self._draw()

    def _draw(self) -> None:
        found, shown = self.found, self.pair.currentIndex()
        if found is None or shown < 0:
            return
        series = found.series[shown]
        self.chart.headings = (title_of(series),)
        self.chart.set_chart(cosines_chart(found, shown))
        self.fact.put(summary(found, shown))
        if self._group < 0:
            self._group = series.turn or self._most_changed(shown)
        self._draw_contexts()
        self._allow_map()

    def _most_changed(self, shown: int) -> int:
        """The group whose contexts of this word differ most from elsewhere."""
        assert self.found is not None
        word = self._word_of(shown)
        every = [[*gained, *lost] for gained, lost in zip(word.gained, word.lost, strict=True)]
        evidence = [max((abs(one.evidence) for one in changes), default=0.0) for changes in every]
        return evidence.index(max(evidence))

    def _word_of(self, shown: int) -> WordInGroups:
        assert self.found is not None
        name = self.found.series[shown].word
        return next(one for one in self.found.words if one.word == name)

    def _draw_contexts(self) -> None:
        found, shown = self.found, self.pair.currentIndex()
        if found is None or shown < 0:
            return
        group = found.groups.values[self._group]
        word = self._word_of(shown)
        self.chart.set_current(group)
        self.heading.put(
            tr("{word} in {group}, compared with all other groups", word=word.word, group=group)
        )
        self.contexts.set_columns(context_columns(word, self._group))

    def _pick_group(self, name: str) -> None:
        if self.found is not None and name in self.found.groups.values:
            self._group = self.found.groups.values.index(name)
            self._draw_contexts()

    def _pick_context(self, word: object) -> None:
        """Select a context; the words compared stay."""
        if isinstance(word, str) and self.found is not None:
            if not self.view_state.words.strip():
                shown = " ".join(one.word for one in self.found.words)
                self.view_state = self.view_state.replace(words=shown)
            self.session.selection.select([word])

    # -- the trail on the map

    @property
    def no_trail(self) -> str:
        """The reason why no trail can be shown; "" if one can."""
        if self.found is None:
            return tr("Compare a word first.")
        if not self._fits_text(self.session.active.run) or self.session.active.trained is None:
            return tr("Train on this text, or choose one of its runs: the map shows its vectors.")
        return ""

    def _allow_map(self) -> None:
        self.map_button.setEnabled(not self.no_trail)

    def show_trail(self) -> None:
        """Place the word of each group on the map of the active run."""
        asked, embeddings = self._asked, self.session.active.trained
        shown = self.pair.currentIndex()
        if self.no_trail or asked is None or embeddings is None or shown < 0:
            return
        word = self._word_of(shown).word
        self._following.ask(
            Request(
                # Each is a new one: the map may have lost the last one.
                (object(),),
                tr("Placing the groups of “{word}” on the map", word=word),
                lambda run: word_trail(asked.corpus, word, asked.by, asked.params, embeddings, run),
                self._send_trail,
            )
        )

    def _send_trail(self, trail: Trail) -> None:
        self.session.requests.trail.emit(trail)

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        found = (self.chart.export, self.contexts.export)
        return tuple(one for one in found if one is not None)

    def _about(self) -> str:
        return self.fact.text()

    def cosines_table(self) -> str:
        """All series, as ``workbench groups --output`` writes them."""
        return to_csv(COLUMNS, [] if self.found is None else series_rows(self.found))

    def contexts_table(self) -> str:
        """The contexts of all groups, as ``workbench groups --context-table`` writes them."""
        return to_csv(CONTEXTS, [] if self.found is None else context_rows(self.found))
