"""Base class of properties of a summary, such as its length: neither good nor bad, and useful as controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.metrics.base import (
    Array,
    Explanation,
    Metric,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.word_setting import WordMetric
from core.text.tokenization import TokenizedText, TokenizerSettings


def words_setting() -> Any:
    """Return the setting `text` of a property."""
    explained = (
        "Tokenization: unicode = words of every script, without punctuation; icu = the same with word "
        "segmentation for scripts without spaces; spaces = what stands between blanks, in lower case, for "
        "texts that are already tokenized."
    )
    return setting("unicode", explained, choices=("unicode", "icu", "spaces"), title="Words")


@dataclass(frozen=True, slots=True)
class PreparedProperty(Prepared):
    """Words of the summaries, and of the documents if the property reads them."""

    summaries: tuple[TokenizedText, ...]
    documents: tuple[TokenizedText, ...]


class TextProperty(Metric[PreparedProperty]):
    """A property with one number for each summary."""

    family: ClassVar[str] = "Text properties"
    has_direction: ClassVar[bool] = False
    needs: ClassVar[frozenset[Need]] = frozenset()
    counts_empty: ClassVar[bool] = False
    """Whether the value of a text without words is 0, not undefined."""
    default_pool: ClassVar[Pool] = Pool.JOINT

    @property
    def tokenization(self) -> str:
        """Return how words are found, as in `TokenizerSettings`."""
        return "unicode"

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedProperty:
        cut = TokenizerSettings(self.tokenization)
        documents = topic.documents if Need.DOCUMENTS in self.needs else ()
        return PreparedProperty(
            topic,
            tuple(resources.words(text, cut) for text in topic.summaries),
            tuple(resources.words(text, cut) for text in documents),
        )

    def values(self, prepared: PreparedProperty) -> Array:
        """Return the value of each summary, shape (summaries,); NaN without what is counted."""
        raise NotImplementedError

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        """Return the explanation of a value that is defined."""
        raise NotImplementedError

    def score(self, prepared: PreparedProperty) -> TopicScores:
        values = self.values(prepared)
        if self.counts_empty:
            return TopicScores(values[:, None], notes=noted(counted_as_zero=(values == 0).sum()))
        return TopicScores(values[:, None], notes=noted(no_units=np.isnan(values).sum()))

    def explain(self, prepared: PreparedProperty, system: int) -> dict[str, Explanation]:
        name = self.measures()[0]
        is_defined = np.isfinite(self.values(prepared)[system])
        return {name: self.tree(prepared, system) if is_defined else undefined(name, "no_units")}


class WordProperty(WordMetric[PreparedProperty], TextProperty):
    """A property of words. Subclasses declare `text` by `words_setting`."""

    added_settings: ClassVar[frozenset[str]] = frozenset()

    @property
    def tokenization(self) -> str:
        return self.text


def ratios(above: Array, below: Array) -> Array:
    """Return quotients; NaN where the divisor is 0."""
    quotients: Array = np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0)
    return quotients


def quoted(content: str, start: int, end: int) -> str:
    """Return a part of a text in one line, for labels."""
    return " ".join(content[start:end].split())
