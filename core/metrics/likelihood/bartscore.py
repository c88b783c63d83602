"""BARTScore (Yuan et al. 2021): likelihood of a text given another one under BART."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.metrics.base import Resources, setting
from core.metrics.likelihood.language_model_metric import (
    BOTH,
    DirectedLikelihood,
    direction_setting,
    dtype_setting,
    model_setting,
    pieces_setting,
    pooling_setting,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.runtime.heads import Head, check_head

if TYPE_CHECKING:
    from core.models.heads.likelihood import Passage


@register
@dataclass(frozen=True)
class BartScore(DirectedLikelihood):
    """Mean log-probability of the pieces of a text, given another one, at most 0.

    NaN for a text without letters or signs. The marks of a text's beginning and end count as pieces, as in
    the authors' program. Several references: the mean, or the best one. The statistic per reference is the
    value with that reference.

    Formula:
        score = 1/m · Σ ln P(y_t | y_<t, x), over the m pieces of the target y, given the source x

    Limits:
        Values depend on the model, so only those of one model are comparable. Long sources are cut at the
        limit of the model (1,024 pieces of BART), which is noted; several documents are read one after the
        other, so that the last ones may be lost. Frequent words are likely: fluent commonplaces score high.
    """

    name: ClassVar[str] = "bartscore"
    about: ClassVar[str] = "Likelihood of the summary given the documents or a reference, and the reverse."
    paper: ClassVar[str] = "Yuan, Neubig & Liu 2021, BARTScore, NeurIPS"
    bibliography: ClassVar[tuple[str, ...]] = ("yuan-2021-bartscore",)
    default_configs: ClassVar[tuple[str, ...]] = ("", f"direction={BOTH}")
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"lm": ("bart-large-cnn", "bartscore-parabank")}

    lm: str = model_setting("bart-large-cnn", "The sequence-to-sequence model")
    direction: str = direction_setting()
    prompt: str = setting(
        "", "Words that join both texts, such as In summary or i.e.; empty = none.", title="Prompt"
    )
    side: str = setting(
        "encoder",
        "Where the prompt is: encoder = after the source; decoder = before the target, scored too.",
        choices=("encoder", "decoder"),
        title="Place of the prompt",
    )
    pooling: str = pooling_setting()
    pieces: int = pieces_setting(1024)
    dtype: str = dtype_setting()

    def unused(self) -> Mapping[str, str]:
        return {**super().unused(), **({} if self.prompt else {"side": "an empty prompt"})}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.{self.direction}",)

    def check(self, resources: Resources) -> None:
        check_head(find_model(self.lm), Head.SEQUENCE)

    def passage(self, source: str, target: str) -> tuple[Passage, int]:
        from core.models.heads.likelihood import Passage  # imports torch

        if self.prompt and self.side == "decoder":
            ahead = f"{self.prompt}, "
            return Passage("", source, "", ahead + target), len(ahead)
        return Passage("", source, f" {self.prompt}," if self.prompt else "", target), 0
