"""Log-likelihood of a text given another one, by a sequence-to-sequence or causal language model."""

from __future__ import annotations

import copy
import inspect
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from core.domain.study import Span
from core.errors import InputError
from core.models.catalogue.model_folder import Model, position_limit, read_json
from core.models.heads.head_model import HeadModel
from core.models.runtime.batches import Batcher
from core.models.runtime.heads import Head, LoadOptions, generation_head, open_head
from core.models.runtime.network import SHORT, padded
from core.progress import raise_if_cancelled

_LOGITS = 2**28
"""Most scores of a batch: pieces times vocabulary; 1 GB in float32."""

_REMEMBERED = 20_000
_SHARED = 32
"""Fewest pieces of a source that are worth being read apart."""

_ALIKE = 1e-3
"""Largest difference of log-probabilities from which a model counts as one that continues."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A source and a target whose likelihood is asked.

    before, source, after: what the model reads first; of a text that is too long, the end of `source` is left
    out. target: the text that is scored.
    """

    before: str
    source: str
    after: str
    target: str

    @property
    def context(self) -> str:
        """What the model reads before the target."""
        return self.before + self.source + self.after


@dataclass(frozen=True, slots=True, eq=False)
class TargetLikelihood:
    """Log-probability of each piece of a target in nats, shape (pieces,), and the pieces' places in it.

    Special pieces that the model counts have an empty place. is_cut: a part of the source or target was left
    out.
    """

    values: NDArray[np.float64]
    spans: tuple[Span, ...]
    is_cut: bool


def load_likelihood(model: str, **options: Unpack[LoadOptions]) -> LikelihoodModel:
    """Load the language model of a folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or generates no text.
    """
    loaded = open_head(model, generation_head, **options)
    is_causal = generation_head(loaded.model) is Head.CAUSAL_LM
    return (CausalLikelihood if is_causal else SequenceLikelihood)(*loaded)


class LikelihoodModel(HeadModel):
    """A loaded language model that remembers the latest results. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        logits = max(_LOGITS // int(module.config.get_text_config().vocab_size), 1)
        super().__init__(model, module, tokenizer, device, min(batch_tokens, logits))
        self._positions = position_limit(read_json(model.folder / "config.json"))
        self._padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
        self._encoding = Batcher(model.name, device, batch_tokens)
        self._known: OrderedDict[tuple[Passage, int], TargetLikelihood] = OrderedDict()

    def score(self, passages: Sequence[Passage], limit: int = 0) -> list[TargetLikelihood]:
        """Return the likelihood of each target; each passage is run only once.

        limit: maximum number of pieces of what the model reads at once, 0 = the model's own; where the model
        has fewer positions, these count.
        """
        limit = self._limit(limit)
        missing = [one for one in dict.fromkeys(passages) if (one, limit) not in self._known]
        for one, found in zip(missing, self._run(missing, limit) if missing else (), strict=True):
            self._known[one, limit] = found
        results = [self._known[one, limit] for one in passages]
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return results

    def _run(self, passages: Sequence[Passage], limit: int) -> list[TargetLikelihood]:
        raise NotImplementedError

    def _limit(self, requested: int) -> int:
        """Return the most pieces, 0 = no limit: as requested, but within the network's positions."""
        return min((n for n in (requested or self.model.limit, self._positions) if n > 0), default=0)

    def _padded(self, rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return rows of ids as a tensor padded on the right, and its mask."""
        ids, mask = padded(rows, self._padding)
        return ids.to(self.device), mask.to(self.device)


class SequenceLikelihood(LikelihoodModel):
    """A model that encodes the source; every piece of the target counts, also the marks of its ends.

    The encoder reads each source once, however many targets it has.
    """

    def _run(self, passages: Sequence[Passage], limit: int) -> list[TargetLikelihood]:
        shorten = {"truncation": True, "max_length": limit} if limit else {}
        contexts = list(dict.fromkeys(one.context for one in passages))
        targets = list(dict.fromkeys(one.target for one in passages))
        sources = self._tokenizer(contexts, verbose=False, **shorten)["input_ids"]
        cut = self._tokenizer(targets, verbose=False, return_offsets_mapping=True, **shorten)
        labels, offsets = cut["input_ids"], cut["offset_mapping"]
        is_long = {text: self._is_long(text, limit) for text in {*contexts, *targets}}
        states = self._encoding.run([len(ids) for ids in sources], lambda batch: self._encode(sources, batch))
        source_of = {text: at for at, text in enumerate(contexts)}
        target_of = {text: at for at, text in enumerate(targets)}
        pairs = [(source_of[one.context], target_of[one.target]) for one in passages]
        lengths = [len(labels[target]) for _, target in pairs]

        def step(batch: Sequence[int]) -> list[NDArray[np.float64]]:
            chosen = [pairs[at] for at in batch]
            return self._decode([states[source] for source, _ in chosen], [labels[to] for _, to in chosen])

        rows = self._batches.run(lengths, step)
        return [
            TargetLikelihood(
                row,
                tuple((int(start), int(end)) for start, end in offsets[target]),
                is_long[one.context] or is_long[one.target],
            )
            for one, row, (_, target) in zip(passages, rows, pairs, strict=True)
        ]

    def _is_long(self, text: str, limit: int) -> bool:
        return bool(limit) and len(self._tokenizer(text, verbose=False)["input_ids"]) > limit

    def _encode(self, sources: Sequence[Sequence[int]], batch: Sequence[int]) -> list[torch.Tensor]:
        """Return the encoder's states of some sources, each of shape (pieces, dimension)."""
        ids, mask = self._padded([sources[at] for at in batch])
        with torch.inference_mode():
            states = self.module.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
            return [state[: len(sources[at])].clone() for state, at in zip(states, batch, strict=True)]

    def _decode(
        self, states: Sequence[torch.Tensor], labels: Sequence[Sequence[int]]
    ) -> list[NDArray[np.float64]]:
        """Return the log-probability of each label, given a source's states."""
        from transformers.modeling_outputs import BaseModelOutput

        ids, _ = self._padded(labels)
        with torch.inference_mode():
            hidden = torch.nn.utils.rnn.pad_sequence(list(states), batch_first=True)
            reach = torch.tensor([len(state) for state in states], device=self.device)
            mask = (torch.arange(hidden.shape[1], device=self.device) < reach[:, None]).long()
            encoded = BaseModelOutput(last_hidden_state=hidden)
            logits = self.module(encoder_outputs=encoded, attention_mask=mask, labels=ids).logits
            return _chosen(logits, ids, [(0, len(row)) for row in labels])


@dataclass(frozen=True, slots=True)
class _CutPassage:
    """Pieces of a passage. first: of the target's. spans: of these. is_cut: something is left out."""

    ids: list[int]
    first: int
    spans: tuple[Span, ...]
    is_cut: bool = False


class CausalLikelihood(LikelihoodModel):
    """A model that reads the source and the target in one; the target's own pieces count.

    A source with several targets is read once, if the model continues from it with the same result.
    """

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        super().__init__(model, module, tokenizer, device, batch_tokens)
        self._keeps = "logits_to_keep" in inspect.signature(module.forward).parameters

    def _run(self, passages: Sequence[Passage], limit: int) -> list[TargetLikelihood]:
        cut = [self._fitted(one, limit) for one in passages]
        by_context: dict[str, list[int]] = {}
        for at, one in enumerate(passages):
            by_context.setdefault(one.context, []).append(at)
        alone: list[int] = []
        rows: dict[int, NDArray[np.float64]] = {}
        for places in by_context.values():
            group = [cut[at] for at in places]
            shared = _common_length(group)
            if len(group) > 1 and shared >= _SHARED and self._continues:
                rows |= zip(places, self._after(group, shared), strict=True)
            else:
                alone += places
        rows |= zip(alone, self._whole([cut[at] for at in alone]), strict=True)
        return [TargetLikelihood(rows[at], one.spans, one.is_cut) for at, one in enumerate(cut)]

    def _whole(self, cut: Sequence[_CutPassage]) -> list[NDArray[np.float64]]:
        """Return the log-probability of each target piece, reading everything."""
        return self._batches.run(
            [len(one.ids) for one in cut], lambda batch: self._step([cut[at] for at in batch])
        )

    def _after(self, cut: Sequence[_CutPassage], shared: int) -> list[NDArray[np.float64]]:
        """Return the same, reading the first pieces, which all passages share, only once."""
        more = {"logits_to_keep": 1} if self._keeps else {}

        def begin(_: Sequence[int]) -> list[Any]:
            ids, mask = self._padded([cut[0].ids[:shared]])
            with torch.inference_mode():
                return [
                    self.module(input_ids=ids, attention_mask=mask, use_cache=True, **more).past_key_values
                ]

        (state,) = self._batches.run([shared], begin)
        rests = [_CutPassage(one.ids[shared:], one.first - shared, one.spans) for one in cut]
        return self._batches.run(
            [len(one.ids) for one in cut],
            lambda batch: self._step([rests[at] for at in batch], state, shared),
        )

    @cached_property
    def _continues(self) -> bool:
        """Whether the model gives the same result after a shared beginning; some keep no such state."""
        ids = list(self._tokenizer(SHORT, verbose=False)["input_ids"]) * 2
        half = len(ids) // 2
        probe = [_CutPassage(ids[: half + 3], half + 1, ()), _CutPassage(ids[: half + 2], half + 1, ())]
        try:
            pairs = zip(self._after(probe, half), self._whole(probe), strict=True)
            return all(np.allclose(one, other, atol=_ALIKE) for one, other in pairs)
        except (AttributeError, IndexError, NotImplementedError, RuntimeError, TypeError, ValueError):
            return False

    def _fitted(self, passage: Passage, limit: int) -> _CutPassage:
        """Return the pieces of a passage within the limit."""
        raise_if_cancelled()
        ids, first, spans = self._cut(passage.context, passage.target)
        if not limit or len(ids) <= limit:
            return _CutPassage(ids, first, spans)
        pieces = self._tokenizer(
            passage.source, add_special_tokens=False, return_offsets_mapping=True, verbose=False
        )
        ends = [end for _, end in pieces["offset_mapping"]]
        kept = len(ends) - (len(ids) - limit)
        while kept > 0:  # the parts may be divided otherwise where they meet
            shorter = passage.before + passage.source[: ends[kept - 1]].rstrip() + passage.after
            ids, first, spans = self._cut(shorter, passage.target)
            if len(ids) <= limit:
                return _CutPassage(ids, first, spans, True)
            kept -= max(len(ids) - limit, 1)
        ids, first, spans = self._cut(passage.before + passage.after, passage.target)
        if first >= limit:
            raise InputError(
                f"The prompt does not fit in the {limit} tokens that {self.model.name} reads. Shorten it."
            )
        return _CutPassage(ids[:limit], first, spans[: limit - first], True)

    def _cut(self, context: str, target: str) -> tuple[list[int], int, tuple[Span, ...]]:
        """Return the pieces of a context and its target, the first one of the target, and their places in it.

        A piece across the boundary belongs to the target.
        """
        whole = self._tokenizer(context + target, return_offsets_mapping=True, verbose=False)
        ids, offsets = list(whole["input_ids"]), list(whole["offset_mapping"])
        start = len(context)
        own = [at for at, (begin, end) in enumerate(offsets) if end > max(start, begin)]
        first, last = (own[0], own[-1] + 1) if own else (len(ids), len(ids))
        if first == 0:  # the first piece is predicted from the mark of the beginning, or not at all
            beginning = self._tokenizer.bos_token_id
            ids = [beginning, *ids] if beginning is not None else ids
            offsets = [(0, 0), *offsets] if beginning is not None else offsets
            first, last = 1, last + (beginning is not None)
        spans = tuple((max(begin - start, 0), max(end - start, 0)) for begin, end in offsets[first:last])
        return ids[:last], first, spans

    def _step(
        self, cut: Sequence[_CutPassage], state: Any = None, shared: int = 0
    ) -> list[NDArray[np.float64]]:
        """Return the log-probability of each target piece.

        state: of the model after the pieces that come before, None = there are none. shared: their number.
        """
        firsts = [one.first for one in cut]
        ids, mask = self._padded([one.ids for one in cut])
        kept = ids.shape[1] - min(firsts) + 1
        more: dict[str, Any] = {"logits_to_keep": kept} if self._keeps else {}
        with torch.inference_mode():
            if state is not None:
                held = copy.deepcopy(state)
                if len(cut) > 1:
                    held.batch_repeat_interleave(len(cut))
                mask = torch.cat([mask.new_ones((len(cut), shared)), mask], dim=1)
                more["past_key_values"] = held
            logits = self.module(
                input_ids=ids, attention_mask=mask, use_cache=state is not None, **more
            ).logits
            left_out = ids.shape[1] - logits.shape[1]
            ends = [len(one.ids) for one in cut]
            ranges = [(at - left_out - 1, end - left_out - 1) for at, end in zip(firsts, ends, strict=True)]
            return _chosen(logits[:, :-1], ids[:, left_out + 1 :], ranges)


def _common_length(cut: Sequence[_CutPassage]) -> int:
    """Return how many pieces at the beginning all passages share, before the last that predicts a target."""
    columns = zip(*(one.ids for one in cut), strict=False)
    same = next((at for at, column in enumerate(columns) if len(set(column)) > 1), len(cut[0].ids))
    return min(same, *(one.first - 1 for one in cut))


def _chosen(
    logits: torch.Tensor, ids: torch.Tensor, ranges: Sequence[tuple[int, int]]
) -> list[NDArray[np.float64]]:
    """Return the log-probabilities of ids in a range of each row.

    logits: shape (rows, pieces, vocabulary). ids: shape (rows, pieces).
    """
    scores = logits.float()
    of_ids = scores.gather(2, ids[:, :, None])[:, :, 0] - scores.logsumexp(dim=2)
    values = of_ids.cpu().numpy().astype(np.float64)
    return [row[begin:end] for row, (begin, end) in zip(values, ranges, strict=True)]
