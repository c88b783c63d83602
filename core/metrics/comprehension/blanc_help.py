"""BLANC-help: prepend the summary, or a filler of equal length, to each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Text
from core.metrics.base import Resources, setting
from core.metrics.comprehension.blanc import TYPICAL_SENTENCES, Blanc, PreparedDocuments
from core.metrics.comprehension.blanc_documents import (
    Answers,
    MaskedBlanks,
    TokenizedSentence,
    collect_answers,
    cut_sentences,
    mask_sentence,
)
from core.metrics.comprehension.blanc_masking import fit
from core.metrics.embedding.encoder_metric import dtype_setting
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text

if TYPE_CHECKING:
    from core.models.heads.masked_lm import Ids, MaskedLM, MaskedSentence

_ENDS = 2
"""Special pieces of every input."""


@register
@dataclass(frozen=True)
class BlancHelp(Blanc):
    """Words gained by prepending the summary to a sentence instead of a filler of the same length.

    Formula:
        S01, S10, S00, S11 = masked words predicted only with the summary, only without, never, in both cases
        relative           = (S01 − S10) / (S00 + S01 + S10 + S11)
        improve            = S01 / (S00 + S01 + S11)

    Limits:
        Values are small, and depend on the masked model and `gap`. Long summaries leave less room for the
        sentence in the model's window. Measures what a summary contributes, not its style or whether it is
        true.
    """

    name: ClassVar[str] = "blanc-help"
    about: ClassVar[str] = (
        "How much better a language model fills in masked words when it can read the summary."
    )
    is_in_summeval: ClassVar[bool] = True

    filler_token: str = setting(".", "Piece that replaces the summary in the baseline.", title="Filler")
    help_sep: str = setting("", "Text between the summary and a sentence.", title="Separator")
    dtype: str = dtype_setting()

    @property
    def precision(self) -> str:
        return self.dtype

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.masked_lm)
        cost = seconds_per_text(model, model.layers, resources.device, words=120)
        return 2 * self.gap * TYPICAL_SENTENCES * cost

    def answers(self, prepared: PreparedDocuments, summaries: Sequence[Text]) -> list[Answers]:
        builder = _InputBuilder(self, prepared.model)
        inputs = [builder.build(prepared.sentences, summary) for summary in summaries]
        flat = [one for own in inputs for one in own]
        predictions = prepared.model.guess([one.helped for one in flat] + [one.plain for one in flat])
        helped, plain = iter(predictions[: len(flat)]), iter(predictions[len(flat) :])
        return [
            collect_answers(
                [one.blanks for one in own],
                list(islice(plain, len(own))),
                list(islice(helped, len(own))),
                frozenset([summary]) if any(one.is_summary_cut for one in own) else frozenset(),
            )
            for summary, own in zip(summaries, inputs, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _InputPair:
    """A masked sentence, after the summary and after the filler."""

    blanks: MaskedBlanks
    helped: MaskedSentence
    plain: MaskedSentence
    is_summary_cut: bool


class _InputBuilder:
    """Creates the inputs of the model, which share their arrays."""

    def __init__(self, metric: BlancHelp, model: MaskedLM) -> None:
        self._metric = metric
        self._model = model
        self._between = model.cut([metric.help_sep])[0].ids
        self._filler = cache(self._make_filler)
        self._blanks = cache(self._make_blanks)

    def build(self, sentences: Sequence[TokenizedSentence], summary: Text) -> list[_InputPair]:
        """Return every masking of every sentence, with one summary and with the filler."""
        parts = [sentence.ids for sentence in cut_sentences(self._model, summary)]
        whole: Ids = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
        context = cache(lambda start, end: np.concatenate([whole[start:end], self._between]))
        special = _ENDS + len(self._between)
        limit = self._model.model.limit
        pairs = []
        for sentence in sentences:
            length, start, end = fit(
                len(sentence.ids), list(map(len, parts)), special, self._metric.len_sent_allow_cut, limit
            )
            ahead, filler = context(start, end), self._filler(end - start)
            pairs += [
                _InputPair(one, one.with_context(ahead), one.with_context(filler), end - start < len(whole))
                for one in self._blanks(sentence, length)
            ]
        return pairs

    def _make_filler(self, count: int) -> Ids:
        piece = self._model.piece(self._metric.filler_token)
        return np.concatenate([np.full(count, piece, dtype=np.int64), self._between])

    def _make_blanks(self, sentence: TokenizedSentence, length: int) -> list[MaskedBlanks]:
        maskings = self._metric.maskings(sentence.strings[:length])
        return mask_sentence(sentence, length, maskings, self._model.mask)
