"""An encoder: texts to vectors of their word pieces or of themselves, on whatever device there is.

Texts go through the network sorted by length, under a budget of pieces per batch, and come back in the order
given. Batch size and order move no number by more than 1e-5 in float32.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.errors import InputError
from core.models.cache import BoundedCache
from core.models.catalogue import find, verified_hash
from core.models.devices import choose_device, default_batch_tokens, free_memory, is_out_of_memory
from core.models.folder import Model
from core.models.hashing import Digests
from core.models.matching import BestCosines, best_cosines
from core.models.network import Network, load_network
from core.models.pieces import Cutter, DocumentFrequencies, Pieces
from core.models.pooling import Pooling, pool, read_pooling
from core.progress import stop_if_asked

log = logging.getLogger(__name__)

EncodingCache = BoundedCache[torch.Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text's pieces with their vectors, shape (layers, pieces, dimension), on the encoder's device."""

    pieces: Pieces
    vectors: torch.Tensor


@dataclass(frozen=True, slots=True, eq=False)
class TextVectors:
    """One vector per text, shape (texts, dimension), and which texts were longer than the model takes."""

    vectors: NDArray[np.float32]
    is_truncated: NDArray[np.bool_]


def load_encoder(
    model: str,
    *,
    device: str = "auto",
    dtype: str = "float32",
    batch_tokens: int | None = None,
    cache: EncodingCache | None = None,
    digests: Digests | None = None,
) -> Encoder:
    """The encoder of a catalogue key, a folder or a hub name.

    batch_tokens: pieces per batch, padding included, None = what suits the device. cache: shared among
    encoders. digests: remembers weights' hashes. Raises MissingResource, with how to get the model, and
    InputError where it is of no use.
    """
    found = find(model)
    digest = verified_hash(found, digests or Digests())
    place = choose_device(device)
    stop_if_asked()
    network, tokenizer = load_network(found, place, dtype)
    return Encoder(
        model=found,
        digest=digest,
        network=network,
        cutter=Cutter(tokenizer),
        device=place,
        dtype=dtype,
        batch_tokens=batch_tokens or default_batch_tokens(place),
        cache=BoundedCache() if cache is None else cache,
    )


class Encoder:
    """A loaded model. Not for several threads at once: one worker owns the device."""

    def __init__(
        self,
        *,
        model: Model,
        digest: str,
        network: Network,
        cutter: Cutter,
        device: str,
        dtype: str,
        batch_tokens: int,
        cache: EncodingCache,
    ) -> None:
        self.model = model
        self.digest = digest
        self.device = device
        self.dtype = dtype
        self._network = network
        self._cutter = cutter
        self._batch_tokens = batch_tokens
        self._cache = cache

    def cut(self, texts: Sequence[str], limit: int = 0) -> list[Pieces]:
        """Texts cut into pieces, at most `limit` each and never more than the model takes (0 = just that)."""
        limits = [n for n in (limit, self.model.limit) if n > 0]
        return self._cutter.cut(texts, min(limits, default=0))

    def document_frequencies(self, texts: Sequence[str]) -> DocumentFrequencies:
        """In how many texts each piece occurs, texts cut at what the model takes."""
        return self._cutter.document_frequencies(texts, self.model.limit)

    def encode(self, texts: Sequence[str], layers: Sequence[int], limit: int = 0) -> list[Encoded]:
        """Each text's pieces and what the blocks `layers` (1 = the first) make of them, in texts' order."""
        pieces = self.cut(texts, limit)
        keys = [self._key(text, cut, layers) for text, cut in zip(texts, pieces, strict=True)]
        vectors = {key: kept for key in set(keys) if (kept := self._cache.get(key)) is not None}
        missing = {key: cut for key, cut in zip(keys, pieces, strict=True) if key not in vectors}
        for key, tensor in self._passes(missing, tuple(layers)):
            vectors[key] = tensor
            self._cache.keep(key, tensor)
        return [Encoded(cut, vectors[key]) for key, cut in zip(keys, pieces, strict=True)]

    def pooling(self) -> Pooling:
        """How the vector of a whole text is made. Raises InputError where the model's way is not known."""
        return read_pooling(self.model)

    def text_vectors(self, texts: Sequence[str]) -> TextVectors:
        """One vector per text from the last layer, pooled as the model's folder says."""
        pooling = self.pooling()
        if pooling.is_lower:
            texts = [text.lower() for text in texts]
        encoded = self.encode(texts, (self.model.layers,), pooling.limit)
        with torch.inference_mode():
            rows = [
                pool(pooling, one.vectors[0], torch.from_numpy(one.pieces.is_special).to(self.device))
                for one in encoded
            ]
            vectors = (
                torch.stack(rows).cpu().numpy() if rows else np.zeros((0, self.model.dimension), np.float32)
            )
        return TextVectors(vectors, np.array([one.pieces.is_truncated for one in encoded], dtype=bool))

    def best_cosines(
        self, mine: Sequence[Encoded], theirs: Sequence[Encoded]
    ) -> tuple[BestCosines, BestCosines]:
        """Each piece's nearest piece in every text of the other side, both ways, by the first layer."""
        return best_cosines([one.vectors[0] for one in mine], [one.vectors[0] for one in theirs])

    def _key(self, text: str, pieces: Pieces, layers: Sequence[int]) -> Hashable:
        # the number of pieces stands for the truncation: two limits beyond a text's end share its pass
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return self.digest, self.device, self.dtype, tuple(layers), len(pieces.ids), digest

    def _passes(
        self, missing: dict[Hashable, Pieces], layers: tuple[int, ...]
    ) -> Iterator[tuple[Hashable, torch.Tensor]]:
        waiting = sorted(missing.items(), key=lambda item: len(item[1].ids))
        while waiting:
            stop_if_asked()
            batch = self._next_batch(waiting)
            states = self._states([pieces for _, pieces in batch], layers)
            yield from zip((key for key, _ in batch), states, strict=True)

    def _next_batch(self, waiting: list[tuple[Hashable, Pieces]]) -> list[tuple[Hashable, Pieces]]:
        """Take the longest texts that fit the budget together, at least one."""
        fitting = max(1, self._batch_tokens // len(waiting[-1][1].ids))
        batch = waiting[-fitting:]
        del waiting[-fitting:]
        return batch

    def _states(self, batch: Sequence[Pieces], layers: tuple[int, ...]) -> list[torch.Tensor]:
        try:
            return self._network.hidden([pieces.ids.tolist() for pieces in batch], layers)
        except RuntimeError as error:
            if not is_out_of_memory(error):
                raise
        # past the handler, so that the failed pass's memory is no longer held by its traceback
        longest = max(len(pieces.ids) for pieces in batch)
        if len(batch) == 1:
            raise InputError(
                f"A text of {longest} pieces in {self.model.name} does not fit into {self.device}'s memory; "
                "use a smaller encoder or the device cpu."
            )
        half = len(batch) // 2
        self._batch_tokens = min(self._batch_tokens, half * longest)
        log.warning(
            "out of memory on %s: batches hold %d pieces from now on", self.device, self._batch_tokens
        )
        self._cache.clear()
        free_memory(self.device)
        return self._states(batch[:half], layers) + self._states(batch[half:], layers)
