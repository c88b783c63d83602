"""`pyramidion resample`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from cli.console import Lines, follow, put_json, put_table, say
from cli.handlers.experiment_output import put_result, write_files
from cli.opening import open_sound
from cli.options.output import Form
from cli.output import check_output_folder
from core.errors import BadSetting, InputError
from core.experiments.experiment import Asked, Experiment
from core.experiments.registry import all_experiments, all_recipes, asked, asked_recipe
from core.experiments.runner import Outcome, forget, perform
from core.formatting.numbers import counted
from core.metrics.base import as_text, default_of
from core.models.runtime.devices import check_name
from core.ports import Study
from core.results.result_json import to_document
from core.scoring.engine_tools import EngineTools
from storage.user_folders import digests


def list_experiments(path: Path, *, as_json: bool) -> None:
    """Say which experiments and recipes there are, and what a study lacks for each."""
    with open_sound(path) as study:
        experiments = [_line(cls(), study) for cls in all_experiments()]
        recipes = [
            {**_line(one.experiment, study), "recipe": one.name, "paper": one.paper, "title": one.title}
            for one in all_recipes()
        ]
    if as_json:
        put_json({"experiments": experiments, "recipes": recipes})
        return
    for row in (*experiments, *recipes):
        row["settings"] = Lines(f"{s['name']}={s['default']}  {s['help']}" for s in row["settings"])
    heads = {"title": "What it finds", "settings": "Settings", "kept": "Kept", "lacking": "Lacking here"}
    put_table(experiments, {"experiment": "Experiment", **heads}, title="Experiments")
    short = {
        "recipe": "Recipe",
        "title": "What it makes",
        "kept": "Kept",
        "lacking": "Lacking here",
    }
    put_table(recipes, short, title="Recipes of the papers")


def resample_study(
    path: Path,
    *,
    recipe: str,
    experiment: str,
    settings: Sequence[str],
    seed: int | None,
    again: bool,
    device: str,
    output: Path | None,
    form: Form,
) -> None:
    """Run an experiment or recipe, print what it finds, and write it to a folder where one is given."""
    check_name(device)
    if output is not None:
        check_output_folder(output, "resample")
    wish = wish_of(recipe, experiment, settings, seed)
    with open_sound(path) as study:
        tools = EngineTools(study, device, digests=digests())
        outcome = follow(perform(study, wish, tools, again=again), wish.title)
    _put(outcome, wish, form)
    if output is not None:
        write_files(outcome.result, output, recipe or experiment)


def forget_experiment(
    path: Path, recipe: str, experiment: str, settings: Sequence[str], seed: int | None
) -> None:
    """Take what a study keeps of an experiment out. Raises InputError where it keeps nothing of it."""
    wish = wish_of(recipe, experiment, settings, seed)
    with open_sound(path) as study:
        if study.experiment(wish.experiment.id) is None:
            raise InputError(
                f"{path} keeps nothing of {recipe or experiment} with these settings; see --list."
            )
        gone = follow(forget(study, wish.experiment.id), wish.title)
    scores = f", nor are {counted(gone, 'configuration')} that it alone used" if gone else ""
    say(f"{recipe or experiment} is no longer in {path}{scores}.")


def wish_of(recipe: str, experiment: str, settings: Sequence[str], seed: int | None) -> Asked:
    """What the options ask for. Raises InputError, BadSetting."""
    changed = pairs(settings) | ({} if seed is None else {"seed": str(seed)})
    return asked_recipe(recipe, changed) if recipe else asked(experiment, changed)


def pairs(settings: Sequence[str]) -> dict[str, str]:
    """Settings of KEY=VALUE. Raises BadSetting for what is none, or for a key given twice."""
    found: dict[str, str] = {}
    for text in settings:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not sign or not key:
            raise BadSetting(f"-s {text}: write it as KEY=VALUE.")
        if key in found:
            raise BadSetting(f"-s {text}: {key} is set twice; keep one.")
        found[key] = value
    return found


def _put(outcome: Outcome, wish: Asked, form: Form) -> None:
    result = outcome.result
    if form.as_json:
        put_json(
            {
                "experiment": wish.experiment.name,
                "recipe": wish.recipe,
                "settings": wish.experiment.settings(),
                "kept": outcome.is_kept,
                "seconds": round(outcome.record.seconds, 3),
                **to_document(result),
            }
        )
        return
    put_result(result, form)
    if outcome.is_kept:
        say("Kept from before: nothing that it read has changed. --again does it anew.")


def _line(experiment: Experiment, study: Study) -> dict[str, Any]:
    settings = [
        {
            "name": f.name,
            "value": as_text(getattr(experiment, f.name)),
            "default": as_text(default_of(f)),
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
        "lacking": experiment.lacking(study),
        "kept": _kept(experiment, study),
    }


def _kept(experiment: Experiment, study: Study) -> str:
    """When the study's result was found, empty = it has none."""
    record = study.experiment(experiment.id)
    return record.at.strftime("%Y-%m-%d %H:%M") if record is not None and record.result else ""
