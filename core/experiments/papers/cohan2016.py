"""Tables and figure of Cohan & Goharian 2016 (SERA), for any study with judged summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from core.domain.pyramid import TopicAnnotation, UnitKind
from core.errors import InputError
from core.experiments.analyses.settings_sweep import SweepAxis, axis_of, grid
from core.experiments.common_settings import coefficient_setting, judgements_setting, level_setting, policy
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    MeasureSet,
    MeasureSpec,
    OrientedMeasure,
    load_judgements,
    no_judgements,
    score_and_load,
)
from core.experiments.registry import recipe
from core.experiments.tables.cautions import cautions_about
from core.experiments.tables.correlation_tables import Numbers, all_numbers, numbers, starred_table
from core.formatting.coefficients import coefficient_title
from core.formatting.tables import Cell, CellKind, Column, Table
from core.matrix import ScoreMatrix
from core.metrics import registry
from core.metrics.base import Resources, setting
from core.metrics.retrieval.sera import Sera
from core.models.nlp.entities import RULES
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Chart, ChartKind, Result, Series
from core.retrieval.protocols import STUDY_INDEX
from core.stats.correlation import CLASSIC, Coefficient, Level

CUT_OFFS = (5, 10)
"""Cut-offs of Tables 2 and 3."""

QUERIES = ("plain", "kw", "np")
"""Query types in the order of the paper's tables."""


def sera_setting() -> Any:
    explained = (
        "SERA in the syntax of -m, such as sera:index=NAME; queries and cut-offs are varied. Empty = as last "
        "scored in this study, else with the study's own documents."
    )
    return setting("", explained, title="SERA")


def spec_of(study: Study, text: str) -> str:
    """Return the SERA to vary, in the syntax of -m. Raises InputError for anything else."""
    own = (
        config for config in study.scores.configs() if config.metric == Sera.name and not config.is_imported
    )
    specs = [config.spec for config in own]
    spec = text or (specs[-1] if specs else Sera.name)
    _with_queries(spec)
    return spec


def _with_queries(spec: str, cutoffs: Sequence[int] = CUT_OFFS) -> list[Sera]:
    """Return SERA by query and cut-off; a setting of one query, such as its parser, applies to that one."""
    varied = {"query": QUERIES, "cutoff": [str(cutoff) for cutoff in cutoffs]}
    if spec.partition("|")[0].partition(":")[0].strip() != Sera.name:
        raise InputError(f"{spec!r} is not SERA. Write sera or sera:key=value,…")
    return [metric for metric in registry.parse_varied(spec, varied) if isinstance(metric, Sera)]


def variants(spec: str, cutoffs: Sequence[int] = CUT_OFFS) -> list[MeasureSpec]:
    """Return every variant under the paper's name: first without, then with rank discount."""
    metrics = _with_queries(spec, cutoffs)
    return [
        MeasureSpec(label_of(metric, discounted), metric.spec, metric.measures()[discounted])
        for discounted in (False, True)
        for metric in metrics
    ]


def label_of(metric: Sera, discounted: bool) -> str:
    """As ``SERA-DIS-NP-5``."""
    query = "" if metric.query == "plain" else f"-{metric.query.upper()}"
    return f"SERA{'-DIS' if discounted else ''}{query}-{metric.cutoff}"


def without_documents(study: Study, spec: str) -> str:
    """Return why SERA has no documents to search and what to do about it; empty if it has."""
    if _with_queries(spec)[0].index != STUDY_INDEX or any(head.documents for head in study.texts.topics()):
        return ""
    return (
        "This study has no documents for SERA to search. Import them, or build an index "
        "(`pyramidion index build NAME FOLDER`) and score with it (`pyramidion score STUDY -m "
        "sera:index=NAME`)."
    )


def stand_in_of_index(spec: str) -> str:
    """Return a sentence that names the collection searched instead of the paper's."""
    index = _with_queries(spec)[0].index
    searched = "The study's own documents" if index == STUDY_INDEX else f"The index {index}"
    return f"{searched} in place of the PubMed open-access articles searched in the paper."


def rough_phrases(measures: Sequence[OrientedMeasure]) -> tuple[str, ...]:
    """Return how to find noun phrases by a parser, if they were found by rules for any measure."""
    rough = any(
        one.config.metric == Sera.name
        and isinstance(metric := registry.parse(one.config.spec), Sera)
        and metric.query == "np"
        and metric.phrases == RULES
        for one in measures
    )
    if not rough:
        return ()
    return (
        "Noun phrases are found by a spaCy pipeline where one is installed, for example by "
        "`python -m spacy download en_core_web_sm`; then score SERA again.",
    )


PAPER = "Cohan & Goharian 2016"
NUGGETS = ("nugget.units", "pyramid.original")
"""The paper's score; without nuggets, the pyramid score with the same formula."""

_PARTS = (("F", "f"), ("P", "precision"), ("R", "recall"))
_KINDS = (
    ("ROUGE-1", "rouge-n:n=1,stem=yes,stop_words=yes", "rouge-1"),
    ("ROUGE-2", "rouge-n:n=2,stem=yes,stop_words=yes", "rouge-2"),
    ("ROUGE-3", "rouge-n:n=3,stem=yes,stop_words=yes", "rouge-3"),
    ("ROUGE-L", "rouge-l:stem=yes,stop_words=yes", "rouge-l"),
    ("ROUGE-S", "rouge-s:stem=yes,stop_words=yes", "rouge-s4"),
    ("ROUGE-SU", "rouge-su:stem=yes,stop_words=yes", "rouge-su4"),
    ("ROUGE-W-1.2", "rouge-w:stem=yes,stop_words=yes", "rouge-w-1.2"),
)
ROUGE = tuple(
    MeasureSpec(f"{label}-{letter}", spec, f"{prefix}.{part}")
    for label, spec, prefix in _KINDS
    for letter, part in _PARTS
)
"""ROUGE variants of Table 2: no stop words, stemmed, skip-bigrams with at most four words between."""


@recipe("sera-table-1", paper=PAPER, title="Nuggets and their tiers")
@dataclass(frozen=True)
class Cohan2016Table1(Experiment):
    """Table 1. Without nuggets it lists SCUs, whose weight corresponds to a nugget's tier."""

    name: ClassVar[str] = "sera-table-1"
    title: ClassVar[str] = "Nuggets and tiers"
    about: ClassVar[str] = "Number of content units by tier: the number of references that contain them."

    def missing_requirements(self, study: Study) -> str:
        if _annotations(study):
            return ""
        return "This study has no nuggets or pyramids yet. Make them on the Nuggets or Pyramids page."

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        yield Progress(0, 1, "reading pyramids")
        topics = {head.id: head.name for head in study.texts.topics()}
        people = {who.id: who.name for who in study.annotators.all()}
        rows: list[tuple[Cell, ...]] = []
        tiers: dict[tuple[str, str], Counter[int]] = {}
        annotations = _annotations(study)
        for annotation in annotations:
            place = topics[annotation.pyramid.topic_id], people.get(annotation.pyramid.annotator_id, "")
            scus = sorted(annotation.pyramid.scus, key=lambda scu: -scu.weight)
            rows += [(*place, scu.label, scu.weight) for scu in scus]
            tiers[place] = Counter(scu.weight for scu in scus)
        return Result(
            self.title,
            (_nuggets(rows), _by_tier(tiers)),
            policy=("The tier is the number of references that contain the content unit.",),
            stand_ins=() if _are_nuggets(annotations) else ("SCUs of pyramids replace nuggets.",),
        )


@dataclass(frozen=True)
class Cohan2016CorrelationTable(Experiment):
    """Base of the correlation tables: system level, r, rho and tau."""

    about: ClassVar[str] = (
        "Correlation of SERA and ROUGE variants with human judgements; missing scores are computed."
    )
    scores_texts: ClassVar[bool] = True

    sera: str = sera_setting()


@recipe("sera-table-2", paper=PAPER, title="All variants of ROUGE and SERA")
@dataclass(frozen=True)
class Cohan2016Table2(Cohan2016CorrelationTable):
    """Table 2."""

    name: ClassVar[str] = "sera-table-2"
    title: ClassVar[str] = "ROUGE and SERA vs human judgements"

    judgements: str = judgements_setting()

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        spec = spec_of(study, self.sera)
        reading = yield from score_and_load(study, resources, [*ROUGE, *variants(spec)])
        people = load_judgements(study, self.judgements, NUGGETS)
        result = _correlated(self.title, reading.matrices, people, reading)
        missing = without_documents(study, spec)
        other = (stand_in_of_index(spec),) if not missing else ()
        return replace(
            result,
            policy=(*result.policy, _SIX),
            stand_ins=(*result.stand_ins, *other, *_other_judgement(people)),
            warnings=(*filter(None, [missing]), *result.warnings),
        )


@recipe("sera-table-3", paper=PAPER, title="SERA compared with ROUGE-2 and ROUGE-3")
@dataclass(frozen=True)
class Cohan2016Table3(Cohan2016CorrelationTable):
    """Table 3."""

    name: ClassVar[str] = "sera-table-3"
    title: ClassVar[str] = "SERA compared with ROUGE"

    def missing_requirements(self, study: Study) -> str:
        return without_documents(study, spec_of(study, self.sera))

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        spec = spec_of(study, self.sera)
        baselines = [want for want in ROUGE if want.label in ("ROUGE-2-F", "ROUGE-3-F")]
        reading = yield from score_and_load(study, resources, [*baselines, *variants(spec)])
        rouge = {one.label: one.scores for one in reading.measured if one.config.metric != Sera.name}
        rows = [one.scores for one in reading.measured if one.config.metric == Sera.name]
        if not rows:
            raise InputError(" ".join(reading.missing))
        result = _correlated(self.title, rows, rouge, reading)
        return replace(result, stand_ins=(*result.stand_ins, stand_in_of_index(spec)))


def _correlated(
    title: str, rows: Sequence[ScoreMatrix], people: Mapping[str, ScoreMatrix], reading: MeasureSet
) -> Result:
    """Return a table of r, rho and tau per judgement, all numbers, and bars of rho."""
    tables, charts, everything = [], [], []
    labels = [one.label for one in rows]
    for name, judgement in people.items():
        columns = {_HEADS[each]: numbers(rows, judgement, Level.SYSTEM, each) for each in CLASSIC}
        tables.append(starred_table(name, labels, columns))
        everything += [("", each) for each in columns.values()]
        bars = tuple(
            Series(head, tuple(one.value for one in each.correlations)) for head, each in columns.items()
        )
        charts.append(Chart(name, ChartKind.BARS, "", "Correlation", bars, tuple(labels)))
    policy_texts = (
        "Pearson's r, Spearman's rho and Kendall's tau-b of system means over topics. *: p < .05.",
        "ROUGE with stemming and without stop words; skip-bigrams span at most four words.",
    )
    return Result(
        title,
        (*tables, all_numbers(everything)),
        tuple(charts),
        policy_texts,
        reading.stand_ins,
        (
            *reading.missing,
            *rough_phrases(reading.measured),
            *cautions_about(rows, people, Level.SYSTEM, CLASSIC[0]),
            *reading.warnings,
        ),
    )


_SIX = "The paper describes nine summarizers; its printed rho and tau are only possible with six systems."
_HEADS = dict(zip(CLASSIC, ("r", "ρ", "τ"), strict=True))


def _other_judgement(people: Mapping[str, ScoreMatrix]) -> tuple[str, ...]:
    if all(name.startswith("nugget.") for name in people):
        return ()
    if set(people) <= set(NUGGETS):
        return ("Pyramids of SCUs replace the paper's pyramids of nuggets; the formula is the same.",)
    return (f"{', '.join(people)} in place of the paper's nugget pyramid score.",)


def _annotations(study: Study) -> list[TopicAnnotation]:
    """Return the annotations of nuggets, or of SCUs where there are none."""
    for store in (study.nuggets, study.pyramids):
        if annotations := [annotation for annotation in store.annotations() if annotation.pyramid.scus]:
            return annotations
    return []


def _are_nuggets(annotations: Sequence[TopicAnnotation]) -> bool:
    return all(annotation.pyramid.kind is UnitKind.NUGGET for annotation in annotations)


def _nuggets(rows: Sequence[tuple[Cell, ...]]) -> Table:
    columns = (
        Column("Topic", "topic", CellKind.CODE),
        Column("Annotator", "annotator"),
        Column("Content unit", "unit"),
        Column("Tier", "tier", CellKind.COUNT),
    )
    return Table("Content units", columns, tuple(rows))


def _by_tier(tiers: Mapping[tuple[str, str], Counter[int]]) -> Table:
    highest = max((tier for counts in tiers.values() for tier in counts), default=0)
    heads = [Column(f"Tier {tier}", f"tier_{tier}", CellKind.COUNT) for tier in range(highest, 0, -1)]
    columns = (Column("Topic", "topic", CellKind.CODE), Column("Annotator", "annotator"), *heads)
    rows: list[tuple[Cell, ...]] = [
        (*place, *(counts[tier] for tier in range(highest, 0, -1))) for place, counts in tiers.items()
    ]
    return Table("Content units by tier", columns, tuple(rows))


@recipe("sera-figure-1", paper=PAPER, title="SERA by cut-off")
@dataclass(frozen=True)
class Cohan2016Figure1(Experiment):
    """Draw a curve for each query formulation, with and without rank discount."""

    name: ClassVar[str] = "sera-figure-1"
    title: ClassVar[str] = "SERA by cut-off"
    about: ClassVar[str] = (
        "Correlation of every variant of SERA by the number of retrieved documents compared."
    )
    scores_texts: ClassVar[bool] = True

    sera: str = sera_setting()
    values: str = setting("5:50:5", "Cut-offs, separated by commas, or FIRST:LAST:STEP.", title="Cut-offs")
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.SPEARMAN)

    def missing_requirements(self, study: Study) -> str:
        return no_judgements(study) or without_documents(study, spec_of(study, self.sera))

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        spec, level, coefficient = spec_of(study, self.sera), Level(self.level), Coefficient(self.coefficient)
        axis = axis_of(Sera(), "cutoff", self.values)
        grid(spec, [SweepAxis("query", QUERIES), axis])  # raises if there are too many
        wants = variants(spec, axis.values)
        reading = yield from score_and_load(study, resources, wants)
        if not reading.measured:
            raise InputError(" ".join(reading.missing))
        people = load_judgements(study, self.judgements, NUGGETS)
        curves = {
            name: _curves(
                reading, numbers(reading.matrices, one, level, coefficient), wants, len(axis.values)
            )
            for name, one in people.items()
        }
        return Result(
            self.title,
            tuple(_table(name, each, axis.values) for name, each in curves.items()),
            tuple(_chart(name, each, axis.values, coefficient) for name, each in curves.items()),
            (policy(level, coefficient),),
            (*reading.stand_ins, stand_in_of_index(spec)),
            (*reading.missing, *rough_phrases(reading.measured), *reading.warnings),
        )


Curves = Mapping[str, tuple[float, ...]]


def _curves(reading: MeasureSet, found: Numbers, wants: Sequence[MeasureSpec], cutoffs: int) -> Curves:
    """Return each variant's correlation at each cut-off, NaN if it could not be scored.

    wants: the cut-offs of each variant follow each other.
    """
    values = {
        want: one.value
        for measure, one in zip(reading.measured, found.correlations, strict=True)
        for want in measure.requests
    }
    return {
        wants[at].label.rpartition("-")[0]: tuple(
            values.get(want, float("nan")) for want in wants[at : at + cutoffs]
        )
        for at in range(0, len(wants), cutoffs)
    }


def _table(title: str, curves: Curves, cutoffs: Sequence[int]) -> Table:
    heads = [Column(label, label, CellKind.FINE_CORRELATION) for label in curves]
    rows = tuple(zip(cutoffs, *curves.values(), strict=True))
    return Table(title, (Column("Cut-off", "cutoff", CellKind.COUNT), *heads), rows)


def _chart(title: str, curves: Curves, cutoffs: Sequence[int], by: Coefficient) -> Chart:
    x = tuple(float(cutoff) for cutoff in cutoffs)
    lines = tuple(Series(label, values, x) for label, values in curves.items())
    return Chart(title, ChartKind.CURVES, "Cut-off", coefficient_title(by), lines)
