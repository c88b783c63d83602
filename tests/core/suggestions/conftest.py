"""A topic whose words are their own vectors, so that every cosine can be worked by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core.annotation.word_coverage import words
from core.domain.study import Text, TopicTexts
from core.models.encoders.contextual_spans import ContextualText
from core.suggestions.encoding import EncodedTexts

VOCABULARY = (
    *("ban", "lifted", "judge", "court", "ruled", "storm", "closed", "harbour"),
    *("ships", "waited", "cafe", "opened", "bridge", "old", "monday", "two"),
)


def as_read(text: Text) -> ContextualText:
    """Return an encoded text whose words are axes, so that similarity depends on shared words."""
    spans = np.array(words(text.content), dtype=np.int64).reshape(-1, 2)
    rows = np.zeros((len(spans) + 1, len(VOCABULARY) + 1))
    for place, (start, end) in enumerate(spans.tolist(), 1):
        word = text.content[start:end].casefold()
        rows[place, VOCABULARY.index(word) if word in VOCABULARY else -1] = 1.0
    return ContextualText(spans[:, 0], spans[:, 1], np.cumsum(rows, axis=0))


@pytest.fixture
def readings_of() -> Callable[[Sequence[Text]], EncodedTexts]:
    """A function that encodes texts with one axis per word."""

    def read(texts: Sequence[Text]) -> EncodedTexts:
        return EncodedTexts("words", len(VOCABULARY) + 1, {text.digest: as_read(text) for text in texts})

    return read


@pytest.fixture
def topic() -> TopicTexts:
    return TopicTexts(
        "t",
        "D1",
        references=(
            Text("a", "A", "Judge lifted ban, storm closed harbour. Cafe opened Monday."),
            Text("b", "B", "The harbour storm waited; court judge lifted the ban."),
            Text("c", "C", "Two ships waited, and cafe opened because storm closed harbour."),
        ),
        summaries=(Text("s", "system", "Storm closed harbour. Judge lifted ban. The old bridge ruled."),),
    )
