"""AlignScore (Zha et al. 2023): alignment of the sentences of a summary with chunks of the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.domain.study import Text
from core.errors import InputError
from core.metrics.base import Array, setting
from core.metrics.consistency.support import SupportMetric, classifier_setting, pieces_setting
from core.metrics.consistency.text_units import TextUnit, equal_chunks, sentences_of, whole
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.alignscore import is_alignment
from core.models.catalogue.model_folder import Model, read_json

if TYPE_CHECKING:
    from core.models.heads.pair_classifier import PairClassifier, PairLayout, PairLogits

_SPLIT = "_sp"
_HEADS = {"bin": (slice(0, 2), 1), "nli": (slice(2, 5), 0), "reg": (slice(5, 6), 0)}
"""Outputs of each head, and which of them means that the texts are aligned."""


@register
@dataclass(frozen=True)
class AlignScore(SupportMetric):
    """Mean over the sentences of a summary of the alignment with the best chunk of the documents.

    Formula:
        score = mean over sentences s of the summary of max over chunks c of P(s is aligned with c)

    Modes:
        nli_sp, bin_sp and reg_sp compare chunks with sentences by the head with three classes, with two, and
        by the regression, which is no probability. nli, bin and reg compare documents with whole summaries.

    Limits:
        Trained on English. A chunk longer than `pieces` loses its end, so evidence there is not found. A
        copied sentence scores high.
    """

    name: ClassVar[str] = "alignscore"
    about: ClassVar[str] = "How well a summary's sentences are aligned with the documents; uses no reference."
    paper: ClassVar[str] = "Zha, Yang, Li & Hu 2023, AlignScore, ACL"
    bibliography: ClassVar[tuple[str, ...]] = ("zha-2023-alignscore",)
    usual_pairs: ClassVar[tuple[int, int]] = (6, 370)
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"nli": ("alignscore-large", "alignscore-base")}

    mode: str = setting(
        "nli_sp",
        "The head that is read; with _sp chunks are compared with sentences, without it whole texts.",
        choices=("nli_sp", "bin_sp", "reg_sp", "nli", "bin", "reg"),
        title="Mode",
    )
    nli: str = classifier_setting("alignscore-large", " or alignscore-base")
    words: int = setting(350, "Approximate length of a chunk in words.", low=1, title="Words of a chunk")
    pieces: int = pieces_setting(512)
    dtype: str = dtype_setting()

    def unused(self) -> Mapping[str, str]:
        return {} if self.mode.endswith(_SPLIT) else {"words": f"mode={self.mode}"}

    def labels(self, model: Model) -> tuple[int, ...]:
        if not is_alignment(read_json(model.folder / "config.json")):
            raise InputError(
                f"{model.name} in {model.folder} is not AlignScore. Add its checkpoint: pyramidion models "
                "add AlignScore-large.ckpt"
            )
        outputs, aligned = self._head
        return (outputs.start + aligned,)

    @property
    def _head(self) -> tuple[slice, int]:
        return _HEADS[self.mode.removesuffix(_SPLIT)]

    def layout(self, model: Model) -> PairLayout:
        from core.models.heads.pair_classifier import PairLayout  # imports torch

        return PairLayout(self.pieces, "only_first")

    def kinds(self, logits: PairLogits, model: Model) -> Array:
        outputs, aligned = self._head
        if self.mode.startswith("reg"):
            return logits.values[:, outputs].astype(float)
        return logits.probabilities(outputs)[:, [aligned]]

    def document_units(self, text: Text, classifier: PairClassifier) -> Sequence[TextUnit]:
        return equal_chunks(text, self.words) if self.mode.endswith(_SPLIT) else whole(text)

    def claims_of(self, text: Text) -> Sequence[TextUnit]:
        return sentences_of(text) if self.mode.endswith(_SPLIT) else whole(text)
