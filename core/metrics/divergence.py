"""Divergence of a summary's words from its documents' (Louis & Nenkova 2009, 2013), as by SIMetrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from core.domain.study import Text, TopicTexts
from core.metrics.base import (
    Array,
    Evidence,
    Explanation,
    Need,
    Pool,
    Prepared,
    Resources,
    TopicScores,
    noted,
    setting,
    undefined,
)
from core.metrics.base.word_setting import WordMetric, tokenization_setting
from core.metrics.registry import register
from core.stats.precision import weighted_sums
from core.text.tokenization import TokenizedText, TokenizerSettings


@dataclass(frozen=True, slots=True)
class PreparedCounts(Prepared):
    """Occurrences of each word.

    mine: in each summary, shape (summaries, words). theirs: in all documents, shape (words,). numbers: the
    column of each word.
    """

    summaries: tuple[TokenizedText, ...]
    documents: tuple[TokenizedText, ...]
    mine: Array
    theirs: Array
    numbers: Mapping[int, int]


@register
@dataclass(frozen=True)
class Divergence(WordMetric[PreparedCounts]):
    """Divergence of the word distributions of a summary and of all its documents together; 0 = equal.

    NaN if the summary or the documents have no words that count.

    Formula:
        js                = ½ Σ p · ln(p / m) + ½ Σ q · ln(q / m), where p and q are the shares of a word in
                            the summary and in the documents, and m = (p + q) / 2
        js-smoothed       = the same with p = (c + γ) / (N + γ · β · V), where c is the word's number of
                            occurrences, N that of all words, and V the number of distinct words of the
                            documents; q alike
        kl-input-summary  = Σ q · ln(q / p), smoothed
        kl-summary-input  = Σ p · ln(p / q), smoothed

    Limits:
        Lower is better. Reads words only, not their order. The longer a summary, the closer it can come to
        the documents. Lists of words and leads have low divergence: it measures the choice of content, not
        whether a text is well written or true.
    """

    name: ClassVar[str] = "divergence"
    family: ClassVar[str] = "Divergence"
    about: ClassVar[str] = (
        "Divergence of word frequencies from those of the documents (JS, KL); lower is better."
    )
    paper: ClassVar[str] = "Louis & Nenkova 2009, 2013; SIMetrix 1"
    bibliography: ClassVar[tuple[str, ...]] = ("louis-2013-assessing",)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS})
    higher_is_better: ClassVar[bool] = False
    added_settings: ClassVar[frozenset[str]] = frozenset()
    default_pool: ClassVar[Pool] = Pool.JOINT

    stem: bool = setting(True, "Compare English stems (Porter) instead of words.", title="Stem")
    stop_words: bool = setting(
        True, "Leave out English stop words (SMART's, which ROUGE-1.5.5 uses).", title="Drop stop words"
    )
    gamma: float = setting(
        0.005, "γ, added to each word's number of occurrences.", low=1e-9, title="Smoothing"
    )
    beta: float = setting(
        1.5, "β: possible words for each distinct word of the documents.", low=0.0, title="Possible words"
    )
    text: str = tokenization_setting("simetrix")

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        return {**super().language_settings(language), "stem": "no", "stop_words": "no"}

    def measures(self) -> tuple[str, ...]:
        parts = ("js", "js-smoothed", "kl-input-summary", "kl-summary-input")
        return tuple(f"{self.name}.{part}" for part in parts)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedCounts:
        cut = TokenizerSettings(self.text, self.stem, self.stop_words)
        summaries = tuple(resources.words(text, cut) for text in topic.summaries)
        documents = tuple(resources.words(text, cut) for text in topic.documents)
        every = [words.ids for words in (*summaries, *documents)]
        known = np.unique(np.concatenate([*every, np.empty(0, np.int32)]))
        rows = [np.bincount(np.searchsorted(known, ids), minlength=len(known)) for ids in every]
        counts = np.array(rows, dtype=np.float64).reshape(len(rows), len(known))
        numbers = {number: at for at, number in enumerate(known.tolist())}
        mine, theirs = counts[: len(summaries)], counts[len(summaries) :].sum(axis=0)
        return PreparedCounts(topic, summaries, documents, mine, theirs, numbers)

    def score(self, prepared: PreparedCounts) -> TopicScores:
        terms = self._terms(prepared.mine, prepared.theirs)
        ones = np.ones((1, terms.shape[2]))
        values = np.stack([weighted_sums(ones, rows)[0] for rows in terms], axis=1)  # in any order of words
        is_empty = (prepared.mine.sum(axis=1) == 0) | (prepared.theirs.sum() == 0)
        values[is_empty] = np.nan
        lost = sum(words.lost_letters for words in (*prepared.summaries, *prepared.documents))
        return TopicScores(values, notes=noted(no_units=is_empty.sum(), dropped_characters=lost))

    def _terms(self, mine: Array, theirs: Array) -> Array:
        """Return what each word adds to each measure, shape (measures, summaries, words)."""
        is_there = (mine > 0) | (theirs > 0)
        words, others = np.maximum(mine.sum(axis=1, keepdims=True), 1.0), max(theirs.sum(), 1.0)
        more = self.gamma * self.beta * np.count_nonzero(theirs)
        p, q = (mine + self.gamma) / (words + more), (theirs + self.gamma) / (others + more)
        kinds = [
            _js_terms(mine / words, theirs / others),
            _js_terms(p, q),
            q * np.log(q / p),
            p * np.log(p / q),
        ]
        return np.stack([np.where(is_there, terms, 0.0) for terms in kinds])

    def explain(self, prepared: PreparedCounts, system: int) -> dict[str, Explanation]:
        if not prepared.mine[system].any() or not prepared.theirs.any():
            return {name: undefined(name, "no_units") for name in self.measures()}
        topic = prepared.topic
        places: dict[int, list[Evidence]] = {}
        labels: dict[int, str] = {}
        texts: list[tuple[Literal["summary", "document"], Text, TokenizedText]]
        texts = [("summary", topic.summaries[system], prepared.summaries[system])]
        texts += [("document", *pair) for pair in zip(topic.documents, prepared.documents, strict=True)]
        for role, text, words in texts:
            for number, span in zip(words.ids.tolist(), words.spans.tolist(), strict=True):
                column = prepared.numbers[number]
                labels.setdefault(column, text.content[slice(*span)])
                places.setdefault(column, []).append(Evidence(role, text.name, (span[0], span[1])))
        terms = self._terms(prepared.mine[[system]], prepared.theirs)[:, 0].tolist()
        return {
            name: Explanation(
                name,
                "sum",
                children=tuple(
                    Explanation(labels[column], value=row[column], evidence=tuple(places[column]))
                    for column in labels
                ),
            )
            for name, row in zip(self.measures(), terms, strict=True)
        }


def _js_terms(p: Array, q: Array) -> Array:
    """Return half of what each word adds to the divergences of p and of q from their mean; 0 · ln 0 = 0."""
    mean = (p + q) / 2
    return (_terms(p, mean) + _terms(np.broadcast_to(q, mean.shape), mean)) / 2


def _terms(share: Array, mean: Array) -> Array:
    ratio = np.divide(share, mean, out=np.ones_like(mean), where=share > 0)
    terms: Array = share * np.log(ratio)
    return terms
