"""Networks that judge pairs of texts: whether one follows from another, or how well it renders it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.catalogue.model_folder import Model, position_limit, read_json
from core.models.heads.head_model import HeadModel, is_near_tie
from core.models.heads.nli_labels import VERDICTS, check_classifier, entailment_of, is_generative
from core.models.runtime.heads import Head, LoadOptions, open_head

Pair = tuple[str, str]
"""A premise, and a hypothesis that may follow from it."""

Cut = Literal["longest_first", "only_first", "by_piece"]

_CHUNK = 8_000
"""Pairs that are tokenized, sorted by length and batched at once."""

_REMEMBERED = 200_000


@dataclass(frozen=True, slots=True)
class PairLayout:
    """How a pair becomes the input of a network.

    limit: maximum number of word pieces, special ones included (0 = the tokenizer's); a network without
    positions for so many reads fewer.
    cut: what a longer pair loses: pieces of the longer text, or of the premise; of the longer text too where
    the hypothesis alone exceeds the limit. by_piece: as longest_first, but equally long texts lose a piece of
    the hypothesis first, as in BERT's own code.
    is_joined: write both as one text with a mark between them, and cut its end.
    prefix: text before a joined pair. mark: empty = the tokenizer's end mark.
    """

    limit: int = 0
    cut: Cut = "longest_first"
    is_joined: bool = False
    prefix: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PairLogits:
    """Scores of a network for pairs of texts. values: shape (pairs, labels). is_truncated: shape (pairs,)."""

    values: NDArray[np.float32]
    is_truncated: NDArray[np.bool_]

    def probabilities(self, labels: slice = slice(None)) -> NDArray[np.float64]:
        """Return the softmax over some neighbouring labels, shape (pairs, these labels)."""
        chosen = self.values[:, labels].astype(np.float64)
        powers = np.exp(chosen - chosen.max(axis=1, keepdims=True, initial=-np.inf))
        shares: NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
        return shares


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


def load_pair_classifier(model: str, **options: Unpack[LoadOptions]) -> PairClassifier:
    """Load the classifier of a catalogue key, folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or not a classifier.
    """
    return PairClassifier(*open_head(model, _head_of, **options))


def _head_of(model: Model) -> Head:
    check_classifier(model)
    return Head.SEQUENCE if is_generative(model) else Head.ENTAILMENT


class PairClassifier(HeadModel):
    """A loaded classifier that remembers the scores of pairs. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        super().__init__(model, module, tokenizer, device, batch_tokens)
        self._is_generative = is_generative(model)
        # whether the network tells texts apart; tokenizers such as ALBERT's do so only if they are asked to
        self._has_segments = getattr(module.config, "type_vocab_size", 0) > 1
        self._positions = position_limit(read_json(model.folder / "config.json"))
        self._labels = len(VERDICTS) if self._is_generative else int(self.module.config.num_labels)
        self._scored: dict[tuple[Pair, PairLayout], tuple[NDArray[np.float32], bool]] = {}

    def logits(self, pairs: Sequence[Pair], layout: PairLayout = PairLayout()) -> PairLogits:
        """Return the scores of all labels for each pair; each pair is run only once."""
        if len(self._scored) > _REMEMBERED:
            self._scored.clear()
        missing = [pair for pair in dict.fromkeys(pairs) if (pair, layout) not in self._scored]
        for start in range(0, len(missing), _CHUNK):
            self._run(missing[start : start + _CHUNK], layout)
        found = [self._scored[pair, layout] for pair in pairs]
        values = np.array([row for row, _ in found], dtype=np.float32).reshape(len(pairs), self._labels)
        return PairLogits(values, np.array([is_truncated for _, is_truncated in found], dtype=np.bool_))

    def judge(self, pairs: Sequence[Pair], limit: int = 0) -> EntailmentProbabilities:
        """Return the measures of Zhang and Bansal (2021) for each pair. limit: as in `PairLayout`."""
        label = entailment_of(self.model)
        found = self.logits(pairs, PairLayout(limit))
        if not pairs:
            return EntailmentProbabilities(np.zeros((0, 4)), found.is_truncated, found.is_truncated)
        logits = torch.from_numpy(found.values)
        near = is_near_tie(logits) | is_near_tie(_against_others(logits, label))
        presence = _presence(logits, label).numpy().astype(np.float64)
        return EntailmentProbabilities(presence, found.is_truncated, near.numpy())

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the number of word pieces of each text, without special ones."""
        if not texts:
            return []
        cut = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return [len(ids) for ids in cut]

    def _run(self, pairs: Sequence[Pair], layout: PairLayout) -> None:
        limit = min(filter(None, (layout.limit or self.model.limit, self._positions)), default=0)
        joined = self._joined(pairs, layout) if layout.is_joined else []
        is_truncated = self._truncated(pairs, joined, limit)
        cut = self._cut(pairs, joined, layout.cut, limit)
        rows = self._batches.run([len(ids) for ids in cut["input_ids"]], lambda batch: self._step(cut, batch))
        for pair, row, is_long in zip(pairs, rows, is_truncated, strict=True):
            self._scored[pair, layout] = row, is_long

    def _joined(self, pairs: Sequence[Pair], layout: PairLayout) -> list[str]:
        mark = layout.mark or self._tokenizer.eos_token or self._tokenizer.sep_token
        return [f"{layout.prefix}{premise}{mark}{hypothesis}" for premise, hypothesis in pairs]

    def _cut(
        self, pairs: Sequence[Pair], joined: Sequence[str], cut: Cut, limit: int
    ) -> dict[str, list[list[int]]]:
        """Return the network's inputs for each pair, by input name."""
        if joined:
            return self._inputs((list(joined),), "longest_first", limit)
        premises, hypotheses = map(list, zip(*pairs, strict=True))
        if cut == "by_piece":
            return self._cut_by_piece(premises, hypotheses, limit)
        if cut == "longest_first" or not limit:
            return self._inputs((premises, hypotheses), "longest_first", limit)
        room = limit - self._tokenizer.num_special_tokens_to_add(pair=True)
        fits = [length < room for length in self._each_length(hypotheses)]
        found: dict[str, list[list[int]]] = {}
        for kind, is_chosen in (("only_first", True), ("longest_first", False)):
            places = [place for place, fit in enumerate(fits) if fit is is_chosen]
            texts = [premises[place] for place in places], [hypotheses[place] for place in places]
            for name, rows in (self._inputs(texts, kind, limit) if places else {}).items():
                merged = found.setdefault(name, [[]] * len(pairs))
                for place, row in zip(places, rows, strict=True):
                    merged[place] = row
        return found

    def _cut_by_piece(
        self, premises: list[str], hypotheses: list[str], limit: int
    ) -> dict[str, list[list[int]]]:
        backend = self._tokenizer.backend_tokenizer
        backend.no_truncation()
        room = limit - self._tokenizer.num_special_tokens_to_add(pair=True)
        joined = []
        for first, second in zip(
            backend.encode_batch(premises, add_special_tokens=False),
            backend.encode_batch(hypotheses, add_special_tokens=False),
            strict=True,
        ):
            if limit and len(first) + len(second) > room:
                first.truncate(min(len(first), max(room - len(second), (room + 1) // 2)))
                second.truncate(room - len(first))
            joined.append(backend.post_process(first, second))
        names = {"input_ids": "ids", **({"token_type_ids": "type_ids"} if self._has_segments else {})}
        return {name: [getattr(one, key) for one in joined] for name, key in names.items()}

    def _inputs(self, texts: Sequence[list[str]], cut: str, limit: int) -> dict[str, list[list[int]]]:
        shortening = {"truncation": cut, "max_length": limit} if limit else {}
        made = self._tokenizer(*texts, return_token_type_ids=self._has_segments, verbose=False, **shortening)
        return {name: made[name] for name in made if name != "attention_mask"}

    def _truncated(self, pairs: Sequence[Pair], joined: Sequence[str], limit: int) -> list[bool]:
        if not limit:
            return [False] * len(pairs)
        if joined:
            room = limit - self._tokenizer.num_special_tokens_to_add(pair=False)
            return [length > room for length in self.lengths(joined)]
        room = limit - self._tokenizer.num_special_tokens_to_add(pair=True)
        premises, hypotheses = zip(*pairs, strict=True)
        return [
            first + second > room
            for first, second in zip(self._each_length(premises), self._each_length(hypotheses), strict=True)
        ]

    def _each_length(self, texts: Sequence[str]) -> list[int]:
        """Return the length of each text; a text that occurs again is tokenized once."""
        different = list(dict.fromkeys(texts))
        length = dict(zip(different, self.lengths(different), strict=True))
        return [length[text] for text in texts]

    def _step(self, cut: dict[str, list[list[int]]], batch: Sequence[int]) -> list[NDArray[np.float32]]:
        """Return the scores of all labels for each pair of a batch."""
        inputs = self._tokenizer.pad(
            {name: [values[place] for place in batch] for name, values in cut.items()}, return_tensors="pt"
        ).to(self.device)
        with torch.inference_mode():
            if self._is_generative:
                start = self.module.config.decoder_start_token_id or 0
                first = torch.full((len(batch), 1), start, dtype=torch.long, device=self.device)
                logits = self.module(**inputs, decoder_input_ids=first).logits[:, 0, list(VERDICTS)]
            else:
                logits = self.module(**inputs).logits
            return list(logits.float().cpu().numpy())


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
