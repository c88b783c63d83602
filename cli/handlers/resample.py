"""`pyramidion resample`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cli.console import Lines, print_json, print_message, print_table, run_with_progress
from cli.handlers.experiment_output import print_result, write_files
from cli.opening import open_sound
from cli.options.output import OutputOptions
from cli.output import check_output_folder
from core.errors import BadSetting, InputError
from core.experiments.experiment import Experiment, ExperimentRequest
from core.experiments.registry import all_experiments, all_recipes, parse_recipe, parse_request
from core.experiments.runner import ExperimentRun, delete_result, run_experiment
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.metrics.base import format_setting, setting_default
from core.models.runtime.devices import check_name
from core.ports import Study
from core.results.result_json import to_document
from core.scoring.engine_tools import StudyResources


def list_experiments(path: StudyAddress, *, as_json: bool) -> None:
    """List experiments and recipes, and what a study is missing for each."""
    with open_sound(path) as study:
        experiments = [_line(cls(), study) for cls in all_experiments()]
        recipes = [
            {**_line(one.experiment, study), "recipe": one.name, "paper": one.paper, "title": one.title}
            for one in all_recipes()
        ]
    if as_json:
        print_json({"experiments": experiments, "recipes": recipes})
        return
    for row in (*experiments, *recipes):
        row["settings"] = Lines(f"{s['name']}={s['default']}  {s['help']}" for s in row["settings"])
    heads = {"title": "Result", "settings": "Settings", "kept": "Stored", "lacking": "Missing"}
    print_table(experiments, {"experiment": "Experiment", **heads}, title="Experiments")
    short = {
        "recipe": "Recipe",
        "title": "Result",
        "kept": "Stored",
        "lacking": "Missing",
    }
    print_table(recipes, short, title="Recipes (tables and figures of papers)")


def resample_study(
    path: StudyAddress,
    *,
    recipe: str,
    experiment: str,
    settings: Sequence[str],
    seed: int | None,
    draws: int | None,
    again: bool,
    device: str,
    output: Path | None,
    with_details: bool,
    form: OutputOptions,
) -> None:
    """Run an experiment or recipe, print the result, and write it to a folder if one is given."""
    check_name(device)
    if output is not None:
        check_output_folder(output, "resample")
    request = request_from_options(recipe, experiment, settings, seed, draws)
    with open_sound(path) as study:
        tools = StudyResources(study, device)
        before = {config.signature for config in study.scores.configs()}
        outcome = run_with_progress(run_experiment(study, request, tools, again=again), request.title)
        scored = [config for config in study.scores.configs() if config.signature not in before]
    _print_outcome(outcome, request, form, with_details=with_details)
    if scored:
        print_message(
            f"{pluralize(len(scored), 'metric configuration')} scored for it and stored in {path}; "
            "--forget deletes them with the result."
        )
    if output is not None:
        write_files(outcome.result, output, recipe or experiment)


def forget_experiment(
    path: StudyAddress,
    recipe: str,
    experiment: str,
    settings: Sequence[str],
    seed: int | None,
    draws: int | None,
) -> None:
    """Delete the stored result of an experiment. Raises InputError where there is none."""
    request = request_from_options(recipe, experiment, settings, seed, draws)
    with open_sound(path) as study:
        if study.experiments.get(request.experiment.id) is None:
            raise InputError(
                f"{path} has no stored result of {recipe or experiment} with these settings; see --list."
            )
        gone = run_with_progress(delete_result(study, request.experiment.id), request.title)
    scores = f" and {pluralize(gone, 'configuration')} used only by it" if gone else ""
    print_message(f"Deleted the result of {recipe or experiment} from {path}{scores}.")


def request_from_options(
    recipe: str, experiment: str, settings: Sequence[str], seed: int | None, draws: int | None = None
) -> ExperimentRequest:
    """Return the requested experiment. Raises InputError, BadSetting."""
    named = {"seed": seed, "draws": draws}
    changed = pairs(settings) | {name: str(value) for name, value in named.items() if value is not None}
    return parse_recipe(recipe, changed) if recipe else parse_request(experiment, changed)


def pairs(settings: Sequence[str]) -> dict[str, str]:
    """Parse settings of the form KEY=VALUE. Raises BadSetting for other forms and repeated keys."""
    parsed: dict[str, str] = {}
    for text in settings:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not key:
            raise BadSetting(f"-s {text}: expected KEY=VALUE.")
        if key in parsed:
            raise BadSetting(f"-s {text}: {key} is set twice.")
        parsed[key] = value
    return parsed


def _print_outcome(
    outcome: ExperimentRun, request: ExperimentRequest, form: OutputOptions, *, with_details: bool
) -> None:
    result = outcome.result
    if form.as_json:
        print_json(
            {
                "experiment": request.experiment.name,
                "recipe": request.recipe,
                "settings": request.experiment.settings(),
                "kept": outcome.is_stored,
                "seconds": round(outcome.record.seconds, 3),
                **to_document(result),
            }
        )
        return
    print_result(result, form, with_details=with_details)
    if outcome.is_stored:
        print_message("Stored result; its inputs have not changed. --again recomputes it.")


def _line(experiment: Experiment, study: Study) -> dict[str, Any]:
    settings = [
        {
            "name": f.name,
            "value": format_setting(getattr(experiment, f.name)),
            "default": format_setting(setting_default(f)),
            "help": f.metadata["help"],
            "choices": list(f.metadata["choices"]),
        }
        for f in fields(experiment)
    ]
    return {
        "experiment": experiment.name,
        "title": experiment.title,
        "about": experiment.about,
        "settings": settings,
        "lacking": experiment.missing_requirements(study),
        "kept": _stored_status(experiment, study),
    }


def _stored_status(experiment: Experiment, study: Study) -> str:
    """Return when the stored result was computed; empty = there is none."""
    record = study.experiments.get(experiment.id)
    return record.at.strftime("%Y-%m-%d %H:%M") if record is not None and record.result else ""
