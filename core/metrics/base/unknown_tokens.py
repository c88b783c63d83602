"""Detection of texts that a metric cannot process: unknown to its model, or in an unsupported script.

A note is added if more than 5 % of a text's tokens are unknown; above 50 % the text is not scored. A
model that maps most of a text to its unknown token gives different texts equal vectors, so they would
score as if they were the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from unicodedata import is_normalized

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import Metric, Need, Resources, Script, TopicScores
from core.metrics.base.needs import texts_read
from core.metrics.base.scores import noted, with_reasons
from core.recent import Recent
from core.text.scripts import REFUSAL_SHARE, non_ascii_share, unsegmented_share

NOTE_SHARE = 0.05
"""Share of unknown tokens above which a note is added."""

_REMEDY = "Choose a multilingual model; `pyramidion models` lists those on this computer and how to add one."


@dataclass(frozen=True, slots=True)
class UnknownTokens:
    """The share of unknown tokens in each text of a topic that a metric uses, in [0, 1].

    summaries, references: in the order of the topic.
    documents: empty if the metric uses none.
    """

    summaries: tuple[float, ...] = ()
    references: tuple[float, ...] = ()
    documents: tuple[float, ...] = ()

    @property
    def notes(self) -> Mapping[str, int]:
        """Return how many texts have a warning and how many are not scored."""
        shares = (*self.summaries, *self.references, *self.documents)
        if not shares:
            return {}
        refused = sum(share > REFUSAL_SHARE for share in shares)
        noted = sum(NOTE_SHARE < share <= REFUSAL_SHARE for share in shares)
        counts = {"unknown_tokens": noted, "mostly_unknown": refused}
        return {note: count for note, count in counts.items() if count}


def unknown_tokens(metric: Metric, topic: TopicTexts, resources: Resources) -> UnknownTokens:
    """Return the shares of unknown tokens in the texts that a metric uses; empty if it has no model."""
    texts = _texts(metric, topic)
    shares = tuple(metric.unknown_shares(texts, resources)) if texts else ()
    if not shares:
        return UnknownTokens()
    references = topic.references if Need.REFERENCES in metric.needs else ()
    first, second = len(topic.summaries), len(topic.summaries) + len(references)
    return UnknownTokens(shares[:first], shares[first:second], shares[second:])


def count_unreadable_texts(metric: Metric, topic: TopicTexts) -> int:
    """Return the number of texts that are mostly in a script that the metric cannot tokenize."""
    share = _FOREIGN_SHARE[metric.reads]
    if share is None:
        return 0

    def counted() -> int:
        return sum(share(text.content) > REFUSAL_SHARE for text in _texts(metric, topic))

    return _unreadable.get((metric.reads, metric.needs), (topic,), counted)


def count_mixed_forms(metric: Metric, topic: TopicTexts) -> int:
    """Return the number of decomposed texts if other texts that the metric compares are composed; else 0."""
    return _mixed_forms.get(metric.needs, (topic,), lambda: _count_mixed_forms(_texts(metric, topic)))


def _texts(metric: Metric, topic: TopicTexts) -> tuple[Text, ...]:
    """Return the texts of a topic that a metric uses."""
    return tuple([text for kind in texts_read(metric.needs) for text in getattr(topic, kind)])


_FOREIGN_SHARE = {Script.ALL: None, Script.SPACED: unsegmented_share, Script.ASCII: non_ascii_share}
"""The share of a text that metrics of each kind cannot tokenize, None = they can tokenize all."""

_mixed_forms, _unreadable = Recent[int](4), Recent[int](4)


def _count_mixed_forms(texts: Sequence[Text]) -> int:
    foreign = [text.content for text in texts if not text.content.isascii()]
    decomposed = sum(not is_normalized("NFC", content) for content in foreign)
    composed = sum(not is_normalized("NFD", content) for content in foreign)
    return decomposed if composed else 0


def score_readable(metric: Metric, topic: TopicTexts, resources: Resources) -> TopicScores:
    """Score a topic; NaN where more than half of a text's tokens are unknown to the model.

    Every undefined score has a note with the reason.
    """
    return with_reasons(_score_readable(metric, topic, resources))


def _score_readable(metric: Metric, topic: TopicTexts, resources: Resources) -> TopicScores:
    scores = metric.score(metric.prepare(topic, resources))
    noticed = noted(
        unread_script=count_unreadable_texts(metric, topic), mixed_forms=count_mixed_forms(metric, topic)
    )
    if noticed:
        scores = replace(scores, notes={**scores.notes, **noticed})
    unknown = unknown_tokens(metric, topic, resources)
    if not (notes := unknown.notes):
        return scores
    values, stats = scores.values.copy(), None if scores.stats is None else scores.stats.copy()
    summaries = np.array(unknown.summaries) > REFUSAL_SHARE
    values[summaries] = np.nan
    if any(share > REFUSAL_SHARE for share in (*unknown.references, *unknown.documents)):
        values[:] = np.nan
    if stats is not None:
        stats[summaries] = np.nan
        stats[:, np.array(unknown.references) > REFUSAL_SHARE] = np.nan
    return replace(scores, values=values, stats=stats, notes={**scores.notes, **notes})


def refusal_reason(metric: Metric, topic: TopicTexts, place: int, resources: Resources) -> str:
    """Return why a summary of a topic is not scored, with a remedy; empty = it is scored."""
    unknown = unknown_tokens(metric, topic, resources)
    pairs: list[tuple[str, Text, float]] = []
    if unknown.summaries:
        pairs.append(("summary by", topic.summaries[place], unknown.summaries[place]))
    pairs += [("reference by", *pair) for pair in zip(topic.references, unknown.references, strict=False)]
    pairs += [("document", *pair) for pair in zip(topic.documents, unknown.documents, strict=False)]
    for role, text, share in pairs:
        if share > REFUSAL_SHARE:
            return (
                f"The model of {metric.name} does not know {share:.0%} of the {role} {text.name}, so there "
                f"is no score. {_REMEDY}"
            )
    return ""
