"""Passages of independently encoded sentences, compared by selected word pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.domain.study import Span, Text
from core.models.encoders.encoder import Encoded, Encoder
from core.models.encoders.greedy_matching import BestCosines, best_cosines
from core.models.runtime.word_pieces import WordPieces

Sentence = tuple[Text, Span]

Keep = Callable[[str, WordPieces], NDArray[np.bool_]]
"""Returns which pieces of a sentence count, shape (pieces,)."""


@dataclass(frozen=True, slots=True, eq=False)
class SentencePassage:
    """The selected word pieces of some sentences, in order.

    places: text and span of each piece. vectors: shape (pieces, dimension), on the encoder's device.
    truncated: texts with a truncated sentence.
    """

    places: tuple[tuple[Text, Span], ...]
    vectors: torch.Tensor
    truncated: frozenset[Text]

    def as_array(self) -> NDArray[np.float64]:
        """Return the vectors in double precision, shape (pieces, dimension)."""
        vectors: NDArray[np.float64] = (
            self.vectors.cpu().double().numpy()
        )  # Apple GPUs have no double precision
        return vectors


def encode_passages(
    encoder: Encoder,
    passages: Sequence[Sequence[Sentence]],
    keep: Keep,
    limit: int = 0,
    layers: Sequence[int] = (),
) -> list[SentencePassage]:
    """Encode passages with several layers concatenated, empty = the last layer.

    limit: maximum word pieces of a sentence, special ones included, 0 = the model's maximum.
    """
    layers = layers or (encoder.model.layers,)
    contents = [text.content[a:b] for passage in passages for text, (a, b) in passage]
    encoded = iter(encoder.encode(contents, layers, limit))
    nothing = torch.zeros((0, encoder.model.dimension * len(layers)), device=encoder.device)
    with torch.inference_mode():
        return [_joined(passage, [next(encoded) for _ in passage], keep, nothing) for passage in passages]


def nearest_passages(
    mine: Sequence[SentencePassage], theirs: Sequence[SentencePassage]
) -> tuple[BestCosines, BestCosines]:
    """Match each piece to the nearest piece in every passage of the other side, both ways.

    None may be empty.
    """
    return best_cosines([one.vectors for one in mine], [one.vectors for one in theirs])


def concat_vectors(passages: Sequence[SentencePassage], joining: str) -> NDArray[np.float64]:
    """Return one vector per passage, shape (passages, dimension); zeros for an empty passage.

    joining: ``avg`` for the mean of its pieces, ``max`` for the maximum in each dimension.
    """
    with torch.inference_mode():
        rows = [_one_vector(passage.vectors.float(), joining) for passage in passages]
        vectors: NDArray[np.float64] = torch.stack(rows).cpu().double().numpy()
    return vectors


def _one_vector(pieces: torch.Tensor, joining: str) -> torch.Tensor:
    if not len(pieces):
        return pieces.new_zeros(pieces.shape[1])
    return pieces.amax(dim=0) if joining == "max" else pieces.mean(dim=0)


def _joined(
    sentences: Sequence[Sentence], encoded: Sequence[Encoded], keep: Keep, nothing: torch.Tensor
) -> SentencePassage:
    places: list[tuple[Text, Span]] = []
    vectors = []
    for (text, (start, end)), one in zip(sentences, encoded, strict=True):
        selected = np.flatnonzero(keep(text.content[start:end], one.pieces))
        spans = (one.pieces.spans[i] for i in selected.tolist())
        places += [(text, (start + a, start + b)) for a, b in spans]
        rows = one.vectors[:, torch.from_numpy(selected).to(one.vectors.device)]
        vectors.append(rows.transpose(0, 1).flatten(1))
    pairs = zip(sentences, encoded, strict=True)
    truncated = frozenset(text for (text, _), one in pairs if one.pieces.is_truncated)
    return SentencePassage(tuple(places), torch.cat(vectors) if vectors else nothing, truncated)
