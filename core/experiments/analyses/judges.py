"""Judges against annotators: the alternative annotator test, agreement, correlation, biases."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from core.agreement.table import AgreementRow
from core.agreement.titles import agreement_title
from core.comparison.judges.alignment import (
    EVERY_SCALE,
    JudgeAlignment,
    JudgeOptions,
    PositionBias,
    advantage_difference,
    alignment,
    disagreements,
    judged_ratings,
    position_biases,
    runs_of,
)
from core.experiments.common_settings import coefficient_setting, judgements_setting, seed_setting
from core.experiments.experiment import Experiment
from core.experiments.inputs.development_topics import TopicPart, development_topics, part_of
from core.experiments.inputs.measure_inputs import NO_SCORES, names_in
from core.experiments.inputs.named_matrices import load_controls
from core.experiments.registry import register
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import PLAIN_ENDS, Cell, CellKind, Column, Table, interval_ends
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.stats.alternative_annotator import ENOUGH_WINS, FALSE_DISCOVERIES, MIN_ITEMS, MIN_PEOPLE, Closeness
from core.stats.correlation import Coefficient

TUNED = "tuned on"
"""Mark of numbers on topics that rubrics, prompts or thresholds may have been tuned on."""

_LISTED = 20
"""Disagreements of each judge and rating in the table."""

_MOST_COMPARED = 12
"""Judges of a rating whose ρ are compared in pairs."""

_KEYS = (Column("Judge", "judge"), Column("Rating", "rating"))


@register
@dataclass(frozen=True)
class Judges(Experiment):
    """Compare judges, such as language models, with the annotators of ratings.

    The alternative annotator test (Calderon, Reichart & Dror 2025) asks for each annotator whether the judge
    is closer to the other annotators than that annotator is. A judge that wins against at least half of the
    annotators may replace them.

    Formula:
        S(f, x, j)     = closeness of f's value of x to the annotators without j: accuracy, or -RMSE
        ρ_j            = share of items with S(judge, x, j) ≥ S(annotator j, x, j)
        d_j            = share with S(annotator j, x, j) ≥ S(judge, x, j), minus ρ_j
        H0             : d_j ≥ ε, by a one-sided t-test over items, adjusted by Benjamini & Yekutieli
        ω              = share of annotators whose H0 is rejected; the judge passes if ω ≥ 0.5
        ρ              = mean of ρ_j over annotators

    Limits:
        Items of the same topic are not independent, which the test ignores; the interval of ρ is over topics.
        ε is a choice: the authors suggest 0.2 for experts, 0.15 for skilled annotators and 0.1 for crowd
        workers. A judge that passes is as good as these annotators, not right.
    """

    name: ClassVar[str] = "judges"
    title: ClassVar[str] = "Judges against annotators"
    about: ClassVar[str] = (
        "Whether a judge, such as a language model, may replace annotators; its agreement, correlation, "
        "calibration, and bias by length."
    )

    judges: str = setting(
        "",
        "Judges: measures such as gpt-4o.coherence, or gpt-4o for all its scales, separated by commas. Empty "
        "= every measure that is named for a scale.",
        title="Judges",
    )
    judgements: str = judgements_setting()
    annotators: str = setting(
        "",
        "Annotators or groups to compare with, separated by commas. Empty = those that count in the rating.",
        title="Annotators",
    )
    topics: str = setting(
        "automatic",
        "Topics: those for tests, for development, or all; automatic = for tests, or all without a split.",
        choices=tuple(map(str, TopicPart)),
        title="Topics",
    )
    epsilon: float = setting(
        0.2,
        "ε: by how much a judge may win less often than an annotator.",
        low=0.0,
        high=1.0,
        title="Epsilon",
    )
    closeness: str = setting(
        "automatic",
        "How close two values are: accuracy for categories, rmse for numbers; automatic = by the scale.",
        choices=("automatic", *map(str, Closeness)),
        title="Closeness",
    )
    least_items: int = setting(
        MIN_ITEMS, "Items that an annotator needs to take part in the test.", low=2, title="Least items"
    )
    coefficient: str = coefficient_setting(Coefficient.PEARSON)
    draws: int = setting(
        1000, "Resamples for intervals; 0 = no intervals.", low=0, high=100_000, title="Draws"
    )
    seed: int = seed_setting()

    @property
    def options(self) -> JudgeOptions:
        """Return how judges are compared."""
        closeness = None if self.closeness == "automatic" else Closeness(self.closeness)
        coefficient = Coefficient(self.coefficient)
        return JudgeOptions(self.epsilon, closeness, self.least_items, coefficient, self.draws, self.seed)

    def missing_requirements(self, study: Study) -> str:
        if not any(study.ratings.counts().values()):
            return "This study has no ratings yet. Import ratings, or rate summaries."
        if not study.scores.configs():
            return f"{NO_SCORES} Or import the scores of a judge."
        return ""

    def corpus_hash(self, study: Study) -> str:
        """Return a hash of the topics for development, which are no part of the texts."""
        return hashlib.sha256("\n".join(development_topics(study)).encode()).hexdigest()

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        found, part = yield from self.alignments(study, resources)
        return self.result(study, found, part)

    def result(self, study: Study, found: Sequence[JudgeAlignment], part: TopicPart) -> Result:
        """Return the result of alignments on a part of the topics."""
        is_tuned = part is not TopicPart.TEST and bool(development_topics(study))
        biases = position_biases(study, part_of(study, part)[1], self.options)
        return _result(self, found, part, biases, is_tuned=is_tuned)

    def alignments(
        self, study: Study, resources: Resources
    ) -> JobSteps[tuple[list[JudgeAlignment], TopicPart]]:
        """Return the alignment of each judge and rating, and the part of the topics.

        Raises InputError where nothing can be compared.
        """
        part, topics = part_of(study, TopicPart(self.topics))
        judges, humans, people = (names_in(x) for x in (self.judges, self.judgements, self.annotators))
        every = judged_ratings(study, judges, humans, people, topics)
        (words,) = (yield from load_controls(study, resources, ["length"])).matrices
        further, found = runs_of(every), []
        for place, data in enumerate(every):
            yield Progress(place, len(every), f"{data.judge}, {data.human}")
            runs = further.get((data.judge, data.human), [])
            found.append((yield from alignment(data, self.options, words, runs)))
        return found, part


def record(one: JudgeAlignment, part: TopicPart, *, is_tuned: bool) -> dict[str, Any]:
    """Return everything about a judge and a rating by column, NaN = undefined."""
    data, test = one.data, one.test
    values: dict[str, Any] = {
        "judge": data.judge,
        "rating": data.human,
        "measure": data.measure,
        "topics": str(part),
        "tuned_on": is_tuned,
        "items": test.items,
        "annotators": len(test.tests),
        "closeness": str(one.closeness),
        "winning_rate": test.winning_rate,
        "advantage": test.advantage,
        "advantage_low": one.advantage.low,
        "advantage_high": one.advantage.high,
        "passes": one.passes,
    }
    for key in ("alpha_people", "alpha_with_judge", "kappa_people", "kappa_judge"):
        row: AgreementRow = getattr(one, key)
        values |= {key: row.value, f"{key}_low": row.low, f"{key}_high": row.high}
    for level in one.correlations:
        values |= {
            f"{level.level}": level.value,
            f"{level.level}_low": level.low,
            f"{level.level}_high": level.high,
            f"{level.level}_left_out": level.left_out,
            f"{level.level}_one_annotator": level.one_annotator,
        }
    values |= {"difference": one.difference, "absolute_difference": one.absolute}
    if one.length is not None:
        values |= {
            "length_judge": one.length.judge,
            "length_people": one.length.people,
            "length_given_people": one.length.given_people,
        }
    if one.runs is not None:
        values["runs"] = one.runs.value
    return values


def verdict(one: JudgeAlignment) -> str:
    """Return whether a judge passes the test, in words."""
    if one.passes is None:
        return "not tested"
    return "passes" if one.passes else "fails"


def _result(
    experiment: Judges,
    found: Sequence[JudgeAlignment],
    part: TopicPart,
    biases: Sequence[PositionBias],
    *,
    is_tuned: bool,
) -> Result:
    single = [one for one in found if one.data.human != EVERY_SCALE]
    tables = (
        _test_table(found, part, is_tuned=is_tuned),
        _agreement_table(single),
        _correlation_table(single, experiment),
        _bias_table(single),
        *([_position_table(biases)] if biases else []),
        _annotator_table(found),
        *([versions] if (versions := _difference_table(found, experiment.options)).rows else []),
        _calibration_table(single),
        _disagreement_table(single),
    )
    closeness = sorted({one.closeness for one in found})
    how = {
        Closeness.RMSE: "the negated root mean squared difference from the other annotators' ratings",
        Closeness.ACCURACY: "the share of the other annotators who chose the same",
    }
    how_many = f"{experiment.draws:,} resamples, seed {experiment.seed}"
    over = "Intervals (95 %) are over topics, of correlations over systems and topics"
    intervals = [f"{over}; {how_many}."] if experiment.draws else []
    levels = "α: Krippendorff's, of the annotators, and with the judge as one more. κ: Cohen's weighted kappa"
    policy = (
        f"Alternative annotator test, ε = {experiment.epsilon:g}: closeness is "
        f"{' or '.join(how[one] for one in closeness)}; items need {MIN_PEOPLE} annotators, annotators "
        f"{experiment.least_items} items; t-tests over items are adjusted by Benjamini & Yekutieli at "
        f"{FALSE_DISCOVERIES:g}. A judge passes with ω ≥ {ENOUGH_WINS:g}.",
        f"{levels}, mean over pairs of annotators, and over the judge's pairs with them.",
        "Without one: correlation of the judge with the mean of all annotators but one, averaged; one "
        "annotator: of that annotator with the same mean.",
        "Length: Pearson's r with the number of words over all summaries; given people: given the mean "
        "rating of people.",
        *intervals,
        f"Topics: {_PARTS[part]}{f' ({TUNED})' if is_tuned else ''}.",
    )
    warnings = [note for one in found for note in one.notes]
    if is_tuned:
        warnings.insert(
            0,
            "Topics for development are included: rubrics, prompts and thresholds may be tuned on them. "
            "Report the numbers on topics for tests.",
        )
    return Result(
        experiment.title, tables, tuple(_charts(single)), policy, (), tuple(dict.fromkeys(warnings))
    )


_PARTS = {
    TopicPart.ALL: "all",
    TopicPart.DEVELOPMENT: "those kept for development",
    TopicPart.TEST: "those for tests, without those kept for development",
}


def _number(value: float) -> Cell:
    return value if math.isfinite(value) else None


def _ends(row: AgreementRow) -> tuple[Cell, Cell]:
    return _number(row.low), _number(row.high)


def _key(one: JudgeAlignment) -> tuple[Cell, Cell]:
    return one.data.judge, one.data.human


def _table(
    title: str,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    note: str = "",
    *,
    is_detail: bool = False,
) -> Table:
    return Table(title, (*_KEYS, *columns), tuple(map(tuple, rows)), note, is_detail=is_detail)


def _fine(title: str, key: str, group: str = "") -> Column:
    return Column(title, key, CellKind.FINE_CORRELATION, group)


def _ends_of(key: str = "") -> tuple[Column, Column]:
    return interval_ends(CellKind.FINE_CORRELATION, key, PLAIN_ENDS)


def _test_table(found: Sequence[JudgeAlignment], part: TopicPart, *, is_tuned: bool) -> Table:
    of_all = {one.test.items for one in found if one.data.human == EVERY_SCALE}
    of_each = {one.test.items for one in found if one.data.human != EVERY_SCALE}
    people = {len(one.test.tests) for one in found}
    has_same_items, has_same_people = len(of_all) <= 1 and len(of_each) <= 1, len(people) == 1
    notes = [f"Items of each rating: {items:,}." for items in of_each if has_same_items]
    notes += [f"Items of all scales: {items:,}." for items in of_all if has_same_items]
    notes += [f"Annotators: {count}." for count in people if has_same_people]
    columns = (
        Column("Verdict", "verdict"),
        _fine("ω", "winning_rate"),
        _fine("ρ", "advantage"),
        *_ends_of("advantage_"),
        Column("Items", "items", CellKind.COUNT, is_in_note=has_same_items),
        Column("Annotators", "annotators", CellKind.COUNT, is_in_note=has_same_people),
        Column("Topics", "topics", is_in_note=True),
    )
    topics = f"{part} ({TUNED})" if is_tuned else str(part)
    rows = [
        (
            *_key(one),
            verdict(one),
            _number(one.test.winning_rate),
            _number(one.test.advantage),
            *_ends(one.advantage),
            one.test.items,
            len(one.test.tests),
            topics,
        )
        for one in found
    ]
    return _table("Alternative annotator test", columns, rows, " ".join(notes))


def _agreement_table(found: Sequence[JudgeAlignment]) -> Table:
    kinds = (
        ("alpha_people", "annotators"),
        ("alpha_with_judge", "with the judge"),
        ("kappa_people", "annotators"),
        ("kappa_judge", "of the judge"),
    )
    names = dict.fromkeys(agreement_title(getattr(one, key).coefficient) for one in found for key, _ in kinds)
    columns: list[Column] = []
    for key, what in kinds:
        letter = "α" if key.startswith("alpha") else "κ"
        columns += [_fine(f"{letter} {what}", key), *_ends_of(f"{key}_")]
    rows = []
    for one in found:
        each: list[Cell] = []
        for key, _ in kinds:
            row: AgreementRow = getattr(one, key)
            each += [_number(row.value), *_ends(row)]
        rows.append((*_key(one), *each))
    return _table(f"Agreement ({', '.join(names)})", columns, rows)


def _correlation_table(found: Sequence[JudgeAlignment], experiment: Judges) -> Table:
    columns = (
        Column("Level", "level"),
        _fine("Correlation", "value"),
        *_ends_of(),
        _fine("Without one", "left_out"),
        _fine("One annotator", "one_annotator"),
    )
    rows = [
        (
            *_key(one),
            str(row.level),
            *map(_number, (row.value, row.low, row.high, row.left_out, row.one_annotator)),
        )
        for one in found
        for row in one.correlations
    ]
    return _table(f"Correlation, {coefficient_title(Coefficient(experiment.coefficient))}", columns, rows)


def _bias_table(found: Sequence[JudgeAlignment]) -> Table:
    columns = [
        Column("Mean difference", "difference", CellKind.SCORE),
        Column("Mean absolute difference", "absolute_difference", CellKind.SCORE),
        _fine("Length: judge", "length_judge"),
        _fine("Length: people", "length_people"),
        _fine("Length: given people", "length_given_people"),
    ]
    has_runs = any(one.runs is not None for one in found)
    columns += [_fine("α of runs", "runs")] if has_runs else []
    rows = []
    for one in found:
        length = one.length
        of_length = (length.judge, length.people, length.given_people) if length else (math.nan,) * 3
        runs = ([_number(one.runs.value)] if one.runs else [None]) if has_runs else []
        rows.append((*_key(one), *map(_number, (one.difference, one.absolute, *of_length)), *runs))
    return _table("Differences, length and runs", columns, rows)


def _position_table(biases: Sequence[PositionBias]) -> Table:
    columns = (
        Column("Judge", "judge"),
        _fine("First chosen", "first"),
        *_ends_of("first_"),
        _fine("Same in both orders", "consistent"),
        *_ends_of("consistent_"),
    )
    rows = tuple(
        (
            one.judge,
            _number(one.first.value),
            *_ends(one.first),
            _number(one.consistent.value),
            *_ends(one.consistent),
        )
        for one in biases
    )
    return Table("Position bias", columns, rows, "First chosen: 0.5 = the order does not matter.")


def _difference_table(found: Sequence[JudgeAlignment], options: JudgeOptions) -> Table:
    """Return ρ of each pair of judges of a rating, such as versions of a rubric, compared."""
    columns = (
        Column("Other judge", "other"),
        Column("ρ minus other's", "difference", CellKind.SCORE),
        *interval_ends(CellKind.SCORE, titles=PLAIN_ENDS),
        Column("Differs", "differs"),
    )
    rows: list[tuple[Cell, ...]] = []
    for human in dict.fromkeys(one.data.human for one in found):
        alike = [one for one in found if one.data.human == human]
        for one, other in combinations(alike[:_MOST_COMPARED], 2):
            row = advantage_difference(one, other, options)
            has_ends = math.isfinite(row.low)
            differs = ("yes" if row.low > 0 or row.high < 0 else "no") if has_ends else ""
            rows.append((*_key(one), other.data.judge, _number(row.value), *_ends(row), differs))
    return _table("Differences between judges", columns, rows, is_detail=True)


def _annotator_table(found: Sequence[JudgeAlignment]) -> Table:
    columns = (
        Column("Annotator", "annotator"),
        Column("Items", "items", CellKind.COUNT),
        _fine("Judge as close", "judge_share"),
        _fine("Annotator as close", "annotator_share"),
        Column("p", "p", CellKind.P),
        Column("p (adjusted)", "p_adjusted", CellKind.P),
        Column("Won", "won"),
    )
    rows = [
        (
            *_key(one),
            one.data.annotators[test.annotator],
            test.items,
            test.judge,
            test.person,
            _number(test.p),
            _number(test.adjusted),
            "yes" if test.is_won else "no",
        )
        for one in found
        for test in one.test.tests
    ]
    return _table("Judges against each annotator", columns, rows, is_detail=True)


def _calibration_table(found: Sequence[JudgeAlignment]) -> Table:
    columns = (
        Column("Items", "items", CellKind.COUNT),
        Column("Judge's mean", "judge_mean", CellKind.SCORE),
        Column("People's mean", "people_mean", CellKind.SCORE),
    )
    rows = [(*_key(one), part.items, part.judge, part.people) for one in found for part in one.calibration]
    return _table("Calibration", columns, rows, is_detail=True)


def _disagreement_table(found: Sequence[JudgeAlignment]) -> Table:
    columns = (
        Column("Topic", "topic"),
        Column("System", "system"),
        Column("Judge's value", "value", CellKind.SCORE),
        Column("Ratings", "ratings"),
        Column("Mean rating", "mean", CellKind.SCORE),
        Column("Difference", "difference", CellKind.SCORE),
    )
    rows = [
        (
            *_key(one),
            each.topic,
            each.system,
            each.judge,
            ", ".join(f"{who} {value:g}" for who, value in each.ratings),
            each.mean,
            each.difference,
        )
        for one in found
        for each in disagreements(one.data)[:_LISTED]
    ]
    return _table("Largest disagreements", columns, rows, is_detail=True)


def _charts(found: Sequence[JudgeAlignment]) -> Iterable[Chart]:
    for human in dict.fromkeys(one.data.human for one in found):
        series = tuple(
            Series(
                one.data.judge,
                tuple(part.people for part in one.calibration),
                tuple(part.judge for part in one.calibration),
            )
            for one in found
            if one.data.human == human and one.calibration
        )
        if series:
            yield Chart(f"Calibration, {human}", ChartKind.CURVES, "Judge", "Mean rating of people", series)
