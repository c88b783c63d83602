"""Cautions on correlations: small samples, constant values, many ties, notes of metrics."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from core.comparison.inference import CorrelationInputs
from core.comparison.measures import MeasureRef, checked, unchecked_notes
from core.comparison.staleness_text import stale_notes, stale_texts
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import format_count, pluralize
from core.matrix import Array
from core.metrics.base import NOTES
from core.names import first_names
from core.ports import Study
from core.stats.correlation import Coefficient, Level, UndefinedPolicy, correlate_many
from core.stats.measure_stack import level_rows
from core.stats.precision import normalize, round_to_grain, varies
from core.stats.soft_pairwise_accuracy import FEWEST_SYSTEMS, FEWEST_TOPICS, complete_part
from core.stats.types import OF_ROWS

SMALL_SAMPLE = 10
"""Number of systems or topics below which chance dominates."""

MANY_TIES = 0.25
"""Share of tied human pairs above which rank coefficients diverge."""

_MOST_SENTENCES = 3
"""Sentences on one note; more are joined to one with the range of the counts."""

_BY_RANKS = frozenset(each for each in OF_ROWS if not each.is_accuracy) - {Coefficient.PEARSON}


def cautions(inputs: CorrelationInputs, labels: Sequence[str]) -> tuple[str, ...]:
    """Return cautions as sentences, most serious first.

    labels: of the measures, in the order of the inputs.
    """
    return tuple(sentence for sentence in _note_sentences(inputs, labels) if sentence)


def joined_cautions(each: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the cautions on several judgements, by title: those on all first, then each one's own."""
    found = dict.fromkeys(sentence for mine in each.values() for sentence in mine)
    common = [one for one in found if all(one in mine for mine in each.values())]
    return [
        *common,
        *(f"{title}: {one}" for title, mine in each.items() for one in mine if one not in common),
    ]


def score_notes(study: Study, refs: Iterable[MeasureRef]) -> list[str]:
    """Return what may mislead about stored scores: what is out of date first, then as `metric_notes`."""
    refs = checked(study, refs)
    return [*stale_notes(stale_texts(study, refs)), *metric_notes(study, refs)]


def metric_notes(study: Study, refs: Iterable[MeasureRef]) -> list[str]:
    """Return what metrics reported while scoring, a sentence per note and count, and what is not checked."""
    refs = list(refs)
    by_signature: dict[str, list[str]] = defaultdict(list)
    for ref in refs:
        by_signature[ref.signature].append(ref.label)
    noted = ((labels, _noted(study, signature)) for signature, labels in by_signature.items())
    return [*note_sentences(noted), *unchecked_notes(refs)]


def note_sentences(noted: Iterable[tuple[Sequence[str], Mapping[str, int]]]) -> list[str]:
    """Return a sentence per note and count. noted: the names of metrics, with the counts of their notes."""
    alike: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for labels, notes in noted:
        for note, count in notes.items():
            alike[note][count] += labels
    sentences = []
    for note, counted in alike.items():
        if len(counted) > _MOST_SENTENCES:  # such as ties, whose number depends on the cut-off
            names = [label for several in counted.values() for label in several]
            text = f"{min(counted):,} to {note_text(note, max(counted))}"
            sentences.append(f"{first_names(names)}: {text}.")
        else:
            sentences += [f"{first_names(names)}: {note_text(note, n)}." for n, names in counted.items()]
    return sentences


def note_text(note: str, count: int) -> str:
    """Return a note with its count as text; notes unknown to this version are returned unchanged."""
    if note not in NOTES:
        return f"{note} {format_count(count)}"
    thing, message = NOTES[note]
    return f"{pluralize(count, thing)} {message}"


def _noted(study: Study, signature: str) -> Counter[str]:
    """Return the notes of a configuration, summed over topics."""
    counts: Counter[str] = Counter()
    for notes in study.scores.notes(signature).values():
        counts.update({note: count for note, count in notes.items() if count})
    return counts


def _note_sentences(inputs: CorrelationInputs, labels: Sequence[str]) -> Iterator[str]:
    judged = np.isfinite(inputs.z)
    both = np.isfinite(inputs.x).any(axis=0) & judged if inputs.x.size else judged
    systems, topics = int(both.any(axis=1).sum()), int(both.any(axis=0).sum())
    if inputs.level is not Level.GLOBAL and 0 < systems < FEWEST_SYSTEMS:
        yield f"Only {pluralize(systems, 'system')}: a correlation requires at least three."
    elif inputs.level is not Level.GLOBAL and 0 < systems < SMALL_SAMPLE:
        yield (
            f"Only {pluralize(systems, 'system')}: intervals are wide, and only large differences between "
            "measures can be detected."
        )
    if inputs.level is Level.TOPIC and 0 < topics < SMALL_SAMPLE:
        yield f"Only {pluralize(topics, 'topic')}: other topics may change the mean coefficient."
    if judged.any() and not varies(normalize(inputs.z)):
        yield "All human values are the same, so correlations are undefined."
        return
    yield _constant(inputs, labels)
    yield _same_in_all_topics(inputs, labels)
    yield _incomplete(inputs, labels)
    yield _tied(inputs)


def _constant(inputs: CorrelationInputs, labels: Sequence[str]) -> str:
    judged = np.isfinite(inputs.z)
    constant = [
        label
        for label, scores in zip(labels, inputs.x, strict=True)
        if (np.isfinite(scores) & judged).any() and not varies(normalize(np.where(judged, scores, np.nan)))
    ]
    if not constant:
        return ""
    return f"{first_names(constant)}: the same score for every summary, so the correlation is undefined."


def _same_in_all_topics(inputs: CorrelationInputs, labels: Sequence[str]) -> str:
    """Return why measures with a correlation have no p at the topic level, empty = they have one."""
    if inputs.level is not Level.TOPIC or inputs.coefficient.is_accuracy:
        return ""
    counts = UndefinedPolicy.ZERO if inputs.undefined is UndefinedPolicy.ZERO else UndefinedPolicy.SKIP
    found = correlate_many(inputs.x, inputs.z, inputs.level, inputs.coefficient, counts)
    named = [
        label
        for label, one in zip(labels, found, strict=True)
        if one.n > 1 and math.isfinite(one.value) and not math.isfinite(one.p)
    ]
    if not named:
        return ""
    return f"{first_names(named)}: the same correlation in every topic, so a t-test over topics has no p."


def _incomplete(inputs: CorrelationInputs, labels: Sequence[str]) -> str:
    """Return why soft pairwise accuracy is undefined for some measures, empty = it is not."""
    if inputs.coefficient is not Coefficient.SOFT_ACCURACY:
        return ""
    parts = [complete_part(scores, inputs.z) for scores in inputs.x]
    few = [
        label
        for label, (systems, topics) in zip(labels, parts, strict=True)
        if len(systems) < FEWEST_SYSTEMS or len(topics) < FEWEST_TOPICS
    ]
    if not few:
        return ""
    return (
        f"{first_names(few)}: soft pairwise accuracy is undefined. It needs {FEWEST_SYSTEMS} systems and "
        f"{FEWEST_TOPICS} topics for which every one of these systems has a score and a judgement."
    )


def _tied(inputs: CorrelationInputs) -> str:
    if inputs.coefficient not in _BY_RANKS:
        return ""
    share = _tied_share(inputs.z, inputs.level)
    if not share > MANY_TIES:
        return ""
    symbol = SYMBOLS[inputs.coefficient]
    return (
        f"{share:.0%} of human pairs are tied, so {symbol} depends on how ties count: compare only the "
        "same coefficient."
    )


def _tied_share(z: Array, level: Level) -> float:
    """Return the share of human pairs that are tied at a level; NaN without pairs."""
    tied = pairs = 0
    for row in round_to_grain(level_rows(z[None], np.isfinite(z), level)):
        sizes = np.unique(row[np.isfinite(row)], return_counts=True)[1]
        tied += int((sizes * (sizes - 1)).sum())
        pairs += int(sizes.sum() * (sizes.sum() - 1))
    return tied / pairs if pairs else float("nan")
