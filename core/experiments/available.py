"""Experiments and recipes with what a study lacks for each, and the names that their settings can have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.comparison.judgements import judgements
from core.comparison.measures import measures
from core.errors import PyramidionError
from core.experiments.analyses.length_control import USUAL_CONTROLS
from core.experiments.experiment import ExperimentRequest
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.metrics import registry
from core.ports import Study
from core.progress import JobSteps, Progress


@dataclass(frozen=True, slots=True)
class ExperimentOption:
    """An experiment or recipe that can be chosen.

    key: its kind and name, as ``recipe:conditions-table-1``.
    default: the request with default settings.
    paper: of a recipe; empty = it is no recipe.
    problem: what the study lacks for it; empty = it can run.
    """

    key: str
    default: ExperimentRequest
    paper: str
    problem: str = ""

    @property
    def about(self) -> str:
        """The question that it answers."""
        return self.default.experiment.about


def experiment_options(study: Study) -> JobSteps[tuple[ExperimentOption, ...]]:
    """Return every experiment, then every recipe, with what the study lacks for it."""
    listed = [(f"experiment:{cls.name}", parse_request(cls.name), "") for cls in all_experiments()]
    listed += [(f"recipe:{one.name}", parse_recipe(one.name), one.paper) for one in all_recipes()]
    options = []
    for done, (key, request, paper) in enumerate(listed):
        yield Progress(done, len(listed), request.title)
        try:
            problem = request.experiment.missing_requirements(study)
        except PyramidionError as error:
            problem = str(error)
        options.append(ExperimentOption(key, request, paper, problem))
    return tuple(options)


def names_of_settings(study: Study) -> Mapping[str, Sequence[str]]:
    """Return the names that a study offers for a setting, by setting."""
    names = {
        "measures": [ref.label for ref in measures(study, check_stale=False)],
        "judgements": [ref.name for ref in judgements(study)],
    }
    properties = [kind.name for kind in registry.metrics() if not kind.has_direction]
    controls = (*USUAL_CONTROLS, *properties, *names["measures"], *names["judgements"])
    return names | {"controls": list(dict.fromkeys(controls))}
