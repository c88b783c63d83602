"""Published results on a data set next to the study's own, in `resources/datasets/published.json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np

from core.comparison.judgements import judgement_matrices, judgements
from core.comparison.measures import MeasureRef, measures
from core.comparison.stand_ins import mark_stand_in
from core.errors import InputError
from core.experiments.common_settings import policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    MeasureSpec,
    OrientedMeasure,
    load_judgements,
    measured,
    stand_ins_of,
)
from core.experiments.registry import register
from core.experiments.tables.correlation_tables import numbers
from core.formatting.tables import Cell, CellKind, Column, Table
from core.json_text import parse_json
from core.metrics import registry
from core.metrics.base import Resources, setting
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level

AUTO = "auto"

OTHERS = (
    MeasureSpec("ROUGE-1", "rouge-n:n=1,stem=yes", "rouge-1.f"),
    MeasureSpec("ROUGE-2", "rouge-n:n=2,stem=yes", "rouge-2.f"),
    MeasureSpec("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    MeasureSpec("BLEU", "bleu:case=lc"),
    MeasureSpec("METEOR", "meteor:tok=norm"),
    MeasureSpec("CHRF", "chrf"),
    MeasureSpec("CIDEr", "cider"),
    MeasureSpec("MoverScore", "moverscore:mode=v1", own="moverscore:mode=v1,encoder=bert-base-mnli"),
    MeasureSpec("SMS", "sms:mode=sms", own="sms:mode=sms,vectors=glove-840b"),
    MeasureSpec(
        "ROUGE-WE", "rouge-we:mode=s3,n=3", "rouge-we-3-s3.f", own="rouge-we:mode=s3,n=3,vectors=deps.words"
    ),
    MeasureSpec("BERTScore", "bertscore", own="bertscore:encoder=bert-base-uncased,layer=8,idf=yes"),
    MeasureSpec("S3", "s3", learned="s3-best"),
    MeasureSpec("BLANC", "blanc-tune"),
    MeasureSpec("SUPERT", "supert", own="supert:encoder=bert-large-nli-stsb"),
    MeasureSpec("SummaQA", "summaqa:mode=toolkit"),
)
"""Metrics under their names in Table 3 of Jain et al. 2022, the F variant of those that have several."""

WIDARS = (
    MeasureSpec("WIDAR-1", "widar:variant=1"),
    MeasureSpec("WIDAR-2", "widar:variant=2"),
    MeasureSpec("WIDAR-L", "widar"),
)

_ROWS: Mapping[str, Mapping[str, MeasureSpec]] = {"summeval": {row.label: row for row in (*OTHERS, *WIDARS)}}
"""Metrics by their names in a table of correlations."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper: correlations of metrics, or mean judgements of systems.

    source: paper and table, with what the numbers are.
    topics: number of topics that they are over.
    systems: of the data set, by which a study is recognised.
    rows: a metric's or system's name, and a number for each judgement.
    coefficient, level: of correlations; empty = the numbers are means.
    """

    key: str
    title: str
    source: str
    topics: int
    judgements: tuple[str, ...]
    systems: frozenset[str]
    rows: tuple[tuple[str, tuple[float, ...]], ...]
    coefficient: str = ""
    level: str = ""

    def fits(self, systems: set[str], judged: set[str]) -> bool:
        """Return whether a study has the table's systems and judgements."""
        return self.systems <= systems and judged.issuperset(self.judgements)


@cache
def published_tables() -> tuple[PublishedTable, ...]:
    """Return all tables."""
    text = (files("resources") / "datasets" / "published.json").read_text(encoding="utf-8")
    return tuple(_table(row) for row in parse_json(text))


def _table(row: Mapping[str, Any]) -> PublishedTable:
    rows = tuple((name, tuple(values)) for name, values in row["rows"])
    systems = frozenset(row.get("systems") or (name for name, _ in rows))
    return PublishedTable(**{**row, "rows": rows, "judgements": tuple(row["judgements"]), "systems": systems})


@register
@dataclass(frozen=True)
class PublishedResults(Experiment):
    """Compare the study's numbers with those that papers print for its data set.

    Formula:
        difference = number of this study − published number

    Limits:
        Published numbers are rounded, and papers can differ in versions of the data, tokenization,
        references and treatment of undefined values. Equal numbers do not prove equal code.
    """

    name: ClassVar[str] = "published"
    title: ClassVar[str] = "Published results"
    about: ClassVar[str] = (
        "Numbers that papers print for this data set next to the study's, for SummEval, RoSE, REALSumm and "
        "PyrXSum. Nothing is scored."
    )

    table: str = setting(
        AUTO,
        "auto = all tables whose systems and judgements the study has.",
        choices=(AUTO, *(table.key for table in published_tables())),
        title="Table",
    )

    def missing_requirements(self, study: Study) -> str:
        systems = {system.name for system in study.texts.systems()}
        if any(table.systems <= systems for table in published_tables()):
            return ""
        return "No published results are known for the systems of this study."

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        chosen = [one for one in published_tables() if self.table in (AUTO, one.key)]
        systems = {system.name for system in study.texts.systems()}
        judged = {ref.name for ref in judgements(study)}
        fitting = [one for one in chosen if one.fits(systems, judged)]
        if not fitting:
            needed = "; ".join(f"{one.key}: {', '.join(one.judgements)}" for one in chosen)
            raise InputError(
                "No published table fits the systems and judgements of this study. Judgements needed: "
                f"{needed}."
            )
        parts: list[_Part] = []
        for one in fitting:
            yield Progress(0, 0, one.title)
            parts.append(_correlations(study, resources, one) if one.coefficient else _means(study, one))
        topics = len(study.texts.topics())
        warnings = [
            f"{one.title}: the paper has {one.topics:,} topics, this study {topics:,}."
            for one in fitting
            if one.topics != topics
        ]
        return Result(
            self.title,
            tuple(part.table for part in parts),
            policy=tuple(sentence for part in parts for sentence in part.policy),
            stand_ins=tuple(dict.fromkeys(s for part in parts for s in part.stand_ins)),
            warnings=(*warnings, *(sentence for part in parts for sentence in part.warnings)),
        )


@dataclass(frozen=True, slots=True)
class _Part:
    table: Table
    policy: tuple[str, ...]
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


_NUMBERS = ("Published", "This study", "Difference")


def _columns(first: Sequence[Column], kind: CellKind) -> tuple[Column, ...]:
    return (*first, *(Column(title, title.lower().replace(" ", "_"), kind) for title in _NUMBERS))


def _correlations(study: Study, resources: Resources, one: PublishedTable) -> _Part:
    """Return the table of metrics that the study has scored."""
    refs = [ref for ref in measures(study, resources) if not ref.is_stale]
    rows = _ROWS[one.key]
    found = {name: _scored(study, refs, rows[name]) for name, _ in one.rows}
    shown = {name: one for name, one in found.items() if one is not None}
    chosen = Level(one.level), Coefficient(one.coefficient)
    people = load_judgements(study, ",".join(one.judgements))
    ours = {
        judgement: numbers([each.scores for each in shown.values()], z, *chosen).correlations
        for judgement, z in people.items()
    }
    cells: list[tuple[Cell, ...]] = []
    for place, (name, measure) in enumerate(shown.items()):
        printed = dict(one.rows)[name]
        for judgement, value in zip(one.judgements, printed, strict=True):
            own = ours[judgement][place].value
            cells.append((name, measure.label, judgement, value, own, own - value))
    first = (
        Column("Metric", "metric"),
        Column("Measure", "measure", CellKind.CODE),
        Column("Judgement", "judgement", CellKind.CODE),
    )
    missing = [name for name, measure in found.items() if measure is None]
    warning = f"{one.title}: not scored in this study, or stale: {', '.join(missing)}."
    return _Part(
        Table(one.title, _columns(first, CellKind.FINE_CORRELATION), tuple(cells), f"Source: {one.source}."),
        (f"This study: {policy(*chosen)}",),
        stand_ins_of(list(shown.values())),
        (warning,) if missing else (),
    )


def _scored(study: Study, refs: Sequence[MeasureRef], want: MeasureSpec) -> OrientedMeasure | None:
    """Return the scored measure of a row: of its metric and with its settings, whatever the model."""
    metric = registry.parse(want.spec)
    pairs = [pair.partition("=") for pair in want.spec.partition(":")[2].split(",") if pair]
    for ref in refs:
        config = ref.config
        if config.is_imported or config.metric != metric.name or config.references or config.scores_humans:
            continue
        if ref.measure != (want.measure or config.measures[-1]):
            continue
        settings = registry.parse(config.spec).settings()
        if all(str(settings.get(key)) == value for key, _, value in pairs):
            shown = measured(study, config, mark_stand_in(ref.label, config), ref.measure)
            return replace(shown, name=ref.label)
    return None


def _means(study: Study, one: PublishedTable) -> _Part:
    """Return the table of systems by their mean judgements."""
    people = judgement_matrices(study, list(one.judgements))
    cells: list[tuple[Cell, ...]] = []
    for name, printed in one.rows:
        for judgement, value in zip(one.judgements, printed, strict=True):
            matrix = people[judgement]
            values = matrix.values[matrix.systems.index(name)] if name in matrix.systems else np.array([])
            own = float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")
            cells.append((name, judgement, value, own, own - value))
    first = (Column("System", "system", CellKind.CODE), Column("Judgement", "judgement", CellKind.CODE))
    note = f"Source: {one.source}."
    about = f"{one.title}: the study's numbers are means over the topics with a value."
    return _Part(Table(one.title, _columns(first, CellKind.SCORE), tuple(cells), note), (about,))
