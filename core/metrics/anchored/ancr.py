"""Anchored ROUGE (Wang et al. 2020): overlap of summaries and references through places in the documents.

Each particle of a summary or a reference has anchors, the k nearest particles of the documents. Recall is
defined in the paper; precision and F are its counterparts. Where the paper leaves details open: types are
stemmed and have the mean vector of their occurrences in a text, tokenization is that of ROUGE, and
cosines below 0 count as 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, cast

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text, TopicTexts
from core.errors import BadSetting
from core.metrics.base import Array, Evidence, Explanation, Need, Prepared, Resources, setting
from core.metrics.embedding.encoder_metric import EncoderMetric, dtype_setting, encoder_setting
from core.metrics.registry import register
from core.metrics.rouge.overlap import Overlap, OverlapMetric, leaf, total
from core.metrics.rouge.rouge_settings import alpha_setting, gap_setting, pooling_setting, stop_words_setting
from core.models.catalogue.model_folder import Model
from core.models.encoders.text_encoding import EncodeRequest
from core.text.tokenization import TokenizedText, TokenizerSettings
from core.text.truncation import TextLimit

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Particles:
    """The particles of a text, in order. members: word indices, shape (particles, length)."""

    words: TokenizedText
    members: NDArray[np.int64]

    @property
    def forms(self) -> NDArray[np.int32]:
        """Return word ids, shape (particles, length); rows are equal for particles of one type."""
        forms: NDArray[np.int32] = self.words.ids[self.members]
        return forms

    def places(self, particle: int) -> tuple[Span, ...]:
        """Return the spans of a particle: one for consecutive words, otherwise one per word."""
        members = self.members[particle]
        spans = [(int(start), int(end)) for start, end in self.words.spans[members]]
        is_contiguous = members[-1] - members[0] == len(members) - 1
        return ((spans[0][0], spans[-1][1]),) if is_contiguous else tuple(spans)

    def vectors(self, of_words: Vectors) -> Vectors:
        """Return the means of the particles' word vectors, shape (particles, dimension)."""
        vectors: Vectors = of_words[self.members[:, 0]]
        for column in self.members.T[1:]:
            vectors = vectors + of_words[column]  # one word at a time, which halves the memory
        return vectors / np.float32(self.members.shape[1])


def grams(words: TokenizedText, n: int) -> Particles:
    """Return a text's n-grams, which do not cross sentences."""
    first = _starts(words, n - 1)
    return Particles(words, first[:, None] + np.arange(n))


def pairs(words: TokenizedText, gap: int) -> Particles:
    """Return pairs of words within a sentence. gap: maximum number of words between; negative = unlimited."""
    longest = int(np.diff(words.sentences).max(initial=1))
    reach = longest - 1 if gap < 0 else min(gap + 1, longest - 1)
    members_by_step = [np.zeros((0, 2), dtype=np.int64)]
    for step in range(1, reach + 1):
        first = _starts(words, step)
        members_by_step.append(np.stack([first, first + step], axis=1))
    members = np.concatenate(members_by_step)
    return Particles(words, members[np.lexsort(members.T[::-1])])


def number_types(forms: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number the distinct rows from 0 in order of first occurrence, and return each row's number."""
    _, first, inverse = np.unique(forms, axis=0, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    numbers: NDArray[np.int64] = rank[inverse.reshape(-1)]
    return numbers


def mean_by_number(vectors: Vectors, numbers: NDArray[np.int64]) -> Vectors:
    """Return the mean of the vectors with each number, shape (numbers, dimension)."""
    counts = np.bincount(numbers)
    starts = np.cumsum(counts) - counts
    if not len(starts):
        return vectors[:0]
    sums = np.add.reduceat(vectors[np.argsort(numbers, kind="stable")], starts, axis=0)
    means: Vectors = (sums / counts[:, None]).astype(np.float32)
    return means


def _starts(words: TokenizedText, step: int) -> NDArray[np.int64]:
    """Return the indices of words whose sentence has another word `step` positions later."""
    sentence = np.repeat(np.arange(len(words.sentences) - 1), np.diff(words.sentences))
    first = np.arange(max(0, len(words.ids) - step))
    starts: NDArray[np.int64] = first[sentence[first] == sentence[first + step]]
    return starts


Identity = Literal["occurrence", "type"]
"""Whether each occurrence of a particle is an anchor, or all particles with the same words are one."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """Particles of the documents that can become anchors.

    particles: per document.
    numbers: per document, shape (particles,), index of each particle's source.
    vectors: shape (sources, dimension).
    """

    particles: tuple[Particles, ...]
    numbers: tuple[NDArray[np.int64], ...]
    vectors: Vectors

    def places(self, source: int) -> Iterator[tuple[int, tuple[Span, ...]]]:
        """Yield each occurrence of a source: document index, and spans of its words."""
        for document, (particles, numbers) in enumerate(zip(self.particles, self.numbers, strict=True)):
            for particle in np.flatnonzero(numbers == source).tolist():
                yield document, particles.places(particle)


@dataclass(frozen=True, slots=True, eq=False)
class AnchorSets:
    """The anchors of several texts' particle types.

    types: per text, shape (particles,), row of each particle's type.
    anchors: shape (types, k), indices of sources.
    strengths: same shape, cosines; negative ones are 0.
    sources: indices of sources that are anchors, ascending.
    support: shape (texts, sources), support of each anchor by each text's particles: T in the paper.
    """

    texts: tuple[Particles, ...]
    types: tuple[NDArray[np.int64], ...]
    anchors: NDArray[np.int64]
    strengths: Array
    sources: NDArray[np.int64]
    support: Array

    def places(self, text: int, source: int) -> Iterator[tuple[float, tuple[Span, ...]]]:
        """Yield a text's particles anchored by a source: strength, and spans of their words."""
        types = self.types[text]
        is_anchored = (self.anchors[types] == source) & (self.strengths[types] > 0)
        for particle, at in np.argwhere(is_anchored).tolist():
            yield float(self.strengths[types[particle], at]), self.texts[text].places(particle)


def collect_candidates(
    documents: Sequence[Particles], of_words: Sequence[Vectors], identity: Identity
) -> Sources:
    """Return the particles of a topic's documents, individually or merged by type with their mean vector.

    of_words: vectors of each document's words, shape (words, dimension); at least one document.
    """
    vectors = np.concatenate(
        [particles.vectors(own) for particles, own in zip(documents, of_words, strict=True)]
    )
    if identity == "occurrence":
        numbers = np.arange(len(vectors))
    else:
        numbers = number_types(np.concatenate([particles.forms for particles in documents]))
        vectors = mean_by_number(vectors, numbers)
    ends = np.cumsum([len(particles.members) for particles in documents])
    return Sources(tuple(documents), tuple(np.split(numbers, ends[:-1])), vectors)


def find_anchors(
    texts: Sequence[Particles], of_words: Sequence[Vectors], sources: Sources, k: int, device: str
) -> AnchorSets:
    """Find the k nearest sources of each particle type, whose vector is the mean of its occurrences."""
    from core.models.encoders.nearest_neighbours import k_nearest

    numbers = [number_types(particles.forms) for particles in texts]
    counts = [np.bincount(own) for own in numbers]
    means = [
        mean_by_number(particles.vectors(own), types)
        for particles, own, types in zip(texts, of_words, numbers, strict=True)
    ]
    sizes = np.array([len(own) for own in counts])
    first = np.cumsum(sizes) - sizes
    nearest = k_nearest(np.concatenate(means), sources.vectors, k, device)
    strengths = np.maximum(nearest.cosines, 0.0)
    used, support = _support(nearest.places, strengths * np.concatenate(counts)[:, None], sizes)
    types = tuple(own + start for own, start in zip(numbers, first.tolist(), strict=True))
    return AnchorSets(tuple(texts), types, nearest.places, strengths, used, support)


def _support(
    anchors: NDArray[np.int64], weights: Array, sizes: NDArray[np.int64]
) -> tuple[NDArray[np.int64], Array]:
    """Return the indices of sources that are anchors, and the sum of each text's weights on them.

    anchors, weights: shape (types, k). sizes: number of types in each text.
    """
    used, columns = np.unique(anchors, return_inverse=True)
    rows = np.repeat(np.arange(len(sizes)), sizes)[:, None]
    cells = (rows * len(used) + columns.reshape(anchors.shape)).ravel()
    support = np.bincount(cells, weights.ravel(), minlength=len(sizes) * len(used))
    return used, support.astype(np.float64).reshape(len(sizes), len(used))


SENTENCES = TextLimit("sentences")


@dataclass(frozen=True, slots=True)
class PreparedAnchors(Prepared):
    """The anchors of a topic, summaries before references. lost: number of texts with ignored letters."""

    sources: Sources
    sets: AnchorSets
    lost: int


@register
@dataclass(frozen=True)
class AnchoredRouge(OverlapMetric[PreparedAnchors], EncoderMetric[PreparedAnchors]):
    """Anchor support that a summary shares with the references.

    Statistics per reference: shared support, support of the reference, support of the summary.

    Formula:
        support(d, text) = Σ over units s of the text that have the anchor d: count(s) · max(cosine(s, d), 0)
        anchors          = the places d in the documents that are anchors of the references' units
        shared           = Σ over references and their anchors d:
                           min(support(d, summary), support(d, reference))
        recall           = shared / Σ over references and their anchors: support(d, reference)
        precision        = shared / Σ over references and anchors of the summary: support(d, summary)

    Limits:
        The paper defines recall only, and leaves choices open: tokenization, the window of the encoder,
        whether an anchor is a place or a word. Topics without documents are left out. Cosines depend on the
        encoder, so scores of two encoders are not comparable.
    """

    name: ClassVar[str] = "ancr"
    version: ClassVar[int] = 2
    about: ClassVar[str] = "Anchored ROUGE: words match through the nearest places in the documents."
    paper: ClassVar[str] = "Wang, Liu, Chang & Sui 2020, An Anchor-Based Automatic Evaluation Metric, COLING"
    bibliography: ClassVar[tuple[str, ...]] = ("wang-2020-anchor",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.DOCUMENTS, Need.ENCODER})
    default_configs: ClassVar[tuple[str, ...]] = ("n=1", "n=2")
    models_of_paper: ClassVar[dict[str, tuple[str, ...]]] = {"encoder": ("bert-base-uncased",)}

    encoder: str = encoder_setting()
    n: int = setting(1, "Length of the n-grams in words.", low=1, high=9, title="N")
    units: str = setting(
        "n-grams",
        "Units that are anchored: n-grams, or pairs of words with a gap; neither crosses "
        "sentence boundaries.",
        choices=("n-grams", "pairs"),
        title="Units",
    )
    gap: int = gap_setting()
    k: int = setting(5, "Number of anchors per unit.", low=1, high=1000, title="Anchors")
    anchor: str = setting(
        "occurrence",
        "Anchors: occurrence = one place in the documents; type = all places with the same "
        "words, represented by their mean vector.",
        choices=("occurrence", "type"),
        title="Anchor",
    )
    layers: int = setting(4, "Number of the encoder's last layers that are summed.", low=1, title="Layers")
    window: str = setting(
        "sentence",
        "Encoder input: single sentences, or as many sentences as fit.",
        choices=("sentence", "longest"),
        title="Window",
    )
    text: str = setting(
        "1.5.5",
        "Tokenization: 1.5.5 = runs of ASCII letters and digits; unicode = words of every script.",
        choices=("1.5.5", "unicode"),
        title="Words",
    )
    stem: bool = setting(True, "Treat words with the same English stem as equal.", title="Stem")
    stop_words: bool = stop_words_setting()
    pooling: str = pooling_setting()
    alpha: float = alpha_setting()
    dtype: str = dtype_setting()

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {"text": "unicode", "stem": "no", "stop_words": "no"}

    @property
    def is_in_release(self) -> bool:
        return False

    def unused(self) -> dict[str, str]:
        return {"gap" if self.units == "n-grams" else "n": f"units={self.units}"}

    def prefix(self) -> str:
        if self.units == "n-grams":
            return f"{self.name}-{self.n}"
        return f"{self.name}-s{self.gap if self.gap >= 0 else '*'}"

    def rounds(self) -> bool:
        return False

    def layers_read(self, model: Model) -> int:
        if self.layers > model.layers:
            raise BadSetting(
                f"layers={self.layers}: the model {model.name} has {model.layers} layers; choose no more."
            )
        return model.layers

    def to_encode(self, topic: TopicTexts, resources: Resources) -> Sequence[EncodeRequest]:
        from core.models.encoders.contextual_spans import Window, encoding_windows  # imports torch

        encoder = resources.encoder(self.encoder, self.dtype)
        windows = encoding_windows(encoder, _texts(topic), cast(Window, self.window))
        return self.ahead(windows, self._layers(encoder.model))

    def _layers(self, model: Model) -> range:
        last = self.layers_read(model)
        return range(last - self.layers + 1, last + 1)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedAnchors:
        from core.models.encoders.contextual_spans import Window, encode_in_context

        encoder = resources.encoder(self.encoder, self.dtype)
        layers, texts = self._layers(encoder.model), _texts(topic)
        cut = [
            resources.words(text, TokenizerSettings(self.text, self.stem, self.stop_words), SENTENCES)
            for text in texts
        ]
        read = encode_in_context(encoder, texts, layers, cast(Window, self.window))
        vectors = [one.averages(words.spans) for one, words in zip(read, cut, strict=True)]
        particles = [self._particles(words) for words in cut]
        mine = len(texts) - len(topic.documents)
        sources = collect_candidates(particles[mine:], vectors[mine:], cast(Identity, self.anchor))
        sets = find_anchors(particles[:mine], vectors[:mine], sources, self.k, encoder.device)
        return PreparedAnchors(topic, sources, sets, sum(words.lost_letters for words in cut))

    def notes(self, prepared: PreparedAnchors) -> dict[str, int]:
        return {"dropped_characters": prepared.lost} if prepared.lost else {}

    def count(self, prepared: PreparedAnchors) -> Array:
        support, systems = prepared.sets.support, len(prepared.topic.summaries)
        mine, theirs = support[:systems], support[systems:]
        shared = [np.minimum(mine, one).sum(axis=1) for one in theirs]
        matched = np.stack(shared, axis=1) if shared else np.zeros((systems, 0))
        sums = (theirs.sum(axis=1)[None, :], mine.sum(axis=1)[:, None])
        return np.stack([matched, *(np.broadcast_to(one, matched.shape) for one in sums)], axis=-1)

    def overlap(self, prepared: PreparedAnchors, system: int, reference: int) -> Overlap:
        topic, support = prepared.topic, prepared.sets.support
        name = topic.references[reference].name
        mine, theirs = support[system], support[len(topic.summaries) + reference]
        shared = np.minimum(mine, theirs)
        in_order = np.argsort(-shared, kind="stable")[: np.count_nonzero(shared)]
        leaves = [_leaf(prepared, system, reference, column) for column in in_order.tolist()]
        return Overlap(total(name, leaves), leaf(name, theirs.sum()), leaf(name, mine.sum()))

    def _particles(self, words: TokenizedText) -> Particles:
        return grams(words, self.n) if self.units == "n-grams" else pairs(words, self.gap)


def _leaf(prepared: PreparedAnchors, system: int, reference: int, column: int) -> Explanation:
    """Return the support that a summary and a reference share at one anchor, with spans in all texts."""
    topic, sets = prepared.topic, prepared.sets
    source = int(sets.sources[column])
    row = len(topic.summaries) + reference
    mine, theirs = float(sets.support[system, column]), float(sets.support[row, column])
    occurrences = list(prepared.sources.places(source))
    document, spans = occurrences[0]
    quote = " … ".join(topic.documents[document].content[start:end] for start, end in spans)
    evidence = (
        *_evidence("summary", topic.summaries[system].name, sets.places(system, source)),
        *_evidence("reference", topic.references[reference].name, sets.places(row, source)),
        *(
            Evidence("document", topic.documents[at].name, span)
            for at, place in occurrences
            for span in place
        ),
    )
    label = f"{quote}: summary {mine:.2f}, reference {theirs:.2f}"
    return Explanation(label, value=min(mine, theirs), evidence=evidence)


def _evidence(
    role: Literal["summary", "reference"], name: str, places: Iterator[tuple[float, tuple[Span, ...]]]
) -> Iterator[Evidence]:
    for strength, spans in places:
        yield from (Evidence(role, name, span, strength) for span in spans)


def _texts(topic: TopicTexts) -> tuple[Text, ...]:
    return (*topic.summaries, *topic.references, *topic.documents)
