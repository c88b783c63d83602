"""The commands `compare`, `resample`, `reproduce` and `judges`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.completion import completing, experiment_names, paper_names, recipe_names
from cli.console import Lines, print_json, print_message, print_table, setting_lines
from cli.opening import open_sound
from cli.options import Device, OutputOptions, Results, Studies, Study, expand_option_groups
from core.errors import BadSetting, InputError, MissingResource
from core.files.atomic_write import STANDARD_OUTPUT, check_folder
from core.files.study_address import resolved
from core.formatting.numbers import pluralize
from core.formatting.tables import MARK, to_csv
from core.operations.options import CompareStudiesRequest, Option, listed_names
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.experiments.available import ExperimentOption
    from core.experiments.experiment import Experiment, ExperimentRequest
    from core.experiments.paper_tables import Paper
    from core.experiments.runner import ExperimentRun
    from core.files.study_address import StudyAddress
    from core.formatting.tables import Table
    from core.results.result import Result


@expand_option_groups
def compare(
    paths: Studies, request: CompareStudiesRequest, output: Results = None, *, form: OutputOptions
) -> None:
    """Compare metrics across several studies.

    Shows the correlation of each measure with human judgements in each study, and its mean rank.
    """
    from core.experiments.analyses.studies.across_studies import compare, number_duplicates
    from core.json_schema import to_plain

    if len(paths) < 2:
        raise typer.BadParameter("give at least two studies; use correlate or resample for a single one")
    if len({resolved(path) for path in paths}) < len(paths):
        raise InputError("A study is given twice. Give each study once.")
    if output is not None:
        _check_folder(output, "compare")
    names = number_duplicates([path.stem for path in paths])
    with ExitStack() as stack:
        studies = [
            (name, stack.enter_context(open_sound(path))) for name, path in zip(names, paths, strict=True)
        ]
        steps = compare(
            studies,
            judgements=request.judgements,
            measures=request.measures,
            level=request.level,
            coefficient=request.coefficient,
            weights=request.weights,
            on_common=request.common_topics,
        )
        result = run_with_progress(steps, "comparing", "No result was saved.")
    if form.as_json:
        print_json({"studies": [str(path) for path in paths], **to_plain(result)})
    else:
        print_result(result, form)
    if output is not None:
        _write_files(result, output, "compare")


@expand_option_groups
def resample(
    path: Study,
    recipe: Annotated[
        str,
        typer.Option(
            metavar="RECIPE",
            help="Table or figure of a paper to reproduce, such as conditions-table-1.",
            autocompletion=completing(recipe_names),
        ),
    ] = "",
    experiment: Annotated[
        str,
        typer.Option(
            metavar="EXPERIMENT",
            help="Experiment to run, such as references.",
            autocompletion=completing(experiment_names),
        ),
    ] = "",
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", "-s", metavar="KEY=VALUE", help="Setting of the experiment. Can be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed. Default: 0.")] = None,
    draws: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Resamples or draws, as -s draws=N. Default: see --list."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Recompute even if a stored result exists.")] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Delete the stored result, finished or not.")
    ] = False,
    show: Annotated[
        bool,
        typer.Option("--list", help="List experiments and recipes, and what this study is missing for each."),
    ] = False,
    details: Annotated[
        bool, typer.Option("--all", help="Print tables of details too, such as the power of each size.")
    ] = False,
    output: Results = None,
    device: Device = "auto",
    *,
    form: OutputOptions,
) -> None:
    """Run an experiment or reproduce a table of a paper.

    Experiments vary references, topics, systems or metric settings. Results are stored in the study; an
    interrupted run continues where it stopped.
    """
    if show:
        _list_experiments(path, as_json=form.as_json)
        return
    if bool(recipe) == bool(experiment):
        raise typer.BadParameter("give exactly one of --recipe, --experiment and --list")
    if forget:
        _forget(path, request_from_options(recipe, experiment, setting or (), seed, draws))
        return
    _run_and_print(
        path,
        recipe,
        experiment,
        setting or (),
        seed,
        draws,
        form,
        output,
        device,
        again=again,
        details=details,
    )


@expand_option_groups
def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[PAPER]",
            help="Paper, such as widar. Without it, papers are listed.",
            autocompletion=completing(paper_names),
            show_default=False,
        ),
    ] = "",
    source: Annotated[
        str,
        typer.Argument(
            metavar="[SOURCE]",
            help="Study with the paper's data set, or the data set's file, which becomes a study in the "
            "folder of -o.",
            show_default=False,
        ),
    ] = "",
    data: Annotated[
        str, typer.Option(metavar="NAME", help="Data set of the paper that the study has, such as TAC 2008.")
    ] = "",
    recipe: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RECIPE",
            help="Table of the paper, such as widar-table-5. Can be repeated. Default: all with "
            "printed numbers.",
            autocompletion=completing(recipe_names),
        ),
    ] = None,
    output: Results = None,
    device: Device = "auto",
    *,
    form: OutputOptions,
) -> None:
    """Compare the tables of a paper with those of this program on the same data.

    Runs the paper's recipes and prints each published number, this study's and their difference. What is
    missing, such as data or models, is named with the way to get it; nothing is downloaded.
    """
    from core.experiments.paper_tables import find_paper, papers
    from core.experiments.paper_tables import reproduce as reproduced

    if not name:
        rows = [
            {
                "name": paper.name,
                "paper": paper.paper,
                "data": [one.name for one in paper.data],
                "recipes": list(paper.recipes),
            }
            for paper in papers()
        ]
        if form.as_json:
            print_json(rows)
            return
        heads = {"name": "Paper", "paper": "Authors", "data": "Data", "recipes": "Tables"}
        print_table(
            [{key: Lines(v) if isinstance(v, list) else v for key, v in row.items()} for row in rows], heads
        )
        return
    paper = find_paper(name)
    if not source:
        ways = "\n".join(f"{one.name}: {one.how}" for one in paper.data)
        raise MissingResource(
            f"Name a study, or a file, with the data of {paper.paper}.\n{ways}\nThen: pyramidion reproduce "
            f"{paper.name} SOURCE"
        )
    if output is not None:
        _check_folder(output, "reproduce")
    address = _study_of(paper, source, output)
    _print_missing_models(paper, recipe or paper.recipes)
    with open_sound(address) as study:
        from core.models.runtime.devices import check_name
        from core.scoring.study_resources import StudyResources

        check_name(device)
        steps = reproduced(study, StudyResources(study, device), paper, data, recipe or ())
        result = run_with_progress(steps, paper.paper)
    if form.as_json:
        from core.json_schema import to_plain

        print_json({"paper": paper.name, "study": str(address), **to_plain(result)})
    else:
        print_result(result, form)
    if output is not None:
        _write_files(result, output, f"{paper.name}-published")


def _study_of(paper: Paper, source: str, output: Path | None) -> StudyAddress:
    """Return the study in SOURCE, or the one that its data set's file becomes. Raises InputError."""
    from core.files.study_address import parse_study_address

    address = parse_study_address(source)
    if not isinstance(address, Path) or address.suffix == ".pyramidion":
        return address
    formats = [one.format for one in paper.data if one.format]
    if not formats:
        raise InputError(
            f"{source} is no study. Import the data into one with `pyramidion import`, and name that."
        )
    if output is None:
        raise InputError(f"{source} is no study. Name a folder with -o, in which it becomes one.")
    from storage.formats import import_registry
    from storage.study_file import new_study

    request = import_registry.import_request(address, formats[0])
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{paper.name}.pyramidion"
    if path.exists():
        raise InputError(f"{path} exists already. Name it instead of {source}, or another folder.")
    try:
        with new_study(path, name=paper.data[0].name) as study:
            run_with_progress(import_registry.import_steps(study, request), source)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _print_missing_models(paper: Paper, recipes: Sequence[str]) -> None:
    """Say which models of a paper's recipes are not here, and the command that gets them."""
    from core.metrics.models_of_papers import metrics_named, models_of_paper
    from core.models.catalogue.digests import digest_cache
    from core.models.library.inventory import model_status

    absent: dict[str, None] = {}
    lacking: dict[str, None] = {}
    for spec in dict.fromkeys(spec for one in paper.tables if one.recipe in recipes for spec in one.metrics):
        for metric in metrics_named([spec]):
            for entry in models_of_paper(metric):
                if not model_status(entry.key, digest_cache()).state.is_here:
                    absent[entry.key] = lacking[spec] = None
    if absent:
        print_message(
            f"Models of the paper that are not here: {', '.join(absent)}. Metrics run on another one, and "
            "are marked †, or are left out. To get them: pyramidion models get "
            + " ".join(f"--for {spec}" for spec in lacking)
        )


@expand_option_groups
def judges(
    path: Study,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            metavar="JUDGE",
            help="Measure such as gpt-4o.coherence, or gpt-4o for all its scales. Can be repeated. Default: "
            "every measure that is named for a scale.",
        ),
    ] = None,
    human: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JUDGEMENT",
            help="Rating to compare with, such as rating.coherence. Can be repeated. Default: all.",
        ),
    ] = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Annotator or group to compare with. Can be repeated. Default: those that count in the "
            "rating.",
        ),
    ] = None,
    topics: Annotated[
        Literal["automatic", "all", "development", "test"],
        Option(
            "Topics to use. automatic: those for tests, or all if none are kept for development (see "
            "`pyramidion topics`)."
        ),
    ] = "automatic",
    epsilon: Annotated[
        float,
        Option(
            "By how much a judge may win less often than an annotator: 0.2 for experts, 0.15 for skilled "
            "annotators, 0.1 for crowd workers.",
            "EPSILON",
            low=0.0,
            high=1.0,
        ),
    ] = 0.2,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            "-s",
            metavar="KEY=VALUE",
            help="Further setting of the experiment `judges`, such as closeness=accuracy. Can be repeated.",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="Random seed. Default: 0.")] = None,
    draws: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Resamples for intervals. Default: 1,000.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Recompute even if a stored result exists.")] = False,
    details: Annotated[
        bool,
        typer.Option("--all", help="Print each annotator's test, calibration and largest disagreements too."),
    ] = False,
    output: Results = None,
    device: Device = "auto",
    *,
    form: OutputOptions,
) -> None:
    """Test whether judges, such as language models, may replace annotators.

    By the alternative annotator test, agreement, correlation, calibration and length. It runs the experiment
    `judges`, whose result is stored in the study.
    """
    chosen = {"judges": judge, "judgements": human, "annotators": annotator}
    settings = [f"{name}={listed_names(values)}" for name, values in chosen.items() if values]
    settings += [f"topics={topics}", f"epsilon={epsilon!r}", *(setting or ())]
    _run_and_print(
        path, "", "judges", settings, seed, draws, form, output, device, again=again, details=details
    )


def _run_and_print(
    path: StudyAddress,
    recipe: str,
    experiment: str,
    settings: Sequence[str],
    seed: int | None,
    draws: int | None,
    form: OutputOptions,
    output: Path | None,
    device: str,
    *,
    again: bool,
    details: bool,
) -> None:
    """Run an experiment, or read its stored result, and print and write it. See `resample`."""
    from core.experiments.runner import run_experiment
    from core.models.runtime.devices import check_name
    from core.scoring.study_resources import StudyResources

    check_name(device)
    if output is not None:
        _check_folder(output, recipe or experiment)
    request = request_from_options(recipe, experiment, settings, seed, draws)
    with open_sound(path) as study:
        resources = StudyResources(study, device)
        before = {config.signature for config in study.scores.configs()}
        outcome = run_with_progress(run_experiment(study, request, resources, again=again), request.title)
        scored = [config for config in study.scores.configs() if config.signature not in before]
    _print_outcome(outcome, request, form, with_details=details)
    if scored:
        print_message(
            f"{pluralize(len(scored), 'metric configuration')} scored for it and stored in {path}; "
            "--forget deletes them with the result."
        )
    if output is not None:
        _write_files(outcome.result, output, recipe or experiment)


def _list_experiments(path: StudyAddress, *, as_json: bool) -> None:
    """List experiments and recipes, and what a study is missing for each."""
    from core.experiments.available import experiment_options

    with open_sound(path) as study:
        options = run_with_progress(experiment_options(study), "listing experiments")
        experiments = [_line(one, study) for one in options if not one.paper]
        recipes = [
            {
                **_line(one, study),
                "recipe": one.default.recipe,
                "paper": one.paper,
                "title": one.default.title,
            }
            for one in options
            if one.paper
        ]
    if as_json:
        print_json({"experiments": experiments, "recipes": recipes})
        return
    for row in (*experiments, *recipes):
        row["settings"] = setting_lines(row["settings"])
    heads = {"title": "Result", "settings": "Settings", "kept": "Stored", "lacking": "Missing"}
    print_table(experiments, {"experiment": "Experiment", **heads}, title="Experiments")
    short = {"recipe": "Recipe", "title": "Result", "kept": "Stored", "lacking": "Missing"}
    print_table(recipes, short, title="Recipes (tables and figures of papers)")


def _forget(path: StudyAddress, request: ExperimentRequest) -> None:
    """Delete the stored result of an experiment. Raises InputError where there is none."""
    from core.experiments.runner import delete_result

    name = request.recipe or request.experiment.name
    with open_sound(path) as study:
        if study.experiments.get(request.experiment.id) is None:
            raise InputError(f"{path} has no stored result of {name} with these settings; see --list.")
        gone = run_with_progress(delete_result(study, request.experiment.id), request.title)
    scores = f" and {pluralize(gone, 'configuration')} used only by it" if gone else ""
    print_message(f"Deleted the result of {name} from {path}{scores}.")


def request_from_options(
    recipe: str, experiment: str, settings: Sequence[str], seed: int | None, draws: int | None = None
) -> ExperimentRequest:
    """Return the requested experiment. Raises InputError, BadSetting."""
    from core.experiments.registry import parse_recipe, parse_request

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
    from core.json_schema import to_plain

    result = outcome.result
    if form.as_json:
        print_json(
            {
                "experiment": request.experiment.name,
                "recipe": request.recipe,
                "settings": request.experiment.settings(),
                "kept": outcome.is_stored,
                "seconds": round(outcome.record.seconds, 3),
                **to_plain(result),
            }
        )
        return
    print_result(result, form, with_details=with_details)
    if outcome.is_stored:
        print_message("Stored result; its inputs have not changed. --again recomputes it.")


def _line(option: ExperimentOption, study: ports.Study) -> dict[str, Any]:
    from core.settings import setting_records

    experiment = option.default.experiment
    values = experiment.settings()
    records = setting_records(type(experiment))
    return {
        "experiment": experiment.name,
        "title": experiment.title,
        "about": option.about,
        "settings": [{"name": one["name"], "value": values[one["name"]], **one} for one in records],
        "lacking": option.problem,
        "kept": _stored_status(experiment, study),
    }


def _stored_status(experiment: Experiment, study: ports.Study) -> str:
    """Return when the stored result was computed; empty = there is none."""
    record = study.experiments.get(experiment.id)
    return record.at.strftime("%Y-%m-%d %H:%M") if record is not None and record.result else ""


def print_result(result: Result, form: OutputOptions, *, with_details: bool = False) -> None:
    """Print the tables of a result, formatted or as CSV separated by blank lines, then its notes.

    Each note is printed once, although table files repeat it. with_details: print tables of details too,
    which CSV always has.
    """
    stand_ins = [f"{MARK} {' '.join(result.stand_ins)}"] if result.stand_ins else []
    closing = list(dict.fromkeys((*result.policy, *stand_ins, *result.warnings)))
    printed = [*closing, *result.stand_ins]
    for number, table in enumerate(result.tables):
        if table.is_detail and not with_details and not form.as_csv:
            print_message(
                f"Not printed: {table.title} ({pluralize(len(table.rows), 'row')}). --all prints it; --csv, "
                "--json and files of -o have it."
            )
        elif form.as_csv:
            sys.stdout.write(("\n" if number else "") + to_csv(table))
        else:
            note = _without(table.note, printed)
            _show(replace(table, note=note))
            printed += [note] if note else []
    for sentence in closing:
        print_message(sentence)


def _without(note: str, printed: Sequence[str]) -> str:
    """Remove sentences that are printed elsewhere from a note, longest first."""
    for sentence in sorted(printed, key=len, reverse=True):
        note = note.replace(sentence, "").replace(sentence.replace(MARK, ""), "")
    return " ".join(note.split()).strip(f"{MARK} ")


def _write_files(result: Result, folder: Path, name: str) -> None:
    """Write tables and figures to a folder and list the files."""
    from core.report.result_files import write_result

    files = write_result(result, folder, name)
    print_message(f"Wrote {len(files)} files to {folder}: {', '.join(file.name for file in files)}.")


def _show(table: Table) -> None:
    """Print a formatted table, its note on standard error."""
    keys = [str(place) for place in range(len(table.columns))]
    rows = [dict(zip(keys, row, strict=True)) for row in table.texts()]
    right = [key for key, column in zip(keys, table.columns, strict=True) if column.is_number]
    heads = {key: column.title for key, column in zip(keys, table.columns, strict=True)}
    print_table(rows, heads, title=table.title, right=right)
    if table.note:
        print_message(table.note)


def _check_folder(folder: Path, what: str) -> None:
    """Raise InputError where -o is a file or standard output but the result is a folder."""
    from storage.formats.export_registry import KNOWN_SUFFIXES

    if folder == STANDARD_OUTPUT or (folder.suffix.lower() in KNOWN_SUFFIXES and not folder.is_dir()):
        raise InputError(
            f"-o {folder}: the result of {what} is a folder of tables and figures. Name a folder, or omit "
            "-o and use --csv or --json for tables on standard output."
        )
    check_folder(folder)
