"""Natural language inference classifier: probability that one text follows from another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.catalogue.digests import DigestCache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.catalogue.model_folder import Model
from core.models.heads.nli_labels import entailment_of
from core.models.runtime.batches import Batcher
from core.models.runtime.devices import choose_device, default_batch_tokens
from core.models.runtime.heads import Head, load_head
from core.models.runtime.margins import is_near_tie
from core.models.runtime.word_pieces import WordPieceTokenizer
from core.progress import raise_if_cancelled

Pair = tuple[str, str]
"""A premise, and a hypothesis that may follow from it."""

_CHUNK = 2000
_REMEMBERED = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class EntailmentProbabilities:
    """Model outputs for pairs of texts.

    presence: shape (pairs, 4), columns named as in Zhang and Bansal (2021): p2c, probability of entailment
    against the summed scores of the other labels; l2c, 1 if that is the larger, else 0; p3c, probability of
    entailment among all labels; l3c, 1 if it is the most likely label, else 0.
    is_truncated: shape (pairs,).
    is_undecided: shape (pairs,); rounding could change l2c or l3c.
    """

    presence: NDArray[np.float64]
    is_truncated: NDArray[np.bool_]
    is_undecided: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Verdict:
    """Model output for one pair."""

    presence: NDArray[np.float64]
    is_truncated: bool
    is_undecided: bool


def load_entailment(
    model: str,
    *,
    device: str = "auto",
    dtype: str = "float32",
    batch_tokens: int | None = None,
    digests: DigestCache | None = None,
) -> NliClassifier:
    """Load the classifier of a catalogue key, folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or not a classifier.
    """
    installed = find_model(model)
    entailment_of(installed)
    verified_hash(installed, digests or DigestCache())
    place = choose_device(device)
    raise_if_cancelled()
    module, tokenizer = load_head(installed, Head.ENTAILMENT, place, dtype)
    return NliClassifier(installed, module, tokenizer, place, batch_tokens or default_batch_tokens(place))


class NliClassifier:
    """A loaded classifier that caches judged pairs. Not thread-safe."""

    def __init__(
        self, model: Model, module: torch.nn.Module, tokenizer: Any, device: str, batch_tokens: int
    ) -> None:
        self.model = model
        self._label = entailment_of(model)
        self._module = module
        self._tokenizer = tokenizer
        self._cutter = WordPieceTokenizer(tokenizer)
        self._device = device
        self._batches = Batcher(model.name, device, batch_tokens)
        self._judged: dict[tuple[Pair, int], _Verdict] = {}

    def judge(self, pairs: Sequence[Pair], limit: int = 0) -> EntailmentProbabilities:
        """Judge pairs, each only once.

        limit: maximum number of word pieces of a pair, special ones included (0 = the model's maximum); of a
        longer pair, the longer text is truncated piece by piece.
        """
        limit = min([n for n in (limit, self.model.limit) if n > 0], default=0)
        if len(self._judged) > _REMEMBERED:
            self._judged.clear()
        missing = [pair for pair in dict.fromkeys(pairs) if (pair, limit) not in self._judged]
        for start in range(0, len(missing), _CHUNK):
            self._judge(missing[start : start + _CHUNK], limit)
        results = [self._judged[pair, limit] for pair in pairs]
        return EntailmentProbabilities(
            np.array([one.presence for one in results], dtype=np.float64).reshape(len(pairs), 4),
            np.array([one.is_truncated for one in results], dtype=np.bool_),
            np.array([one.is_undecided for one in results], dtype=np.bool_),
        )

    def unknown_shares(self, texts: Sequence[str]) -> list[float]:
        """Return the share of each text that the vocabulary does not know, in [0, 1]."""
        return self._cutter.unknown_shares(texts)

    def _judge(self, pairs: Sequence[Pair], limit: int) -> None:
        cut = self._cut(pairs, limit)
        lengths = [len(ids) for ids in cut["input_ids"]]
        rows = self._batches.run(lengths, lambda batch: self._step(cut, batch))
        for pair, (row, near), is_truncated in zip(pairs, rows, self._truncated(pairs, limit), strict=True):
            self._judged[pair, limit] = _Verdict(row, is_truncated, near)

    def _cut(self, pairs: Sequence[Pair], limit: int) -> dict[str, list[list[int]]]:
        """Return the network's inputs for each pair, by input name."""
        premises, hypotheses = zip(*pairs, strict=True)
        shortening = {"truncation": "longest_first", "max_length": limit} if limit else {}
        cut = self._tokenizer(list(premises), list(hypotheses), verbose=False, **shortening)
        return {name: cut[name] for name in cut if name != "attention_mask"}

    def _truncated(self, pairs: Sequence[Pair], limit: int) -> list[bool]:
        if not limit:
            return [False] * len(pairs)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        cut = self._tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
        length = dict(zip(texts, map(len, cut), strict=True))
        room = limit - self._tokenizer.num_special_tokens_to_add(pair=True)
        return [length[premise] + length[hypothesis] > room for premise, hypothesis in pairs]

    def _step(
        self, cut: dict[str, list[list[int]]], batch: Sequence[int]
    ) -> list[tuple[NDArray[np.float64], bool]]:
        """Return the presence of each pair, and whether rounding could change it."""
        inputs = self._tokenizer.pad(
            {name: [values[place] for place in batch] for name, values in cut.items()}, return_tensors="pt"
        )
        with torch.inference_mode():
            logits = self._module(**inputs.to(self._device)).logits.float()
            rows = _presence(logits, self._label).cpu().numpy().astype(np.float64)
            near = is_near_tie(logits) | is_near_tie(_against_others(logits, self._label))
            return list(zip(rows, near.cpu().tolist(), strict=True))


def _presence(logits: torch.Tensor, label: int) -> torch.Tensor:
    """Compute the four measures of each pair, shape (pairs, 4), from logits of shape (pairs, labels).

    For p2c and l2c, the other labels' logits are summed before the softmax, as in the authors' code.
    """
    pair = _against_others(logits, label)
    entailed, others = pair.unbind(dim=1)
    two_way = torch.softmax(pair, dim=1)[:, 0]
    three_way = torch.softmax(logits, dim=1)[:, label]
    return torch.stack(
        [two_way, (entailed >= others).float(), three_way, (logits.argmax(dim=1) == label).float()], dim=1
    )


def _against_others(logits: torch.Tensor, label: int) -> torch.Tensor:
    """Return the logit of one label and the sum of all others, shape (pairs, 2)."""
    return torch.stack([logits[:, label], logits.sum(dim=1) - logits[:, label]], dim=1)
