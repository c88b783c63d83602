"""`pyramidion train`."""

from __future__ import annotations

import re
from typing import Any

from cli.console import Lines, print_json, print_message, print_table, run_with_progress
from cli.opening import open_sound
from cli.options.training import TrainingOptionGroup
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.metrics.learned.feature_sets import SETS
from core.metrics.learned.features import feature_label
from core.metrics.learned.model import check_name, read_model
from core.metrics.learned.model_store import delete_model, model_names, model_text, save_model
from core.models.runtime.devices import check_name as check_device
from core.ports import Study
from core.scoring.engine_tools import StudyResources
from core.stats.correlation import CLASSIC, Level, correlate
from core.training.feature_selection import choose_features
from core.training.training import TrainingOptions, TrainingResult, train


def train_model(path: StudyAddress, request: TrainingOptionGroup, *, device: str, as_json: bool) -> None:
    """Train a model on a study's judgements, save it there, and print its cross-validated correlations."""
    check_name(request.name)
    check_device(device)
    with open_sound(path) as study:
        tools = StudyResources(study, device)
        trained = run_with_progress(train(study, recipe(request, study, tools), tools), "Training")
        save_model(study, trained.model).result()
    document = _document(trained)
    print_json(document) if as_json else _print_training(document, path)


def recipe(request: TrainingOptionGroup, study: Study, tools: StudyResources) -> TrainingOptions:
    """Return the training options; by default, features are scaled unless they are those of S3."""
    names = feature_names(request.features)
    is_scaled = any(name not in SETS for name in names) if request.scale is None else request.scale
    return TrainingOptions(
        name=request.name,
        human=request.human,
        features=choose_features(names, study, tools, request.vectors),
        annotators=request.annotators,
        folds=request.folds,
        cost=request.cost,
        epsilon=request.epsilon,
        is_scaled=is_scaled,
    )


def feature_names(listed: str) -> list[str]:
    """Split a list of features at commas, except in brackets and before ``key=value``."""
    return [name for part in _SEPARATOR.split(listed) if (name := part.strip())]


_SEPARATOR = re.compile(r",(?![^\[\]]*\])(?!\s*\w+=)")


def list_trained(path: StudyAddress, *, as_json: bool) -> None:
    """List the trained models of a study."""
    with open_sound(path) as study:
        rows = [_row(study, name) for name in model_names(study)]
    if as_json:
        print_json({"models": rows})
    elif not rows:
        print_message(f"{path} has no trained model. Train one with --human JUDGEMENT --name NAME.")
    else:
        cells = [{**row, "features": Lines(row["features"])} for row in rows]
        print_table(cells, _HEADS, right=("topics", "summaries"))


def forget_trained(path: StudyAddress, name: str) -> None:
    """Delete a model from a study."""
    with open_sound(path) as study:
        delete_model(study, name).result()
    print_message(f"Deleted model {name} from {path}; its scores are kept.")


_HEADS = {
    "name": "Model",
    "human": "Target",
    "features": "Features",
    "topics": "Topics",
    "summaries": "Summaries",
}


def _row(study: Study, name: str) -> dict[str, Any]:
    try:
        model = read_model(model_text(study, name))
    except InputError as error:
        return {"name": name, "human": str(error), "features": [], "topics": None, "summaries": None}
    return {
        "name": name,
        "human": model.human,
        "features": [feature_label(feature) for feature in model.inputs],
        "topics": len(model.topics),
        "summaries": len(model.examples),
    }


def _document(trained: TrainingResult) -> dict[str, Any]:
    model = trained.model
    return {
        "name": model.name,
        "human": model.human,
        "features": [feature_label(feature) for feature in model.inputs],
        "topics": len(model.topics),
        "summaries": len(model.examples),
        "left_out": trained.left_out,
        "folds": model.folds,
        "unseen": [_agreement(trained, level) for level in Level],
    }


def _agreement(trained: TrainingResult, level: Level) -> dict[str, Any]:
    """Return the correlations of cross-validated predictions with the judgement at one level."""
    x, z = trained.predicted.values, trained.judged.values
    return {"level": level.value, **{c.value: correlate(x, z, level, c).value for c in CLASSIC}}


def _print_training(document: dict[str, Any], path: StudyAddress) -> None:
    print_message(
        f"Trained {document['name']} on {document['summaries']:,} judged summaries of"
        f" {pluralize(document['topics'], 'topic')}."
    )
    if document["left_out"]:
        print_message(f"Skipped {document['left_out']:,} judged summaries with an undefined feature.")
    rows = [{key: _rounded(value) for key, value in row.items()} for row in document["unseen"]]
    title = f"Cross-validated correlation with {document['human']}"
    heads = {"level": "Level", **{c.value: c.value.capitalize() for c in CLASSIC}}
    print_table(rows, heads, title=title, right=[c.value for c in CLASSIC])
    print_message(f"To score with it, run: pyramidion score {path} -m s3:model={document['name']}")


def _rounded(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
