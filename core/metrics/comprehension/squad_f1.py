"""Token F1 of two answers, as in the SQuAD evaluation."""

from __future__ import annotations

import re
import string
from collections import Counter

from core.metrics.base import Evidence, Explanation

_DROPPED = str.maketrans("", "", string.punctuation)


def answer_words(answer: str) -> list[str]:
    """Return the words of an answer in lower case, without punctuation and articles."""
    return re.sub(r"\b(?:a|an|the)\b", " ", answer.lower().translate(_DROPPED)).split()


def answer_f(answer: str, expected: str) -> float:
    """Return the token F1 of two answers; 0 if they share no word."""
    return overlap_tree("", answer, expected, ()).evaluate()


def overlap_tree(label: str, answer: str, expected: str, evidence: tuple[Evidence, ...]) -> Explanation:
    """Return the tree of the token F1: the harmonic mean of precision and recall."""
    mine, theirs = answer_words(answer), answer_words(expected)
    shared = float((Counter(mine) & Counter(theirs)).total())
    common = Explanation("common words", value=shared)
    precision = _ratio("precision", common, "words of the answer", len(mine))
    recall = _ratio("recall", common, "words of the expected answer", len(theirs))
    return Explanation(label, "harmonic", children=(precision, recall), evidence=evidence)


def agreement_tree(answer: str, expected: str) -> Explanation:
    """Return the tree of the token F1; 1 if neither answer has words, as in SQuAD 2.0."""
    if not answer_words(answer) and not answer_words(expected):
        return Explanation("F of the words", value=1.0)
    return overlap_tree("F of the words", answer, expected, ())


def _ratio(label: str, shared: Explanation, of: str, words: int) -> Explanation:
    return Explanation(label, "ratio", children=(shared, Explanation(of, value=float(words))))
