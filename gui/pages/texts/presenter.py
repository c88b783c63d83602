"""What the page of texts does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.domain.study import Text, TopicHeader, TopicTexts
from core.ports import ChangeKind, ChangeSet
from gui.annotation.blind_mode import blindness
from gui.annotation.progress_rows import order_of
from gui.pages.texts.values import TextRow, TopicRow
from gui.session.context import Context
from gui.session.topic_navigation import TopicNavigator

if TYPE_CHECKING:
    from gui.pages.texts.view import TextsView

KEY = "texts"


def build(context: Context) -> tuple[TextsView, TextsPresenter]:
    """The page of texts."""
    from gui.pages.texts.view import TextsView

    view = TextsView()
    return view, TextsPresenter(view, context)


class TextsPresenter(QObject):
    """Shows the selected topic and selects what is picked."""

    def __init__(self, view: TextsView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._topics = TopicNavigator(context, KEY, view.place, self)
        self._shown: TopicTexts | None = None
        self._blindness = blindness(context)
        view.topic_chosen.connect(self._pick_topic)
        view.text_chosen.connect(self._pick_text)
        view.shown.connect(self._refresh)
        view.import_requested.connect(context.commands.action("study.import").trigger)
        commands = context.commands
        commands.bind("edit.find", view.start_finding, KEY)
        context.selection.topic_changed.connect(self._refresh)
        context.selection.summary_changed.connect(self._refresh)
        context.selection.pointed.connect(self._point_at)
        context.changes.changed.connect(self._changed)
        self._blindness.changed.connect(self._show_anew)
        self._load()

    @Slot(object)
    def _changed(self, changes: ChangeSet) -> None:
        if ChangeKind.TEXTS in changes.kinds:
            self._load()
            if self._view.isVisible():
                self._refresh()

    @Slot()
    def _show_anew(self) -> None:
        if self._shown is not None:
            self._show(self._shown)

    def _load(self) -> None:
        self._shown = None
        self._view.show_topics([_topic_line(topic) for topic in self._topics.heads])

    @Slot()
    def _refresh(self) -> None:
        if not self._view.isVisible() or not self._topics.heads:
            return
        selection = self._context.selection
        ids = [topic.id for topic in self._topics.heads]
        if selection.topic_id not in ids:
            selection.select(topic_id=ids[0])
            return
        if self._shown is None or self._shown.id != selection.topic_id:
            self._show(self._context.study.texts.topic(selection.topic_id))
        if selection.summary_id in {text.id for text in self._shown.summaries} if self._shown else ():
            self._view.show_text("summaries", selection.summary_id)

    def _show(self, topic: TopicTexts) -> None:
        self._shown = topic
        self._topics.show_place()
        texts = {
            "documents": [_text_line(text) for text in topic.documents],
            "references": [_text_line(text) for text in topic.references],
            "summaries": self._summaries(topic),
        }
        self._view.show_topic(topic.id, topic.query, texts)

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show words that somebody points at elsewhere."""
        if not self._view.isVisible() or self._shown is None:
            return
        for kind in ("documents", "references", "summaries"):
            if any(text.id == text_id for text in getattr(self._shown, kind)):
                self._view.show_text(kind, text_id)
                self._view.reading.point_at((start, end))

    def _summaries(self, topic: TopicTexts) -> list[TextRow]:
        """The summaries by system; in a blind study numbered, in the order they are annotated in."""
        if not self._blindness.is_on:
            return [_text_line(text) for text in topic.summaries]
        texts = {text.id: text for text in topic.summaries}
        order = order_of(topic, self._context.annotator.id)
        return [replace(_text_line(texts[one]), name=f"Summary {at}") for at, one in enumerate(order, 1)]

    @Slot(str)
    def _pick_topic(self, topic_id: str) -> None:
        self._context.selection.select(topic_id=topic_id)

    @Slot(str, str)
    def _pick_text(self, kind: str, text_id: str) -> None:
        if kind == "summaries" and self._shown is not None:
            system = next((text.name for text in self._shown.summaries if text.id == text_id), "")
            self._context.selection.select(summary_id=text_id, system=system)


def _topic_line(topic: TopicHeader) -> TopicRow:
    return TopicRow(topic.id, topic.name, topic.title)


def _text_line(text: Text) -> TextRow:
    spans = text.sentence_spans
    return TextRow(text.id, text.name, text.content, None if spans is None else len(spans), text.digest)
