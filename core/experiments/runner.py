"""Run experiments, store their results in the study, and resume stopped runs."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.comparison.study_digest import StudyContents, short_digest, study_contents
from core.errors import InputError, PyramidionError
from core.experiments.experiment import Experiment, ExperimentRequest
from core.formatting.numbers import pluralize
from core.metrics.base import Resources
from core.metrics.learned.model_store import model_names, model_text
from core.ports import ExperimentRecord, Study
from core.progress import JobSteps, Progress
from core.results.result import Result, from_text, to_text
from core.scoring.experiment_scores import (
    delete_experiment_scores,
    experiment_only_signatures,
    record_requests,
    tag_scores,
)


@dataclass(frozen=True, slots=True)
class ExperimentRun:
    """Outcome of an experiment run. is_stored: whether it is a stored result of the same inputs."""

    record: ExperimentRecord
    result: Result
    is_stored: bool = False


def run_experiment(
    study: Study, request: ExperimentRequest, resources: Resources, *, again: bool = False
) -> JobSteps[ExperimentRun]:
    """Run an experiment and store its result in the study, or return the stored result of the same inputs.

    again: run it in any case.

    Closing the generator keeps finished parts. Nothing is stored in a study that is open read-only.
    Raises InputError if the study lacks required data, or is read-only and the experiment would store scores.
    """
    if problem := request.experiment.missing_requirements(study):
        raise InputError(problem)
    if study.read_only and request.experiment.scores_texts:
        raise InputError(f"This experiment stores new scores. {study.read_only}")
    yield Progress(0, 0, "reading the study")
    contents = study_contents(study)
    inputs = study_inputs(study, request.experiment, contents)
    if not again and (stored := stored_run(study, request, inputs.hash)) is not None:
        return stored
    began = time.perf_counter()
    record = _begun(request, inputs)
    if not study.read_only:
        study.experiments.save(record).result()
    result = (yield from _scoring_apart(study, request.experiment, resources)).with_footnotes()
    if request.experiment.scores_texts:  # its own scores do not make it stale
        inputs = study_inputs(study, request.experiment, contents)
    seconds = time.perf_counter() - began
    record = replace(record, inputs_hash=inputs.hash, parts=inputs.parts)
    record = replace(record, seconds=seconds, result=to_text(result))
    if not study.read_only:
        study.experiments.save(record).result()
    return ExperimentRun(
        record, titled(from_text(record.result, record.title), request)
    )  # as it will be read: no NaN in tables


def _scoring_apart(study: Study, experiment: Experiment, resources: Resources) -> JobSteps[Result]:
    """Run an experiment and mark the scores that it adds, even if it is stopped."""
    before, requested = {config.signature for config in study.scores.configs()}, set[str]()
    try:
        return (yield from record_requests(experiment.run(study, resources), requested))
    finally:
        if experiment.scores_texts:
            study.flush()
            tag_scores(study, experiment.id, before, requested)


def delete_result(study: Study, experiment_id: str) -> JobSteps[int]:
    """Delete the stored result of an experiment; return how many configurations were deleted with it."""
    yield Progress(0, 0, "deleting a result")
    study.experiments.remove(experiment_id).result()
    gone = delete_experiment_scores(study, experiment_id)
    study.flush()
    return gone


def stored_run(study: Study, request: ExperimentRequest, inputs: str) -> ExperimentRun | None:
    """Return the stored result of a request, or None if there is none or its inputs have changed."""
    record = study.experiments.get(request.experiment.id)
    if record is None or not record.result or record.inputs_hash != inputs:
        return None
    return ExperimentRun(record, titled(from_text(record.result, record.title), request), is_stored=True)


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A stored result, whose inputs may have changed since it was computed.

    result: with a warning first if it is stale. is_stale: they have, or cannot be read.
    changes: which have, as ``texts of D2 changed``; empty = unknown. problem: why they cannot be read.
    """

    record: ExperimentRecord
    result: Result
    is_stale: bool = False
    changes: str = ""
    problem: str = ""


def read_result(study: Study, request: ExperimentRequest) -> JobSteps[StoredResult | None]:
    """Return the stored result of a request with what has changed since; None = there is none."""
    yield Progress(0, 0, "reading a result")
    record = study.experiments.get(request.experiment.id)
    if record is None or not record.result:
        return None
    result = titled(from_text(record.result, record.title), request)
    try:
        inputs = study_inputs(study, request.experiment)
    except PyramidionError as error:  # of another study
        return StoredResult(record, _outdated(result), is_stale=True, problem=str(error))
    if record.inputs_hash == inputs.hash:
        return StoredResult(record, result)
    changes = inputs.changes_since(record.parts)
    return StoredResult(record, _outdated(result, changes), is_stale=True, changes=changes)


def _outdated(result: Result, changes: str = "") -> Result:
    """Return a result with a warning that its inputs have changed. changes: which, empty = unknown."""
    sentence = f"Out of date: since this was computed, {changes or 'inputs have changed'}."
    return replace(result, warnings=(sentence, *result.warnings))


def titled(result: Result, request: ExperimentRequest) -> Result:
    """Return a result under the requested title, since recipes may share an experiment."""
    return replace(result, title=request.title) if request.title else result


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """All possible inputs of a result: a hash that decides, and digests of the parts, which name a change."""

    hash: str
    parts: Mapping[str, str]

    def changes_since(self, parts: Mapping[str, str]) -> str:
        """Return which parts differ, as ``texts of D2 changed``; empty = none, or they were not recorded."""
        if not parts:
            return ""
        names = [name for name in {**parts, **self.parts} if parts.get(name) != self.parts.get(name)]
        words = {(True, True): "changed", (True, False): "were removed", (False, True): "were added"}
        found = [f"{name} {words[name in parts, name in self.parts]}" for name in names]
        more = [pluralize(len(found) - _LISTED, "further change")] if len(found) > _LISTED else []
        return ", ".join((*found[:_LISTED], *more))


_LISTED = 3


def study_inputs(
    study: Study, experiment: Experiment | None = None, contents: StudyContents | None = None
) -> StudyInputs:
    """Return all possible inputs: texts, annotations, ratings, scores, and for an experiment that scores the
    trained models.

    Scores that only experiments added are excluded: they follow from the other inputs and would make each
    other's results stale.

    contents: of the study, None = read them now.
    """
    contents = contents or study_contents(study)
    made = experiment_only_signatures(study)
    configs = [config for config in study.scores.configs() if config.signature not in made]
    scores = {config.signature: dict(study.scores.input_hashes(config.signature)) for config in configs}
    others = [experiment.corpus_hash(study)] if experiment else []
    if experiment and experiment.scores_texts:  # it may score with them
        others += [model_text(study, name) for name in model_names(study)]
    content = json.dumps([contents.digest, scores, *filter(None, others)], sort_keys=True)
    parts = dict(contents.parts)
    for config in configs:
        name = f"scores of {config.spec or ', '.join(config.measures)}"
        parts[name] = short_digest(parts.get(name, "") + json.dumps(scores[config.signature], sort_keys=True))
    if any(others):
        parts["other studies or trained metrics"] = short_digest(" ".join(others))
    return StudyInputs(hashlib.sha256(content.encode()).hexdigest(), parts)


def _begun(request: ExperimentRequest, inputs: StudyInputs) -> ExperimentRecord:
    experiment = request.experiment
    return ExperimentRecord(
        id=experiment.id,
        experiment=experiment.name,
        recipe=request.recipe,
        title=request.title or experiment.title,
        settings=experiment.settings(),
        seed=int(experiment.settings().get("seed", "0")),
        inputs_hash=inputs.hash,
        at=datetime.now(UTC),
        parts=inputs.parts,
    )
