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
"""Pieces that every input has beside its texts'."""


@register
@dataclass(frozen=True)
class BlancHelp(Blanc):
    """Words gained where the summary stands ahead of a sentence in place of a filler of its length."""

    name: ClassVar[str] = "blanc-help"
    about: ClassVar[str] = (
        "How much better a language model fills in masked words when it can read the summary."
    )

    filler_token: str = setting(".", "The piece that stands in the summary's place.", title="Filler")
    help_sep: str = setting("", "What stands between the summary and a sentence.", title="Between them")
    dtype: str = dtype_setting()

    @property
    def precision(self) -> str:
        return self.dtype

    def seconds_per_text(self, tools: Resources) -> float:
        model = find_model(self.masked_lm)
        both = seconds_per_text(model, model.layers, tools.device, words=120)
        return 2 * self.gap * TYPICAL_SENTENCES * both

    def answers(self, prepared: PreparedDocuments, summaries: Sequence[Text]) -> list[Answers]:
        makes = _Questions(self, prepared.model)
        asked = [makes.about(prepared.sentences, summary) for summary in summaries]
        every = [question for questions in asked for question in questions]
        found = prepared.model.guess([q.helped for q in every] + [q.plain for q in every])
        helped, plain = iter(found[: len(every)]), iter(found[len(every) :])
        return [
            collect_answers(
                [question.blanks for question in questions],
                list(islice(plain, len(questions))),
                list(islice(helped, len(questions))),
                frozenset([summary]) if any(q.is_summary_cut for q in questions) else frozenset(),
            )
            for summary, questions in zip(summaries, asked, strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A masked sentence, behind the summary and behind the filler."""

    blanks: MaskedBlanks
    helped: MaskedSentence
    plain: MaskedSentence
    is_summary_cut: bool


class _Questions:
    """Makes what the model is asked; inputs share their arrays."""

    def __init__(self, metric: BlancHelp, model: MaskedLM) -> None:
        self._metric = metric
        self._model = model
        self._between = model.cut([metric.help_sep])[0].ids
        self._filler = cache(self._make_filler)
        self._blanks = cache(self._make_blanks)

    def about(self, sentences: Sequence[TokenizedSentence], summary: Text) -> list[_Question]:
        """Every masking of every sentence, with one summary's help and without."""
        parts = [sentence.ids for sentence in cut_sentences(self._model, summary)]
        whole: Ids = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
        shown = cache(lambda start, end: np.concatenate([whole[start:end], self._between]))
        more = _ENDS + len(self._between)
        limit = self._model.model.limit
        found = []
        for sentence in sentences:
            kept, start, end = fit(
                len(sentence.ids), list(map(len, parts)), more, self._metric.len_sent_allow_cut, limit
            )
            ahead, filler = shown(start, end), self._filler(end - start)
            found += [
                _Question(one, one.behind(ahead), one.behind(filler), end - start < len(whole))
                for one in self._blanks(sentence, kept)
            ]
        return found

    def _make_filler(self, count: int) -> Ids:
        piece = self._model.piece(self._metric.filler_token)
        return np.concatenate([np.full(count, piece, dtype=np.int64), self._between])

    def _make_blanks(self, sentence: TokenizedSentence, kept: int) -> list[MaskedBlanks]:
        return mask_sentence(sentence, kept, self._metric.maskings(sentence.strings[:kept]), self._model.mask)
