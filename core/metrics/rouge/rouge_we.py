"""ROUGE-WE: ROUGE with soft matches between units with similar word vectors.

Two programs have this name. Ng & Abrecht 2015 (``ng2015``) patched ROUGE-1.5.5; their result depends on
the order in which Perl visits a reference's units, so here they are visited in alphabetical order.
Peyrard et al. 2017 (``s3``) match each n-gram of a summary with the nearest unmatched one of the
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Array, Evidence, Explanation, Need, Resources, noted, setting
from core.metrics.base.word_vectors import unknown_word_shares, word_vector_signature
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.overlap import (
    Overlap,
    PreparedWords,
    WordOverlapMetric,
    explain_overlap,
    product,
    total,
)
from core.models.encoders.vector_lookup import VectorLookup
from core.models.encoders.word_vectors import find_vectors
from core.text.tokenization import TokenizedText, TokenizerSettings, normalize_word

Gram = tuple[str, ...]
Placed = tuple[Gram, tuple[Span, ...]]
"""An n-gram or word pair, and the spans of its words."""

Joining = Literal["product", "sum"]
"""Element-wise operation that combines word vectors into the vector of an n-gram."""


@dataclass(frozen=True, slots=True, eq=False)
class NgramTable:
    """The n-grams or word pairs of several texts.

    names: distinct n-grams.
    held: ids of each text's n-grams, in order of first occurrence.
    counts: shape (texts, n-grams).
    vectors: unit vectors, shape (n-grams, dimension); zeros if a word has no vector.
    """

    names: tuple[Gram, ...]
    held: tuple[NDArray[np.int64], ...]
    counts: NDArray[np.int64]
    vectors: Array


def placed_words(content: str, words: TokenizedText, form: Callable[[str], str]) -> list[tuple[str, Span]]:
    """Return a text's normalized words with their spans."""
    spans = [(int(start), int(end)) for start, end in words.spans]
    return [(form(content[start:end]), (start, end)) for start, end in spans]


def ngram_spans(words: Sequence[tuple[str, Span]], n: int) -> Iterator[Placed]:
    """Yield a text's n-grams in order."""
    for i in range(len(words) - n + 1):
        gram, spans = zip(*words[i : i + n], strict=True)
        yield gram, ((spans[0][0], spans[-1][1]),)


def pair_spans(words: Sequence[tuple[str, Span]], gap: int, *, with_words: bool) -> Iterator[Placed]:
    """Yield word pairs with up to `gap` words between them.

    with_words: also yield single words except the last, as in ROUGE-SU.
    """
    for i, (word, span) in enumerate(words[:-1]):
        if with_words:
            yield (word,), (span,)
        for other, there in words[i + 1 : i + gap + 2]:
            yield (word, other), (span, there)


def grams_of(texts: Sequence[Sequence[Placed]], vectors_of: Callable[[Sequence[Gram]], Array]) -> NgramTable:
    """Return the n-grams of texts. vectors_of: returns unit vectors of n-grams, in their order."""
    numbers: dict[Gram, int] = {}
    every = [[numbers.setdefault(gram, len(numbers)) for gram, _ in text] for text in texts]
    counts = np.zeros((len(texts), len(numbers)), dtype=np.int64)
    for row, grams in enumerate(every):
        counts[row] = np.bincount(np.array(grams, dtype=np.int64), minlength=len(numbers))
    held = tuple(np.array(list(dict.fromkeys(grams)), dtype=np.int64) for grams in every)
    return NgramTable(tuple(numbers), held, counts, vectors_of(tuple(numbers)))


def gram_vectors(
    grams: Sequence[Gram], words: Sequence[str], lookup: VectorLookup, joining: Joining
) -> Array:
    """Return unit vectors of n-grams, shape (n-grams, dimension); zeros if a word has no vector.

    words: all words of the n-grams. lookup: their vectors.
    """
    rows = {word: row for row, word in enumerate(words)}
    vectors = np.where(lookup.is_known[:, None], lookup.vectors, np.nan)
    joined = np.zeros((len(grams), vectors.shape[1]))
    join = np.prod if joining == "product" else np.sum
    for length in {len(gram) for gram in grams}:
        places = [at for at, gram in enumerate(grams) if len(gram) == length]
        of_words = vectors[[[rows[word] for word in grams[at]] for at in places]]
        joined[places] = join(of_words, axis=1)
    lengths = np.linalg.norm(joined, axis=1, keepdims=True)
    units: Array = np.divide(joined, lengths, out=np.zeros_like(joined), where=lengths > 0)
    return units


_DECIMALS = 12
"""Cosines equal to this many decimals are ties, so that rounding does not decide; the first one is used."""


@dataclass(frozen=True, slots=True)
class NgramMatch:
    """`count` occurrences of the summary's n-gram `mine`, matched with the reference's n-gram `theirs`."""

    mine: int
    theirs: int
    count: int


def match_nearest_vector(
    grams: NgramTable, summary: int, reference: int, threshold: float
) -> list[NgramMatch]:
    """Match a summary's n-grams, in order, each with the nearest unmatched n-gram of the reference.

    summary, reference: text indices. An n-gram is matched at most as often as both texts contain it.
    Source: Peyrard et al. 2017.
    """
    mine, theirs = grams.held[summary], grams.held[reference]
    cosines = _cosines(grams, mine, theirs)
    rows, columns = np.nonzero(cosines >= threshold)
    order = np.lexsort((columns, -cosines[rows, columns], rows))
    available, left = grams.counts[summary, mine].tolist(), grams.counts[reference, theirs].tolist()
    matches, last = [], -1
    for row, column in zip(rows[order].tolist(), columns[order].tolist(), strict=True):
        if row != last and left[column]:
            last, count = row, min(left[column], available[row])
            left[column] -= count
            matches.append(NgramMatch(int(mine[row]), int(theirs[column]), count))
    return matches


def split_matches(grams: NgramTable, systems: int) -> Array:
    """Return half the exact matches plus half the counted cosines, shape (summaries, references).

    systems: number of texts that are summaries; they come first.
    Source: Ng & Abrecht 2015.
    """
    mine, theirs = grams.counts[:systems], grams.counts[systems:]
    half = np.zeros((systems, len(theirs)))
    sums = (mine > 0).astype(np.float64) @ grams.vectors
    for r, held in enumerate(theirs):
        exact = np.minimum(mine, held).sum(axis=1)
        cosines = sums @ grams.vectors[counted_grams(grams, systems + r)].sum(axis=0)
        half[:, r] = 0.5 * exact + 0.5 * cosines
    return half


def counted_grams(grams: NgramTable, text: int) -> NDArray[np.int64]:
    """Return a reference's n-grams whose cosines count: the k-th visited one must occur at least k times.

    The program clips by how often it has seen an n-gram of the summary: all of them count for the reference's
    first n-gram, but for the second only if that occurs twice. It visits n-grams in Perl's random order; here
    the order is alphabetical.
    """
    in_order = sorted(grams.held[text].tolist(), key=lambda gram: " ".join(grams.names[gram]))
    counting = [gram for at, gram in enumerate(in_order, start=1) if grams.counts[text, gram] >= at]
    return np.array(counting, dtype=np.int64)


def _cosines(grams: NgramTable, mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Array:
    """Return cosines, shape (mine, theirs); 1 for equal n-grams, even without vectors."""
    cosines: Array = np.round(grams.vectors[mine] @ grams.vectors[theirs].T, _DECIMALS)
    cosines[mine[:, None] == theirs[None, :]] = 1.0
    return cosines


NOT_IN_S3 = ("units", "stop_words", "text", "words", "bytes", "pooling", "rounding")
"""Settings that the program of S3 does not support."""

GAP = 4
"""Maximum words between the words of a pair in the published ROUGE-WE-SU."""


@dataclass(frozen=True, slots=True)
class PreparedGrams(PreparedWords):
    """A topic's units; summaries come first. unknown: number of texts with words without a vector."""

    placed: tuple[tuple[Placed, ...], ...]
    grams: NgramTable
    unknown: int

    def evidence(
        self, role: Literal["summary", "reference"], text: int, gram: int, count: int
    ) -> Iterator[Evidence]:
        """Yield the first `count` occurrences of an n-gram in a summary or reference."""
        is_summary = role == "summary"
        name = (self.topic.summaries if is_summary else self.topic.references)[text].name
        placed = self.placed[text if is_summary else len(self.summaries) + text]
        places = (spans for other, spans in placed if other == self.grams.names[gram])
        for spans in islice(places, count):
            yield from (Evidence(role, name, span) for span in spans)


@register
@dataclass(frozen=True)
class RougeWE(WordOverlapMetric[PreparedGrams]):
    """Overlap of units, exact and by similarity of word vectors.

    A unit that contains a word without a vector has no soft matches. In ng2015 negative cosines are
    included, and scores are not bounded by 1.

    Formula:
        ng2015:  matched = ½ · exact matches + ½ · Σ cosine of the products of the words' vectors
        s3:      matched = number of n-grams whose nearest unmatched n-gram of the reference has a cosine of
                 at least `threshold`; the vector of an n-gram is the sum of its words' vectors
        recall, precision and f as for rouge-n

    Limits:
        The two modes are different metrics. In ng2015 a text does not score 1 against itself, and the
        authors' program varies from run to run; here units are visited in alphabetical order. Scores with
        different vectors are not comparable. The packaged vectors are a stand-in.
    """

    name: ClassVar[str] = "rouge-we"
    about: ClassVar[str] = "ROUGE with word vectors: words with similar meaning match partially."
    paper: ClassVar[str] = "Ng & Abrecht 2015; Peyrard, Botschen & Gurevych 2017 (S3)"
    bibliography: ClassVar[tuple[str, ...]] = ("ng-abrecht-2015-rouge-we", "peyrard-2017-s3")
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES, Need.WORD_VECTORS})
    default_configs: ClassVar[tuple[str, ...]] = ("n=1", "n=2")
    default_seconds: ClassVar[float] = 2e-3

    mode: str = setting(
        "ng2015",
        "ng2015 = mean of exact matches and cosines, as in the program of Ng and Abrecht; s3 "
        "= each n-gram is matched with the nearest unmatched one above a threshold, as in S3. "
        "The scores of the two modes are not comparable.",
        choices=("ng2015", "s3"),
        title="Mode",
    )
    n: int = setting(1, "Length of the n-grams in words.", low=1, high=9, title="N")
    units: str = setting(
        "n-grams",
        "Units: n-grams; s4 = pairs with up to four words in between; su4 = s4 plus single words.",
        choices=("n-grams", "s4", "su4"),
        title="Units",
    )
    vectors: str = setting(
        "minilm",
        "Word vectors: a file in word2vec, GloVe or fastText format, or an encoder, whose "
        "input embeddings are used; minilm is installed with the program and replaces the "
        "vectors used in the papers.",
        title="Word vectors",
    )
    threshold: float = setting(
        0.8, "Minimum cosine for a match in mode s3.", low=0.0, high=1.0, title="Threshold"
    )
    stem: bool = rouge_settings.stem_setting()
    stop_words: bool = rouge_settings.stop_words_setting()
    text: str = rouge_settings.text_setting()
    words: int = rouge_settings.words_setting()
    bytes: int = rouge_settings.bytes_setting()
    pooling: str = rouge_settings.pooling_setting()
    alpha: float = rouge_settings.alpha_setting()
    rounding: str = rouge_settings.rounding_setting()

    @property
    def is_in_release(self) -> bool:
        return False

    @property
    def is_by_s3(self) -> bool:
        return self.mode == "s3"

    def unused(self) -> dict[str, str]:
        if self.is_by_s3:
            return dict.fromkeys(NOT_IN_S3, "mode=s3")
        pairs = {"n": f"units={self.units}"} if self.units != "n-grams" else {}
        return {"threshold": "mode=ng2015", **pairs}

    def prefix(self) -> str:
        return f"{self.name}-{self.n if self.units == 'n-grams' else self.units}-{self.mode}"

    def cut(self) -> TokenizerSettings:
        return TokenizerSettings("word", self.stem) if self.is_by_s3 else super().cut()

    def rounds(self) -> bool:
        return not self.is_by_s3 and super().rounds()

    def paper_models(self) -> dict[str, tuple[str, ...]]:
        return {"vectors": ("deps.words" if self.mode == "s3" else "google-news",)}

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        return {**word_vector_signature(self.vectors, resources), **super().signature_extras(resources)}

    def check(self, resources: Resources) -> None:
        find_vectors(self.vectors)

    def unknown_shares(self, texts: Sequence[Text], resources: Resources) -> Sequence[float]:
        return unknown_word_shares(texts, self.vectors, resources, lower=True)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedGrams:
        cut = self.cut_words(topic, self.rules[1], resources)
        texts = (*topic.summaries, *topic.references)
        placed = tuple(map(self._placed, texts, (*cut.summaries, *cut.references)))
        words = sorted({word for text in placed for gram, _ in text for word in gram})
        lookup = resources.word_vectors(self.vectors).of(words)
        joining: Joining = "sum" if self.is_by_s3 else "product"
        grams = grams_of(placed, lambda names: gram_vectors(names, words, lookup, joining))
        unknown = {word for word, is_known in zip(words, lookup.is_known, strict=True) if not is_known}
        incomplete = sum(any(not unknown.isdisjoint(gram) for gram, _ in text) for text in placed)
        return PreparedGrams(topic, cut.summaries, cut.references, placed, grams, incomplete)

    def notes(self, prepared: PreparedGrams) -> dict[str, int]:
        return {**super().notes(prepared), **noted(unknown_words=prepared.unknown)}

    def count(self, prepared: PreparedGrams) -> Array:
        systems = len(prepared.summaries)
        matched = self._nearest(prepared) if self.is_by_s3 else split_matches(prepared.grams, systems)
        sizes = prepared.grams.counts.sum(axis=1).astype(np.float64)
        in_reference = np.broadcast_to(sizes[None, systems:], matched.shape)
        in_summary = np.broadcast_to(sizes[:systems, None], matched.shape)
        return np.stack([matched, in_reference, in_summary], axis=-1)

    def overlap(self, prepared: PreparedGrams, system: int, reference: int) -> Overlap:
        topic = prepared.topic
        there, here = prepared.placed[len(prepared.summaries) + reference], prepared.placed[system]
        names = topic.references[reference].name, topic.summaries[system].name
        exact = explain_overlap(there, here, *names)
        matched = (
            self._nearest_tree(prepared, system, reference)
            if self.is_by_s3
            else _halves_tree(prepared, system, reference, exact.matched)
        )
        return Overlap(matched, exact.in_reference, exact.in_summary)

    def _f_tree(self, recall: Explanation, precision: Explanation) -> Explanation:
        tree = super()._f_tree(recall, precision)
        weighted = tree.children[1].evaluate()
        return tree if weighted > 0 else Explanation("F is 0 because recall or precision is not positive")

    def _placed(self, text: Text, words: TokenizedText) -> tuple[Placed, ...]:
        listed = placed_words(text.content, words, normalize_word(self.cut()))
        if self.units == "n-grams":
            return tuple(ngram_spans(listed, self.n))
        return tuple(pair_spans(listed, GAP, with_words=self.units == "su4"))

    def _nearest(self, prepared: PreparedGrams) -> Array:
        """Return the number of matched n-grams of each pair, shape (summaries, references)."""
        shape = (len(prepared.summaries), len(prepared.references))
        matched = [sum(m.count for m in self._matches(prepared, *pair)) for pair in np.ndindex(shape)]
        return np.array(matched, dtype=np.float64).reshape(shape)

    def _matches(self, prepared: PreparedGrams, system: int, reference: int) -> list[NgramMatch]:
        return match_nearest_vector(
            prepared.grams, system, len(prepared.summaries) + reference, self.threshold
        )

    def _nearest_tree(self, prepared: PreparedGrams, system: int, reference: int) -> Explanation:
        names = prepared.grams.names
        leaves = [
            Explanation(
                f"{_join(names[match.mine])} → {_join(names[match.theirs])}",
                value=float(match.count),
                evidence=(
                    *prepared.evidence("reference", reference, match.theirs, match.count),
                    *prepared.evidence("summary", system, match.mine, match.count),
                ),
            )
            for match in self._matches(prepared, system, reference)
        ]
        return total(prepared.topic.references[reference].name, leaves)


def _halves_tree(prepared: PreparedGrams, system: int, reference: int, exact: Explanation) -> Explanation:
    grams, at = prepared.grams, len(prepared.summaries) + reference
    mine = grams.vectors[grams.held[system]].sum(axis=0)
    leaves = [
        Explanation(
            f"{_join(grams.names[gram])}: cosines with all units of the summary",
            value=float(mine @ grams.vectors[gram]),
            evidence=tuple(prepared.evidence("reference", reference, gram, int(grams.counts[at, gram]))),
        )
        for gram in counted_grams(grams, at).tolist()
    ]
    halves = (
        product("half of the exact matches", 0.5, exact),
        product("half of the cosines", 0.5, total("cosines", leaves)),
    )
    return total(prepared.topic.references[reference].name, halves)


def _join(gram: Gram) -> str:
    return " ".join(gram)
