"""View of the Texts page: topics, the texts of a topic, one text to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QSplitter, QStackedLayout, QWidget

from core.annotation.word_coverage import words
from core.domain.study import Span
from gui.annotation.text.word_selection_text import WordSelectionText
from gui.item_models.table_model import Column, SortProxyModel, TableModel
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.buttons import SearchField
from gui.widgets.controls.segmented_control import Segmented
from gui.widgets.empty_state import EmptyPage
from gui.widgets.label import ElidedLabel
from gui.widgets.layouts import hbox, vbox
from gui.widgets.lists.table_view import Table
from gui.widgets.page import Page
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic in the list. language: name of its language where that is not the study's."""

    id: str
    name: str
    title: str
    set: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class CitedRow:
    """A part of a document that an annotator of a citance marked. span: None = its place is unknown."""

    annotator: str
    facets: str
    text: str
    document_id: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class CitanceDetails:
    """Details of a citance.

    text: what the citing paper says. spans: its places in the displayed text. about: what it cites.
    """

    text: str
    spans: tuple[Span, ...]
    about: str
    cited: tuple[CitedRow, ...]


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text in the list.

    sentences: number of sentences as imported, None = not segmented.
    digest: SHA-256 of the content.
    citance: of a citance; the content is that of its citing paper where known.
    """

    id: str
    name: str
    content: str
    sentences: int | None
    digest: str
    language: str = ""
    citance: CitanceDetails | None = None

    @property
    def words(self) -> int:
        return len(words(self.content if self.citance is None else self.citance.text))


LINE_HEIGHT_PERCENT = 160.0
LIST_SHARES, COLUMN_SHARES = (460, 540), (400, 660)
CITANCES = "citances"
KINDS = (
    ("documents", tr("Documents")),
    ("references", tr("References")),
    ("summaries", tr("Summaries")),
    (CITANCES, tr("Citances")),
)
READING_SHARES = 680, 320
_HIGHLIGHT = 0.22
"""Share of the accent colour behind a citance."""


class TextsView(Page):
    """Browse the texts of the study.

    Signals:
        topic_chosen: id of a topic.
        text_chosen: kind (``documents``, ``references``, ``summaries``, ``citances``) and id of a text.
        cited_part_opened: id of a document and a span in it.
    """

    topic_chosen = Signal(str)
    text_chosen = Signal(str, str)
    cited_part_opened = Signal(str, object)

    def __init__(self) -> None:
        super().__init__(tr("Texts"), steps=tr("topic"))
        self.topics = TableModel[TopicRow](
            [
                Column(tr("Topic"), lambda t: t.name, cell_tip=lambda t: t.name),
                Column(tr("Title"), lambda t: t.title, cell_tip=lambda t: t.title),
                Column(tr("Set"), lambda t: t.set, cell_tip=lambda t: t.set),
                Column(tr("Language"), lambda t: t.language, cell_tip=lambda t: t.language),
            ],
            self,
        )
        self.texts = TableModel[TextRow](
            [Column(tr("Name"), lambda t: t.name), Column(tr("Words"), lambda t: t.words, _words)],
            self,
        )
        self.cited = TableModel[CitedRow](
            [
                Column(tr("Annotator"), lambda c: c.annotator, cell_tip=lambda c: c.annotator),
                Column(tr("Facet"), lambda c: c.facets, cell_tip=lambda c: c.facets),
                Column(tr("Cited part"), lambda c: c.text, cell_tip=lambda c: c.text),
            ],
            self,
        )
        self.sorted_cited = SortProxyModel(self.cited, self)
        self.cited_table = Table(tr("Cited parts"), self.sorted_cited)
        self.cited_panel = Panel(tr("Cited parts"), tr("Enter shows the part in its document"))
        self.sorted_topics = SortProxyModel(self.topics, self)
        self.sorted_texts = SortProxyModel(self.texts, self)
        self.topic_table = Table(tr("Topics"), self.sorted_topics)
        self.topic_table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.text_table = Table(tr("Texts of the topic"), self.sorted_texts)
        self.find_field = SearchField(tr("Find a topic"))
        self.kind = Segmented(tr("Kind of text"), KINDS)
        self.reading = ReadingPane()
        self.query_label = ElidedLabel("", Type.BODY, "muted")  # one line for every topic
        self.reading_panel = Panel(tr("Text"))
        self._topics_panel = Panel(tr("Topics"), hairline=False)
        self._texts_by_kind: Mapping[str, Sequence[TextRow]] = {kind: () for kind, _ in KINDS}
        self._lay_out()
        self._connect()

    def show_topics(self, topics: Sequence[TopicRow]) -> None:
        """List the topics, with columns of titles, sets and languages if any topic has one."""
        self.topics.set_rows(topics)
        has_titles, has_sets = any(topic.title for topic in topics), any(topic.set for topic in topics)
        has_languages = any(topic.language for topic in topics)
        for column, is_used in enumerate((has_titles, has_sets, has_languages), 1):
            self.topic_table.setColumnHidden(column, not is_used)
        longest = max((len(topic.name) for topic in topics), default=0)
        widths = {0: min(max(70, 9 * longest + 24), 150)} if has_titles else {}
        widths |= {2: 80} if has_sets else {}
        widths |= {3: 90} if has_languages else {}
        self.topic_table.fit(stretch=1 if has_titles else 0, widths=widths)
        self._topics_panel.set_fact(f"{len(topics):,}")
        self._stack.setCurrentIndex(1 if topics else 0)

    def show_topic(
        self, topic_id: str, query: str, texts: Mapping[str, Sequence[TextRow]], *, has_citances: bool
    ) -> None:
        """Show a topic's texts by kind. has_citances: the study has some, so each topic has their tab."""
        self._mark_topic(topic_id)
        self._texts_by_kind = texts
        self.query_label.setText(query)
        for kind, title in KINDS:
            self.kind.set_text(kind, f"{title} {len(texts[kind])}")
        self.kind.set_visible(CITANCES, has_citances)
        self.kind.set_enabled(CITANCES, bool(texts[CITANCES]))
        if not texts[self.kind.current]:
            self.kind.choose(next((kind for kind, _ in KINDS if texts[kind]), KINDS[0][0]))
        self._show_kind()

    def selected_topics(self) -> list[TopicRow]:
        """Return the selected topics, in the order of the list."""
        rows = sorted({index.row() for index in self.topic_table.selectionModel().selectedIndexes()})
        return [
            self.topics.row(self.sorted_topics.mapToSource(self.sorted_topics.index(row, 0))) for row in rows
        ]

    def set_topic_menu(self, actions: Sequence[QAction]) -> None:
        """Set the context menu of the topics."""
        self.topic_table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.topic_table.addActions(actions)

    def show_text(self, kind: str, text_id: str) -> None:
        """Show one text of the topic."""
        self.kind.choose(kind)
        self._show_kind(text_id)

    def start_finding(self) -> None:
        """Focus the field that searches topics."""
        self.find_field.setFocus()
        self.find_field.selectAll()

    def focus_default(self) -> None:
        if self.topics.rowCount():
            self.topic_table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().focus_default()

    def _show_kind(self, text_id: str = "") -> None:
        texts = self._texts_by_kind[self.kind.current]
        self.texts.set_rows(texts)
        row = next((i for i, text in enumerate(texts) if text.id == text_id), 0)
        if texts:
            self.text_table.setCurrentIndex(self.sorted_texts.mapFromSource(self.texts.index(row, 0)))
        else:
            self._show_content(None)

    def _show_content(self, text: TextRow | None) -> None:
        is_empty = text is not None and not text.content.strip()
        self.reading.setPlaceholderText(tr("This text is empty.") if is_empty else "")
        self.reading.show_text(text.content if text else "", text.language if text else "")
        citance = text.citance if text else None
        self.reading.highlight(citance.spans if citance else ())
        self.cited.set_rows(citance.cited if citance else ())
        self.cited_panel.setVisible(citance is not None)
        self.reading_panel.set_title(text.name if text else tr("No text"))
        self.reading_panel.set_fact(_fact(text) if text else tr("none of this kind in this topic"))
        self.reading_panel.title_label.set_tip(
            tr("SHA-256 of the text: {digest}", digest=text.digest) if text else ""
        )

    def _mark_topic(self, topic_id: str) -> None:
        row = next((i for i, topic in enumerate(self.topics.rows()) if topic.id == topic_id), -1)
        index = self.sorted_topics.mapFromSource(self.topics.index(row, 0)) if row >= 0 else QModelIndex()
        if index.isValid() and index.row() != self.topic_table.currentIndex().row():
            self.topic_table.setCurrentIndex(index)

    def _connect(self) -> None:
        self.find_field.filter_rows(self.topic_table, self.sorted_topics.find)
        self.kind.chosen.connect(lambda _: self._show_kind())
        self.topic_table.selectionModel().currentRowChanged.connect(self._topic_selected)
        self.text_table.selectionModel().currentRowChanged.connect(self._text_selected)
        self.cited_table.activated.connect(self._open_cited)

    def _topic_selected(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid():
            self.topic_chosen.emit(self.topics.row(self.sorted_topics.mapToSource(current)).id)

    def _text_selected(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid():
            text = self.texts.row(self.sorted_texts.mapToSource(current))
            self._show_content(text)
            self.text_chosen.emit(self.kind.current, text.id)

    def _open_cited(self, index: QModelIndex) -> None:
        row = self.cited.row(self.sorted_cited.mapToSource(index))
        if row.span is not None:
            self.cited_part_opened.emit(row.document_id, row.span)

    def _lay_out(self) -> None:
        self._topics_panel.add(hbox(self.find_field, margins=(MEDIUM, 0, MEDIUM, SMALL)))
        self._topics_panel.add(self.topic_table, 1)
        self.empty = EmptyPage(
            "texts",
            tr("There are no texts yet. Import a data set to begin."),
            tr("Import texts…"),
            is_edit=True,
        )
        topic_panel = Panel(tr("Texts of the topic"), hairline=False)
        topic_panel.add(vbox(self.kind, self.query_label, margins=(MEDIUM, 0, MEDIUM, SMALL), spacing=SMALL))
        topic_panel.add(self.text_table, 1)
        self.reading_panel.add(self.reading, 1)
        body = QWidget()
        self._stack = QStackedLayout(body)
        lists = _splitter(Qt.Orientation.Vertical, (self._topics_panel, topic_panel), LIST_SHARES)
        self.cited_panel.add(self.cited_table, 1)
        self.cited_table.fit(stretch=2, widths={0: 84, 1: 78})
        self.cited_panel.hide()
        reading = _splitter(Qt.Orientation.Vertical, (self.reading_panel, self.cited_panel), READING_SHARES)
        columns = _splitter(Qt.Orientation.Horizontal, (lists, reading), COLUMN_SHARES)
        self.text_table.fit(stretch=0, widths={1: 80})
        self._stack.addWidget(self.empty)
        self._stack.addWidget(columns)
        self.add(body)


class ReadingPane(WordSelectionText):
    """A text in the reading font, with wide line spacing; one span of it can be selected."""

    def __init__(self) -> None:
        super().__init__(tr("Text"))
        self.highlighted: tuple[Span, ...] = ()  # highlighted spans
        self.dress()

    def show_text(self, content: str, language: str = "") -> None:
        """Show a text from its beginning. language: code of its language, empty = English."""
        self._set_language(language)
        self._write(content, ())
        spacing = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        spacing.setLineHeight(LINE_HEIGHT_PERCENT, kind)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spacing)

    def add_pending_span(self) -> bool:
        """Add nothing: no edit uses several spans of this text, and it shows only its selection."""
        return False

    def highlight(self, spans: Sequence[Span]) -> None:
        """Highlight spans and scroll to the first one, without taking the focus."""
        self.highlighted = tuple(spans)
        self._paint_highlights()
        if spans:
            cursor = QTextCursor(self.document())
            cursor.setPosition(self._offsets.to_document(spans[0][0]))
            self.setTextCursor(cursor)
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + round(self.cursorRect().top() - self.viewport().height() / 3))

    def dress(self) -> None:
        super().dress()
        self._paint_highlights()

    def _paint_highlights(self) -> None:
        self.tint((self._offsets.span_to_document(span), _HIGHLIGHT) for span in self.highlighted)


def _splitter(direction: Qt.Orientation, parts: Sequence[QWidget], shares: Sequence[int]) -> QSplitter:
    splitter = QSplitter(direction)
    splitter.setHandleWidth(MEDIUM)
    splitter.setChildrenCollapsible(False)
    for index, (part, share) in enumerate(zip(parts, shares, strict=True)):
        splitter.addWidget(part)
        splitter.setStretchFactor(index, share)
    splitter.setSizes(shares)
    return splitter


def _fact(text: TextRow) -> str:
    words = tr("%n words", "", text.words)
    if text.citance is not None:
        return f"{words} · {text.citance.about}"
    return (
        words
        if text.sentences is None
        else tr(
            "{words} · {sentences} as imported", words=words, sentences=tr("%n sentences", "", text.sentences)
        )
    )


def _words(count: int) -> str:
    return f"{count:,}" if count else "empty"
