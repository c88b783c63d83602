"""ROUGE-WE: ROUGE with soft matches between units with similar word vectors.

Two programs have this name. Ng & Abrecht 2015 (``ng2015``) patched ROUGE-1.5.5; their result depends on
the order in which Perl visits a reference's units, so here they are visited in alphabetical order.
Peyrard et al. 2017 (``s3``) match each n-gram of a summary with the nearest unmatched one of the
reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Need,
    Resources,
    noted,
    setting,
)
from core.metrics.base.word_vectors import unknown_word_shares, word_vector_signature
from core.metrics.registry import register
from core.metrics.rouge import rouge_settings
from core.metrics.rouge.embedded_ngrams import (
    Gram,
    Joining,
    NgramTable,
    Placed,
    gram_vectors,
    grams_of,
    ngram_spans,
    pair_spans,
    placed_words,
)
from core.metrics.rouge.overlap import PreparedWords, WordOverlapMetric
from core.metrics.rouge.overlap_explanation import Overlap, explain_overlap, product, total
from core.metrics.rouge.soft_matching import NgramMatch, counted_grams, match_nearest_vector, split_matches
from core.models.encoders.word_vectors import find_vectors
from core.text.tokenization import TokenizedText, TokenizerSettings, normalize_word

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

    def seconds_per_text(self, resources: Resources) -> float:
        return 2e-3

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
