"""Measures ranked over several studies (Sun & Nenkova 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from core.comparison.eligibility import Eligibility, common_part, eligibilities, ranking_notes, same_family
from core.comparison.judgements import judgements as stored_judgements
from core.comparison.measures import checked, find_measure
from core.comparison.staleness_text import stale_texts
from core.errors import InputError
from core.experiments.analyses.average_rank import RANKED, heatmap, ranked_table
from core.experiments.common_settings import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
    policy,
)
from core.experiments.experiment import Experiment
from core.experiments.inputs.measure_inputs import (
    OrientedMeasure,
    load_judgements,
    load_measures,
    missing_data,
    names_in,
    stacked,
    stand_ins_of,
)
from core.experiments.registry import register
from core.experiments.runner import study_inputs
from core.experiments.tables.cautions import cautions_about
from core.experiments.tables.study_comparison_tables import (
    Key,
    StudyMatrices,
    flow,
    labels_of,
    mean_ranks,
    missing_table,
    with_unranked,
)
from core.files.study_address import resolved
from core.formatting.numbers import pluralize
from core.formatting.tables import MARK, Table
from core.matrix import Array
from core.metrics.base import Resources, setting
from core.names import fitting_names, unknown_name
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level, correlate_many


def others_setting() -> Any:
    explained = "Further studies, separated by commas: file names in this study's folder, or full paths."
    return setting("", explained, title="Further studies")


@register
@dataclass(frozen=True)
class SeveralStudies(Experiment):
    """Compare measures across studies. Further studies are opened read-only and never scored.

    Formula:
        rank(m, s) = 1 + number of measures with a higher correlation in study s, at three decimals
        mean rank  = Σ w_s · rank(m, s), where w_s are the studies' weights, equal by default

    Limits:
        Measures match by signature, so other settings or models are another measure. Studies with shared
        systems or topics are not independent. Ranks hide how large differences are; `meta-analysis` pools
        the correlations.
    """

    name: ClassVar[str] = "studies"
    title: ClassVar[str] = "Comparison across studies"
    about: ClassVar[str] = "Ranks the measures within each study and averages the ranks."

    others: str = others_setting()
    measures: str = measures_setting()
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def missing_requirements(self, study: Study) -> str:
        return missing_data(study)

    def corpus_hash(self, study: Study) -> str:
        return inputs_of(study, self.others)

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        with named_studies(study, self.others) as studies:
            result = yield from compare(
                studies,
                judgements=names_in(self.judgements),
                measures=names_in(self.measures),
                level=Level(self.level),
                coefficient=Coefficient(self.coefficient),
            )
        return result


@contextmanager
def named_studies(study: Study, listed: str) -> Iterator[list[tuple[str, Study]]]:
    """Open further studies for the duration of the block; return this study and them, with their names.

    Raises InputError if none is listed, for duplicates, or for this study itself.
    """
    with opened(study, listed) as others:
        if not others:
            raise InputError(
                "Name at least one further study in this study's folder (setting Further studies)."
            )
        studies = [study, *others]
        names = number_duplicates([each.path.stem for each in studies])
        yield list(zip(names, studies, strict=True))


def inputs_of(study: Study, listed: str) -> str:
    """Return a hash over the contents of the further studies."""
    with opened(study, listed) as others:
        return " ".join(study_inputs(other).hash for other in others)


@contextmanager
def opened(study: Study, listed: str) -> Iterator[list[Study]]:
    """Open further studies for the duration of the block.

    Raises InputError for duplicates or this study itself.
    """
    with ExitStack() as stack:
        others: list[Study] = []
        for name in names_in(listed):
            other = study.open_relative(name)
            stack.callback(other.close)
            if resolved(other.path) in {resolved(each.path) for each in (study, *others)}:
                raise InputError(f"{name} is already part of the comparison. Name each study once.")
            others.append(other)
        yield others


def compare(
    studies: Sequence[tuple[str, Study]],
    *,
    judgements: Sequence[str] = (),
    measures: Sequence[str] = (),
    level: Level = Level.SYSTEM,
    coefficient: Coefficient = Coefficient.PEARSON,
    weights: Sequence[float] = (),
    on_common: bool = False,
) -> JobSteps[Result]:
    """Correlate shared measures with each study's judgements, rank within studies, and average the ranks.

    judgements: names, empty = all of each study; one that a study lacks is left out there.
    measures: labels as in the first study, empty = all.
    weights: weight of each study in the means, empty = equal.
    on_common: within each study use only systems and topics for which every measure is complete.

    Raises InputError if the studies share no measure, or one lacks required data.
    """
    loaded = []
    for done, (name, study) in enumerate(studies):
        yield Progress(done, len(studies), name)
        loaded.append(load_studies(name, study, judgements))
    return compared(
        loaded, measures=measures, level=level, coefficient=coefficient, weights=weights, on_common=on_common
    )


def compared(
    loaded: Sequence[StudyMatrices],
    *,
    measures: Sequence[str] = (),
    level: Level = Level.SYSTEM,
    coefficient: Coefficient = Coefficient.PEARSON,
    weights: Sequence[float] = (),
    on_common: bool = False,
) -> Result:
    """Compare studies that are already loaded. Raises InputError if they share no measure."""
    requested = requested_measures(loaded, measures)
    shared = shared_measures(loaded, measures)
    limits: list[str] = []
    if on_common:
        loaded, limits = _restricted(loaded, shared)
    keys = [*shared, *([] if measures else _in_several(loaded, shared))]
    columns, parts = _columns(loaded, keys, level, coefficient)
    values = np.array(list(columns.values()), dtype=np.float64).T
    notes = _notes(loaded, keys, parts)
    ranked = [key for key in shared if not notes[key]]
    if not ranked:
        raise InputError(_NOTHING_RANKED.format("; ".join(filter(None, notes.values()))))
    others = [key for key in keys if key not in ranked]
    at = [keys.index(key) for key in ranked]
    below = [keys.index(key) for key in others]
    labels, heads = labels_of(loaded, keys), list(columns)
    title, names = "Comparison across studies", [labels[i] for i in at]
    shares = _shares(loaded, weights)
    by_study = ranked_table("By study and judgement", names, heads, values[at], shares)
    overview = _overview(title, by_study)
    whole = with_unranked(
        by_study, [labels[i] for i in below], values[below], [notes[key] or _NOT_EVERYWHERE for key in others]
    )
    missing = missing_table(loaded, requested)
    unranked = _unranked(loaded, keys, parts)
    joined = " ".join(sentence.replace(MARK, "") for sentence in unranked)  # a mark begins the footnote
    overview, whole = replace(overview, note=joined), replace(whole, note=f"{whole.note} {joined}".strip())
    result = Result(
        title,
        (overview, whole, *([missing] if missing else [])),
        (mean_ranks(overview), flow(names, loaded, values[at], coefficient),
         heatmap("Correlations by study", labels, heads, values, _is_ranked(parts, keys))),
        (policy(level, coefficient), RANKED, _SAME, _counting(loaded, weights), *limits),
        stand_ins_of([each.measures[key] for each in loaded for key in keys if key in each.measures]),
        warnings=(
            *unranked, *_cautions(loaded, ranked, level, coefficient),
            *(sentence for each in loaded for sentence in each.stale_notes(keys)),
            *_left_out(loaded, requested),
        ),
    )  # fmt: skip
    return result.with_footnotes()


_SAME = "Metrics match by signature: metric, settings, model."
_NOT_EVERYWHERE = "not in every study"
_NOTHING_RANKED = (
    "No measure of these studies can be ranked: {}. Complete the scores, choose other judgements, or "
    "compare on common topics."
)

_Parts = dict[tuple[str, str], dict[Key, Eligibility]]
"""Return the eligibility of each measure, by study and judgement."""


def _columns(
    loaded: Sequence[StudyMatrices], keys: Sequence[Key], level: Level, coefficient: Coefficient
) -> tuple[dict[str, list[float]], _Parts]:
    """Return correlations by study and judgement, and a mask of ranked ones.

    NaN = the study lacks the measure.
    """
    columns: dict[str, list[float]] = {}
    parts: _Parts = {}
    for each in loaded:
        there = [key for key in keys if key in each.measures]
        refs = [each.measures[key].ref for key in there]
        for judgement, z in each.people.items():
            x = stacked((each.measures[key].scores for key in there), z)
            correlations = dict(zip(there, correlate_many(x, z.values, level, coefficient), strict=True))
            columns[_column(each, judgement)] = [
                correlations[key].value if key in correlations else np.nan for key in keys
            ]
            eligible = eligibilities(refs, x, z, judgement)
            parts[each.name, judgement] = dict(zip(there, eligible, strict=True))
    return columns, parts


def _restricted(
    loaded: Sequence[StudyMatrices], shared: Collection[Key]
) -> tuple[list[StudyMatrices], list[str]]:
    """Restrict studies to the data for which all shared measures are complete; add a sentence for each."""
    selected, limits = [], []
    for each in loaded:
        rivals = [each.measures[key].scores for key in shared if not _is_own(each, key)]
        try:
            systems, topics = common_part(rivals, each.people.values())
        except InputError as error:
            raise InputError(f"{each.name}: {error}") from None
        people = {name: one.select(systems, topics) for name, one in each.people.items()}
        selected.append(replace(each, people=people))
        counts = f"{pluralize(len(topics), 'topic')} and {pluralize(len(systems), 'system')}"
        limits.append(f"{each.name}: compared on {counts}, for which every measure is complete.")
    return selected, limits


def _is_own(each: StudyMatrices, key: Key) -> bool:
    """Return whether a measure belongs to the family of every judgement."""
    one = each.measures[key]
    return all(
        same_family(one.config, name, one.scores.select(z.systems, z.topics).values, z.values)
        for name, z in each.people.items()
    )


def _is_ranked(parts: _Parts, keys: Sequence[Key]) -> NDArray[np.bool_]:
    """Return an array of shape (measures, columns)."""
    columns = [[key in part and part[key].is_ranked for key in keys] for part in parts.values()]
    return np.array(columns, dtype=np.bool_).T


def _notes(loaded: Sequence[StudyMatrices], keys: Sequence[Key], parts: _Parts) -> dict[Key, str]:
    """Return why a measure is not ranked in some study; empty if it is ranked wherever it is present."""
    marks: dict[Key, dict[str, dict[str, None]]] = {key: {} for key in keys}
    for (study, _), part in parts.items():
        for key, one in part.items():
            if not one.is_ranked:
                marks[key].setdefault(one.mark, {})[study] = None
    return {
        key: ", ".join(
            mark if len(studies) == len(loaded) else f"{mark} ({', '.join(studies)})"
            for mark, studies in studies_by_mark.items()
        )
        for key, studies_by_mark in marks.items()
    }


def _unranked(loaded: Sequence[StudyMatrices], keys: Sequence[Key], parts: _Parts) -> list[str]:
    """Return notes on unranked measures and cautions on ranked ones, study by study."""
    sentences = []
    for each in loaded:
        there = [key for key in keys if key in each.measures]
        labels = [each.measures[key].label for key in there]
        eligibility = {name: [parts[each.name, name][key] for key in there] for name in each.people}
        sentences += [f"{each.name}: {sentence}" for sentence in ranking_notes(labels, eligibility)]
    return sentences


def _shares(loaded: Sequence[StudyMatrices], weights: Sequence[float]) -> Array:
    """Return the weight of each column: a study's weight divided among its judgements."""
    if weights and len(weights) != len(loaded):
        raise InputError(
            f"There are {len(loaded)} studies but {len(weights)} weights. Give one weight per study."
        )
    if weights and (min(weights) < 0 or not 0 < sum(weights) < float("inf")):
        raise InputError("Study weights must be non-negative and not all zero.")
    each = np.array(weights or [1.0] * len(loaded)) / (sum(weights) or len(loaded))
    counts = [len(one.people) for one in loaded]
    return np.repeat(each / counts, counts)


def _counting(loaded: Sequence[StudyMatrices], weights: Sequence[float]) -> str:
    """Return a sentence on how the means are computed."""
    people = ", ".join(f"{one.name} {pluralize(len(one.people), 'judgement')}" for one in loaded)
    weighing = "equal weights"
    if weights:
        named = zip(loaded, weights, strict=True)
        weighing = f"weights {', '.join(f'{one.name} {weight:g}' for one, weight in named)}"
    return (
        "Values and ranks are averaged over the judgements of each study first, then over studies "
        f"({weighing}; {people})."
    )


def load_studies(name: str, study: Study, judgements: Sequence[str]) -> StudyMatrices:
    """Load one study. Raises InputError, with the study's name, if it lacks scores or judgements."""
    try:
        known = [ref.name for ref in stored_judgements(study)]
        fits = {given: fitting_names(given, known) for given in judgements}
        for given, meant in fits.items():
            if len(meant) > 1 or not any(fits.values()):
                raise InputError(unknown_name("judgement", given, known))
        chosen = [meant[0] for meant in fits.values() if meant]
        loaded, people = load_measures(study, ""), load_judgements(study, "", chosen)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    changed = stale_texts(study, checked(study, [replace(one.ref, label=one.name) for one in loaded]))
    return StudyMatrices(name, {_key(one): one for one in loaded}, people, changed)


def _overview(title: str, by_study: Table) -> Table:
    """Return each measure's mean over all columns, its rank, and its mean rank, best first."""
    columns = [0, -3, -2, -1]
    rows = [tuple(row[at] for at in columns) for row in by_study.rows]
    rows.sort(key=lambda row: row[-1] if isinstance(row[-1], float) and row[-1] == row[-1] else float("inf"))
    return Table(title, tuple(by_study.columns[at] for at in columns), tuple(rows))


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Number duplicate names so that no two studies share a column."""
    return [
        f"{name} ({list(names[: at + 1]).count(name)})" if names.count(name) > 1 else name
        for at, name in enumerate(names)
    ]


def _key(one: OrientedMeasure) -> Key:
    """Return the key of a measure. Imported ones match by name, since each study's source file differs."""
    return ("" if one.config.is_imported else one.config.signature, one.ref.measure)


def _in_several(loaded: Sequence[StudyMatrices], shared: Collection[Key]) -> list[Key]:
    """Return the measures that at least two studies have, but not all."""
    occurrences = Counter(key for each in loaded for key in each.measures)
    return [key for key, count in occurrences.items() if count > 1 and key not in shared]


def requested_measures(loaded: Sequence[StudyMatrices], labels: Sequence[str]) -> list[Key]:
    """Return the measures that are asked for. labels: as in the first study, empty = those of any study.

    Raises InputError for an unknown one.
    """
    if not labels:
        return list(dict.fromkeys(key for each in loaded for key in each.measures))
    first = loaded[0]
    by_name = {one.name: key for key, one in first.measures.items()}
    refs = [replace(one.ref, label=one.name) for one in first.measures.values()]
    try:
        chosen = [find_measure(refs, label) for label in labels]
    except InputError as error:
        raise InputError(f"{first.name}: {error}") from None
    return [by_name[ref.label] for ref in chosen]


def shared_measures(loaded: Sequence[StudyMatrices], labels: Sequence[str]) -> list[Key]:
    """Return the requested measures that all studies have. Raises InputError if there is none."""
    requested = requested_measures(loaded, labels)
    shared = [key for key in requested if all(key in each.measures for each in loaded)]
    if not shared:
        raise InputError(
            "These studies share no measure. Score them with the same metrics and settings first."
        )
    return shared


def _cautions(
    loaded: Sequence[StudyMatrices], shared: Sequence[Key], level: Level, coefficient: Coefficient
) -> list[str]:
    """Return the cautions of each study, prefixed with its name."""
    return [
        f"{each.name}: {sentence}"
        for each in loaded
        for sentence in cautions_about(
            [each.measures[key].scores for key in shared], each.people, level, coefficient
        )
    ]


def _left_out(loaded: Sequence[StudyMatrices], requested: Collection[Key]) -> tuple[str, ...]:
    """Return which requested measures a single study has."""
    counts = Counter(key for each in loaded for key in each.measures)
    sentences = []
    for each in loaded:
        keys = [key for key in requested if key in each.measures and counts[key] == 1]
        others = [each.measures[key].label for key in keys]
        if others:
            sentences.append(f"{each.name}: left out because no other study has them: {', '.join(others)}.")
    return tuple(sentences)


def _column(each: StudyMatrices, judgement: str) -> str:
    return each.name if len(each.people) == 1 else f"{each.name} · {judgement}"
