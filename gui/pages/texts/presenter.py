"""Presenter of the Texts page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Slot

from core.domain.citations import Citance, CitedSpan
from core.domain.study import Text, TopicHeader, TopicTexts
from core.ports import ChangeKind, ChangeSet, language_of, set_language
from core.text.languages import ENGLISH
from gui.annotation.progress.progress_grid import summary_order
from gui.annotation.study_modes import blind_mode_of
from gui.pages.texts.view import CitanceDetails, CitedRow, LanguageDialog, SetDialog, TextRow, TextsView
from gui.session.context import Context, PageParts
from gui.session.topic_navigation import TopicNavigator
from gui.style.language import tr

KEY = "texts"


class TextsPresenter(QObject):
    """Show the selected topic; select the topics and summaries that the user picks."""

    def __init__(self, view: TextsView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._topics = TopicNavigator(context, KEY, view.place, self)
        self._topic: TopicTexts | None = None
        self.set_dialog: SetDialog | None = None  # dialog that was opened last
        self.language_dialog: LanguageDialog | None = None  # of languages
        self._blindness = blind_mode_of(context)
        view.topic_table.row_chosen.connect(self._select_topic)
        view.text_table.row_chosen.connect(self._select_text)
        view.shown.connect(self._refresh)
        view.cited_table.row_opened.connect(self._show_cited_part)
        view.empty.primary.clicked.connect(context.commands.action("study.import").trigger)
        commands = context.commands
        commands.bind("edit.find", view.start_finding, KEY)
        commands.bind("topic.set", self.change_set, KEY)
        commands.bind("topic.language", self.change_language, KEY)
        view.set_topic_menu([commands.action("topic.set"), commands.action("topic.language")])
        context.selection.topic_changed.connect(self._refresh)
        context.selection.summary_changed.connect(self._refresh)
        context.selection.pointed.connect(self._point_at)
        context.changes.changed.connect(self._study_changed)
        self._blindness.changed.connect(self._show_again)
        self._load()

    def change_language(self) -> None:
        """Ask for the language of the selected topics, and store it."""
        topics = self._view.selected_topics()
        if not topics:
            self._context.show_message(tr("Select the topics whose language you want to change."))
            return
        current = sorted({topic.language for topic in topics})
        usual = language_of(self._context.study) or ENGLISH
        self.language_dialog = dialog = LanguageDialog(_named(topics), usual, current, self._view)
        ids = [topic.id for topic in topics]
        dialog.accepted.connect(lambda: self._set_language(ids, dialog.field.currentData()))
        dialog.open()

    def _set_language(self, topic_ids: Sequence[str], code: str) -> None:
        context = self._context
        write = set_language(context.study, code, topic_ids)
        context.writes.track(write, on_error=lambda error: context.show_message(str(error)))

    def change_set(self) -> None:
        """Ask for the set of the selected topics, and move them to it."""
        topics = self._view.selected_topics()
        if not topics:
            self._context.commands.refuse(tr("Select the topics whose set you want to change."))
            return
        known = sorted({topic.set for topic in self._topics.topics if topic.set})
        current = sorted({topic.set for topic in topics})
        self.set_dialog = dialog = SetDialog(_named(topics), known, current, self._view)
        dialog.accepted.connect(lambda: self._move([topic.id for topic in topics], dialog.name))
        dialog.open()

    def _move(self, topic_ids: Sequence[str], name: str) -> None:
        if self._context.may_edit(partial(_move_topics, topic_ids, name)):
            _move_topics(topic_ids, name, self._context)

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds:
            self._load()
            if self._view.isVisible():
                self._refresh()

    @Slot()
    def _show_again(self) -> None:
        if self._topic is not None:
            self._show(self._topic)

    def _load(self) -> None:
        self._topic = None
        topics = self._topics.topics
        self._view.show_topics(topics)

    @Slot()
    def _refresh(self) -> None:
        if not self._view.isVisible() or not self._topics.topics:
            return
        selection = self._context.selection
        ids = [topic.id for topic in self._topics.topics]
        if selection.topic_id not in ids:
            selection.select(topic_id=ids[0])
            return
        if self._topic is None or self._topic.id != selection.topic_id:
            self._show(self._context.study.texts.topic(selection.topic_id))
        if selection.summary_id in {text.id for text in self._topic.summaries} if self._topic else ():
            self._view.show_text("summaries", selection.summary_id)

    def _show(self, topic: TopicTexts) -> None:
        self._topic = topic
        self._topics.show_place()
        texts = {
            "documents": [TextRow(text) for text in topic.documents],
            "references": [TextRow(text) for text in topic.references],
            "summaries": self._summaries(topic),
            "citances": self._citances(topic),
        }
        has_citances = bool(self._context.study.citations.counts())
        self._view.show_topic(topic.id, topic.query, texts, has_citances=has_citances)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show a span of a text that another page points at. start, end: offsets in code points."""
        if not self._view.isVisible() or self._topic is None:
            return
        for kind in ("documents", "references", "summaries"):
            if any(text.id == text_id for text in getattr(self._topic, kind)):
                self._view.show_text(kind, text_id)
                self._view.reading.point_at((start, end))

    def _summaries(self, topic: TopicTexts) -> list[TextRow]:
        """Return the summaries by system; in a blind study numbered, in annotation order."""
        if not self._blindness.is_on:
            return [TextRow(text) for text in topic.summaries]
        texts = {text.id: text for text in topic.summaries}
        order = summary_order(topic, self._context.annotator.id)
        return [
            TextRow(replace(texts[text_id], name=tr("Summary {number}", number=number)))
            for number, text_id in enumerate(order, 1)
        ]

    def _citances(self, topic: TopicTexts) -> list[TextRow]:
        """Return the citances of a topic, in the order of import."""
        citations = self._context.study.citations.of_topic(topic.id)
        if not citations.citances:
            return []
        papers = {paper.id: paper for paper in citations.papers}
        documents = {text.id: text.name for text in topic.documents}
        people = {person.id: person.name for person in self._context.study.annotators.all()}
        return [
            _citance_row(citance, papers[citance.citing_paper_id], documents, people)
            for citance in citations.citances
        ]

    @Slot(object)
    def _show_cited_part(self, row: CitedRow) -> None:
        if row.span is not None:
            self._view.show_text("documents", row.document_id)
            self._view.reading.point_at(row.span)

    @Slot(object)
    def _select_topic(self, topic: TopicHeader | None) -> None:
        if topic is not None:
            self._context.selection.select(topic_id=topic.id)

    @Slot(object)
    def _select_text(self, row: TextRow | None) -> None:
        if row is not None and self._view.kind.current == "summaries" and self._topic is not None:
            system = next((text.name for text in self._topic.summaries if text.id == row.text.id), "")
            self._context.selection.select(summary_id=row.text.id, system=system)


build = PageParts(TextsView, TextsPresenter)


def _named(topics: Sequence[TopicHeader]) -> str:
    if len(topics) == 1:
        return tr("topic {name}", name=topics[0].name)
    return tr("{topics:,} topics", topics=len(topics))


def _move_topics(topic_ids: Sequence[str], name: str, context: Context) -> str:
    """Move topics to a set as the annotator of a Context; returns an empty text: it is always possible."""
    write = context.study.texts.move_to_set(topic_ids, name, context.annotator.id)
    context.writes.track(write, on_error=lambda error: context.show_message(str(error)))
    return ""


def _citance_row(
    citance: Citance, paper: Text, documents: Mapping[str, str], people: Mapping[str, str]
) -> TextRow:
    cited = [
        CitedRow(people[one.annotator_id], ", ".join(one.facets), part.text, citance.document_id, part.span)
        for one in citance.annotations
        for part in one.cited or (CitedSpan(None, ""),)
    ]
    spans = sorted({span for one in citance.annotations for span in one.spans})
    name = documents.get(citance.document_id)
    about = [
        tr("cites {name}", name=name) if name else tr("the cited document is not in the study"),
        citance.marker and tr("marker {marker}", marker=citance.marker),
    ]
    if not paper.content:
        about.append(tr("the text of the citing paper is not in the study"))
    name = f"{paper.name} · {citance.number}"
    content = paper.content or citance.text
    return TextRow(
        replace(paper, id=citance.id, name=name, content=content),
        CitanceDetails(citance.text, tuple(spans), " · ".join(filter(None, about)), tuple(cited)),
    )
