"""Base class of experiments: a value whose fields are settings, and a job that returns a result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from core.metrics.base import Resources
from core.ports import Array, Study
from core.progress import JobSteps
from core.results.result import Result
from core.settings import Configurable, parse_settings


@dataclass(frozen=True)
class Experiment(Configurable):
    """Analysis of a study. Equal settings make equal experiments; fields are made by `setting`.

    title, about: texts of the user interface.
    scores_texts: whether running it adds scores to the study.

    A field named `seed` is the random seed.
    """

    title: ClassVar[str]
    about: ClassVar[str]
    scores_texts: ClassVar[bool] = False

    def missing_requirements(self, study: Study) -> str:
        """Return what the study lacks for this experiment and what to do about it; empty if nothing.

        Reads no text.
        """
        return ""

    def corpus_hash(self, study: Study) -> str:
        """Return a hash over inputs outside the study, such as further studies; empty if there are none."""
        return ""

    def run(self, study: Study, resources: Resources) -> JobSteps[Result]:
        """Run the experiment. Raises InputError if the study lacks required data."""
        raise NotImplementedError

    @property
    def id(self) -> str:
        """Return an id that is the same for equal experiments, 32 hexadecimal digits."""
        question = json.dumps([self.name, self.settings()], sort_keys=True)
        return hashlib.sha256(question.encode()).hexdigest()[:32]

    def with_settings(self, texts: Mapping[str, str]) -> Self:
        """Return a copy with some settings changed. Raises BadSetting."""
        return replace(self, **parse_settings(self.name, type(self), texts))


@dataclass(frozen=True, slots=True)
class ExperimentRequest:
    """Request to run an experiment, directly or through a paper's recipe.

    recipe: name of the recipe, empty = none.
    title: title of the result.
    """

    experiment: Experiment
    recipe: str = ""
    title: str = ""


class Checkpoint:
    """Store of finished parts of a running experiment, from which a stopped run resumes."""

    def __init__(self, study: Study, experiment: Experiment) -> None:
        self._study, self._id = study, experiment.id
        self._parts = dict(study.experiments.parts(experiment.id))

    def get(self, key: str) -> Array | None:
        """Return a finished part, or None if it has not been computed."""
        return self._parts.get(key)

    def keep(self, key: str, values: Array) -> Array:
        """Store a part and return it.

        key: up to 64 characters, the same for the same piece of work.
        """
        self._parts[key] = values
        if not self._study.read_only:
            self._study.experiments.save_part(self._id, key, values)
        return values
