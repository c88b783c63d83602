"""The command `train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.console import Lines, print_json, print_message, print_table
from cli.opening import open_sound
from cli.options import Device, Json, Study, expand_option_groups
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.operations.options import TrainRequest
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.files.study_address import StudyAddress
    from core.stats.correlation import Level
    from core.training.training import TrainingResult


_HEADS = {
    "name": "Model",
    "human": "Target",
    "features": "Features",
    "topics": "Topics",
    "summaries": "Summaries",
}


@expand_option_groups
def train(
    path: Study,
    request: TrainRequest,
    forget: Annotated[
        str, typer.Option(metavar="NAME", help="Delete the model of this name from the study.")
    ] = "",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Train a metric on the judgements of a study.

    Trains a regression like S3; without --human and --name, lists the trained models. Score with
    -m s3:model=NAME; training topics are scored by cross-validation.
    """
    from core.metrics.base.learned_model import check_name
    from core.metrics.learned.model_store import save_model
    from core.models.runtime.devices import check_name as check_device
    from core.operations import train as operation

    if forget:
        _forget(path, forget)
        return
    if not request.human and not request.name:
        _list_trained(path, as_json=as_json)
        return
    if not (request.human and request.name):
        raise typer.BadParameter("--human and --name are both required for training")
    check_name(request.name)
    check_device(device)
    with open_sound(path) as study:
        trained = run_with_progress(operation.train(study, request, device), "Training")
        save_model(study, trained.model).result()
    document = _document(trained)
    print_json(document) if as_json else _print_training(document, path)


def _list_trained(path: StudyAddress, *, as_json: bool) -> None:
    """List the trained models of a study."""
    from core.metrics.learned.model_store import model_names

    with open_sound(path) as study:
        rows = [_row(study, name) for name in model_names(study)]
    if as_json:
        print_json({"models": rows})
    elif not rows:
        print_message(f"{path} has no trained model. Train one with --human JUDGEMENT --name NAME.")
    else:
        cells = [{**row, "features": Lines(row["features"])} for row in rows]
        print_table(cells, _HEADS, right=("topics", "summaries"))


def _forget(path: StudyAddress, name: str) -> None:
    """Delete a model from a study."""
    from core.metrics.learned.model_store import delete_model

    with open_sound(path) as study:
        delete_model(study, name).result()
    print_message(f"Deleted model {name} from {path}; its scores are kept.")


def _row(study: ports.Study, name: str) -> dict[str, Any]:
    from core.metrics.base.learned_model import read_model
    from core.metrics.learned.feature_sets import feature_label
    from core.metrics.learned.model_store import model_text

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
    from core.metrics.learned.feature_sets import feature_label
    from core.stats.correlation import Level

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
    from core.stats.correlation import CLASSIC, correlate

    x, z = trained.predicted.values, trained.judged.values
    return {"level": level.value, **{c.value: correlate(x, z, level, c).value for c in CLASSIC}}


def _print_training(document: dict[str, Any], path: StudyAddress) -> None:
    from core.stats.correlation import CLASSIC

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
