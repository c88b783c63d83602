"""Noun phrases by a pipeline and by rules."""

from __future__ import annotations

from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from core.domain.study import Text
from core.errors import InputError
from core.models.nlp.noun_phrases import RulePhraseFinder, SpacyPhraseFinder
from core.models.nlp.parser import Parser, Phrase, Pipeline, noun_phrases_of
from core.scoring.study_resources import StudyResources
from core.text.sentences import sentence_spans_of


def text(content, name="t"):
    return Text(name, name, content)


def by_rules(content):
    (phrases,) = RulePhraseFinder().phrases([text(content)])
    return [content[slice(*phrase.span)] for phrase in phrases]


@pytest.mark.parametrize(
    ("content", "phrases"),
    [
        ("The court quickly rejected the ban on the old bridge.", ["court", "ban", "bridge"]),
        ("He built a stone bridge near Paris.", ["stone bridge", "Paris"]),
        ("They were shown the injured player.", ["injured player"]),
        ("It will ban bridges and John's early ferry.", ["bridges", "John's early ferry"]),
        ("", []),
        ("of the and", []),
    ],
)
def test_rules_find_noun_phrases_by_function_words_and_endings(content, phrases):
    assert by_rules(content) == phrases


@given(st.text(st.sampled_from("abe dlyTh.,'"), max_size=60))
def test_phrases_by_rules_are_in_order_and_cross_no_sentence(content):
    (phrases,) = RulePhraseFinder().phrases([text(content)])
    spans = [phrase.span for phrase in phrases]
    assert all(a < b for a, b in spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    sentences = sentence_spans_of(text(content))
    assert all(phrase.sentence in sentences for phrase in phrases)
    assert all(start <= a and b <= end for (a, b), (start, end) in ((p.span, p.sentence) for p in phrases))


def tagged():
    """A sentence as a pipeline would leave it."""
    return Doc(
        spacy.blank("en").vocab,
        ["The", "old", "bridge", "fell", "on", "a", "dog"],
        heads=[2, 2, 3, 3, 3, 6, 4],
        deps=["det", "amod", "nsubj", "ROOT", "prep", "det", "pobj"],
        pos=["DET", "ADJ", "NOUN", "VERB", "ADP", "DET", "NOUN"],
    )


class Tagging:
    """A pipeline that knows one sentence."""

    max_length = 1000

    def __init__(self, document):
        self.document, self.texts = document, []

    def pipe(self, texts):
        for each in texts:
            self.texts.append(each)
            yield self.document


def parser_of(document, tmp_path):
    return Parser(Pipeline("made", "1", tmp_path, ()), Tagging(document))


def test_a_pipelines_noun_phrases_have_correct_spans(tmp_path):
    document = tagged()
    parser = parser_of(document, tmp_path)
    (phrases, again) = SpacyPhraseFinder(parser).phrases([text(document.text), text(document.text)])
    spans = [phrase.span for phrase in phrases]
    assert [document.text[start:end] for start, end in spans] == ["The old bridge", "a dog"]
    assert again == phrases
    assert parser._loaded.texts == [document.text]  # remembered
    assert list(noun_phrases_of(document, 10)) == [
        Phrase((start + 10, end + 10), (10, 10 + len(document.text.rstrip()))) for start, end in spans
    ]


def test_a_pipeline_without_parts_of_speech_is_refused(tmp_path):
    bare = Doc(spacy.blank("en").vocab, ["a", "dog"], heads=[1, 1], deps=["det", "ROOT"])
    with pytest.raises(InputError, match=r"made cannot find noun phrases.*phrases=rules"):
        SpacyPhraseFinder(parser_of(bare, tmp_path)).phrases([text("a dog")])


def test_a_language_without_noun_phrases_is_refused(tmp_path):
    other = Doc(spacy.blank("xx").vocab, ["dog"], heads=[0], deps=["ROOT"], pos=["NOUN"])
    with pytest.raises(InputError, match="for another language"):
        SpacyPhraseFinder(parser_of(other, tmp_path)).phrases([text("dog")])


def test_rules_find_phrases_where_no_pipeline_is_named():
    assert isinstance(StudyResources().phrase_finder("rules"), RulePhraseFinder)
