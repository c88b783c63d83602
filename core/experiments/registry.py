"""Registry of experiments and of recipes (experiments with the settings of a paper)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from core import experiments as package
from core.errors import InputError
from core.experiments.experiment import Experiment, ExperimentRequest
from core.registry import Registry
from core.settings import suggest_name

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
    if name not in known:
        raise InputError(_unknown("experiment", name, known))
    cls = known[name]
    return ExperimentRequest(cls().with_settings(settings or {}), title=cls.title)


def parse_recipe(name: str, settings: Mapping[str, str] | None = None) -> ExperimentRequest:
    """Return a recipe by name with some settings changed. Raises InputError, BadSetting."""
    _REGISTRY.own()
    if name not in _RECIPES:
        raise InputError(_unknown("recipe", name, _RECIPES))
    recipe = _RECIPES[name]
    return ExperimentRequest(recipe.experiment.with_settings(settings or {}), recipe.name, recipe.title)


def _unknown(kind: str, name: str, known: Mapping[str, object]) -> str:
    return f"Unknown {kind} {name!r}.{suggest_name(name, known)} Available: {', '.join(known)}."
