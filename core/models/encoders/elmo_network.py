"""ELMo network from its published files: character CNN, then two directions of LSTM layers.

Peters et al. 2018. ``options.json`` contains the sizes, ``weights.hdf5`` the weights in TensorFlow's layout:
gates in the order input, new memory, forget, output, without the bias of 1 on the forget gate.

ELMo word vectors in context (Peters et al. 2018): sentences encoded independently, layers concatenated.

The AllenNLP implementation carries its state from batch to batch, so its results depend on earlier texts;
here every sentence starts from the initial state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from core.domain.study import Text
from core.errors import InputError
from core.models.catalogue.conversion import check_numbers
from core.models.catalogue.model_folder import read_json
from core.models.encoders.text_encoding import EncodedText, empty_text
from core.models.runtime.batches import Batcher
from core.models.runtime.encoding_cache import BoundedCache
from core.models.runtime.packed_linear import pack_linear
from core.progress import raise_if_cancelled
from core.text.sentences import sentence_spans_of
from core.text.treebank import Word, treebank_words

Numbers = Callable[[str], torch.Tensor]
"""Returns the array stored under a path."""

_WORDS_AT_ONCE = 256
"""Words embedded at a time: the widest filter needs 180 kB for each."""

LARGEST = 2**28
"""Maximum size of one array; the largest published ELMo has 17 million. A small file can claim far more."""

BEGINNING, END, WORD, WORD_END, PADDING = 256, 257, 258, 259, 260
"""Symbols besides the 256 bytes: beginning and end of a text and of a word, and padding."""


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of a network.

    filters: width and number of each kind. longest: maximum bytes of a word, markers included.
    width: size of one direction's vectors. layers: per direction.
    cell_clip, projection_clip: 0 = no clipping.
    """

    filters: tuple[tuple[int, int], ...]
    activation: str
    longest: int
    highways: int
    width: int
    layers: int
    cell_clip: float
    projection_clip: float
    has_skips: bool


def read_options(file: Path) -> Options:
    """Read the settings. Raises InputError if the file does not describe an ELMo model."""
    config = read_json(file)
    try:
        letters, directions = config["char_cnn"], config["lstm"]
        options = Options(
            filters=tuple((int(width), int(count)) for width, count in letters["filters"]),
            activation=str(letters["activation"]),
            longest=int(letters["max_characters_per_token"]),
            highways=int(letters["n_highway"]),
            width=int(directions["projection_dim"]),
            layers=int(directions["n_layers"]),
            cell_clip=float(directions.get("cell_clip") or 0),
            projection_clip=float(directions.get("proj_clip") or 0),
            has_skips=bool(directions.get("use_skip_connections")),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"{file} does not describe an ELMo model ({error!r}). Get the file again."
        ) from error
    if options.activation not in ("relu", "tanh") or min(options.longest, options.width, options.layers) < 1:
        raise InputError(f"{file} describes an ELMo model that is not supported. Get the file again.")
    return options


def letters_of(words: Sequence[str], longest: int) -> torch.Tensor:
    """Return words between the markers of a text as characters, shape (words + 2, longest).

    A character is a byte of UTF-8; longer words are truncated.
    """
    rows = [(BEGINNING,), *(word.encode("utf-8", "ignore")[: longest - 2] for word in words), (END,)]
    table = torch.full((len(rows), longest), PADDING, dtype=torch.int64)
    for row, signs in zip(table, rows, strict=True):
        row[: len(signs) + 2] = torch.tensor([WORD, *signs, WORD_END])
    return table


def load_network(options: Options, file: Path, device: str) -> ElmoNetwork:
    """Load the network. Raises InputError if the file is damaged or does not match the settings."""
    import h5py

    probe = letters_of(["probe"], options.longest)
    try:
        with h5py.File(file, "r") as weights:
            network = ElmoNetwork(options, lambda path: _numbers(weights, path, device))
        with torch.inference_mode():
            network.read([probe])
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
        raise InputError(
            f"The weights in {file} do not match the ELMo model described by its options ({error}). Get "
            "both files again."
        ) from error
    if device == "cpu":
        with torch.inference_mode():
            pack_linear(network, lambda: network.read([probe])[0])
    return network


class ElmoNetwork(torch.nn.Module):
    """The network. No state is carried from one text to the next."""

    def __init__(self, options: Options, numbers: Numbers) -> None:
        super().__init__()
        self.options = options
        self._letters = numbers("char_embed")
        self._filters = [_filter(numbers, i, *sizes) for i, sizes in enumerate(options.filters)]
        self.highways = torch.nn.ModuleList(
            Highway(numbers, f"CNN_high_{i}") for i in range(options.highways)
        )
        self.projection = linear(numbers("CNN_proj/W_proj"), numbers("CNN_proj/b_proj"))
        clips = options.cell_clip, options.projection_clip
        cells = "RNN_{}/RNN/MultiRNNCell/Cell{}/LSTMCell"
        self.there, self.back = (
            torch.nn.ModuleList(
                Recurrent(numbers, cells.format(side, i), options.width, *clips)
                for i in range(options.layers)
            )
            for side in range(2)
        )

    @property
    def dimension(self) -> int:
        """Size of a word's vector, all layers concatenated."""
        return 2 * self.options.width * (self.options.layers + 1)

    def read(self, texts: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Encode each text's words, shape (words, dimension), layers concatenated from the lowest.

        texts: characters as returned by `letters_of`.
        """
        device = self._letters.device
        counts = [len(text) for text in texts]
        lengths = torch.tensor(counts).to(device)
        letters = torch.nn.utils.rnn.pad_sequence(list(texts), batch_first=True, padding_value=PADDING)
        words = self._words(letters)
        there = self._layers(words, self.there)
        back = [_turned(made, lengths) for made in self._layers(_turned(words, lengths), self.back)]
        layers = [torch.cat(pair, dim=2) for pair in zip([words, *there], [words, *back], strict=True)]
        joined = torch.cat(layers, dim=2)
        return [row[1 : length - 1] for row, length in zip(joined, counts, strict=True)]

    def _words(self, letters: torch.Tensor) -> torch.Tensor:
        """Return word vectors from characters, shape (texts, words, width).

        Each distinct word is computed once.
        """
        # computed where the characters are, because not every GPU supports it
        different, places = torch.unique(letters.flatten(0, 1), dim=0, return_inverse=True)
        device = self._letters.device
        vectors = torch.cat([self._spelled(words.to(device)) for words in different.split(_WORDS_AT_ONCE)])
        return vectors[places.to(device)].view(*letters.shape[:2], -1)

    def _spelled(self, words: torch.Tensor) -> torch.Tensor:
        """Return word vectors, shape (words, width), from characters, shape (words, characters)."""
        activate = torch.relu if self.options.activation == "relu" else torch.tanh
        embedded = functional.embedding(words, self._letters).transpose(1, 2)
        features = [functional.conv1d(embedded, kernel, bias).amax(dim=2) for kernel, bias in self._filters]
        vectors = activate(torch.cat(features, dim=1))
        for highway in self.highways:
            vectors = highway(vectors)
        projected: torch.Tensor = self.projection(vectors)
        return projected

    def _layers(self, words: torch.Tensor, layers: torch.nn.ModuleList) -> list[torch.Tensor]:
        """Return the outputs of each layer of one direction."""
        made: list[torch.Tensor] = []
        for number, layer in enumerate(layers):
            fed = made[-1] if made else words
            out = layer(fed)
            made.append(out + fed if number and self.options.has_skips else out)
        return made


def _turned(words: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Reverse the words of each text, leaving padding in place; shape unchanged."""
    steps = torch.arange(words.shape[1], device=words.device).expand(len(words), -1)
    opposite = torch.where(steps < lengths[:, None], lengths[:, None] - 1 - steps, steps)
    return words.gather(1, opposite[:, :, None].expand_as(words))


def _filter(numbers: Numbers, index: int, width: int, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    kernel, bias = numbers(f"CNN/W_cnn_{index}"), numbers(f"CNN/b_cnn_{index}")
    if kernel.shape[1] != width or kernel.shape[3] != count:
        raise ValueError(f"filter {index} does not have width {width}")
    return kernel[0].permute(2, 1, 0).contiguous(), bias


def _numbers(weights: Any, path: str, device: str) -> torch.Tensor:
    """Read an array that is stored in the file itself; links to other files are not followed."""
    import h5py

    at = weights
    for name in path.split("/"):  # stepwise, because any group may be a link to another file
        link = at.get(name, getlink=True) if isinstance(at, h5py.Group) else None
        if link is None:
            raise KeyError(f"no {path}")
        if not isinstance(link, h5py.HardLink):
            raise ValueError(f"{path} is a link; links are not followed")
        at = at[name]
    if not isinstance(at, h5py.Dataset) or at.is_virtual or at.external:
        raise ValueError(f"{path} is not stored in the file itself")
    if at.size > LARGEST:
        raise ValueError(f"{path} has {at.size:,} numbers, more than any published ELMo")
    numbers = torch.from_numpy(np.asarray(at, dtype=np.float32))
    check_numbers({path: numbers}, Path(weights.filename))
    return numbers.to(device)


class Highway(torch.nn.Module):
    """Highway layer: mixes its input with a transformation of it."""

    def __init__(self, numbers: Numbers, place: str) -> None:
        super().__init__()
        self.fresh = linear(numbers(f"{place}/W_transform"), numbers(f"{place}/b_transform"))
        self.share = linear(numbers(f"{place}/W_carry"), numbers(f"{place}/b_carry"))

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        share = torch.sigmoid(self.share(vectors))
        return share * torch.relu(self.fresh(vectors)) + (1 - share) * vectors


class Recurrent(torch.nn.Module):
    """One LSTM layer of one direction, with clipped cell state and projection (0 = no clipping).

    The weights have the gates in the order input, new memory, forget, output; they do not include the bias of
    1 that TensorFlow adds to the forget gate.
    """

    def __init__(
        self, numbers: Numbers, place: str, width: int, cell_clip: float, projection_clip: float
    ) -> None:
        super().__init__()
        weights = numbers(f"{place}/W_0")
        self.fed = linear(weights[:width], numbers(f"{place}/B"))
        self.recurrent = linear(weights[width:])
        self.projection = linear(numbers(f"{place}/W_P_0"))
        self.cell_clip, self.projection_clip = cell_clip, projection_clip

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Run texts word by word from the initial state.

        Input and output have shape (texts, words, width).
        """
        fed = self.fed(words)
        state = words.new_zeros(len(words), self.projection.out_features)
        memory = words.new_zeros(len(words), self.projection.in_features)
        states = []
        for step in range(words.shape[1]):
            raise_if_cancelled()
            enter, new, keep, out = (fed[:, step] + self.recurrent(state)).chunk(4, dim=1)
            memory = torch.sigmoid(keep + 1) * memory + torch.sigmoid(enter) * torch.tanh(new)
            memory = _clipped(memory, self.cell_clip)
            state = _clipped(self.projection(torch.sigmoid(out) * torch.tanh(memory)), self.projection_clip)
            states.append(state)
        return torch.stack(states, dim=1)


def linear(weights: torch.Tensor, bias: torch.Tensor | None = None) -> torch.nn.Linear:
    """Return a layer with weights in TensorFlow's layout, shape (inputs, outputs)."""
    read, features_out = weights.shape
    layer = torch.nn.Linear(read, features_out, bias=bias is not None, device="meta")
    layer.weight = torch.nn.Parameter(weights.T.contiguous(), requires_grad=False)
    if bias is not None:
        layer.bias = torch.nn.Parameter(bias, requires_grad=False)
    return layer


def _clipped(numbers: torch.Tensor, limit: float) -> torch.Tensor:
    return numbers.clamp(-limit, limit) if limit else numbers


OPTIONS, WEIGHTS = "options.json", "weights.hdf5"
_BATCH_WORDS = 2048
"""Each step reads all weights, so large batches cost little more than small ones; the gates of one word
take 256 kB.
"""


def load_elmo(options: Path, weights: Path, device: str, batch_words: int | None = None) -> Elmo:
    """Load ELMo. Raises InputError if the files are damaged or do not match."""
    return Elmo(load_network(read_options(options), weights, device), device, batch_words or _BATCH_WORDS)


class Elmo:
    """Encodes texts sentence by sentence. batch_words: words per batch, padding included."""

    def __init__(self, network: ElmoNetwork, device: str, batch_words: int) -> None:
        self._network = network
        self._batches = Batcher("ELMo", device, batch_words)
        self._cache: BoundedCache[EncodedText] = BoundedCache()

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Encode texts in order; rows of shape (words, layers × width), lowest layer first."""
        encoded = self._cache.found(text.reading_key for text in texts)
        missing = list({text.reading_key: text for text in texts if text.reading_key not in encoded}.values())
        sentences = [treebank_words(text.content, sentence_spans_of(text)) for text in missing]
        rows = iter(self._rows([words for own in sentences for words in own if words]))
        for text, own in zip(missing, sentences, strict=True):
            encoded[text.reading_key] = result = self._joined(own, rows)
            self._cache.keep(text.reading_key, result)
        return [encoded[text.reading_key] for text in texts]

    def _joined(self, sentences: Sequence[Sequence[Word]], rows: Iterator[torch.Tensor]) -> EncodedText:
        words = [word for sentence in sentences for word in sentence]
        if not words:
            return empty_text(self._network.dimension)
        read = torch.cat([next(rows) for sentence in sentences if sentence])
        names, spans = zip(*words, strict=True)
        return EncodedText(names, spans, read.numpy())

    def _rows(self, sentences: Sequence[Sequence[Word]]) -> list[torch.Tensor]:
        """Return the vectors of each sentence's words, on the CPU."""
        lengths = [len(sentence) + 2 for sentence in sentences]
        return self._batches.run(lengths, lambda places: self._read([sentences[i] for i in places]))

    def _read(self, sentences: Sequence[Sequence[Word]]) -> list[torch.Tensor]:
        longest = self._network.options.longest
        letters = [letters_of([word for word, _ in sentence], longest) for sentence in sentences]
        with torch.inference_mode():
            # copies, because a view would hold the padding of the batch in memory
            return [rows.cpu().clone() for rows in self._network.read(letters)]
