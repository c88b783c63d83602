"""MoverScore (Zhao et al. 2019): earth mover's distance between contextual word vectors.

The two programs of the authors give different scores, and the released package of the second differs
again: each is a mode. As in those programs, special pieces weigh 1 without idf and 0 with idf, and single
ASCII punctuation marks are skipped.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import Array, Explanation, Prepared, Resources, noted, setting, undefined
from core.metrics.base.pooling import PooledMetric
from core.metrics.embedding.encoder_metric import (
    EncoderMetric,
    corpus_hash,
    dtype_setting,
    encoder_setting,
    references_hash,
)
from core.metrics.embedding.greedy_matching import Weigh, by_idf
from core.metrics.embedding.optimal_transport import (
    WeightedPoints,
    explain_moves,
    mass_notes,
    transport_costs,
    weighted_points,
)
from core.metrics.registry import register
from core.models.catalogue.lookup import find_model
from core.models.catalogue.model_folder import Model
from core.models.encoders.text_encoding import EncodeRequest
from core.models.runtime.word_pieces import WordPieces
from core.text.scripts import is_inside_word
from core.text.tokenization import stop_words

if TYPE_CHECKING:
    from core.models.encoders.encoder import Encoder


_WORD_STARTS = ("Ġ", "▁")
"""Characters that mark the start of a word in vocabularies other than WordPiece's."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """A text's n-grams.

    pieces: indices of each n-gram's pieces. vectors: unit vectors, shape (n-grams, dimension).
    weights: sums of the pieces' weights.
    """

    pieces: tuple[tuple[int, ...], ...]
    vectors: Array
    weights: Array


def windows_of(selected: Sequence[int], vectors: Array, weights: Array, n: int) -> Windows:
    """Return all runs of n selected pieces; a text with fewer is one n-gram.

    vectors: shape (pieces, dimension). weights: shape (pieces,). A run of weight 0 has a zero vector.
    """
    if not selected:
        return Windows((), np.zeros((0, vectors.shape[1])), np.zeros(0))
    length = min(n, len(selected))
    runs = np.lib.stride_tricks.sliding_window_view(np.array(selected), length)
    parts = weights[runs]
    sums = np.einsum("wl,wld->wd", parts, vectors[runs])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    units = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    return Windows(tuple(map(tuple, runs.tolist())), units, parts.sum(axis=1))


def is_continuation(pieces: WordPieces, i: int, content: str) -> bool:
    """Return whether a piece continues the word of the previous piece."""
    if pieces.strings[i].startswith("##"):
        return True
    start, end = pieces.spans[i]
    if start == end or start == 0 or not any(s.startswith(_WORD_STARTS) for s in pieces.strings):
        return False
    return is_inside_word(content, start)


Role: TypeAlias = Literal["summary", "reference"]

BLOCKS = 5
"""Number of last layers that v1 combines."""

ONLY_IN_V1 = ("n", "subwords")


@dataclass(frozen=True, slots=True)
class PreparedMasses(Prepared):
    """Texts of a topic as weighted n-gram vectors. truncated: number of truncated texts."""

    summaries: tuple[WeightedPoints, ...]
    references: tuple[WeightedPoints, ...]
    truncated: int


@register
@dataclass(frozen=True)
class MoverScore(PooledMetric[PreparedMasses], EncoderMetric[PreparedMasses]):
    """Similarity derived from the earth mover's distance; in v1 it may be negative. NaN without weights.

    Statistics per reference: the similarity.

    Formula:
        v1:       score = 1 − EMD of squared distances
        v2:       score = 1 / (1 + EMD); v2-1.0.3: 1 − EMD
        EMD       = least total distance by which the pieces of one text are moved onto those of the other,
                    each with its share of the idf

    Limits:
        idf depends on the study's references, so scores change with them; with one reference, or equal ones,
        all weights are 0 and there is no score (idf=no weights all pieces alike). The published models were
        fine-tuned; others give other values. The authors' summarization script also left out summaries of one
        sentence.
    """

    name: ClassVar[str] = "moverscore"
    about: ClassVar[str] = "Earth mover's distance between the contextual words of a summary and a reference."
    version: ClassVar[int] = 2
    paper: ClassVar[str] = "Zhao, Peyrard, Liu, Gao, Meyer & Eger 2019, MoverScore, EMNLP"
    bibliography: ClassVar[tuple[str, ...]] = ("zhao-2019-moverscore",)
    is_in_summeval: ClassVar[bool] = True
    default_configs: ClassVar[tuple[str, ...]] = ("mode=v1", "mode=v2")
    corpus_input: ClassVar[str] = "idf weights of all texts"

    encoder: str = encoder_setting()
    mode: str = setting(
        "v1",
        "v1 = the paper: five layers, squared distances, 1 − distance; v2 = the last layer, "
        "Euclidean distances, 1 / (1 + distance); v2-1.0.3 = the released package, v2 with 1 "
        "− distance. The scores of the modes are not comparable.",
        choices=("v1", "v2", "v2-1.0.3"),
        title="Mode",
    )
    n: int = setting(1, "Length of the n-grams in word pieces; v1 only.", low=1, high=9, title="N")
    idf: str = setting(
        "yes",
        "idf weights of word pieces: yes = from the study's references; sides = from the "
        "summaries for summaries and from the references for references, as the authors do; "
        "no = equal weights.",
        choices=("yes", "sides", "no"),
        title="Idf weights",
    )
    subwords: bool = setting(
        False, "Include pieces that continue a word; v1 only, v2 skips them.", title="Keep continuations"
    )
    stop_words: bool = setting(False, "Remove English stop words.", title="Drop stop words")
    dtype: str = dtype_setting()

    def unused(self) -> dict[str, str]:
        return {} if self.is_v1 else dict.fromkeys(ONLY_IN_V1, f"mode={self.mode}")

    @property
    def is_v1(self) -> bool:
        return self.mode == "v1"

    @property
    def is_inverse(self) -> bool:
        return self.mode == "v2"

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"encoder": ("bert-base-mnli" if self.is_v1 else "distilbert-base-uncased",)}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}-{self.mode}.score",)

    def layers_read(self, model: Model) -> int:
        return model.layers

    def layers(self, model: Model) -> tuple[int, ...]:
        """Return the layers in use; v1 uses all layers of a model with fewer than five."""
        first = max(1, model.layers - BLOCKS + 1) if self.is_v1 else model.layers
        return tuple(range(first, model.layers + 1))

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        layers = self.layers(find_model(self.encoder))
        return {"layers": f"{layers[0]}-{layers[-1]}", **super().signature_extras(resources)}

    def corpus_hash(self, resources: Resources) -> str:
        if self.idf == "no":
            return ""
        references = references_hash(resources)
        return corpus_hash([references, *resources.study_summaries()]) if self.idf == "sides" else references

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        texts = [text.content for text in (*topic.summaries, *topic.references)]
        return self.ahead(texts, self.layers(find_model(self.encoder)))

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedMasses:
        from core.models.encoders.layer_mixing import last_vectors, power_means

        encoder = resources.encoder(self.encoder, self.dtype)
        weigh = self._weighing(encoder, resources)
        texts = (*topic.summaries, *topic.references)
        encoded = encoder.encode([text.content for text in texts], self.layers(encoder.model))
        combine_layers = power_means if self.is_v1 else last_vectors
        count = len(topic.summaries)
        sides = tuple(
            self._masses(
                "summary" if i < count else "reference", text, one.pieces, combine_layers(one), weigh
            )
            for i, (text, one) in enumerate(zip(texts, encoded, strict=True))
        )
        truncated = sum(one.pieces.is_truncated for one in encoded)
        return PreparedMasses(topic, sides[:count], sides[count:], truncated)

    def per_reference(self, prepared: PreparedMasses) -> Array:
        costs = transport_costs(prepared.summaries, prepared.references, squared=self.is_v1)
        similarity = 1 / (1 + costs) if self.is_inverse else 1 - costs
        return similarity[:, :, None]

    def notes(self, prepared: PreparedMasses) -> dict[str, int]:
        lacks = mass_notes((*prepared.summaries, *prepared.references))
        return noted(truncated=prepared.truncated, **lacks)

    def trees(self, prepared: PreparedMasses, system: int) -> Iterator[Sequence[Explanation]]:
        for reference in prepared.references:
            yield (self._explain_pair(prepared.summaries[system], reference),)

    def _weighing(self, encoder: Encoder, resources: Resources) -> dict[Role, Weigh]:
        """Return the weighting of each side's pieces."""
        if self.idf == "no":
            return {"summary": _uniform_weights, "reference": _uniform_weights}
            # The encoder caches only the last count, which must be that of the references.
        own = self._summaries_idf(encoder, resources) if self.idf == "sides" else None
        weigh = by_idf(encoder.document_frequencies(resources.study_references()))
        return {"summary": own or weigh, "reference": weigh}

    def _summaries_idf(self, encoder: Encoder, resources: Resources) -> Weigh:
        key = (self.name, "idf of summaries", self.encoder)
        return resources.once(key, lambda: by_idf(encoder.document_frequencies(resources.study_summaries())))

    def _masses(
        self, role: Role, text: Text, pieces: WordPieces, vectors: Array, weigh: Mapping[Role, Weigh]
    ) -> WeightedPoints:
        """Return a text's n-grams with unit vectors; one of special pieces only has no mass."""
        selected = [] if pieces.is_empty else self._select(pieces, text.content)
        windows = windows_of(selected, vectors, weigh[role](pieces), self.n)
        spans = [tuple(pieces.spans[i] for i in w if not pieces.is_special[i]) for w in windows.pieces]
        names = [_join_pieces(text.content, pieces, window) for window in windows.pieces]
        return weighted_points(role, text, windows.vectors, windows.weights, names, spans)

    def _select(self, pieces: WordPieces, content: str) -> list[int]:
        """Return the indices of the pieces that are transported."""
        dropped = stop_words() if self.stop_words else frozenset[str]()
        return [
            i
            for i, (start, end) in enumerate(pieces.spans)
            if (surface := content[start:end].lower()) not in dropped
            and not (len(surface) == 1 and surface in string.punctuation)
            and (self.subwords or not is_continuation(pieces, i, content))
        ]

    def _explain_pair(self, summary: WeightedPoints, reference: WeightedPoints) -> Explanation:
        label = f"similarity to {reference.text.name}"
        if lack := summary.lack or reference.lack:
            return undefined(label, lack)
        if not self.is_inverse:
            return explain_moves(label, summary, reference, squared=self.is_v1, is_similarity=True)
        distance = explain_moves("distance", summary, reference, squared=False, is_similarity=False)
        one = Explanation("1", value=1.0)
        denominator = Explanation("1 + distance", "sum", children=(one, distance))
        return Explanation(label, "ratio", children=(one, denominator))


def _uniform_weights(pieces: WordPieces) -> Array:
    """Return weight 1 for every piece, including special ones."""
    return np.ones(len(pieces.ids))


def _join_pieces(content: str, pieces: WordPieces, window: Sequence[int]) -> str:
    return " ".join(content[slice(*pieces.spans[i])] or pieces.strings[i] for i in window)
