"""COMET (Rei et al. 2020, 2022): a rating of a text by its source, and by a reference if there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open

from core.errors import InputError
from core.models.catalogue.comet import HEAD, head_of
from core.models.catalogue.conversion import check_numbers
from core.models.catalogue.model_folder import Model, position_limit, read_json
from core.models.heads.head_model import HeadModel
from core.models.runtime.heads import Head, LoadOptions, open_head
from core.models.runtime.network import refuse_missing

_REMEMBERED = 20_000
_ROWS = 1024
"""Rows that go through the feed-forward network at once."""
_SPARE = 2
"""Positions that the authors' program does not use for a text of its own."""

_STEP, _PARTS = 3, ("weight", "bias")
"""Places from one layer of the estimator to the next (activation and dropout are between), and its parts."""


@dataclass(frozen=True, slots=True, eq=False)
class TextRatings:
    """Ratings of rows of texts. values, is_truncated: shape (rows,)."""

    values: NDArray[np.float32]
    is_truncated: NDArray[np.bool_]


def load_comet(model: str, **options: Unpack[LoadOptions]) -> Comet:
    """Load the checkpoint of a catalogue key, folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or of another kind.
    """
    return Comet(*open_head(model, lambda _: Head.COMET, **options))


class Comet(HeadModel):
    """A loaded checkpoint that remembers what it read. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        config = read_json(model.folder / "config.json")
        super().__init__(model, module, tokenizer, device, batch_tokens)
        self._limit = position_limit(config)
        self._options = head_of(model)
        with safe_open(model.weights[0], "pt") as file:
            own = {name: file.get_tensor(name) for name in file.keys() if name.startswith(HEAD)}  # noqa: SIM118
        check_numbers(own, model.folder)
        own = {name.removeprefix(f"{HEAD}."): tensor.float().to(device) for name, tensor in own.items()}
        try:
            self._use(own)
        except (LookupError, RuntimeError, TypeError, ValueError) as error:
            raise InputError(
                f"The weights of {model.name} in {model.folder} do not fit together ({error}). Add the "
                "folder with its checkpoints/model.ckpt again."
            ) from error
        self._known: dict[tuple[str, ...], tuple[NDArray[np.float32], bool]] = {}

    def _use(self, own: Mapping[str, torch.Tensor]) -> None:
        """Take the tensors of the head by name, and rate a row of zeros: their sizes are not written down."""
        names = _used_names(own)
        refuse_missing(self.model, [f"{HEAD}.{name}" for name in names if name not in own])
        weigh = _sparsemax if self._options["is_sparse"] else lambda scalars: torch.softmax(scalars, dim=0)
        self._layers: list[float] = (weigh(own["layers"]) * own["gamma"]).tolist()
        if len(self._layers) != self.model.layers + 1:
            raise ValueError(f"{len(self._layers)} weights of layers")
        self._estimator = [
            (own[weight], own[bias]) for weight, bias in zip(names[2::2], names[3::2], strict=True)
        ]
        texts = 1 if self._options["is_joint"] else len(self._options["reads"])
        self._estimate(np.zeros((1, texts, self.model.dimension), dtype=np.float32))

    def rate(self, rows: Sequence[tuple[str, ...]]) -> TextRatings:
        """Rate the first text of each row: a summary, a reference if the checkpoint reads one, a document."""
        texts = rows if self._options["is_joint"] else [(text,) for row in rows for text in row]
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        self._read([one for one in dict.fromkeys(texts) if one not in self._known])
        found = [self._known[one] for one in texts]
        shape = len(rows), len(texts) // max(len(rows), 1)
        vectors = np.array([vector for vector, _ in found], dtype=np.float32)
        vectors = vectors.reshape(*shape, self.model.dimension)
        is_cut = np.logical_or.reduce(
            np.array([cut for _, cut in found], dtype=np.bool_).reshape(shape), axis=1
        )
        parts = [self._estimate(vectors[at : at + _ROWS]) for at in range(0, len(rows), _ROWS)]
        return TextRatings(np.concatenate([np.zeros(0, dtype=np.float32), *parts]), is_cut)

    def _read(self, inputs: Sequence[tuple[str, ...]]) -> None:
        """Remember the vector of each input: a text, or several that are read together."""
        cut = [self._cut(texts) for texts in inputs]
        lengths = [len(ids) for ids, _ in cut]
        vectors = self._batches.run(lengths, lambda batch: self._step([cut[place][0] for place in batch]))
        for texts, vector, (_, is_cut) in zip(inputs, vectors, cut, strict=True):
            self._known[texts] = vector, is_cut

    def _cut(self, texts: tuple[str, ...]) -> tuple[list[int], bool]:
        """Return the word pieces of an input, each text cut alone first, and whether one was cut."""
        room = self._limit - _SPARE - self._tokenizer.num_special_tokens_to_add(pair=False)
        found = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        begin, end = self._tokenizer.bos_token_id, self._tokenizer.eos_token_id
        # a text may contain the mark of padding, which the authors' program leaves out of a joint input
        unread = {self._tokenizer.pad_token_id} if self._options["is_joint"] else set[int]()
        ids = [begin]
        for place, one in enumerate(found):
            ids += [*([end] if place else []), *(piece for piece in one[:room] if piece not in unread), end]
        return ids[: self._limit], len(ids) > self._limit or any(len(one) > room for one in found)

    def _step(self, ids: Sequence[Sequence[int]]) -> list[NDArray[np.float32]]:
        padding = self._tokenizer.pad_token_id
        inputs = self._tokenizer.pad({"input_ids": list(ids)}, return_tensors="pt").to(self.device)
        with torch.inference_mode():
            states = self.module(**inputs, output_hidden_states=True).hidden_states
            mask = inputs["attention_mask"].unsqueeze(-1).float()
            mixed = sum(
                weight * self._normed(state.float(), mask)
                for weight, state in zip(self._layers, states, strict=True)
                if weight
            )
            assert isinstance(mixed, torch.Tensor)
            if self._options["is_joint"]:
                vectors = mixed[:, 0]
            else:
                is_piece = inputs["input_ids"].ne(padding).unsqueeze(-1)
                vectors = (mixed * is_piece).sum(dim=1) / mask.sum(dim=1)
            return list(vectors.cpu().numpy())

    def _normed(self, state: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the output of a layer, by its mean and deviation over a text if the checkpoint has it so."""
        if not self._options["is_normed"]:
            return state
        count = mask.sum(dim=(1, 2), keepdim=True) * state.shape[2]
        mean = (state * mask).sum(dim=(1, 2), keepdim=True) / count
        variance = (((state - mean) * mask) ** 2).sum(dim=(1, 2), keepdim=True) / count
        return (state - mean) / torch.sqrt(variance + 1e-12)

    def _estimate(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the ratings of rows, from the vectors of their texts, shape (rows, texts, width)."""
        texts = torch.from_numpy(vectors).to(self.device)
        with torch.inference_mode():
            values = self._features(texts)
            for weight, bias in self._estimator[:-1]:
                values = getattr(torch, self._options["activation"])(values @ weight.T + bias)
            weight, bias = self._estimator[-1]
            values = values @ weight.T + bias
            if final := self._options["final_activation"]:
                values = getattr(torch, final)(values)
            rated: NDArray[np.float32] = values[:, 0].cpu().numpy()
            return rated

    def _features(self, texts: torch.Tensor) -> torch.Tensor:
        if self._options["is_joint"]:
            return texts[:, 0]
        summary, *others = texts.unbind(dim=1)
        compared = [part for one in others for part in (summary * one, (summary - one).abs())]
        return torch.cat([summary, others[0], *compared], dim=1)


def _used_names(own: Mapping[str, torch.Tensor]) -> list[str]:
    """Return the names of a head's tensors: the weight and bias of every third place, up to one output."""
    of_place = {int(name.split(".")[2]): len(own[name]) for name in own if name.startswith("estimator.ff.")}
    last = max(of_place, default=-_STEP)
    end = last if of_place.get(last) == 1 else last + _STEP
    places = range(0, end + 1, _STEP)
    return ["layers", "gamma", *(f"estimator.ff.{place}.{part}" for place in places for part in _PARTS)]


def _sparsemax(scalars: torch.Tensor) -> torch.Tensor:
    """Return the sparse weights of Martins and Astudillo (2016), which sum to one. scalars: shape (n,)."""
    ordered = scalars.sort(descending=True).values
    sums = ordered.cumsum(dim=0) - 1
    counts = torch.arange(1, len(ordered) + 1, device=scalars.device)
    support = int((counts * ordered > sums).sum())
    return torch.clamp(scalars - sums[support - 1] / support, min=0)
