"""Places in stored texts and in Qt's documents agree, whatever the text holds."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument

from gui.widgets.utf16_offsets import offsets_of

ODD = ["\r\n", "\r", "\n", "\u2028", "\u2029", "\ufdd0", "\ufdd1", "\ufeff", "\ufffe", "\u0000", "\u200d"]
ODD += ["😀", "👩🏽‍🚀", "e\u0301", "a", " ", "𝔘", "한", "\u0085", "\u000b"]
TEXTS = st.lists(st.sampled_from(ODD), max_size=12).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=30
)


def document_of(text: str) -> QTextDocument:
    document = QTextDocument()
    document.setPlainText(offsets_of(text).shown)
    return document


def selected(document: QTextDocument, start: int, end: int) -> str:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText()


def as_qt_shows(text: str) -> str:
    """What a document is known to make of the ends of lines."""
    for end in ("\r\n", "\r", "\n", "\ufdd0", "\ufdd1"):
        text = text.replace(end, "\u2029")
    return text


def test_an_emoji_counts_two_and_a_windows_line_end_counts_one():
    offsets = offsets_of("a😀\r\nb")
    assert [offsets.to_document(i) for i in range(6)] == [0, 1, 3, 3, 4, 5]
    assert [offsets.to_text(p) for p in range(6)] == [0, 1, 1, 2, 4, 5]


@given(TEXTS)
@example("\ufeff\ufeffx")
@example("\r\r\n\n")
@example("👩🏽‍🚀\r\ne\u0301")
def test_a_document_ends_where_the_text_ends(text):
    assert document_of(text).characterCount() - 1 == offsets_of(text).to_document(len(text))


@given(TEXTS, st.data())
def test_a_span_selects_its_own_words_in_the_document_and_comes_back_equal(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if "\r\n" in text[max(0, start - 1) : start + 1] or "\r\n" in text[max(0, end - 1) : end + 1]:
        return  # nobody can put a caret between the two signs of one line end
    offsets = offsets_of(text)
    shown_start, shown_end = offsets.span_to_document((start, end))
    assert (offsets.to_text(shown_start), offsets.to_text(shown_end)) == (start, end)
    expected = as_qt_shows(offsets.shown[start:end])
    assert selected(document_of(text), shown_start, shown_end) == expected


@given(TEXTS)
def test_positions_never_fall(text):
    positions = list(offsets_of(text).positions)
    assert positions == sorted(positions)
    assert len(positions) == len(text) + 1


@pytest.mark.parametrize("text", ["", "plain words", "ünïcode of one unit"])
def test_plain_texts_keep_their_places(text):
    assert offsets_of(text).positions == range(len(text) + 1)
