"""Segmentation into words, in scripts with and without spaces, and into sentences."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.segmentation import segment_spans, word_spans
from core.text.sentences import are_wrapped, sentence_spans

SENTENCES = {
    "zh": ("中国经济增长速度放缓。", ["中国", "经济", "增长", "速度", "放", "缓"]),
    "ja": ("日本の首相は昨日、政策を発表しました。", ["日本", "の", "首相", "は", "昨日", "政策"]),
    "th": ("แมวนั่งอยู่บนเสื่อ", ["แมว", "นั่ง", "อยู่", "บน", "เสื่อ"]),
    "km": ("ខ្ញុំចូលចិត្តអានសៀវភៅ", ["ខ្ញុំ", "ចូលចិត្ត", "អាន", "សៀវភៅ"]),
    "lo": ("ຂ້ອຍມັກອ່ານປຶ້ມ", ["ຂ້ອຍ", "ມັກ", "ອ່ານ", "ປຶ້ມ"]),
    "ko": ("대한민국의 수도는 서울이다.", ["대한민국의", "수도는", "서울이다"]),
    "ar": ("ذهب الولد إلى المدرسة.", ["ذهب", "الولد", "إلى", "المدرسة"]),
    "hi": ("मुझे किताबें पढ़ना पसंद है।", ["मुझे", "किताबें", "पढ़ना", "पसंद", "है"]),
    "ru": ("В Москве прошёл дождь.", ["В", "Москве", "прошёл", "дождь"]),
    "en": ("Don't pay $3.50, she said.", ["Don't", "pay", "3.50", "she", "said"]),
}


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("names_language", [True, False])
def test_words_of_a_sentence_follow_unicode_rules(language: str, names_language: bool) -> None:
    text, expected = SENTENCES[language]
    words = [text[start:end] for start, end in word_spans(text, language if names_language else "")]
    assert words[: len(expected)] == expected


def test_spans_count_code_points_after_an_emoji() -> None:
    text = "😀中国 𠮷野家 e\u0301te\u0301"
    assert [text[start:end] for start, end in word_spans(text, "zh")][-1] == "e\u0301te\u0301"
    assert text[slice(*word_spans(text, "zh")[0])] == "中国"


def test_a_text_without_words_has_no_spans() -> None:
    assert word_spans("", "zh") == []
    assert word_spans(" 。，!? \n", "zh") == []


@given(st.text(st.characters(exclude_categories=())))
def test_segments_cover_the_whole_text(text: str) -> None:
    spans = list(segment_spans(text))
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert set(word_spans(text)) <= set(spans)


BREAKS = ("\n", "\r\n", "\r", "\n\n", " \r\n")
LINES = ("Bridge closed on Monday", "Inspectors found cracks. They were deep", "7 roads are closed")


@pytest.mark.parametrize("line_break", BREAKS)
def test_line_breaks_end_sentences(line_break: str) -> None:
    content = line_break.join(LINES)
    sentences = [content[start:end] for start, end in sentence_spans(content)]
    assert sentences == [LINES[0], "Inspectors found cracks.", "They were deep", LINES[2]]
    assert not are_wrapped(content)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_wrapped_lines_are_joined_and_blank_lines_still_divide(line_break: str) -> None:
    written = "The court ruled on\nthe ban of ferries. The\nmayor of Rome was\nglad.\n\nNo one else was"
    content = written.replace("\n", line_break)
    sentences = [" ".join(content[start:end].split()) for start, end in sentence_spans(content)]
    assert are_wrapped(content)
    assert sentences == [
        "The court ruled on the ban of ferries.",
        "The mayor of Rome was glad.",
        "No one else was",
    ]


@pytest.mark.parametrize(
    "content", ["the ban fell\nthe judge left", "首相は昨日\n野党は反対", "हिन्दी दिवस\nआज है"]
)
def test_lines_in_one_case_are_sentences(content: str) -> None:
    assert len(sentence_spans(content)) == 2


@given(st.text(alphabet="aB. \r\n\u0301é", max_size=30), st.sampled_from(["", "de", "hi", "und"]))
@settings(max_examples=30, deadline=None)
def test_sentences_are_in_order_and_lose_no_letter(content: str, language: str) -> None:
    spans = sentence_spans(content, language)
    assert all(a < b for a, b in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join("".join(content[a:b].split()) for a, b in spans) == "".join(content.split())
