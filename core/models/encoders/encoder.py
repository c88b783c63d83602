"""Encoder that maps texts to vectors of their word pieces or of whole texts.

Texts are sorted by length and encoded in batches with a maximum number of word pieces; results are in input
order. Batch size and order change no number by more than 1e-5 in float32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.catalogue.digests import DigestCache
from core.models.catalogue.lookup import find_model, verified_hash
from core.models.catalogue.model_folder import Model
from core.models.encoders.greedy_matching import BestCosines, best_cosines
from core.models.encoders.pooling import Pooling, pool, read_pooling
from core.models.encoders.text_encoding import EncodeRequest
from core.models.runtime.batches import Batcher
from core.models.runtime.devices import choose_device, default_batch_tokens
from core.models.runtime.disk_cache import DiskEncodingCache
from core.models.runtime.encoding_cache import BoundedCache
from core.models.runtime.memory import default_cache_bytes, fitting_tokens
from core.models.runtime.network import Network, load_network
from core.models.runtime.word_pieces import DocumentFrequencies, WordPieces, WordPieceTokenizer
from core.progress import raise_if_cancelled

TextKey = bytes
LayerName = int
"""Number of a layer, from 1; negative if requested alone and its output differs from a run with others."""


@dataclass(slots=True)
class MissingLayers:
    """Texts and, for each, the layers that are missing."""

    _texts: dict[TextKey, tuple[WordPieces, set[LayerName]]] = field(default_factory=dict)

    def add(self, key: TextKey, pieces: WordPieces, names: Iterable[LayerName]) -> None:
        """Add layers of a text that are missing."""
        self._texts.setdefault(key, (pieces, set()))[1].update(names)

    @property
    def size(self) -> int:
        """Number of vectors: word pieces, each counted once per layer."""
        return sum(len(pieces.ids) * len(names) for pieces, names in self._texts.values())

    def groups(self) -> Iterator[tuple[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]]]:
        """Yield groups of layers that run together, with the texts that need them."""
        groups: dict[tuple[LayerName, ...], list[tuple[TextKey, WordPieces]]] = {}
        for key, (pieces, names) in self._texts.items():
            alone = [(name,) for name in sorted(names) if name < 0]
            together = tuple(sorted(name for name in names if name > 0))
            for group in (*alone, *([together] if together else [])):
                groups.setdefault(group, []).append((key, pieces))
        yield from groups.items()


def text_key(pieces: WordPieces) -> TextKey:
    """Return a key that is equal for texts which the network reads the same way, truncation included."""
    return hashlib.sha256(pieces.ids.tobytes()).digest()


EncodingCache = BoundedCache[torch.Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text's word pieces and vectors of shape (layers, pieces, dimension), on the encoder's device."""

    pieces: WordPieces
    vectors: torch.Tensor


@dataclass(frozen=True, slots=True, eq=False)
class TextVectors:
    """One vector per text, shape (texts, dimension), and which texts were truncated."""

    vectors: NDArray[np.float32]
    is_truncated: NDArray[np.bool_]


def load_encoder(
    model: str,
    *,
    device: str = "auto",
    dtype: str = "float32",
    batch_tokens: int | None = None,
    cache: EncodingCache | None = None,
    disk: DiskEncodingCache | None = None,
    digests: DigestCache | None = None,
) -> Encoder:
    """Load the encoder of a catalogue key, folder or hub name.

    batch_tokens: word pieces per batch, padding included; None = default of the device.
    cache: shared between encoders.
    disk: encodings of earlier runs; used only on a CPU, because a GPU encodes as fast as a disk reads.
    digests: cache of weight hashes.
    Raises MissingResource with how to get the model, InputError if it is not usable.
    """
    installed = find_model(model)
    digest = verified_hash(installed, digests or DigestCache())
    place = choose_device(device)
    raise_if_cancelled()
    network, tokenizer = load_network(installed, place, dtype)
    return Encoder(
        model=installed,
        digest=digest,
        network=network,
        cutter=WordPieceTokenizer(tokenizer),
        device=place,
        dtype=dtype,
        batch_tokens=batch_tokens,
        cache=BoundedCache(default_cache_bytes(place)) if cache is None else cache,
        disk=disk if place == "cpu" else None,
    )


class Encoder:
    """A loaded encoder. Not thread-safe: one worker owns the device."""

    def __init__(
        self,
        *,
        model: Model,
        digest: str,
        network: Network,
        cutter: WordPieceTokenizer,
        device: str,
        dtype: str,
        batch_tokens: int | None,
        cache: EncodingCache,
        disk: DiskEncodingCache | None = None,
    ) -> None:
        self.model = model
        self.digest = digest
        self.device = device
        self.dtype = dtype
        self._network = network
        self._cutter = cutter
        self._batch_tokens = batch_tokens
        self._batches = Batcher(model.name, device, make_room=cache.clear)
        self._cache = cache
        self._disk = disk
        self._is_plain = network.is_plain
        setup = hashlib.sha256((model.folder / "config.json").read_bytes()).hexdigest()
        self._identity = f"{digest}|{setup}|{device}|{dtype}"

    def cut(self, texts: Sequence[str], limit: int = 0) -> list[WordPieces]:
        """Tokenize texts, truncated to `limit` pieces (0 = none) and to the model's maximum."""
        limits = [n for n in (limit, self.model.limit) if n > 0]
        return self._cutter.cut(texts, min(limits, default=0))

    def unknown_shares(self, texts: Sequence[str]) -> list[float]:
        """Return the share of each text that the vocabulary does not know, in [0, 1]."""
        return self._cutter.unknown_shares(texts)

    def document_frequencies(self, texts: Sequence[str]) -> DocumentFrequencies:
        """Count in how many texts each piece occurs; texts are truncated to the model's maximum."""
        return self._cutter.document_frequencies(texts, self.model.limit)

    def encode(self, texts: Sequence[str], layers: Sequence[int], limit: int = 0) -> list[Encoded]:
        """Return each text's pieces with the outputs of the given blocks (1 = the first), in input order."""
        pieces, names = self.cut(texts, limit), self._names(layers)
        keys = [text_key(cut) for cut in pieces]
        layer_vectors = {(key, name): self._cached(key, name) for key in set(keys) for name in names}
        missing = MissingLayers()
        for key, cut in zip(keys, pieces, strict=True):
            missing.add(key, cut, [name for name in names if layer_vectors[key, name] is None])
        for batch in self._passes(missing):
            layer_vectors.update(batch)
        rows = [[layer_vectors[key, name] for name in names] for key in keys]
        return [Encoded(cut, _stacked(row)) for cut, row in zip(pieces, rows, strict=True)]

    def prefetch(self, requests: Iterable[EncodeRequest]) -> Iterator[float]:
        """Encode and cache everything requested; yields the finished share after each batch."""
        missing = MissingLayers()
        for request in requests:
            for cut in self.cut(request.texts, request.limit):
                key, names = text_key(cut), self._names(request.layers)
                missing.add(key, cut, [name for name in names if self._cached(key, name) is None])
        total, done = missing.size, 0
        for batch in self._passes(missing):
            done += sum(len(vectors) for vectors in batch.values())
            yield done / total

    def nbytes_of(self, requests: Iterable[EncodeRequest]) -> int:
        """Return the memory in bytes that the requested encodings need."""
        needed = MissingLayers()
        for request in requests:
            for cut in self.cut(request.texts, request.limit):
                needed.add(text_key(cut), cut, self._names(request.layers))
        return needed.size * self.model.dimension * (4 if self.dtype == "float32" else 2)

    @property
    def room(self) -> int:
        """Size of the cache in bytes."""
        return self._cache.max_bytes

    def pooling(self) -> Pooling:
        """Pooling of the model. Raises InputError if it is not supported."""
        return read_pooling(self.model)

    def text_vectors(self, texts: Sequence[str]) -> TextVectors:
        """Return one vector per text from the last layer, pooled as the model's folder specifies."""
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
        """Match each piece to the nearest piece in every text of the other side, both ways.

        Compares the first encoded layer.
        """
        return best_cosines([one.vectors[0] for one in mine], [one.vectors[0] for one in theirs])

    def _names(self, layers: Sequence[int]) -> list[LayerName]:
        """Return cache names of layers; negative if a layer alone differs from a run with other layers."""
        is_alone = len(layers) == 1 and not self._is_plain and layers[0] < self.model.layers
        return [-layer if is_alone else layer for layer in layers]

    def _id(self, key: TextKey, name: LayerName) -> str:
        """Return the cache key of a text's layer, equal in every process."""
        return hashlib.blake2b(f"{self._identity}|{name}|".encode() + key, digest_size=16).hexdigest()

    def _cached(self, key: TextKey, name: LayerName) -> torch.Tensor | None:
        cache_key = self._id(key, name)
        vectors = self._cache.get(cache_key)
        if vectors is None and self._disk is not None:
            page = self._disk.page_of(cache_key)
            for other, read in page.items():
                self._cache.keep(other, read)
            vectors = page.get(cache_key)
        return vectors

    def _keep(self, made: Mapping[tuple[TextKey, LayerName], torch.Tensor]) -> None:
        by_id = {self._id(*one): vectors for one, vectors in made.items()}
        for one, vectors in by_id.items():
            self._cache.keep(one, vectors)
        if self._disk is not None:
            self._disk.keep(by_id)

    def _passes(self, missing: MissingLayers) -> Iterator[dict[tuple[TextKey, LayerName], torch.Tensor]]:
        """Encode missing layers batch by batch, and cache the results."""
        try:
            for names, waiting in missing.groups():
                yield from self._group(names, waiting)
        finally:
            if self._disk is not None:
                self._disk.flush()

    def _group(
        self, names: Sequence[LayerName], waiting: Sequence[tuple[TextKey, WordPieces]]
    ) -> Iterator[dict[tuple[TextKey, LayerName], torch.Tensor]]:
        """Encode some layers of some texts, batch by batch."""
        layers = self._layers_run(names)

        def step(places: Sequence[int]) -> list[torch.Tensor]:
            return self._network.hidden([waiting[place][1].ids.tolist() for place in places], layers)

        lengths = [len(pieces.ids) for _, pieces in waiting]
        for states in self._batches.passes(lengths, step, self._budget(len(names))):
            made = {
                (waiting[place][0], name): vectors
                for place, of_layers in states.items()
                for name, vectors in zip(names, of_layers, strict=False)
            }
            self._keep(made)
            yield made

    def _layers_run(self, names: Sequence[LayerName]) -> tuple[int, ...]:
        """Return the layers to run; layers that must run together with others include the last."""
        layers = tuple(abs(name) for name in names)
        is_beside = len(names) == 1 and names[0] > 0 and not self._is_plain
        return (*layers, self.model.layers) if is_beside and layers[0] < self.model.layers else layers

    def _budget(self, layers: int) -> int:
        """Return the maximum word pieces of a batch for a number of layers, from the free memory."""
        number_bytes = 4 if self.dtype == "float32" else 2
        fitting = fitting_tokens(self.device, self.model.dimension, layers, number_bytes)
        return self._batch_tokens or min(default_batch_tokens(self.device), fitting)


def _stacked(vectors: Sequence[torch.Tensor | None]) -> torch.Tensor:
    """Stack one text's layers, shape (layers, pieces, dimension)."""
    there = [one for one in vectors if one is not None]
    return there[0][None] if len(there) == 1 else torch.stack(there)
