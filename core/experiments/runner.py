"""Running an experiment on a study, which keeps its result, and the parts of one that was stopped."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from core.comparison.study_digest import fingerprint
from core.errors import InputError
from core.experiments.experiment import Asked, Experiment
from core.metrics.base import Tools
from core.ports import ExperimentRecord, Study
from core.progress import Progress, Steps
from core.results.result import Result
from core.results.result_json import from_text, to_text
from core.scoring.experiment_scores import fall_silent, forget_made, listen, made_scores, remember


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an experiment found. is_kept: it was in the study already, with the same inputs."""

    record: ExperimentRecord
    result: Result
    is_kept: bool = False


def perform(study: Study, asked: Asked, tools: Tools, *, again: bool = False) -> Steps[Outcome]:
    """Run an experiment and store its result in the study; a stored result of the same inputs is returned.

    again: run it in any case. Closing the generator keeps the parts that are done. Nothing is stored in a
    study that is open for reading only. Raises InputError where the study lacks what is needed, or is open
    for reading only and the experiment would store scores.
    """
    if problem := asked.experiment.lacking(study):
        raise InputError(problem)
    if study.read_only and asked.experiment.scores_texts:
        raise InputError(f"This experiment scores texts and stores that. {study.read_only}")
    yield Progress(0, 0, "reading the study")
    contents = fingerprint(study)
    inputs = inputs_hash(study, asked.experiment, contents)
    if not again and (kept := kept_outcome(study, asked, inputs)) is not None:
        return kept
    began = time.perf_counter()
    record = _begun(asked, inputs)
    if not study.read_only:
        study.keep_experiment(record).result()
    result = (yield from _scoring_apart(study, asked.experiment, tools)).with_footnotes()
    if asked.experiment.scores_texts:  # its own scores do not make it stale
        inputs = inputs_hash(study, asked.experiment, contents)
    seconds = time.perf_counter() - began
    record = replace(record, inputs_hash=inputs, seconds=seconds, result=to_text(result))
    if not study.read_only:
        study.keep_experiment(record).result()
    return Outcome(record, titled(from_text(record.result), asked))  # as it will be read: no NaN in tables


def _scoring_apart(study: Study, experiment: Experiment, tools: Tools) -> Steps[Result]:
    """Run an experiment, and keep apart what it scores, even where it is stopped."""
    before, asked = {config.signature for config in study.configs()}, listen()
    try:
        return (yield from experiment.run(study, tools))
    finally:
        fall_silent()
        if experiment.scores_texts:
            study.flush()
            remember(study, experiment.id, before, asked)


def forget(study: Study, experiment_id: str) -> Steps[int]:
    """Take what a study keeps of an experiment out; returns how many configurations went with it."""
    yield Progress(0, 0, "forgetting a result")
    study.remove_experiment(experiment_id).result()
    gone = forget_made(study, experiment_id)
    study.flush()
    return gone


def kept_outcome(study: Study, asked: Asked, inputs: str) -> Outcome | None:
    """What the study keeps of a question, None = nothing whole, or something that it read has changed."""
    record = study.experiment(asked.experiment.id)
    if record is None or not record.result or record.inputs_hash != inputs:
        return None
    return Outcome(record, titled(from_text(record.result), asked), is_kept=True)


def titled(result: Result, asked: Asked) -> Result:
    """A result under the title that it was asked for by: recipes may share an experiment."""
    return replace(result, title=asked.title) if asked.title else result


def inputs_hash(study: Study, experiment: Experiment | None = None, contents: str = "") -> str:
    """SHA-256 over all that an experiment may read: texts, annotations, ratings and scores, hexadecimal.

    What experiments alone have scored stays out: it follows from the others, and would make each other stale.
    contents: the study's fingerprint, empty = as it is now.
    """
    made = made_scores(study)
    known = (config.signature for config in study.configs())
    scores = {signature: dict(study.stored_inputs(signature)) for signature in known if signature not in made}
    others = experiment.other_inputs(study) if experiment else ""
    told = json.dumps([contents or fingerprint(study), scores, *([others] if others else [])], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _begun(asked: Asked, inputs: str) -> ExperimentRecord:
    experiment = asked.experiment
    return ExperimentRecord(
        id=experiment.id,
        experiment=experiment.name,
        recipe=asked.recipe,
        title=asked.title or experiment.title,
        settings=experiment.settings(),
        seed=int(experiment.settings().get("seed", "0")),
        inputs_hash=inputs,
        at=datetime.now(UTC),
    )
