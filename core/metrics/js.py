"""Jensen–Shannon divergence of n-gram distributions (Lin et al. 2006), with the tokenization of S3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np

from core.domain.study import Span, Text, TopicTexts
from core.metrics.base import Array, Evidence, Explanation, Prepared, Resources, noted, setting, undefined
from core.metrics.base.pooling import PooledMetric
from core.metrics.base.word_setting import WordMetric, tokenization_setting
from core.metrics.registry import register
from core.stats.precision import weighted_sums
from core.text.stemming import snowball_stem
from core.text.tokenization import TokenizedText, TokenizerSettings
from core.text.word_lists import load_word_list


@dataclass(frozen=True, slots=True)
class PreparedShares(Prepared):
    """Relative frequency of each n-gram in each text, shape (texts, n-grams); summaries come first.

    words: of each text. grams: the column of each n-gram, by its words' numbers.
    """

    shares: Array
    words: tuple[TokenizedText, ...]
    grams: Mapping[tuple[int, ...], int]


@register
@dataclass(frozen=True)
class JensenShannon(WordMetric[PreparedShares], PooledMetric[PreparedShares]):
    """Divergence of the n-gram distributions of a summary and a reference, in [0, ln 2]; 0 = equal.

    NaN if a text has no n-grams. Several references: the mean. The statistic per reference is the divergence
    from that reference.

    Formula:
        m          = (p + q) / 2, where p and q are the shares of n-grams in the summary and a reference
        divergence = ½ Σ p · ln(p / m) + ½ Σ q · ln(q / m)

    Limits:
        Lower is better. Reads words only, not their order beyond n-grams. Short texts have a high
        divergence by chance.
    """

    name: ClassVar[str] = "js"
    family: ClassVar[str] = "Divergence"
    about: ClassVar[str] = "Divergence of n-gram frequencies from those of the references; lower is better."
    paper: ClassVar[str] = "Lin, Cao, Gao & Nie 2006; Peyrard, Botschen & Gurevych 2017 (S3)"
    bibliography: ClassVar[tuple[str, ...]] = ("lin-2006-information-theoretic", "peyrard-2017-s3")
    higher_is_better: ClassVar[bool] = False
    default_configs: ClassVar[tuple[str, ...]] = ("n=1", "n=2")

    n: int = setting(1, "Length of the n-grams in words.", low=1, high=4, title="N")
    stem: bool = setting(True, "Compare English stems (Snowball) instead of words.", title="Stem")
    stop_words: bool = setting(
        True, "Ignore n-grams that consist only of English stop words (NLTK's 153).", title="Drop stop words"
    )

    text: str = tokenization_setting("word")

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {**super().language_settings(language), "stem": "no", "stop_words": "no"}

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}-{self.n}.divergence",)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedShares:
        texts = (*topic.summaries, *topic.references)
        cut = TokenizerSettings(self.text, self.stem)
        words = tuple(resources.words(text, cut) for text in texts)
        stopped = set(resources.words(_stop_list(), cut).ids.tolist()) if self.stop_words else set[int]()
        grams: dict[tuple[int, ...], int] = {}
        rows, columns = [], []
        for row, text_words in enumerate(words):
            listed = text_words.ids.tolist()
            for at in range(len(listed) - self.n + 1):
                gram = tuple(listed[at : at + self.n])
                if not stopped.issuperset(gram):
                    rows.append(row)
                    columns.append(grams.setdefault(gram, len(grams)))
        counts = np.zeros((len(texts), len(grams)))
        np.add.at(counts, (rows, columns), 1.0)
        totals = counts.sum(axis=1, keepdims=True)
        shares = np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)
        return PreparedShares(topic, shares, words, grams)

    def per_reference(self, prepared: PreparedShares) -> Array:
        count = len(prepared.topic.summaries)
        return divergences(prepared.shares[:count], prepared.shares[count:])[:, :, None]

    def notes(self, prepared: PreparedShares) -> dict[str, int]:
        empty = len(prepared.shares) if not prepared.grams else np.isnan(prepared.shares[:, 0]).sum()
        return noted(no_units=empty)

    def trees(self, prepared: PreparedShares, system: int) -> Iterator[Sequence[Explanation]]:
        mine = self._placed(prepared, system, "summary")
        for row in range(len(prepared.topic.summaries), len(prepared.words)):
            yield (_tree(mine, self._placed(prepared, row, "reference")),)

    def _placed(
        self, prepared: PreparedShares, row: int, role: Literal["summary", "reference"]
    ) -> _PlacedShares:
        """Return the n-grams of a text with their places."""
        text = (*prepared.topic.summaries, *prepared.topic.references)[row]
        words, places = prepared.words[row], dict[int, list[Span]]()
        listed, spans = words.ids.tolist(), words.spans.tolist()
        for at in range(len(listed) - self.n + 1):
            column = prepared.grams.get(tuple(listed[at : at + self.n]))
            if column is not None:
                places.setdefault(column, []).append((spans[at][0], spans[at + self.n - 1][1]))
        return _PlacedShares(role, text, prepared.shares[row], places)


def divergences(p: Array, q: Array) -> Array:
    """Return the Jensen–Shannon divergence of all pairs of rows in nats, shape (rows of p, rows of q).

    p, q: relative frequencies, shape (texts, n-grams); a row of NaN gives NaN.
    """
    if not p.shape[1]:
        return np.full((len(p), len(q)), np.nan)
    return np.stack(
        [(_kl_from_mean(p, other) + _kl_from_mean(other[None, :], p)) / 2 for other in q], axis=1
    ).reshape(len(p), len(q))


def _kl_from_mean(p: Array, q: Array) -> Array:
    """Return the Kullback–Leibler divergence of each row of p from its mean with q."""
    terms = _kl_terms(p, q)
    total: Array = weighted_sums(np.ones((1, terms.shape[1])), terms)[0]  # whatever the order of n-grams
    return total


def _kl_terms(p: Array, q: Array) -> Array:
    """Return what each n-gram adds to that divergence."""
    mean = (p + q) / 2
    ratio = np.divide(p, mean, out=np.ones_like(mean), where=mean > 0)
    terms: Array = np.where((p > 0) | np.isnan(p), p * np.log(np.where(ratio > 0, ratio, 1.0)), 0.0)
    return terms


@dataclass(frozen=True, slots=True)
class _PlacedShares:
    """The shares of a text's n-grams, and the spans of each n-gram by its column."""

    role: Literal["summary", "reference"]
    text: Text
    shares: Array
    places: Mapping[int, Sequence[Span]]

    def tree(self, other: _PlacedShares) -> Explanation:
        """Return the divergence from the mean with another text, as a sum over the n-grams of this one."""
        terms = _kl_terms(self.shares, other.shares).tolist()
        leaves = tuple(
            Explanation(
                " ".join(self.text.content[slice(*spans[0])].split()),
                value=terms[column],
                evidence=tuple(Evidence(self.role, self.text.name, span, terms[column]) for span in spans),
            )
            for column, spans in self.places.items()
        )
        whose = "summary" if self.role == "summary" else self.text.name
        reference = other.text.name if self.role == "summary" else self.text.name
        label = f"{whose} from the mean with {reference}"
        return Explanation(label, "sum", children=leaves)


def _tree(mine: _PlacedShares, theirs: _PlacedShares) -> Explanation:
    name = theirs.text.name
    if not mine.shares.size or np.isnan(mine.shares).any() or np.isnan(theirs.shares).any():
        return undefined(f"from {name}", "no_units")
    return Explanation(f"from {name}", "mean", children=(mine.tree(theirs), theirs.tree(mine)))


@cache
def _stop_list() -> Text:
    """Return the stop words as a text: only those that are their own stem, as no other can equal a stem."""
    words = [word for word in load_word_list("stop_words_153.txt") if snowball_stem(word) == word]
    return Text("stop-words", "stop words", " ".join(words))
