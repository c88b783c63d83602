"""Tokenization as in ROUGE-1.5.5 and in Unicode."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.study import Text, join_sentences
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans, sentence_spans_of
from core.text.tokenization import Tokenizer, TokenizerSettings, stop_words
from core.text.truncation import TextLimit, line_spans


def surfaces(content: str, cut: TokenizerSettings = TokenizerSettings()) -> list[str]:  # noqa: B008 — a frozen value
    return [content[start:end] for start, end in Tokenizer(cut).words(content).spans]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("don't", ["don", "t"]),
        ("U.S. citizens", ["U", "S", "citizens"]),
        ("well-known - yes", ["well", "known", "yes"]),
        ("naïve café", ["na", "ve", "caf"]),
        ("$2.6 million", ["2", "6", "million"]),
        ("\u017f\u212a", []),  # both lower to ASCII letters in Unicode; in bytes they are none
    ],
)
def test_rouge_155_splits_at_every_byte_but_ascii_letters_and_digits(content, words):
    assert surfaces(content) == words


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("naïve café_1", ["naïve", "café", "1"]),
        ("Суд отклонил иск.", ["Суд", "отклонил", "иск"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("法院裁定。", ["法", "院", "裁", "定"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("😀 ok", ["ok"]),
    ],
)
def test_unicode_words_contain_letters_digits_and_marks_of_every_script(content, words):
    assert surfaces(content, TokenizerSettings("unicode")) == words


def test_unicode_words_ignore_case_and_composition():
    ids = Tokenizer(TokenizerSettings("unicode")).words("STRASSE straße e\u0301 É").ids
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]


def test_case_is_ignored_and_other_words_differ():
    ids = Tokenizer(TokenizerSettings()).words("Court court courts").ids
    assert ids[0] == ids[1] != ids[2]


def test_stop_words_are_recognized_by_the_word_not_by_its_stem():
    assert surfaces("The rulings were news", TokenizerSettings(stem=True, drop_stop_words=True)) == [
        "rulings"
    ]


def test_the_stop_list_has_the_543_words_that_can_match():
    assert len(stop_words()) == 543
    assert stop_words() >= {"reuters", "s", "t", "amid", "may"}
    assert not stop_words() & {"first", "last", "name", "mr"}


def test_a_text_with_unsupported_letters_is_marked():
    assert Tokenizer(TokenizerSettings()).words("café").lost_letters
    assert not Tokenizer(TokenizerSettings()).words("“quoted” – 😀").lost_letters
    assert not Tokenizer(TokenizerSettings("unicode")).words("café").lost_letters


def test_words_do_not_cross_imported_sentence_boundaries():
    content, spans = join_sentences(["One two.", "", "Three."])
    words = Tokenizer(TokenizerSettings()).words(content, spans)
    assert words.sentences.tolist() == [0, 2, 2, 3]


@given(st.text())
def test_words_are_spans_of_the_text_in_order(content):
    for cut in (TokenizerSettings(), TokenizerSettings("unicode")):
        spans = Tokenizer(cut).words(content).spans.tolist()
        assert spans == sorted(spans)
        assert all(content[start:end].strip() == content[start:end] != "" for start, end in spans)


@given(st.text())
def test_sentences_are_ordered_and_cover_all_but_white_space(content):
    spans = sentence_spans(content)
    assert list(spans) == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert "".join("".join(content[a:b] for a, b in spans).split()) == "".join(content.split())


def test_given_sentences_are_preserved():
    content, spans = join_sentences(["Dr. No.", "He left"])
    assert sentence_spans_of(Text("1", "a", content, spans)) == spans
    assert sentence_spans("Dr. Smith left. She stayed. ") == ((0, 15), (16, 27))


@pytest.mark.parametrize(
    ("language", "content", "sentences"),
    [
        (
            "de",
            "Er gilt ab dem 3. Mai bzw. heute. Dann nicht.",
            ["Er gilt ab dem 3. Mai bzw. heute.", "Dann nicht."],
        ),
        ("es", "La Sra. Pérez llegó. Yo no.", ["La Sra. Pérez llegó.", "Yo no."]),
        ("el", "Τι κάνεις; Καλά.", ["Τι κάνεις;", "Καλά."]),
        ("fr", "Le livre de M. Dupont est là. Bien.", ["Le livre de M. Dupont est là.", "Bien."]),
        ("ja", "これはペンです。あれは本です。", ["これはペンです。", "あれは本です。"]),
    ],
)
def test_a_text_is_split_by_the_rules_of_its_language(language, content, sentences):
    text = Text("1", "a", content, language=language)
    assert [content[start:end] for start, end in sentence_spans_of(text)] == sentences


def test_texts_split_by_different_rules_have_different_keys():
    spans = ((0, 7),)
    keys = {Text("1", "a", "One two", language=language).reading_key for language in ("", "en", "de", "el")}
    assert len(keys) == 3
    assert (
        len({Text("1", "a", "One two", spans, language=language).reading_key for language in ("", "de")}) == 1
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("don't 2.6", ["don", "t", "2", "6"]),
        ("\u212aelvin caf\u00e9", ["\u212aelvin", "caf"]),  # lowers to an ASCII k
        ("\u0130stanbul", ["\u0130", "stanbul"]),  # lowers to an i and a mark, which parts words
    ],
)
def test_rouge_score_lowercases_before_matching_ascii(content, words):
    assert surfaces(content, TokenizerSettings("rouge-score")) == words
    ids = Tokenizer(TokenizerSettings("rouge-score")).words("\u212a k \u0130 i").ids
    assert ids[0] == ids[1] != ids[2] == ids[3]


@given(st.text("aB1 .\n?!é\u212a法", max_size=40), st.sampled_from(["1.5.5", "unicode", "rouge-score"]))
def test_tokenizing_a_text_equals_tokenizing_its_sentences(content, kind):
    text, resources = Text("1", "a", content), StudyResources()
    for split, spans in (("sentences", sentence_spans(content)), ("lines", line_spans(content))):
        tokens = resources.words(text, TokenizerSettings(kind), TextLimit(split))
        alone = Tokenizer(TokenizerSettings(kind)).words(content, spans)
        assert tokens.spans.tolist() == alone.spans.tolist()
        assert tokens.sentences.tolist() == alone.sentences.tolist()
    whole = resources.words(text, TokenizerSettings(kind), TextLimit("text"))
    assert whole.sentences.tolist() == [0, len(whole.ids)]


def test_a_word_across_two_sentences_is_split():
    words = Tokenizer(TokenizerSettings()).words("abcd")
    assert words.divided([(0, 2), (2, 4)]) is None
    assert words.divided([]) is None
    assert words.divided([(0, 4)]).sentences.tolist() == [0, 1]


def test_equal_texts_are_tokenized_once():
    resources = StudyResources(None)
    first = resources.words(Text("1", "a", "Some words."), TokenizerSettings())
    assert resources.words(Text("2", "b", "Some words."), TokenizerSettings()) is first
    assert resources.words(Text("2", "b", "Some words."), TokenizerSettings(stem=True)) is not first
