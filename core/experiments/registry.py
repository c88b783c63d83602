"""Registry of experiments and of recipes (experiments with the settings of a paper)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from core import experiments as package
from core.experiments.experiment import Experiment, ExperimentRequest
from core.names import resolve_name
from core.registry import Registry

M = TypeVar("M", bound=Callable[[], Experiment])


@dataclass(frozen=True, slots=True)
class Recipe:
    """Recipe for a table or figure of a paper, applicable to any study with the required data.

    name: such as ``conditions-table-1``.
    paper: authors and year.
    experiment: with the paper's settings.
    """

    name: str
    paper: str
    title: str
    experiment: Experiment


_REGISTRY: Registry[Experiment] = Registry("experiment", package, Experiment)
_RECIPES: dict[str, Recipe] = {}

register = _REGISTRY.register


def recipe(name: str, *, paper: str, title: str) -> Callable[[M], M]:
    """Register a function or class that returns an experiment under a recipe's name."""

    def listed(make: M) -> M:
        if name in _RECIPES:
            raise ValueError(f"two recipes are named {name!r}")
        _RECIPES[name] = Recipe(name, paper, title, make())
        return make

    return listed


def all_experiments() -> tuple[type[Experiment], ...]:
    """Return all registered experiments, sorted by title."""
    return tuple(sorted(_REGISTRY.own().values(), key=lambda cls: cls.title))


def all_recipes() -> tuple[Recipe, ...]:
    """Return all recipes, paper by paper, tables and figures in the paper's order."""
    _REGISTRY.own()  # whose modules register recipes too
    return tuple(_RECIPES.values())


def parse_request(name: str, settings: Mapping[str, str] | None = None) -> ExperimentRequest:
    """Return an experiment by name with some settings changed. Raises InputError, BadSetting."""
    known = _REGISTRY.own()
    cls = known[resolve_name("experiment", name, known, "`pyramidion resample --list` lists them")]
    return ExperimentRequest(cls().with_settings(settings or {}), title=cls.title)


def parse_recipe(name: str, settings: Mapping[str, str] | None = None) -> ExperimentRequest:
    """Return a recipe by name with some settings changed. Raises InputError, BadSetting."""
    _REGISTRY.own()
    recipe = _RECIPES[resolve_name("recipe", name, _RECIPES, "`pyramidion resample --list` lists them")]
    return ExperimentRequest(recipe.experiment.with_settings(settings or {}), recipe.name, recipe.title)
