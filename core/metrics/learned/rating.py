"""Base class of metrics by networks that were trained on judgements to rate a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text, TopicTexts
from core.metrics.base import Array, Explanation, Mask, Need, Pool, Prepared, Resources, noted, undefined
from core.metrics.base.pooling import PooledMetric
from core.models.catalogue.lookup import find_model, seconds_per_text

if TYPE_CHECKING:
    from core.models.heads.comet import Comet
    from core.models.heads.pair_classifier import PairClassifier


@dataclass(frozen=True, slots=True)
class PreparedRatings(Prepared):
    """The ratings of all pairs of a summary and another text.

    values: shape (summaries, others, 1); NaN = not rated, or no number came out of the network.
    is_rated: whether none of the texts is blank, shape (summaries, others). truncated: number of summaries.
    """

    others: tuple[Text, ...]
    values: Array
    is_rated: Mask
    truncated: int


class RatingMetric(PooledMetric[PreparedRatings]):
    """A metric that is the output of a network. Subclasses declare the fields `rater`, `pooling` and `dtype`.

    They say which network it is (`network`), what it reads (`rows`), and how rows are rated (`rated`).
    """

    family: ClassVar[str] = "Learned"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.RATER})
    usual_words: ClassVar[int] = 150
    """Words that are read for a summary, such as its own and those of a reference, for estimates."""

    rater: str
    pooling: str
    dtype: str

    @property
    def pool(self) -> Pool:
        return Pool.MAX if self.pooling == "best" else Pool.MEAN

    def network(self, resources: Resources) -> PairClassifier | Comet:
        """Return the network."""
        raise NotImplementedError

    def others(self, topic: TopicTexts) -> Sequence[Text]:
        """Return the texts with each of which a summary is rated."""
        return topic.references

    def rows(self, topic: TopicTexts, others: Sequence[Text]) -> list[tuple[str, ...]]:
        """Return what is read for each rating, in the order of the network: by summary and other text."""
        raise NotImplementedError

    def rated(self, rows: Any, resources: Resources) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Return the ratings of rows, and whether each was truncated, both of shape (rows,)."""
        raise NotImplementedError

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        model = find_model(self.rater)
        return {"model": model.name, "hash": resources.model_hash(self.rater)[:12], "tokenizer": "fast"}

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.rater)
        return seconds_per_text(model, model.layers, resources.device, self.usual_words)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return self.network(resources).unknown_shares([text.content for text in texts])

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedRatings:
        others = tuple(self.others(topic))
        rows = self.rows(topic, others)
        is_rated = np.array([all(part.strip() for part in row) for row in rows], dtype=np.bool_)
        values, is_cut = np.full(len(rows), np.nan), np.zeros(len(rows), dtype=np.bool_)
        chosen = [row for row, is_one in zip(rows, is_rated, strict=True) if is_one]
        values[is_rated], is_cut[is_rated] = self.rated(chosen, resources)
        shape = len(topic.summaries), len(others)
        truncated = int(is_cut.reshape(shape).any(axis=1).sum())
        return PreparedRatings(topic, others, values.reshape(*shape, 1), is_rated.reshape(shape), truncated)

    def per_reference(self, prepared: PreparedRatings) -> Array:
        return prepared.values

    def notes(self, prepared: PreparedRatings) -> dict[str, int]:
        blank = ~prepared.is_rated
        failed = np.isnan(prepared.values[..., 0]) & prepared.is_rated
        counts = {
            name: int(one.any(axis=1).sum()) for name, one in (("no_units", blank), ("undefined", failed))
        }
        return noted(truncated=prepared.truncated, **counts)

    def trees(self, prepared: PreparedRatings, system: int) -> Iterator[Sequence[Explanation]]:
        rows = prepared.values[system, :, 0].tolist(), prepared.is_rated[system].tolist()
        for text, value, is_rated in zip(prepared.others, *rows, strict=True):
            label, reason = f"rating against {text.name}", "undefined" if is_rated else "no_units"
            yield (undefined(label, reason) if np.isnan(value) else Explanation(label, value=value),)
