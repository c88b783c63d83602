"""COMET (Rei et al. 2020, 2022): a rating by an encoder that was trained on judgements of translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.metrics.base import Explanation, Need, Pool, Resources, TopicScores, setting
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.learned.rating import PreparedRatings, RatingMetric
from core.metrics.likelihood.language_model_metric import joined
from core.metrics.registry import register
from core.models.catalogue.comet import reads_references
from core.models.catalogue.lookup import find_model
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.comet import Comet as CometNetwork

_NONE = "none"


@register
@dataclass(frozen=True)
class Comet(RatingMetric):
    """Rating of a summary by its documents and a reference, by an encoder trained on judgements of WMT.

    The documents take the place of the source that was translated, the summary that of the translation. NaN
    if one of the texts is without letters or signs. Statistics per reference: the rating.

    Formula:
        v(text) = mean over the pieces of the text of γ · Σ over layers l of w_l · h_l, Σ w_l = 1
        score   = F(s, r, s · r, |s − r|, s · d, |s − d|), F = feed-forward network; s, r and d = v(summary),
        v(reference) and v(documents)

    Modes:
        pooling=none is for checkpoints that read no reference. Those as wmt22-cometkiwi-da read the summary
        and the documents as one text, and F its first piece; of those as wmt20-comet-qe-da F reads
        s, d, s · d and |s − d|.

    Limits:
        Trained on translations of single sentences. Several documents are read one after the other, line by
        line, as one text. Each text is read as far as 510 pieces, and summary and documents together as far
        as 512: what is beyond is not seen, as is most of long documents, and is noted. Ratings have no
        bounds; only those of one checkpoint are comparable.
    """

    name: ClassVar[str] = "comet"
    about: ClassVar[str] = "Rating against documents and references by a network trained on translations."
    paper: ClassVar[str] = "Rei, Stewart, Farinha & Lavie 2020, COMET, EMNLP; Rei et al. 2022, WMT"
    bibliography: ClassVar[tuple[str, ...]] = ("rei-2020-comet", "rei-2022-comet22", "rei-2022-cometkiwi")
    default_configs: ClassVar[tuple[str, ...]] = ("", "rater=wmt22-cometkiwi-da,pooling=none")
    usual_words: ClassVar[int] = 250

    rater: str = setting(
        "wmt22-comet-da",
        "The checkpoint: wmt22-comet-da, wmt20-comet-da, and without references wmt22-cometkiwi-da and "
        "wmt20-comet-qe-da; a model's name, or its folder.",
        title="Model",
    )
    pooling: str = setting(
        "mean",
        "Several references: mean = their mean; best = the largest value; none = the checkpoint reads none.",
        choices=("mean", "best", _NONE),
        title="Several references",
    )
    dtype: str = dtype_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        references = set[Need]() if self._is_free else {Need.REFERENCES}
        object.__setattr__(self, "needs", frozenset({Need.DOCUMENTS, Need.RATER, *references}))

    @property
    def _is_free(self) -> bool:
        return self.pooling == _NONE

    @property
    def pool(self) -> Pool:
        return Pool.JOINT if self._is_free else super().pool

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        free = ("wmt22-cometkiwi-da", "wmt20-comet-qe-da")
        return {"rater": free if self._is_free else ("wmt22-comet-da", "wmt20-comet-da")}

    def check(self, resources: Resources) -> None:
        model = find_model(self.rater)
        check_head(model, Head.COMET)
        if reads_references(model) == self._is_free:
            does, pooling = (
                ("reads no references", _NONE) if not self._is_free else ("reads references", "mean")
            )
            raise InputError(f"{model.name} {does}. Set pooling={pooling}, or choose another checkpoint.")

    def network(self, resources: Resources) -> CometNetwork:
        return resources.comet(self.rater, self.dtype)

    def others(self, topic: TopicTexts) -> Sequence[Text]:
        return (joined(topic.documents),) if self._is_free else topic.references

    def rows(self, topic: TopicTexts, others: Sequence[Text]) -> list[tuple[str, ...]]:
        if self._is_free:
            (document,) = others
            return [(summary.content, document.content) for summary in topic.summaries]
        document = joined(topic.documents)  # once: documents may be long
        pairs = product(topic.summaries, others)
        return [(summary.content, other.content, document.content) for summary, other in pairs]

    def rated(
        self, rows: list[tuple[str, ...]], resources: Resources
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        rated = self.network(resources).rate(rows)
        return rated.values, rated.is_truncated

    def score(self, prepared: PreparedRatings) -> TopicScores:
        if self._is_free:
            return TopicScores(prepared.values[:, 0], notes=self.notes(prepared))
        return super().score(prepared)

    def explain(self, prepared: PreparedRatings, system: int) -> dict[str, Explanation]:
        if self._is_free:
            (trees,) = self.trees(prepared, system)
            return dict(zip(self.measures(), trees, strict=True))
        return super().explain(prepared, system)
