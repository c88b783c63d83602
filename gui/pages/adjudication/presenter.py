"""Presenter of the Adjudication page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from core.adjudication.model import Item, ItemState, Sides, TopicAdjudication
from core.adjudication.topics import (
    AdjudicationSelection,
    Survey,
    TopicProgress,
    adjudication_of,
    is_withheld,
    merge_all_agreements,
    read_topic,
    sides_of,
    survey,
)
from core.agreement.titles import annotations_name, annotations_work
from core.domain.annotation_merge import conflict_owner
from core.domain.assignment import Work
from core.domain.decisions import DEFAULT_RESULT, RESULT_GROUP
from core.domain.decisions import Choice as Chosen
from core.domain.study import Annotator, TopicTexts
from core.errors import InputError, PyramidionError
from core.ports import ANNOTATION_CHANGES, ChangeKind, ChangeSet, EditReceipt
from gui.annotation.guidelines_pane import SETTING as GUIDELINES
from gui.annotation.text.marks import Mark
from gui.annotation.text.summary_columns import ShownText, sources_of
from gui.background.jobs import Job, JobQueue
from gui.pages.adjudication.view import AdjudicationView, step_of
from gui.session.context import Context, PageParts
from gui.session.edits import ActiveTime
from gui.session.topic_navigation import DONE, TopicNavigator
from gui.style.engine_words import engine_words
from gui.style.language import tr
from gui.widgets.controls import Choice

KEY = "adjudication"
MOST_KEYS = 9
_RELEVANT = ANNOTATION_CHANGES | {ChangeKind.SETTINGS}
_ALL_DECIDED = tr("Everything on this topic is decided. Choose “All” to see the decisions.")
_WITHHELD = tr(
    "The study is blind, and you are one of the annotators of this topic: you see the "
    "others' work after finishing your own."
)
_NO_TOPICS = tr("The study has no topics yet.")
_NOT_REPEATED = tr("Nothing was decided. Repeat your decision under your name.")


class AdjudicationPresenter(QObject):
    """Step through the items of a topic and store each decision at once."""

    def __init__(self, view: AdjudicationView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._topics = TopicNavigator(context, KEY, view.place, self, self._topic_states)
        self._time = ActiveTime()
        self._what = annotations_name(Work.RATINGS)
        self._is_chosen = False  # by the user or by another page
        self._conflict = ""  # the annotator whose versions are compared; empty = different annotators
        self._annotators: tuple[str, ...] = ()
        self._result = DEFAULT_RESULT
        self._shows_all = False
        self._people: Sequence[Annotator] = ()
        self._sides: Sides | None = None
        self._adjudication: TopicAdjudication | None = None
        self._key = ""
        self._counts = Survey()
        self._survey: Job | None = None
        self._merging: Job | None = None
        self._is_counted = self._has_counts = self._has_searched = False
        self._pending_writes = 0
        self._is_outdated = self._is_read = self._is_loaded = False
        self._connect()
        actions: dict[str, Callable[[], object]] = {
            "adjudicate.both": lambda: self._decide_if_possible(Chosen.BOTH),
            "adjudicate.neither": lambda: self._decide_if_possible(Chosen.NEITHER),
            "adjudicate.later": lambda: self._decide(Chosen.LATER),
            "adjudicate.value": self._view.focus_value,
            "adjudicate.next_open": self.go_to_next_open,
            "adjudicate.merge": self.merge_agreements,
            "adjudicate.guidelines": lambda: self._view.toggle_guidelines(
                self._context.study.settings.get(GUIDELINES)
            ),
            "list.next": lambda: self._view.list.step(+1),
            "list.previous": lambda: self._view.list.step(-1),
        }
        for number in range(1, MOST_KEYS + 1):
            actions[f"adjudicate.accept_{number}"] = partial(self.accept, number)
        for command, action in actions.items():
            self._context.commands.bind(command, action, KEY)
        self._view.guidelines_button.follow(self._context.commands.action("adjudicate.guidelines"))
        self._show_differences_of(context.selection.annotation)
        view.later += (self._load_ahead, self._list_ahead, self._show_cards_ahead)

    @Slot(int)
    def accept(self, number: int) -> None:
        """Accept a version of the current item, by its number from 1."""
        item = self._item()
        if item is not None and number <= len(item.versions):
            self._decide(Chosen.ACCEPT, number - 1)

    @Slot()
    def go_to_next_open(self) -> None:
        """Select the next item to decide, on this topic or a later one."""
        if self._step_to_open():
            return
        head = self._topics.current()
        ids = [topic.id for topic in self._topics.topics]
        at = ids.index(head.id) + 1 if head is not None else 0
        is_open = {one.topic_id for one in self._progress() if one.to_decide}
        following = next(
            (row_id for row_id in (*ids[at:], *ids[: max(at - 1, 0)]) if row_id in is_open), None
        )
        if following is None:
            self._context.show_message(tr("Everything is decided."))
        else:
            self._context.selection.select(topic_id=following)

    @Slot()
    def merge_agreements(self) -> None:
        """Copy what the annotators agree on in all topics."""
        if self._merging is not None or self._sides is None:
            return
        if not self._context.may_edit(lambda _: _NOT_REPEATED):
            return
        work = merge_all_agreements(self._context.study, self._selection(), self._context.annotator)
        self._merging = self._context.jobs.start(tr("Merging agreements"), work, JobQueue.CHECKING)
        self._merging.finished.connect(self._show_merged)
        self._merging.failed.connect(lambda error: self._view.notice.show_message(str(error)))
        self._merging.ended.connect(self._merge_ended)
        self._view.merge_button.setEnabled(False)

    def _decide(self, choice: Chosen, version: int = 0, value: float | None = None) -> None:
        item = self._item()
        if item is None or self._sides is None or self._adjudication is None:
            return
        if not self._context.may_edit(lambda _: _NOT_REPEATED):
            return
        if not self._sides.result.id:
            self._context.study.annotators.get_or_create(self._sides.result.name, RESULT_GROUP)
            self._load()
        adjudication = self._adjudication
        try:
            edit = adjudication.decide(adjudication.item(item.key), choice, version, value)
        except InputError as error:
            self._view.notice.show_message(str(error))
            return
        self._view.notice.show_message("")
        self._adjudication = adjudication_of(
            adjudication.data.after(edit), self._selection(), adjudication.sides
        )
        self._pending_writes += 1
        write = self._context.study.adjudication.commit(edit, self._context.annotator.id, self._time.take())
        self._context.writes.track(write, self._write_succeeded, self._write_failed)
        if not self._step_to_open():
            self._show()
        self._view.focus_default()

    @Slot()
    def _enter_value(self) -> None:
        if not (text := self._view.value_field.text().strip()):
            return
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            self._view.notice.show_message(
                tr("“{text}” is not a number. Type a value of the scale.", text=text)
            )
            return
        self._decide(Chosen.VALUE, value=value)

    def _connect(self) -> None:
        view, selection = self._view, self._context.selection
        view.shown.connect(self._catch_up)
        view.annotation_box.chosen.connect(self._choose_annotation)
        view.comparison_box.chosen.connect(self._choose_comparison)
        view.annotators_box.chosen.connect(self._choose_annotators)
        view.result_field.editingFinished.connect(self._name_result)
        view.scope.chosen.connect(self._choose_scope)
        view.list.row_chosen.connect(self._choose_item)
        view.accepted.connect(self.accept)
        view.both_button.clicked.connect(lambda: self._decide(Chosen.BOTH))
        view.neither_button.clicked.connect(lambda: self._decide(Chosen.NEITHER))
        view.later_button.clicked.connect(lambda: self._decide(Chosen.LATER))
        view.value_field.returnPressed.connect(self._enter_value)
        view.merge_button.clicked.connect(self.merge_agreements)
        view.empty.primary.clicked.connect(self.go_to_next_open)
        self._topics.listed.connect(self._refresh)
        selection.topic_changed.connect(self._refresh)
        selection.annotation_changed.connect(self._show_differences_of)
        self._context.changes.changed.connect(self._study_changed)

    def _decide_if_possible(self, choice: Chosen) -> None:
        item = self._item()
        if item is not None and (item.both if choice is Chosen.BOTH else item.neither):
            self._decide(choice)

    # Options

    @Slot(object)
    def _choose_annotation(self, what: str) -> None:
        self._what, self._is_chosen = what, True
        self._context.selection.select(annotation=what)
        self._restart(is_counted=self._is_counted)
        self._view.focus_default()

    @Slot(str)
    def _show_differences_of(self, annotation: str) -> None:
        """Show the differences of a kind of annotation that another page asks for."""
        if annotation and annotation != self._what:
            self._choose_annotation(annotation)

    @Slot(object)
    def _choose_comparison(self, key: str) -> None:
        self._conflict = key
        self._result = f"{key} ({DEFAULT_RESULT})" if key else DEFAULT_RESULT
        self._restart()

    @Slot(object)
    def _choose_annotators(self, names: Sequence[str]) -> None:
        self._annotators = tuple(names)
        self._restart()

    @Slot()
    def _name_result(self) -> None:
        name = self._view.result_field.text().strip()
        if name != self._result:
            self._result = name
            self._restart()

    @Slot(str)
    def _choose_scope(self, scope: str) -> None:
        self._shows_all = scope == "all"
        self._show()

    @Slot(object)
    def _choose_item(self, key: str) -> None:
        self._time.touch()
        if key != self._key:
            self._key = key
            self._show_item()

    def _restart(self, *, is_counted: bool = False) -> None:
        self._is_counted, self._key = is_counted, ""
        self._has_searched = self._is_loaded = False  # for the first difference of any topic
        self._has_counts = self._has_counts and is_counted
        self._refresh()
        if is_counted:
            self._go_to_first()

    def _selection(self) -> AdjudicationSelection:
        names = self._annotators
        if self._conflict:
            names = tuple(
                one.name for one in self._people if self._conflict in (one.name, conflict_owner(one.name))
            )
        work = annotations_work(self._what)
        part = self._what.removeprefix(annotations_name(work))
        return AdjudicationSelection(work, names, self._result, part)

    def _progress(self) -> list[TopicProgress]:
        return self._counts.of(self._selection())

    # Content

    @Slot()
    def _catch_up(self) -> None:
        """Show the selected topic unless it is shown already."""
        if not self._is_read:
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """Show the selected topic if the page is visible."""
        self._is_read = self._view.isVisible()
        if not self._is_read:
            return
        self._topics.show_place()
        head = self._topics.current()
        if head is not None and head.id != self._context.selection.topic_id:
            self._context.selection.select(topic_id=head.id)  # which shows it
            return
        loaded = self._adjudication if self._is_loaded else None
        if loaded is None or head is None or loaded.data.topic.id != head.id:
            self._load()
        self._is_loaded = False
        self._show()
        self._start_survey()

    def _load_ahead(self) -> None:
        self._load()
        self._is_loaded = True

    def _list_ahead(self) -> None:
        if self._adjudication is not None:
            self._show_list(self._adjudication, self._visible())

    def _show_cards_ahead(self) -> None:
        if visible := self._visible():
            self._view.show_cards(visible[0])

    def _load(self) -> None:
        """Read people and the current topic from the study."""
        study, head = self._context.study, self._topics.current()
        self._people = study.annotators.all()
        self._show_options()
        self._adjudication, self._sides = None, None
        try:
            self._sides = sides_of(self._people, self._selection(), self._context.annotator.name)
        except InputError as error:
            self._view.show_empty(str(error))
            return
        if head is None:
            self._view.show_empty(_NO_TOPICS)
            return
        data = read_topic(study, head.id, self._sides.result.id, self._context.annotator.id)
        adjudication = adjudication_of(data, self._selection(), self._sides)
        if is_withheld(study, adjudication, self._context.annotator):
            self._view.show_empty(_WITHHELD)
            return
        self._adjudication = adjudication

    def _show_options(self) -> None:
        owners = sorted({owner for one in self._people if (owner := conflict_owner(one.name))})
        if self._conflict not in owners:
            self._conflict = ""
        conflicts = [
            Choice(owner, tr("Versions of {owner} (merge conflict)", owner=owner)) for owner in owners
        ]
        people = (one for one in self._people if one.group != RESULT_GROUP and not conflict_owner(one.name))
        annotators = [Choice(one.name, one.name) for one in people]
        comparisons = [Choice("", tr("Different annotators")), *conflicts]
        self._view.show_options(comparisons, annotators, self._result, is_conflict=bool(self._conflict))
        self._show_annotations()

    def _show_annotations(self) -> None:
        """Offer each kind of annotation with its differences, and each scale and plan of several."""
        offers = [
            Choice(what, f"{engine_words(title)} · {left:,}" if left else engine_words(title))
            for what, title, left in self._counts.offers(self._what)
        ]
        self._view.show_annotations(offers, self._what)

    def _visible(self) -> list[Item]:
        if self._adjudication is None:
            return []
        to_do = (ItemState.OPEN, ItemState.LATER)
        return [item for item in self._adjudication.items if self._shows_all or item.state in to_do]

    def _item(self) -> Item | None:
        """Return the current item, None = none."""
        return next((item for item in self._visible() if item.key == self._key), None)

    def _step_to_open(self) -> bool:
        """Select the next item to decide after the current one; return whether there is one."""
        if self._adjudication is None:
            return False
        items = self._adjudication.items
        at = next((place for place, item in enumerate(items) if item.key == self._key), -1)
        following = [*items[at + 1 :], *items[: max(at, 0)]]
        states = (ItemState.OPEN, ItemState.LATER)
        found = next((one for state in states for one in following if one.state is state), None)
        if found is None:
            return False
        self._key = found.key
        self._show()
        return True

    def _show(self) -> None:
        """Show the items of the topic and the current one."""
        topic = self._adjudication
        self._view.merge_button.setEnabled(self._sides is not None and self._merging is None)
        if topic is None:
            self._view.show_items((), "")
            self._view.show_mergeable(0)
            self._show_counts()
            return
        visible = self._visible()
        if all(item.key != self._key for item in visible):
            self._key = visible[0].key if visible else ""
        self._counts = self._counts.updated(topic)
        self._show_counts()
        self._show_list(topic, visible)
        if not visible:
            self._show_reason(topic)
            return
        self._has_searched = True
        self._view.show_empty("")
        self._view.choose_item(self._key)
        self._show_item()

    def _show_list(self, topic: TopicAdjudication, visible: Sequence[Item]) -> None:
        to_do = topic.count(ItemState.OPEN, ItemState.LATER)
        self._view.show_items(visible, tr("{to_do} of {items}", to_do=to_do, items=len(topic.items)))
        self._view.show_mergeable(topic.count(ItemState.AGREED))

    def _show_reason(self, topic: TopicAdjudication) -> None:
        """Show why the topic has no item to show, and the way to one that has."""
        has_more = any(one.to_decide for one in self._progress())
        self._view.show_empty(_ALL_DECIDED if topic.items else topic.why_empty, has_more=has_more)

    def _show_counts(self) -> None:
        self._show_annotations()
        if self._selection().is_whole and (self._has_counts or self._sides is None):
            left = sum(self._counts.to_decide().values()) if self._sides is not None else 0
            self._context.show_progress({KEY: f"{left:,}" if left else ""})

    def _show_item(self) -> None:
        item = self._item()
        if item is None or self._adjudication is None:
            return
        texts = {text.id: text for text in self._adjudication.data.topic.summaries}
        if item.summary_id in texts:
            self._context.selection.select(summary_id=item.summary_id, system=texts[item.summary_id].name)
        result = self._sides.result.name if self._sides is not None else ""
        self._view.show_item(
            item,
            *_texts(item, self._adjudication.data.topic),
            f"{result}: {engine_words(item.result)}" if item.result else engine_words(item.without_result),
        )

    # Other topics

    def _topic_states(self) -> dict[str, str]:
        return {
            one.topic_id: tr("{to_decide} of {items} to decide", to_decide=one.to_decide, items=one.items)
            if one.to_decide
            else DONE
            for one in self._progress()
        }

    def _start_survey(self) -> None:
        if self._is_counted or self._sides is None:
            return
        self._is_counted = True
        if self._survey is not None:
            self._survey.cancel()
        work = survey(self._context.study, self._selection())
        self._survey = self._context.jobs.start(tr("Counting differences"), work, JobQueue.CHECKING)
        self._survey.finished.connect(self._show_survey)

    @Slot(object)
    def _show_survey(self, counts: Survey) -> None:
        self._counts, self._has_counts = counts, True
        self._topics.refresh_list()
        self._show_counts()
        left = [what for what, count in counts.to_decide().items() if count]
        if left and not self._is_chosen and not any(one.to_decide for one in self._progress()):
            self._what = annotations_name(annotations_work(left[0]))
            self._restart(is_counted=True)
        else:
            self._go_to_first()

    def _go_to_first(self) -> None:
        """Go to the first difference of any topic, once; later, show why there is none in this one."""
        is_first, self._has_searched = not self._has_searched, True
        if self._adjudication is None or self._visible():
            return
        if is_first and any(one.to_decide for one in self._progress()):
            self.go_to_next_open()
        else:
            self._show_reason(self._adjudication)

    @Slot(object)
    def _show_merged(self, count: int) -> None:
        self._context.show_message(tr("Merged %n agreements. Undo works topic by topic.", "", count))

    @Slot()
    def _merge_ended(self) -> None:
        self._merging = None
        self._restart()

    # Writes and changes

    def _write_succeeded(self, receipt: EditReceipt) -> None:
        self._pending_writes -= 1
        if self._is_outdated and not self._pending_writes:
            self._follow_changes()

    def _write_failed(self, error: PyramidionError) -> None:
        self._pending_writes -= 1
        self._refresh()
        self._view.notice.show_message(str(error))

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        self._is_read = self._is_loaded = False
        if not changes.kinds & _RELEVANT:
            return
        head = self._topics.current()
        if changes.is_external or head is None or changes.topics != {head.id}:
            self._is_counted = False
        self._follow_changes()

    def _follow_changes(self) -> None:
        """Show changes, but only after pending writes, which are newer than the stored data."""
        self._is_outdated = bool(self._pending_writes)
        if not self._is_outdated and self._merging is None:
            self._refresh()


build = PageParts(AdjudicationView, AdjudicationPresenter)


def _texts(item: Item, topic: TopicTexts) -> tuple[tuple[ShownText, ...], tuple[ShownText, ...]]:
    """Return the texts that an item is about, and the sources to check it against."""
    by_id = {text.id: text for text in topic.summaries}
    sources = tuple(_marked(shown, item) for shown in sources_of(topic))
    if item.compared:
        shown = (
            ShownText(tr("Summary {letter}", letter=chr(ord("A") + at)), "", by_id[row_id])
            for at, row_id in enumerate(item.compared)
            if row_id in by_id
        )
        first, *others = shown
        return (first,), (*others, *sources)
    if item.summary_id in by_id:
        title = engine_words(item.place.partition(" · ")[0])
        return (_marked(ShownText(title, "", by_id[item.summary_id]), item),), sources
    references = {text.id for text in topic.references}
    return (
        tuple(one for one in sources if one.text.id in references),
        tuple(one for one in sources if one.text.id not in references),
    )


def _marked(shown: ShownText, item: Item) -> ShownText:
    marks = tuple(
        Mark(tr("version {number}", number=number), step_of(number), spans)
        for number, version in enumerate(item.versions, 1)
        if (spans := version.spans.get(shown.text.id))
    )
    return replace(shown, marks=marks)
