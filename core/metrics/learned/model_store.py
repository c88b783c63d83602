"""Learned models in a study: save, load, list and delete."""

from __future__ import annotations

from concurrent.futures import Future

from core.errors import MissingResource
from core.metrics.base.learned_model import LearnedModel, check_name
from core.names import unknown_name
from core.ports import EditReceipt, ScoringInputs, Study

_PREFIX = "learned-model:"


def save_model(study: Study, model: LearnedModel) -> Future[EditReceipt]:
    """Save a model in a study, replacing an older one of the same name."""
    return study.settings.save(_PREFIX + model.name, model.to_text())


def delete_model(study: Study, name: str) -> Future[EditReceipt]:
    """Delete a model from a study; its scores remain. Raises MissingResource if there is none."""
    model_text(study, name)
    return study.settings.save(_PREFIX + name, "")


def model_names(study: ScoringInputs) -> list[str]:
    """Return the names of all models stored in a study."""
    return [key.removeprefix(_PREFIX) for key in study.settings.keys(_PREFIX) if study.settings.get(key)]


def model_text(study: ScoringInputs, name: str) -> str:
    """Return the stored text of a model. Raises MissingResource listing the available models."""
    check_name(name)
    if text := study.settings.get(_PREFIX + name):
        return text
    names = model_names(study)
    raise MissingResource(
        f"{unknown_name('model in this study', name, names)} Train one with `pyramidion train`, or write the "
        f"folder of the released models with a slash, for example ./{name}."
    )
