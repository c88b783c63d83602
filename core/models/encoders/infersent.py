"""InferSent word vectors in context (Conneau et al. 2017): a text read as one sentence, in both directions.

Words are tokenized as in the authors' code; words without a vector are left out. Version 1 uses GloVe vectors
and the markers <s> and </s>, version 2 fastText vectors and <p> and </p>.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from core.domain.study import Text
from core.errors import InputError
from core.models.catalogue.conversion import check_numbers
from core.models.encoders.text_encoding import EncodedText
from core.models.encoders.word_vectors import WordVectors
from core.models.runtime.batches import Batcher
from core.models.runtime.encoding_cache import BoundedCache
from core.text.sentences import sentence_spans_of
from core.text.treebank import Word, moses_words, treebank_words

_MARKS = {1: ("<s>", "</s>"), 2: ("<p>", "</p>")}
_BATCH_WORDS = 1024
"""Each step reads all weights, so large batches cost little more than small ones; even larger ones delay
cancellation.
"""

_NAMES = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")


def load_infersent(
    weights: Path, version: int, vectors: WordVectors, device: str, batch_words: int | None = None
) -> InferSent:
    """Load InferSent. Raises InputError if the file is damaged, unsafe, or does not fit the word vectors."""
    numbers = read_weights(weights)
    inner, read = numbers["weight_hh_l0"].shape[1], numbers["weight_ih_l0"].shape[1]
    if read != vectors.dimension:
        raise InputError(
            f"{weights} requires word vectors of dimension {read}, but the vectors next to it have dimension "
            f"{vectors.dimension}. Version 1 requires glove.840B.300d, version 2 crawl-300d-2M."
        )
    network = torch.nn.LSTM(read, inner, bidirectional=True)
    try:
        network.load_state_dict(numbers)
    except RuntimeError as error:
        raise InputError(f"{weights} contains no InferSent model ({error}). Get the file again.") from error
    return InferSent(network.eval().to(device), version, vectors, batch_words or _BATCH_WORDS)


class InferSent:
    """Encodes whole texts. batch_words: words per batch, padding included."""

    def __init__(self, network: torch.nn.LSTM, version: int, vectors: WordVectors, batch_words: int) -> None:
        self._network = network
        self._version = version
        self._vectors = vectors
        self._device = str(network.weight_ih_l0.device)
        self._batches = Batcher("InferSent", self._device, batch_words)
        self._cache: BoundedCache[EncodedText] = BoundedCache()

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Encode texts in order; rows of shape (words, width of both directions)."""
        encoded = self._cache.found(text.reading_key for text in texts)
        missing = list({text.reading_key: text for text in texts if text.reading_key not in encoded}.values())
        for text, result in zip(
            missing, self._encode([self._network_input(text) for text in missing]), strict=True
        ):
            encoded[text.reading_key] = result
            self._cache.keep(text.reading_key, result)
        return [encoded[text.reading_key] for text in texts]

    def _network_input(self, text: Text) -> _NetworkInput:
        """Return a text's words that have vectors, between the markers."""
        words = [
            word for sentence in treebank_words(text.content, sentence_spans_of(text)) for word in sentence
        ]
        if not words:
            return _NetworkInput((), torch.zeros(0, self._network.input_size), unknown_share=0.0)
        if self._version == 2:
            words = moses_words(words)
        begin, end = _MARKS[self._version]
        last = len(text.content)
        marked = [(begin, (0, 0)), *words, (end, (last, last))]
        lookup = self._vectors.of([word for word, _ in marked])
        known = tuple(word for word, is_known in zip(marked, lookup.is_known, strict=True) if is_known)
        vectors = torch.from_numpy(lookup.vectors[lookup.is_known].astype(np.float32))
        return _NetworkInput(known, vectors, unknown_share=1 - float(lookup.is_known[1:-1].mean()))

    def _encode(self, texts: Sequence[_NetworkInput]) -> list[EncodedText]:
        rows = self._rows([text.vectors for text in texts])
        return [
            EncodedText(
                tuple(word for word, _ in text.words),
                tuple(span for _, span in text.words),
                read.numpy(),
                text.unknown_share,
            )
            for text, read in zip(texts, rows, strict=True)
        ]

    def _rows(self, texts: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Return the vectors of each text's words, on the CPU; empty for a text without words."""
        fed = [text for text in texts if len(text)]
        read = iter(
            self._batches.run([*map(len, fed)], lambda places: self._states([fed[i] for i in places]))
        )
        return [next(read) if len(text) else torch.zeros(0, 2 * self._network.hidden_size) for text in texts]

    def _states(self, batch: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        lengths = torch.tensor([len(text) for text in batch])
        with torch.inference_mode():
            padded = pad_sequence(list(batch)).to(self._device)
            packed = pack_padded_sequence(padded, lengths, enforce_sorted=False)
            states, _ = pad_packed_sequence(self._network(packed)[0])
            return [states[:length, i].cpu().clone() for i, length in enumerate(lengths.tolist())]


@dataclass(frozen=True, slots=True, eq=False)
class _NetworkInput:
    """Input of the network for one text: words with their spans, and their vectors."""

    words: tuple[Word, ...]
    vectors: torch.Tensor
    unknown_share: float


def read_weights(weights: Path) -> dict[str, torch.Tensor]:
    """Return the weights of both directions by their names in torch. Runs no code from the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about damaged files
            state = torch.load(weights, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise InputError(
            f"{weights} contains objects other than tensors, which could run code when loaded; the first "
            "release of InferSent is such a file. Get infersent1.pkl or infersent2.pkl, which were released "
            "later."
        ) from error
    except (OSError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(f"{weights} cannot be read ({error}). Get the file again.") from error
    names = [f"{name}{side}" for side in ("", "_reverse") for name in _NAMES]
    tensors = state if isinstance(state, Mapping) else {}
    missing = [name for name in names if not isinstance(tensors.get(f"enc_lstm.{name}"), torch.Tensor)]
    if missing:
        raise InputError(
            f"{weights} contains no InferSent model: enc_lstm.{missing[0]} is missing. Get the file again."
        )
    numbers = {name: tensors[f"enc_lstm.{name}"].float() for name in names}
    check_numbers(numbers, weights)
    return numbers
