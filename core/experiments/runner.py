"""Run experiments, store their results in the study, and resume stopped runs."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.comparison.study_digest import study_digest
from core.errors import InputError
from core.experiments.experiment import Experiment, ExperimentRequest
from core.metrics.base import Resources
from core.metrics.learned.model_store import model_names, model_text
from core.ports import ExperimentRecord, Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.results.result_json import from_text, to_text
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
    study: Study, request: ExperimentRequest, tools: Resources, *, again: bool = False
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
    contents = study_digest(study)
    inputs = inputs_hash(study, request.experiment, contents)
    if not again and (stored := stored_run(study, request, inputs)) is not None:
        return stored
    began = time.perf_counter()
    record = _begun(request, inputs)
    if not study.read_only:
        study.experiments.save(record).result()
    result = (yield from _scoring_apart(study, request.experiment, tools)).with_footnotes()
    if request.experiment.scores_texts:  # its own scores do not make it stale
        inputs = inputs_hash(study, request.experiment, contents)
    seconds = time.perf_counter() - began
    record = replace(record, inputs_hash=inputs, seconds=seconds, result=to_text(result))
    if not study.read_only:
        study.experiments.save(record).result()
    return ExperimentRun(
        record, titled(from_text(record.result, record.title), request)
    )  # as it will be read: no NaN in tables


def _scoring_apart(study: Study, experiment: Experiment, tools: Resources) -> JobSteps[Result]:
    """Run an experiment and mark the scores that it adds, even if it is stopped."""
    before, requested = {config.signature for config in study.scores.configs()}, set[str]()
    try:
        return (yield from record_requests(experiment.run(study, tools), requested))
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


def titled(result: Result, request: ExperimentRequest) -> Result:
    """Return a result under the requested title, since recipes may share an experiment."""
    return replace(result, title=request.title) if request.title else result


def inputs_hash(study: Study, experiment: Experiment | None = None, contents: str = "") -> str:
    """Return the SHA-256 over all possible inputs: texts, annotations, ratings, scores, and for an experiment
    that scores the trained models, hexadecimal.

    Scores that only experiments added are excluded: they follow from the other inputs and would make each
    other's results stale.

    contents: digest of the study, empty = compute it now.
    """
    made = experiment_only_signatures(study)
    known = (config.signature for config in study.scores.configs())
    scores = {
        signature: dict(study.scores.input_hashes(signature)) for signature in known if signature not in made
    }
    others = [experiment.corpus_hash(study)] if experiment else []
    if experiment and experiment.scores_texts:  # it may score with them
        others += [model_text(study, name) for name in model_names(study)]
    content = json.dumps([contents or study_digest(study), scores, *filter(None, others)], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _begun(request: ExperimentRequest, inputs: str) -> ExperimentRecord:
    experiment = request.experiment
    return ExperimentRecord(
        id=experiment.id,
        experiment=experiment.name,
        recipe=request.recipe,
        title=request.title or experiment.title,
        settings=experiment.settings(),
        seed=int(experiment.settings().get("seed", "0")),
        inputs_hash=inputs,
        at=datetime.now(UTC),
    )
