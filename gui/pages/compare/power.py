"""How many systems or topics it would take to tell two measures apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.comparison.inference import sample_of
from core.formatting.coefficients import SYMBOLS
from core.formatting.numbers import correlation_text, count_text
from core.progress import Steps
from core.stats.power import WANTED, Power, power
from core.stats.resample_counts import Over
from gui.pages.compare.queries import Question
from gui.pages.compare.study_data import Numbers

_SHOWN = 6
_WHAT = {Over.SYSTEMS: "systems", Over.TOPICS: "topics"}


@dataclass(frozen=True, slots=True)
class Needed:
    """The answer for two measures, over systems and over topics. own: how many this study has of each."""

    question: Question
    title: str
    labels: tuple[str, str]
    found: tuple[Power, Power]
    own: tuple[int, int]


def finding_needed(numbers: Numbers, question: Question, labels: tuple[str, str]) -> Steps[Needed]:
    """Simulate studies of other sizes from this one."""
    chosen = [numbers.scores(label) for label in labels]
    refs = [ref for label in labels if (ref := numbers.ref(label)) is not None]
    pair = replace(numbers.comparison, refs=tuple(refs), scores=tuple(chosen))
    sample = sample_of(pair, question.human, question.level, question.coefficient, question.undefined)
    found = []
    for over in (Over.SYSTEMS, Over.TOPICS):
        found += yield from power(sample.x, sample.z, question.level, question.coefficient, over, [(0, 1)])
    judged = numbers.comparison.judgements[question.human]
    there = judged.values == judged.values
    own = int(there.any(axis=1).sum()), int(there.any(axis=0).sum())
    title = numbers.judgements[question.human].title
    return Needed(question, title, labels, (found[0], found[1]), own)


def needed_words(needed: Needed) -> tuple[str, ...]:
    """The answer, a sentence each."""
    first, second = needed.labels
    symbol = SYMBOLS[needed.question.coefficient]
    difference = correlation_text(abs(needed.found[0].difference))
    return (
        f"{first} and {second} differ by {symbol} = {difference} with {needed.title}. Studies of other sizes "
        "are drawn from this one, with that difference taken for true; a study counts as large enough where "
        f"{WANTED:.0%} of its like find it at 95 % confidence.",
        *_sentences(needed),
    )


def _interval_sentence(found: Power, what: str) -> str:
    """Return how far the required number may be off, given how uncertain the observed difference is."""
    if found.low != found.low:
        return f"The difference has no interval over {what}, so this number is a guess from one study."
    ends = f"{correlation_text(found.low)} to {correlation_text(found.high)}"
    fewest = f"{count_text(found.needed_low)} {what}" if found.needed_low else "more than were tried"
    most = f"{count_text(found.needed_high)} {what}" if found.needed_high else "no number of them"
    return (
        f"The observed difference is uncertain: over {what} its 95 % interval is {ends}. At its ends "
        f"{fewest} to {most} would do."
    )


def _sentences(needed: Needed) -> Iterator[str]:
    for found, own in zip(needed.found, needed.own, strict=True):
        what = _WHAT[found.over]
        has = f"this study has {count_text(own)}"
        if found.needed is None:
            yield f"Not even {count_text(found.sizes[-1])} {what} would do; {has}."
        else:
            yield f"About {count_text(found.needed)} {what} are needed; {has}."
        yield _interval_sentence(found, what)
        tried = [(n, p) for n, p in zip(found.sizes, found.chances, strict=True) if p == p]
        step = max(1, -(-len(tried) // _SHOWN))
        listed = ", ".join(f"{count_text(n)}: {p:.0%}" for n, p in tried[::step])
        yield f"Chance of finding it by number of {what}: {listed or 'undefined'}."
