"""View of the Texts page: topics, the texts of a topic, one text to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QStackedLayout, QWidget

from core.annotation.word_coverage import words
from core.domain.name_checks import name_problem
from core.domain.study import Span, Text, TopicHeader
from core.text.languages import LANGUAGE_NAMES, language_name
from gui.annotation.text.word_selection_text import WordSelectionText
from gui.item_models.table_model import Column
from gui.style.engine_words import engine_words, language_names
from gui.style.language import tr
from gui.style.theme import MEDIUM, SMALL, Type
from gui.widgets.buttons import SearchField
from gui.widgets.controls import ComboBox, Segmented
from gui.widgets.dialog import Dialog
from gui.widgets.label import ElidedLabel
from gui.widgets.layouts import hbox, splitter, vbox
from gui.widgets.lists.table_view import RowTable
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel


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

    text: as it is shown; of a citance, its citing paper where known.
    """

    text: Text
    citance: CitanceDetails | None = None

    @property
    def words(self) -> int:
        return len(words(self.text.content if self.citance is None else self.citance.text))


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
    """Browse the texts of the study."""

    def __init__(self) -> None:
        super().__init__(tr("Texts"), steps=tr("topic"))
        self.topic_table = RowTable[TopicHeader](
            tr("Topics"),
            [
                Column(tr("Topic"), lambda t: t.name, cell_tip=lambda t: t.name),
                Column(tr("Title"), lambda t: t.title, cell_tip=lambda t: t.title),
                Column(tr("Set"), lambda t: t.set, cell_tip=lambda t: t.set),
                Column(tr("Language"), _language, cell_tip=_language),
            ],
        )
        self.text_table = RowTable[TextRow](
            tr("Texts of the topic"),
            [Column(tr("Name"), lambda row: row.text.name), Column(tr("Words"), lambda t: t.words, _words)],
        )
        self.cited_table = RowTable[CitedRow](
            tr("Cited parts"),
            [
                Column(tr("Annotator"), lambda c: c.annotator, cell_tip=lambda c: c.annotator),
                Column(tr("Facet"), lambda c: c.facets, cell_tip=lambda c: c.facets),
                Column(tr("Cited part"), lambda c: c.text, cell_tip=lambda c: c.text),
            ],
        )
        self.cited_panel = Panel(tr("Cited parts"), tr("Enter shows the part in its document"))
        self.topic_table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.find_field = SearchField(tr("Find a topic"))
        self.kind = Segmented(tr("Kind of text"), KINDS)
        self.reading = ReadingPane()
        self.query_label = ElidedLabel("", Type.BODY, "muted")  # one line for every topic
        self.reading_panel = Panel(tr("Text"))
        self._topics_panel = Panel(tr("Topics"), hairline=False)
        self._texts_by_kind: Mapping[str, Sequence[TextRow]] = {kind: () for kind, _ in KINDS}
        self._lay_out()
        self.find_field.filter_rows(self.topic_table, self.topic_table.sorted.find)
        self.kind.chosen.connect(lambda _: self._show_kind())
        self.text_table.row_chosen.connect(self._text_selected)

    def show_topics(self, topics: Sequence[TopicHeader]) -> None:
        """List the topics, with columns of titles, sets and languages if any topic has one."""
        self.topic_table.rows.set_rows(topics)
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
        current = self.topic_table.current
        if current is None or current.id != topic_id:
            self.topic_table.choose(lambda topic: topic.id == topic_id)
        self._texts_by_kind = texts
        self.query_label.setText(query)
        for kind, title in KINDS:
            self.kind.set_text(kind, f"{title} {len(texts[kind])}")
        self.kind.button(CITANCES).setVisible(has_citances)
        self.kind.button(CITANCES).setEnabled(bool(texts[CITANCES]))
        if not texts[self.kind.current]:
            self.kind.choose(next((kind for kind, _ in KINDS if texts[kind]), KINDS[0][0]))
        self._show_kind()

    def selected_topics(self) -> list[TopicHeader]:
        """Return the selected topics, in the order of the list."""
        rows = sorted({index.row() for index in self.topic_table.selectionModel().selectedIndexes()})
        return [self.topic_table.row(self.topic_table.sorted.index(row, 0)) for row in rows]

    def set_topic_menu(self, actions: Sequence[QAction]) -> None:
        self.topic_table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.topic_table.addActions(actions)

    def show_text(self, kind: str, text_id: str) -> None:
        self.kind.choose(kind)
        self._show_kind(text_id)

    def start_finding(self) -> None:
        """Focus the field that searches topics."""
        self.find_field.setFocus()
        self.find_field.selectAll()

    def start(self) -> QWidget | None:
        return self.topic_table if self.topic_table.rows.rowCount() else None

    def _show_kind(self, text_id: str = "") -> None:
        texts = self._texts_by_kind[self.kind.current]
        self.text_table.rows.set_rows(texts)
        shown = text_id if any(row.text.id == text_id for row in texts) else ""
        if not self.text_table.choose(lambda row: not shown or row.text.id == shown):
            self._show_content(None)

    def _show_content(self, row: TextRow | None) -> None:
        text, citance = (row.text, row.citance) if row is not None else (None, None)
        is_empty = text is not None and not text.content.strip()
        self.reading.setPlaceholderText(tr("This text is empty.") if is_empty else "")
        self.reading.show_text(text.content if text else "", text.language if text else "")
        self.reading.highlight(citance.spans if citance else ())
        self.cited_table.rows.set_rows(citance.cited if citance else ())
        self.cited_panel.setVisible(citance is not None)
        self.reading_panel.set_title(text.name if text else tr("No text"))
        self.reading_panel.set_fact(_fact(row) if row else tr("none of this kind in this topic"))
        self.reading_panel.title_label.set_tip(
            tr("SHA-256 of the text: {digest}", digest=text.digest) if text else ""
        )

    @Slot(object)
    def _text_selected(self, text: TextRow | None) -> None:
        if text is not None:
            self._show_content(text)

    def _lay_out(self) -> None:
        self._topics_panel.add(hbox(self.find_field, margins=(MEDIUM, 0, MEDIUM, SMALL)))
        self._topics_panel.add((self.topic_table, 1))
        self.empty = EmptyPage(
            "texts",
            tr("There are no texts yet. Import a data set to begin."),
            tr("Import texts…"),
            is_edit=True,
        )
        topic_panel = Panel(tr("Texts of the topic"), hairline=False)
        topic_panel.add(vbox(self.kind, self.query_label, margins=(MEDIUM, 0, MEDIUM, SMALL), spacing=SMALL))
        topic_panel.add((self.text_table, 1))
        self.reading_panel.add((self.reading, 1))
        body = QWidget()
        self._stack = QStackedLayout(body)
        lists = splitter(Qt.Orientation.Vertical, (self._topics_panel, topic_panel), LIST_SHARES)
        self.cited_panel.add((self.cited_table, 1))
        self.cited_table.fit(stretch=2, widths={0: 84, 1: 78})
        self.cited_panel.hide()
        reading = splitter(Qt.Orientation.Vertical, (self.reading_panel, self.cited_panel), READING_SHARES)
        columns = splitter(Qt.Orientation.Horizontal, (lists, reading), COLUMN_SHARES)
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


def _language(topic: TopicHeader) -> str:
    return engine_words(LANGUAGE_NAMES.get(topic.language, topic.language))


def _fact(row: TextRow) -> str:
    words, spans = tr("%n words", "", row.words), row.text.sentence_spans
    if row.citance is not None:
        return f"{words} · {row.citance.about}"
    return (
        words
        if spans is None
        else tr(
            "{words} · {sentences} as imported", words=words, sentences=tr("%n sentences", "", len(spans))
        )
    )


def _words(count: int) -> str:
    return f"{count:,}" if count else "empty"


class SetDialog(Dialog):
    """Choose a set of the study, or type the name of a new one."""

    help_page = "texts"

    def __init__(
        self, topics: str, known: Sequence[str], current: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """topics: which topics, for the title. known: sets of the study. current: sets of the topics."""
        super().__init__(tr("Set of {topics}", topics=topics), tr("Save"), parent, icon="check")
        self.field = ComboBox()
        self.field.setEditable(True)
        self.field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.field.addItems(["", *known])
        self.field.setCurrentText(current[0] if len(current) == 1 else "")
        self._is_chosen = len(current) == 1
        self.notice = Notice(lines=2)
        self.add_field(
            tr("Set"), self.field, tr("Topics of one set are compared with those of another. Empty = no set.")
        )
        self.body.addWidget(self.notice)
        self.field.editTextChanged.connect(self._edited)
        self.field.activated.connect(self._edited)
        line = self.field.lineEdit()
        if line is not None:
            names = ", ".join(name or tr("none") for name in current)
            line.setPlaceholderText("" if self._is_chosen else tr("Different sets: {names}", names=names))
            line.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._check()

    @property
    def name(self) -> str:
        """The chosen name, empty = no set."""
        return self.field.currentText().strip()

    def _edited(self) -> None:
        self._is_chosen = True
        self._check()

    def _check(self) -> None:
        problem = name_problem(self.name) if self.name else ""
        self.notice.show_message(
            tr("A set cannot have this name. {problem}", problem=problem) if problem else ""
        )
        self.accept_button.setEnabled(self._is_chosen and not problem)


class LanguageDialog(Dialog):
    """Choose the language of topics: that of the study, or their own."""

    help_page = "texts"

    def __init__(
        self, topics: str, usual: str, current: Sequence[str], parent: QWidget | None = None
    ) -> None:
        """topics: which topics, for the title.

        usual: code of the study's language. current: codes that the topics have of their own, empty = none.
        """
        super().__init__(tr("Language of {topics}", topics=topics), tr("Save"), parent, icon="check")
        own = tr("That of the study: {name}", name=engine_words(language_name(usual)))
        self.field = ComboBox(choices=[("", own), *language_names()])
        self.field.setCurrentIndex(self.field.findData(current[0]) if len(current) == 1 else -1)
        self.add_field(
            tr("Language"),
            self.field,
            tr("It splits texts into sentences. Scores that depend on it have to be computed again."),
        )
        self.field.currentIndexChanged.connect(self._check)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._check()

    @Slot()
    def _check(self) -> None:
        self.accept_button.setEnabled(self.field.currentIndex() >= 0)
