"""Measures of an experiment: scored if the study lacks them, then loaded.

Measures that cannot run are reported as missing; models that replace a paper's are reported as stand-ins.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from core.comparison.cautions import score_notes
from core.comparison.eligibility import is_own_name
from core.comparison.judgements import MAIN_SCORES, Judgement, has_judgements, read_judgements, unit_judgement
from core.comparison.measures import MeasureRef, find_measure, matrix, measures_for
from core.comparison.pyramid_judgements import PyramidJudgement
from core.comparison.stand_ins import mark_stand_in, stand_ins_among, substitutions
from core.domain.pyramid import UnitKind
from core.domain.study import SystemKind
from core.errors import InputError, MissingResource
from core.files.study_address import command_argument
from core.formatting.tables import MARK
from core.matrix import Array, ScoreMatrix
from core.metrics import registry
from core.metrics.base import Resources
from core.metrics.base.learned_model import Feature
from core.metrics.learned.feature_sets import set_features
from core.metrics.learned.model_store import model_names
from core.metrics.learned.released_models import is_folder
from core.metrics.learned.s3 import S3
from core.names import resolve_name
from core.ports import MetricConfig, Study
from core.progress import JobSteps
from core.scoring import engine
from core.scoring.config import ScoringConfig
from core.scoring.engine import RunReport
from core.scoring.experiment_scores import ScoresRequested
from core.scoring.plan import PlannedRun, RefusedRun, ScoringPlan
from core.scoring.process_pool import cores, local_workers

RELEASED_SET, RELEASED_MEASURE = "s3-best", "s3-released.pyramid"
"""Feature set of S3's released models, and the model that predicts pyramid scores."""


@dataclass(frozen=True, slots=True)
class MeasureSpec:
    """Row of a table: a measure of a metric.

    label: the paper's name for it.
    spec: metric in the syntax of -m.
    measure: which of its values, empty = the last.
    own: spec with the paper's own model, used instead if that model is available.
    learned: feature set of a learned metric (`core.metrics.learned.feature_sets.SETS`), replaces `spec`; the
    released model or one trained in the study is used.
    """

    label: str
    spec: str
    measure: str = ""
    own: str = ""
    learned: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class OrientedMeasure:
    """Scores of a measure under the label shown in tables; in `scores` larger is always better.

    The label shown may be marked or joined from several requests: it is never a key.

    name: the label without a mark.
    requests: the rows that the measure fills.
    """

    ref: MeasureRef
    scores: ScoreMatrix
    name: str
    requests: tuple[MeasureSpec, ...] = ()

    @property
    def label(self) -> str:
        return self.ref.label

    @property
    def config(self) -> MetricConfig:
        return self.ref.config


@dataclass(frozen=True, slots=True)
class MeasureSet:
    """Requested measures that could be loaded. missing, stand_ins, warnings: a sentence each."""

    measured: tuple[OrientedMeasure, ...] = ()
    missing: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def matrices(self) -> list[ScoreMatrix]:
        return [one.scores for one in self.measured]


def score_and_load(
    study: Study, resources: Resources, requests: Sequence[MeasureSpec], *, humans: bool = False
) -> JobSteps[MeasureSet]:
    """Score requested measures that are missing or stale, then load all of them in the requested order.

    Requests that resolve to the same measure, such as one stand-in model for several, share a row.
    humans: score references as systems too.
    """
    chosen: dict[tuple[ScoringConfig, str], list[MeasureSpec]] = {}
    missing: list[str] = []
    trained: dict[str, str] = {}
    for want in requests:
        if want.learned:
            try:
                want, note = find_learned(study, resources, want)
            except MissingResource as error:
                missing.append(f"{want.label} is left out: {error}")
                continue
            trained |= {want.label: note} if note else {}
        if problem := unknown_metric(want):
            missing.append(f"{want.label} is left out: {problem}")
            continue
        config = replace(_config(want, resources), humans=humans)
        chosen.setdefault((config, want.measure), []).append(want)
    plan = yield from score_configs(study, resources, [config for config, _ in chosen])
    entries = {entry.config: entry for entry in plan.entries}
    measures: list[OrientedMeasure] = []
    used: list[_Used] = []
    for (config, name), wants in chosen.items():
        run, label = entries[config], ", ".join(want.label for want in wants)
        if isinstance(run, RefusedRun):
            missing.append(f"{label} is left out: {run.reason}")
        elif not (run.topics or run.up_to_date):
            missing.append(f"{label} is left out: {_why_not(run.left_out)}")
        else:
            stand_ins = {want.label: _stand_ins(want, run.stored) for want in wants}
            marked = ", ".join(
                label + (MARK if used or label in trained else "") for label, used in stand_ins.items()
            )
            one = measured(study, run.stored, marked, name)
            measures.append(replace(one, name=label, requests=tuple(wants)))
            used += [one for some in stand_ins.values() for one in some]
    sentences = (*_sentences(used), *trained.values())
    return MeasureSet(tuple(measures), tuple(missing), sentences, tuple(warnings_of(study, measures)))


def find_learned(study: Study, resources: Resources, want: MeasureSpec) -> tuple[MeasureSpec, str]:
    """Return the row with the learned metric that runs for it, and a sentence if the study trained it.

    The released model comes first if its features are those of the row, as last used on the study; then the
    model trained in the study on the same features. Raises MissingResource.
    """
    specs = [
        config.spec
        for config in study.scores.configs()
        if config.metric == S3.name and not config.is_imported
    ]
    released = [spec for spec in specs if is_folder(getattr(registry.parse(spec), "model", ""))]
    if released and want.learned == RELEASED_SET:
        return replace(want, spec=released[-1], measure=RELEASED_MEASURE), ""
    names = {_feature_key(feature) for feature in set_features(want.learned, resources)}
    for name in reversed(model_names(study)):
        model = resources.learned_model(name)
        if {_feature_key(feature) for feature in model.inputs} == names:
            note = (
                f"{want.label} is the model {name}, trained on {model.human} of this study and scored on "
                f"topics left out of its training; the paper's was trained on TAC 2008 and 2009."
            )
            return replace(want, spec=f"{S3.name}:model={name}"), note
    also = ", or score with the folder of the released models" if want.learned == RELEASED_SET else ""
    raise MissingResource(
        f"the study has no model trained on the features {want.learned}. Train one (`pyramidion train "
        f"{command_argument(study.path)} --human JUDGEMENT --features {want.learned} --name NAME`){also}."
    )


def _feature_key(feature: Feature) -> tuple[str, ...]:
    """Return the identity of a feature, ignoring its word vectors."""
    metric = registry.parse(feature.signature)
    settings = (f"{key}={value}" for key, value in metric.settings().items() if key != "vectors")
    return (metric.name, feature.measure, *sorted(settings))


def score_configs(
    study: Study, resources: Resources, configs: Sequence[ScoringConfig]
) -> JobSteps[ScoringPlan]:
    """Score the configurations that are missing or stale and store the scores; return the plan.

    A configuration that fails on a topic counts as one that cannot run, so that tables have no silent gaps.
    """
    plan = engine.plan(study, configs, resources)
    yield ScoresRequested(0, 0, signatures=frozenset(run.stored.signature for run in plan.runs))
    if not plan.topics:
        return plan
    others = local_workers(study, plan, max(1, cores() - 1), are_nice=True)
    report = yield from engine.score(study, plan, resources, others)
    return replace(plan, entries=tuple(_after_run(entry, report) for entry in plan.entries))


def _after_run(run: PlannedRun | RefusedRun, report: RunReport) -> PlannedRun | RefusedRun:
    """Return a run as refused if it did not finish, with the reason."""
    if isinstance(run, RefusedRun):
        return run
    why = report.refusals.get(run.config.metric.spec, "")
    for failure in report.failures:
        if failure.signature == run.stored.signature:
            why = why or f"{failure.topic} could not be scored: {failure.message}"
    return RefusedRun(run.config, why) if why else run


def measured(study: Study, config: MetricConfig, label: str, name: str = "") -> OrientedMeasure:
    """Return a stored measure, negated if lower is better. name: of the measure, empty = the last."""
    ref = MeasureRef(label, name or config.measures[-1], config.signature, config.family, config, 0)
    return of_stored(study, ref)


def of_stored(study: Study, ref: MeasureRef) -> OrientedMeasure:
    """Return a measure of the study for automatic systems, negated if lower is better."""
    scores = matrix(study, ref).only(automatic(study))
    return OrientedMeasure(ref, replace(scores, values=ref.sign * scores.values), ref.label)


def automatic(study: Study) -> set[str]:
    """Return the names of non-human systems."""
    return {system.name for system in study.texts.systems() if system.kind is not SystemKind.HUMAN}


def stacked(matrices: Iterable[ScoreMatrix], judgement: ScoreMatrix) -> Array:
    """Return measures on a judgement's systems and topics, shape (measures, systems, topics)."""
    fitted = [one.select(judgement.systems, judgement.topics).values for one in matrices]
    return np.array(fitted, dtype=np.float64).reshape(-1, *judgement.values.shape)


def load_judgements(study: Study, listed: str, preferred: Sequence[str] = ()) -> dict[str, ScoreMatrix]:
    """Load judgements by name for automatic systems.

    listed: names separated by commas, empty = the preferred ones if present, else all.
    Raises InputError for unknown names, and if there is no judgement.
    """
    names = names_in(listed)
    found = read_judgements(study, names=names or None)
    chosen = {} if names else {name: one for name, one in found.items() if name in preferred}
    return _matrices(study, chosen or found)


def judged_as_published(
    study: Study, listed: str, preferred: Sequence[str] = (), *, ratings_first: bool = False
) -> dict[str, ScoreMatrix]:
    """Load judgements for a recipe; by default the modified pyramid score only, since papers had one.

    preferred: by default use the first of these that has values.
    ratings_first: by default use ratings only, if there are any.
    """
    names = names_in(listed)
    found = read_judgements(study, names=names or None)
    if names:
        return _matrices(study, found)
    ratings = {name: one for name, one in found.items() if name.startswith("rating.")}
    usual = {
        name: one
        for name, one in found.items()
        if name in USUAL_SCORES or PyramidJudgement.read(name) is None
    }
    chosen = {name: found[name] for name in [name for name in preferred if name in found][:1]}
    return _matrices(study, chosen or (ratings if ratings_first else {}) or usual)


def _matrices(study: Study, found: Mapping[str, Judgement]) -> dict[str, ScoreMatrix]:
    """Return the judgements of automatic systems. Raises InputError if there is none."""
    if not found:
        raise InputError(NO_JUDGEMENTS)
    rows = automatic(study)
    return {name: one.matrix.only(rows).in_order() for name, one in found.items()}


def drop_systems(people: Mapping[str, ScoreMatrix], listed: str) -> dict[str, ScoreMatrix]:
    """Return judgements without some systems. listed: names separated by commas. Raises InputError."""
    known = sorted({name for one in people.values() for name in one.systems})
    gone = {resolve_name("judged system", name, known) for name in names_in(listed)}
    return {name: one.only(set(one.systems) - gone) for name, one in people.items()}


def load_measures(study: Study, listed: str) -> list[OrientedMeasure]:
    """Load stored measures by names separated by commas, empty = all.

    Raises InputError for unknown names, and if there is no measure.
    """
    names = names_in(listed)
    refs = measures_for(study, names, check_stale=False)
    chosen = [find_measure(refs, name) for name in names] if names else refs
    if not chosen:
        raise InputError(NO_SCORES)
    return [_marked(study, ref) for ref in chosen]


def _marked(study: Study, ref: MeasureRef) -> OrientedMeasure:
    shown = replace(ref, label=mark_stand_in(ref.label, ref.config))
    return replace(of_stored(study, shown), name=ref.label)


def stand_ins_of(measures: Sequence[OrientedMeasure]) -> tuple[str, ...]:
    """Return a sentence for each model that replaced a paper's, with the measures that ran on it."""
    refs = [replace(one.ref, label=one.name) for one in measures]
    return stand_ins_among(refs)


def missing_data(study: Study) -> str:
    """Return what the study lacks to compare measures with judgements; empty if nothing."""
    if not study.scores.configs():
        return NO_SCORES
    return "" if has_judgements(study) else NO_JUDGEMENTS


PYRAMID = MAIN_SCORES[UnitKind.SCU]
"""The pyramid score that papers report."""

USUAL_SCORES = tuple(MAIN_SCORES.values())
"""One score of each kind of content unit."""

NO_SCORES = (
    "This study has no scores yet. Score the summaries first, on the page Score or by `pyramidion score`."
)
NO_JUDGEMENTS = "This study has no judgements yet. Import ratings, or rate or match summaries first."


def names_in(listed: str) -> list[str]:
    """Split names at commas; a name that contains a comma is in double quotes."""
    rows = csv.reader(io.StringIO(listed), skipinitialspace=True)
    return list(dict.fromkeys(name.strip() for row in rows for name in row if name.strip()))


def warnings_of(study: Study, measures: Sequence[OrientedMeasure]) -> list[str]:
    """Return what may mislead about the scores: what is out of date, and notes of metrics on texts."""
    return score_notes(study, [replace(one.ref, label=one.name) for one in measures])


def unknown_metric(want: MeasureSpec) -> str:
    """Return why the spec cannot be parsed; empty if it can."""
    name = want.spec.partition(":")[0]
    known = {cls.name for cls in registry.metrics()}
    return "" if name in known else f"unknown metric {name}."


def _config(want: MeasureSpec, resources: Resources) -> ScoringConfig:
    """Return the spec to run: with the paper's own model if it is available."""
    if want.own:
        own = engine.parse_config(want.own, resources)
        if not own.metric.unavailable(resources):
            return own
    return engine.parse_config(want.spec, resources)


_Used = tuple[str, str, str]
"""What ran, the row's label, and what the paper used."""


def _stand_ins(want: MeasureSpec, config: MetricConfig) -> list[_Used]:
    """Return what replaced models and tools of the paper; empty if its own ran or there is none."""
    if want.own and config.spec != want.own:
        own = registry.parse(want.own)
        models = [str(getattr(own, setting)) for setting in own.paper_models()]
        if models:
            parts = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
            return [(parts.get("model", config.spec), want.label, " and ".join(models))]
    return [(ran, want.label, meant) for ran, meant in substitutions(config)]


def _sentences(used: Sequence[_Used]) -> tuple[str, ...]:
    """Return a sentence per stand-in with all of its rows."""
    rows: dict[tuple[str, str], list[str]] = {}
    for ran, label, meant in used:
        rows.setdefault((ran, meant), []).append(label)
    return tuple(
        f"Stand-in: {ran} for {meant}, which the paper used: {', '.join(dict.fromkeys(named))}."
        for (ran, meant), named in rows.items()
    )


def _why_not(left_out: Mapping[str, int]) -> str:
    reasons = "; ".join(left_out) or "there are no topics"
    return f"{reasons}."


V = TypeVar("V")

NO_PYRAMIDS = "This study has no pyramid or nugget scores yet. Match summaries and mark them done first."


def no_judgements(study: Study) -> str:
    """Return that the study has no judgements and what to do about it; empty if it has some."""
    return "" if has_judgements(study) else NO_JUDGEMENTS


def nothing_to_compare(study: Study, chosen: str) -> str:
    """Return why nothing can be compared with a judgement and what to do about it; empty if something can.

    chosen: the selected measures.
    """
    if problem := no_judgements(study):
        return problem
    if not chosen and not study.scores.configs() and not unit_judgement(study):
        return NO_SCORES
    return ""


def with_others(people: Mapping[str, V], labels: Collection[str]) -> dict[str, V]:
    """Return the judgements that can be compared with measures not computed from the same annotations.

    Raises InputError if there is none.
    """
    available = {
        name: judgement
        for name, judgement in people.items()
        if not all(is_own_name(label, name) for label in labels)
    }
    if not available:
        raise InputError(
            f"Nothing can be compared with {', '.join(people)}. Score first, or choose another judgement."
        )
    return available
