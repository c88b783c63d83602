"""Encoding of texts for suggestions: once each, with a message if the encoder is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain import pyramid
from core.errors import InputError, MissingResource
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.suggestions import encoding
from core.suggestions.encoding import TextEncoderCache, texts_to_encode


@pytest.fixture
def known(topic):
    """The topic with words that the encoder of the tests knows."""
    contents = ("The cat sat on a mat.", "A dog ran on the mat.", "The court ruled, new.")
    texts = zip(topic.references, contents, strict=True)
    references = tuple(replace(text, content=content, digest="") for text, content in texts)
    summary = replace(topic.summaries[0], content="A cat ran.", digest="")
    return replace(topic, references=references, summaries=(summary,))


def test_texts_are_encoded_once(make_model, known):
    topic = known
    reader = TextEncoderCache(StudyResources(requested_device="cpu"), str(make_model("tiny-reader")))
    annotation = pyramid.add_scu(pyramid.empty("t", "ann"), "The cat sat", "a", [(0, 5)])
    texts = texts_to_encode(topic, annotation, topic.summaries)
    assert [text.content for text in texts][3:] == ["The cat sat", topic.summaries[0].content]
    assert reader.known(texts) is None
    readings = run_to_completion(reader.reading(texts))
    assert (readings.model, readings.dimension) == ("tiny-reader", 32)
    again = reader.known(texts)
    assert again is not None
    assert again.of(texts[0]) is readings.of(texts[0])
    changed = replace(texts[0], content="The dog ran.", digest="")
    assert reader.known((changed, *texts[1:])) is None
    assert run_to_completion(reader.reading((changed, *texts[1:]))).of(texts[1]) is readings.of(texts[1])


def test_progress_counts_texts_and_long_ones_are_encoded_one_by_one(make_model, known, monkeypatch):
    topic = known
    monkeypatch.setattr(encoding, "_BATCH_LETTERS", len(topic.references[0].content) + 1)
    reader = TextEncoderCache(StudyResources(requested_device="cpu"), str(make_model()))
    steps = [(step.done, step.note) for step in reader.reading(topic.references)]
    assert steps == [
        (0, "loading the encoder"),
        (0, "0 of 3 texts encoded"),
        (1, "1 of 3 texts encoded"),
        (2, "2 of 3 texts encoded"),
    ]


def test_a_missing_encoder_is_reported_with_how_to_get_it(topic):
    reader = TextEncoderCache(StudyResources(requested_device="cpu"), "example-org/no-such-encoder")
    with pytest.raises(MissingResource, match="models get example-org/no-such-encoder"):
        run_to_completion(reader.reading(topic.references))


def test_texts_that_the_encoder_does_not_know_get_no_suggestions(topic):
    reader = TextEncoderCache(StudyResources(requested_device="cpu"))
    unknown = replace(topic.references[0], content="แมวนั่งอยู่บนเสื่อ", digest="")
    with pytest.raises(InputError, match=f"does not know 100% of the text of {unknown.name}"):
        run_to_completion(reader.reading([unknown]))
