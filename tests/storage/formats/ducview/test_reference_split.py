"""Split of a pyramid's text into references, and texts that are equal up to white space."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from storage.formats.ducview.reference_split import (
    authors,
    by_lines,
    by_regex,
    by_texts,
    line_numbers,
    proposed,
)
from storage.formats.ducview.text_alignment import StrippedText, align_texts, describe_difference

RULE = "-----------------"
DUC_REGEX = r"[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n"
DUC = "\n".join(
    ["#4", ""] + [line for a in "GHIJ" for line in (RULE, f" D0736-B.M.100.H.{a}", RULE, "", f"By {a}.")]
)


def words(text: str, sections: object) -> list[str]:
    return [text[slice(*section.span)] for section in sections]  # type: ignore[attr-defined]


def test_headings_as_duc_has_them_name_the_authors() -> None:
    sections = by_regex(DUC, DUC_REGEX)
    assert words(DUC, sections) == ["By G.", "By H.", "By I.", "By J."]
    assert authors(DUC, sections, {}) == ["G", "H", "I", "J"]


def test_ruled_headings_are_proposed_before_blank_lines() -> None:
    assert words(DUC, proposed(DUC)) == ["By G.", "By H.", "By I.", "By J."]
    plain = "One.\nTwo.\n\nThree.\n \n\nFour."
    assert words(plain, proposed(plain)) == ["One.\nTwo.", "Three.", "Four."]
    assert line_numbers(plain, proposed(plain)) == "1, 4, 7"
    assert words("One.", proposed("One.")) == ["One."]
    assert proposed(" \n ") == ()


def test_an_equal_reference_keeps_the_author_that_the_study_gives_it() -> None:
    sections = by_regex(DUC, DUC_REGEX)
    assert authors(DUC, sections, {"Kim": "By\n I."}) == ["G", "H", "Kim", "J"]
    assert authors(DUC, sections, {"G": "By J."}) == ["H", "I", "J", "G"], "no two get one name"


def test_authors_are_letters_where_headings_tell_nothing() -> None:
    text = "x\nOne.\nx\nTwo."
    assert authors(text, by_regex(text, r"x\n"), {}) == ["A", "B"]
    many = "\n".join(["x", "One."] * 30)
    assert authors(many, by_regex(many, r"x\n"), {})[25:28] == ["Z", "A2", "B2"]


def test_two_equal_references_get_two_authors() -> None:
    text = "x\nOne.\nx\nOne."
    found = authors(text, by_regex(text, r"x\n"), {"Kim": "One."})
    assert len(set(found)) == 2
    assert found[0] == "Kim"


def test_known_texts_are_found_in_any_white_space() -> None:
    text = "head\nThe court\nruled.\n\nRain  came."
    sections = by_texts(text, {"B": "Rain came.", "A": "The court ruled."})
    assert [section.heading for section in sections] == ["A", "B"]
    assert len(by_texts(text, {"A": "The court ruled.", "C": "Snow."})) == 1
    assert by_texts("One.", {"A": "One.", "B": "ne"}) == (), "they lie apart"


def test_lines_count_from_one() -> None:
    assert words("a\nb\nc", by_lines("a\nb\nc", [1, 3])) == ["a\nb", "c"]
    with pytest.raises(InputError, match="the lines 1 to 3"):
        by_lines("a\nb\nc", [0])


def test_the_nearest_words_are_proposed() -> None:
    text = StrippedText("ban x ban y ban")
    starts = [text.nearest("ban", at) for at in (0, 4, 5, 9, 10, 99)]
    assert starts == [(0, 3), (6, 9), (6, 9), (6, 9), (12, 15), (12, 15)]
    assert text.nearest("tea", 0) is None


def test_where_two_texts_part_is_said() -> None:
    assert describe_difference("One two.", "One  tea.") == "the study has “One two.”, the file “One tea.”"
    assert describe_difference("One", "One two") == "the study has nothing more, the file “One two”"


pieces = st.lists(st.sampled_from(["a", "b", "é", "🌉", " ", "\n", "  "]), max_size=20).map("".join)


@given(ours=pieces, cuts=st.data())
def test_a_span_moved_there_and_back_holds_the_same_words(ours: str, cuts: st.DataObject) -> None:
    theirs = "".join(cuts.draw(st.sampled_from(["", " ", "\n"])) + sign for sign in ours.replace(" ", ""))
    found = align_texts(ours, theirs)
    assert found is not None
    start, end = sorted((cuts.draw(st.integers(0, len(ours))), cuts.draw(st.integers(0, len(ours)))))
    there = found.to_theirs((start, end))
    if there is None:
        assert not ours[start:end].strip()
        return
    assert "".join(theirs[slice(*there)].split()) == "".join(ours[start:end].split())
    back = found.to_ours(there)
    assert back is not None
    assert ours[slice(*back)].strip() == ours[start:end].strip()
