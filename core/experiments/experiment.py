"""What an experiment is: a value whose fields are its settings, and a job from a study to a result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

from core.metrics.base import Resources, check_setting, format_setting
from core.ports import Array, Study
from core.progress import JobSteps
from core.results.result import Result
from core.settings import parse_settings


@dataclass(frozen=True)
class Experiment:
    """One question to a study. Equal settings make equal experiments; fields are made by `setting`.

    name: what --experiment calls it. title, about: for people. scores_texts: it scores, so that the study's
    scores are others afterwards. A field `seed` is what its draws begin with.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    scores_texts: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for f in fields(self):
            check_setting(self.name, f, getattr(self, f.name))

    def lacking(self, study: Study) -> str:
        """What a study does not have that is needed, with the remedy; empty = nothing. Reads no text."""
        return ""

    def corpus_hash(self, study: Study) -> str:
        """A hash over what it reads beyond the study, as further studies; empty = nothing."""
        return ""

    def run(self, study: Study, tools: Resources) -> JobSteps[Result]:
        """Find it out. Raises InputError where the study lacks what is needed."""
        raise NotImplementedError

    def settings(self) -> dict[str, str]:
        """Every setting as text, defaults included."""
        return {f.name: format_setting(getattr(self, f.name)) for f in fields(self)}

    @property
    def id(self) -> str:
        """The same for equal questions, 32 hexadecimal digits."""
        question = json.dumps([self.name, self.settings()], sort_keys=True)
        return hashlib.sha256(question.encode()).hexdigest()[:32]

    def with_settings(self, texts: Mapping[str, str]) -> Self:
        """The same with some settings changed. Raises BadSetting."""
        return replace(self, **parse_settings(self.name, type(self), texts))


@dataclass(frozen=True, slots=True)
class ExperimentRequest:
    """An experiment as somebody asked for it: as it is, or as a paper's recipe has it.

    recipe: its name, empty = none. title: of the result.
    """

    experiment: Experiment
    recipe: str = ""
    title: str = ""


class Checkpoint:
    """What is done of an experiment under way, kept in the study so that it can go on later."""

    def __init__(self, study: Study, experiment: Experiment) -> None:
        self._study, self._id = study, experiment.id
        self._kept = dict(study.experiment_parts(experiment.id))

    def get(self, key: str) -> Array | None:
        """A part that is done, None = not yet."""
        return self._kept.get(key)

    def keep(self, key: str, values: Array) -> Array:
        """Keep a part, which is given back. key: up to 64 signs, the same for the same piece of work."""
        self._kept[key] = values
        if not self._study.read_only:
            self._study.save_experiment_part(self._id, key, values)
        return values
