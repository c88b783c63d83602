"""Words of a text, and the share that spans cover."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.word_coverage import (
    coverage,
    joined_text,
    merge_spans,
    snap_to_words,
    uncovered_spans,
    words,
    words_within,
)

TEXT = "The buoy (a red one) had drifted—by 5%, the pilot's log says."
SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda s: (s[0], s[0] + s[1])), max_size=8
)


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in words(text)]


def test_only_outer_punctuation_is_stripped_from_words():
    assert " ".join(cut(TEXT)) == "The buoy a red one had drifted by 5% the pilot's log says"


def test_combining_marks_joiners_and_emoji_belong_to_their_word():
    assert cut("cafe\u0301, 👩🏽‍🚀! ...") == ["cafe\u0301", "👩🏽‍🚀"]


def test_a_selection_is_extended_to_whole_words():
    known = words(TEXT)
    start, end = snap_to_words(known, (TEXT.index("uoy"), TEXT.index("ed one")))
    assert TEXT[start:end] == "buoy (a red"


def test_a_selection_that_ends_between_words_is_shortened():
    known = words(TEXT)
    start, end = snap_to_words(known, (TEXT.index(" had"), TEXT.index("—") + 1))
    assert TEXT[start:end] == "had drifted"


def test_a_selection_without_a_word_is_unchanged():
    assert snap_to_words(words("one — two"), (3, 6)) == (3, 6)


def test_coverage_counts_each_word_once():
    known = words("one two three four")
    assert coverage(known, [(0, 5), (4, 7)]) == 0.5
    assert coverage(known, []) == 0.0
    assert coverage((), [(0, 1)]) == 0.0


def test_parts_are_joined_in_text_order():
    assert joined_text("a buoy\nthat had drifted", [(12, 15), (0, 6)]) == "a buoy … had"


@given(SPANS)
def test_merged_spans_cover_the_same_positions_and_never_touch(spans):
    joined = merge_spans(spans)
    assert {i for s, e in joined for i in range(s, e)} == {i for s, e in spans for i in range(s, e)}
    assert all(one[1] < two[0] for one, two in pairwise(joined))


@given(st.text("ab .", max_size=40), SPANS)
def test_words_within_spans_share_a_character_with_a_span(text, spans):
    known = words(text)
    touched = sum(any(s < word[1] and word[0] < e for s, e in spans) for word in known)
    assert words_within(known, spans) == touched


@given(st.text("ab .,—", min_size=1, max_size=30), st.data())
def test_snapping_is_idempotent(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    known = words(text)
    once = snap_to_words(known, (start, end))
    assert snap_to_words(known, once) == once


def test_uncovered_stretches_begin_and_end_at_words():
    bare = uncovered_spans(words(TEXT), [(TEXT.index("red"), TEXT.index("one")), (0, 1)])
    assert [TEXT[s:e] for s, e in bare] == ["buoy (a", "one) had drifted—by 5%, the pilot's log says"]
    assert uncovered_spans((), [(0, 1)]) == ()


@given(st.text("ab .", max_size=40), SPANS)
def test_every_word_is_covered_or_in_one_uncovered_stretch(text, spans):
    known = words(text)
    bare = uncovered_spans(known, spans)
    assert words_within(known, bare) + words_within(known, spans) == len(known)
    assert list(bare) == sorted(bare)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("今天天气很好。我们去北京大学。", ["今天", "天气", "很好", "我们", "去", "北京", "大学"]),
        ("昨日、東京で「大きな」地震。", ["昨日", "東京", "で", "大きな", "地震"]),
        ("แมวนั่งอยู่บนเสื่อ", ["แมว", "นั่ง", "อยู่", "บน", "เสื่อ"]),
        ("ខ្ញុំចូលចិត្តអានសៀវភៅ", ["ខ្ញុំ", "ចូលចិត្ត", "អាន", "សៀវភៅ"]),
        ("ຂ້ອຍມັກອ່ານປຶ້ມ", ["ຂ້ອຍ", "ມັກ", "ອ່ານ", "ປຶ້ມ"]),
    ],
)
def test_scripts_without_spaces_are_split_into_words(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_symbols_emoji_and_latin_words_between_characters_are_separate_words():
    assert cut("约5%的人😀用iPhone，e\u0301te\u0301") == [
        "约",
        "5%",
        "的",
        "人",
        "😀",
        "用",
        "iPhone",
        "e\u0301te\u0301",
    ]
    assert cut("か\u3099き well-known 世界") == ["か\u3099", "き", "well-known", "世界"]


@given(st.text("今天。 5%😀a\u3099แมว—", max_size=30))
def test_words_are_ordered_and_disjoint_in_mixed_scripts(text: str) -> None:
    spans = words(text)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
