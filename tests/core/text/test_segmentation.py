"""Word segmentation of scripts with and without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.segmentation import segment_spans, word_spans

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
