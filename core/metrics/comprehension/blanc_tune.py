"""BLANC-tune: fine-tune a copy of the language model on the summary before it predicts masked words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.domain.study import Text
from core.metrics.base import Resources, setting
from core.metrics.comprehension.blanc import TYPICAL_SENTENCES, Blanc, PreparedDocuments
from core.metrics.comprehension.blanc_documents import Answers, MaskedBlanks, collect_answers, mask_sentence
from core.metrics.comprehension.blanc_masking import (
    Masking,
    MinimumPieceLengths,
    fit,
    random_maskings,
    regular_masks,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model, seconds_per_text
from core.models.runtime.word_pieces import WordPieces

if TYPE_CHECKING:
    from core.models.heads.masked_lm import MaskedLM
    from core.models.heads.masked_lm_tuning import TuningExample, TuningOptions

_ENDS = 2
_REPLACING = (1000, 29_999)
"""Range of vocabulary ids for replacements; lower ids are punctuation, other scripts and unused pieces."""

_SAMPLES = 36
"""Training samples of a typical summary of a hundred words: six chunks with six maskings each."""

_BACKWARD = 3
"""Cost of a training step in forward passes."""


@register
@dataclass(frozen=True)
class BlancTune(Blanc):
    """Words gained by a copy of the model that was fine-tuned on the summary.

    Each summary's copy starts with the same seed. Always in float32, because lower precision does not train.

    Formula:
        S01, S10, S00, S11 = masked words predicted only with the summary, only without, never, in both cases
        relative           = (S01 − S10) / (S00 + S01 + S10 + S11)
        improve            = S01 / (S00 + S01 + S11)

    Limits:
        Trains a copy of the model for every summary, so it takes minutes instead of seconds. A GPU draws
        other random numbers than a CPU. Otherwise as blanc-help.
    """

    trains: ClassVar[bool] = True
    name: ClassVar[str] = "blanc-tune"
    about: ClassVar[str] = (
        "How much better a language model fills in masked words after training on the summary."
    )

    gap_tune: int = setting(
        -1, "Gap between masks in training; -1 = the same.", low=-1, title="Gap in training"
    )
    gap_mask_tune: int = setting(
        -1,
        "Number of consecutive masked pieces in training; -1 = the same.",
        low=-1,
        title="Consecutive masks in training",
    )
    min_token_length_normal_tune: int = setting(
        -1,
        "Minimum length of a whole word in training; -1 = the same.",
        low=-1,
        title="Word length in training",
    )
    min_token_length_lead_tune: int = setting(
        -1,
        "Minimum length of the first piece of a word in training; -1 = the same.",
        low=-1,
        title=("First piece in training"),
    )
    min_token_length_followup_tune: int = setting(
        -1,
        "Minimum length of later pieces of a word in training; -1 = the same.",
        low=-1,
        title=("Later pieces in training"),
    )
    finetune_mask_evenly: bool = setting(
        True,
        "Mask at regular gaps in training; no = mask a random share.",
        title=("Regular masks in training"),
    )
    finetune_chunk_size: int = setting(
        64, "Number of pieces of the summary in a training sample.", low=1, title="Chunk size"
    )
    finetune_chunk_stride: int = setting(
        32, "Distance between the starts of two training samples, in pieces.", low=1, title="Stride"
    )
    finetune_top_fully: bool = setting(
        True,
        "Repeat the beginning of the summary when a sample starts within it, as it occurs in fewer samples.",
        title="Repeat beginning",
    )
    finetune_epochs: int = setting(10, "Number of training epochs.", low=0, title="Epochs")
    finetune_batch_size: int = setting(1, "Batch size in training.", low=1, title="Batch")
    learning_rate: float = setting(
        5e-5, "Learning rate; decreases linearly to 0.", low=0.0, title="Learning rate"
    )
    warmup_steps: int = setting(0, "Number of warm-up steps.", low=0, title="Warm-up")
    p_token_replace: float = setting(
        0.1,
        "Share of masked pieces that are replaced by a random piece.",
        low=0.0,
        high=1.0,
        title="Replaced",
    )
    p_token_original: float = setting(
        0.1, "Share of masked pieces that stay unchanged.", low=0.0, high=1.0, title="Unchanged"
    )
    id_layer_freeze_below: int = setting(
        -1, "Number of first parameters that are frozen; -1 = none.", low=-1, title="First frozen"
    )
    id_layer_freeze_above: int = setting(
        -1, "Number of last parameters, less one, that are frozen; -1 = none.", low=-1, title="Last frozen"
    )

    def seconds_per_text(self, resources: Resources) -> float:
        model = find_model(self.masked_lm)
        passes = self.finetune_epochs * _SAMPLES * _BACKWARD
        training_cost = passes * seconds_per_text(model, model.layers, resources.device, words=45)
        prediction_cost = (
            self.gap * TYPICAL_SENTENCES * seconds_per_text(model, model.layers, resources.device, words=20)
        )
        return training_cost + prediction_cost

    def answers(self, prepared: PreparedDocuments, summaries: Sequence[Text]) -> list[Answers]:
        from core.models.heads.masked_lm_tuning import fine_tune  # imports torch

        model = prepared.model
        blanks = list(self._blanks(prepared))
        inputs = [one.with_context(np.zeros(0, dtype=np.int64)) for one in blanks]
        plain = model.guess(inputs)
        answers = []
        for summary in summaries:
            tuned = fine_tune(model, list(self._samples(model, summary)), self._options())
            answers.append(collect_answers(blanks, plain, tuned.guess(inputs)))
        return answers

    def _blanks(self, prepared: PreparedDocuments) -> Iterator[MaskedBlanks]:
        model = prepared.model
        for sentence in prepared.sentences:
            length, _, _ = fit(len(sentence.ids), (), _ENDS, self.len_sent_allow_cut, model.model.limit)
            yield from mask_sentence(sentence, length, self.maskings(sentence.strings[:length]), model.mask)

    def _samples(self, model: MaskedLM, summary: Text) -> Iterator[TuningExample]:
        """Yield the training samples of a summary: overlapping chunks of its pieces with each masking."""
        (pieces,) = model.cut([summary.content])
        chance = random.Random(self.random_seed)
        room = model.model.limit - _ENDS if model.model.limit else self.finetune_chunk_size
        size, count = min(self.finetune_chunk_size, room), len(pieces.ids)
        for start in range(0, count, self.finetune_chunk_stride):
            yield from self._masked(model, pieces, start, min(start + size, count), chance)
            if self.finetune_top_fully and 0 < start < size:
                yield from self._masked(model, pieces, 0, start, chance)

    def _masked(
        self, model: MaskedLM, pieces: WordPieces, start: int, end: int, chance: random.Random
    ) -> Iterator[TuningExample]:
        from core.models.heads.masked_lm_tuning import IGNORED_LABEL, TuningExample  # imports torch

        ids = pieces.ids[start:end]
        for masking in self._training_maskings(pieces.strings[start:end], chance):
            masked, labels = ids.copy(), np.full(len(ids), IGNORED_LABEL, dtype=np.int64)
            for place in masking:
                labels[place] = ids[place]
                masked[place] = self._replacement(model, int(ids[place]), chance)
            ends = np.full(1, IGNORED_LABEL, dtype=np.int64)
            yield TuningExample(model.closed(masked), np.concatenate([ends, labels, ends]))

    def _training_maskings(self, pieces: Sequence[str], chance: random.Random) -> list[Masking]:
        minimum = MinimumPieceLengths(
            _or_default(self.min_token_length_normal_tune, self.min_token_length_normal),
            _or_default(self.min_token_length_lead_tune, self.min_token_length_lead),
            _or_default(self.min_token_length_followup_tune, self.min_token_length_followup),
        )
        if not self.finetune_mask_evenly:
            return random_maskings(pieces, self.p_mask, minimum, chance)
        gap, run = _or_default(self.gap_tune, self.gap), _or_default(self.gap_mask_tune, self.gap_mask)
        return regular_masks(pieces, gap, run, minimum)

    def _replacement(self, model: MaskedLM, piece: int, chance: random.Random) -> int:
        """Return the piece that replaces a masked one: usually the mask."""
        drawn = chance.random()
        if drawn < self.p_token_replace:
            last = min(_REPLACING[1], model.vocabulary - 1)
            return chance.randint(min(_REPLACING[0], last), last)
        return piece if drawn < self.p_token_replace + self.p_token_original else model.mask

    def _options(self) -> TuningOptions:
        from core.models.heads.masked_lm_tuning import TuningOptions  # imports torch

        return TuningOptions(
            epochs=self.finetune_epochs,
            batch_size=self.finetune_batch_size,
            learning_rate=self.learning_rate,
            warmup_steps=self.warmup_steps,
            freeze_below=self.id_layer_freeze_below,
            freeze_above=self.id_layer_freeze_above,
            seed=self.random_seed,
        )


def _or_default(value: int, default: int) -> int:
    return default if value < 0 else value
