"""The command `models` and its subcommands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import completing, metric_names
from cli.console import Lines, print_json, print_message, print_table
from cli.options import Json, OnOff, Switch
from core.errors import InputError, MissingResource
from core.files.study_address import StudyAddress, parse_study_address
from core.formatting.numbers import UNDEFINED, format_duration, format_known_bytes, parse_bytes
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.models.library.inventory import ModelStatus


models = typer.Typer(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, add_completion=False
)

if TYPE_CHECKING:
    TimedStudy = StudyAddress | None
else:  # typer takes no union of types
    TimedStudy = Annotated[
        str | None,
        typer.Option(
            "--study",
            parser=parse_study_address,
            metavar="STUDY",
            help="Estimate the time of one pass over the texts of this study.",
        ),
    ]
Use = Annotated[
    str,
    typer.Option(
        "--role",
        metavar="ROLE",
        help="Use of the model: encoder, sentence encoder, masked language model, question answering, "
        "entailment, generative language model, word vectors, parser, ELMo, InferSent, Universal Sentence "
        "Encoder, SummaC-Conv, alignment, rating, or rating by documents. Default: all that it supports.",
    ),
]
Name = Annotated[
    str, typer.Argument(help="Name in the list of models or on the Hugging Face Hub.", show_default=False)
]

_RIGHT = ("size", "memory", "time")


@models.callback(invoke_without_command=True)
def list_(
    context: typer.Context,
    path: TimedStudy = None,
    device: Annotated[
        str, typer.Option(metavar="DEVICE", help="Device for --study: auto, cpu, cuda, cuda:1 or mps.")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """Manage models: list, add, get, remove.

    Without a command, list the models, whether they are installed and how to get them.
    """
    if context.invoked_subcommand is not None:
        return
    from core.metrics.models_of_papers import metrics_by_model
    from core.models.catalogue.digests import digest_cache
    from core.models.library.inventory import list_models as survey
    from core.models.runtime.devices import choose_device

    models = run_with_progress(survey(digest_cache()), "Models", "Nothing was changed.")
    words = None if path is None else _words(path)
    place = choose_device(device) if words is not None else "cpu"
    metrics = metrics_by_model()
    rows = [{**_row(one, words, place), "metrics": metrics.get(one.name, [])} for one in models]
    if as_json:
        print_json(rows)
        return
    heads = {"name": "Model", "for": "Used for", "state": "State", "size": "Size", "memory": "Memory"}
    if words is not None:
        heads["time"] = "Time per pass"
    print_table(
        [_cells(row) for row in rows], {**heads, "more": "Used by / Location or command"}, right=_RIGHT
    )
    print_message(
        "`pyramidion models get --for METRIC,…` gets what metrics need for the numbers of their papers."
    )


@models.command()
def add(
    place: Annotated[
        Path, typer.Argument(help="Folder of a model, or file of word vectors.", show_default=False)
    ],
    role: Use = "",
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Name of the model; the name of a listed model replaces that model. Default: its own name.",
        ),
    ] = "",
) -> None:
    """Register a model that is on this computer.

    A model in another format, such as a checkpoint of COMET, is copied to the models folder as safetensors.
    A folder with config.json and weights is read as that model, even if it also has a checkpoint; to add the
    checkpoint, name its file (checkpoints/model.ckpt).
    """
    from core.models.library.add_model import add_model
    from core.models.library.validation import parse_role
    from storage import user_folders

    model = add_model(place, parse_role(role), name, user_folders.models_folder())
    print_message(f"Added {model.name} for {', '.join(model.roles)}, in {model.place}.")


@models.command()
def remove(name: Name) -> None:
    """Unregister an added or downloaded model; its files are kept."""
    from core.models.catalogue.digests import digest_cache
    from core.models.catalogue.user_models import user_models
    from core.models.library.inventory import model_status

    status = model_status(name, digest_cache())
    model = user_models().remove(status.name)
    print_message(f"Removed {model.name} from the list; its files stay in {model.place}.")


@models.command()
def offline(state: Switch = None) -> None:
    """Allow or forbid downloads of models."""
    from core.models.catalogue.hub import offline_reason
    from core.models.catalogue.user_models import user_models

    if state is not None:
        user_models().set_offline(state is OnOff.ON)
    print_message(offline_reason() or "Downloads are allowed (only on request).")


@models.command()
def encodings(
    limit: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Set the size limit, such as 2GB or 500MB; 0 disables the cache."),
    ] = None,
    empty: Annotated[bool, typer.Option("--empty", help="Delete all cached encodings.")] = False,
    as_json: Json = False,
) -> None:
    """Show or change the cache of encodings.

    The cache speeds up repeated runs and can be deleted at any time. $PYRAMIDION_ENCODING_CACHE and
    `score --encoding-cache` take precedence over the limit set here.
    """
    from core.models.catalogue.user_models import user_models
    from core.models.runtime.disk_cache_limits import VARIABLE, cache_usage, evict
    from storage import user_folders

    if limit is not None:
        user_models().set_encoding_bytes(parse_bytes(limit, "--limit"))
    room = cache_usage(user_folders.cache_folder())
    if empty or limit is not None:
        evict(room.folder, 0 if empty else room.most)
        room = cache_usage(user_folders.cache_folder())
    if as_json:
        print_json({"folder": str(room.folder), "bytes": room.taken, "most": room.most})
        return
    print_message(f"Cached encodings in {room.folder}: {room}.")
    if limit is not None and room.is_fixed:
        print_message(f"{VARIABLE} is set and takes precedence over this limit.")


@models.command()
def get(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Name in the list of models or on the Hugging Face Hub.",
            show_default=False,
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            metavar="METRIC",
            autocompletion=completing(metric_names),
            help="Metric whose paper's models to get, such as bertscore, or several, separated by commas. "
            "Can be repeated.",
        ),
    ] = None,
    role: Use = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show sizes, licences and what is there; download nothing.")
    ] = False,
) -> None:
    """Download models from the Hugging Face Hub.

    `--for bertscore,moverscore,supert` gets what these metrics need for the numbers of their papers. Models
    are downloaded only by this command and the Models window. An interrupted download continues later.
    Environment variables: HF_TOKEN (for models whose licence must be accepted), HF_ENDPOINT (mirror),
    PYRAMIDION_MODELS (target folder), PYRAMIDION_OFFLINE=1 or HF_HUB_OFFLINE=1 (no downloads).
    """
    from core.metrics.models_of_papers import metrics_named, models_of_paper
    from core.models.catalogue.digests import digest_cache
    from core.models.catalogue.entries import catalogue_entry
    from core.models.library.downloads import download
    from core.models.library.inventory import model_status
    from core.models.library.validation import parse_role
    from storage import user_folders

    asked, chosen = parse_role(role), metrics_named(metrics or [])
    needed = {entry.key: None for metric in chosen for entry in models_of_paper(metric)}
    for metric in chosen:
        if not models_of_paper(metric):
            print_message(f"{metric.name} needs no model.")
    if not names and not chosen:
        raise typer.BadParameter("name a model, or a metric with --for; `pyramidion models` lists both")
    due, by_hand = [], []
    for name in dict.fromkeys([*(names or ()), *needed]):
        entry = catalogue_entry(name)
        one = None if entry is None else model_status(entry.key, digest_cache())
        if one is not None and one.state.is_here:
            print_message(f"{one.name} is there already ({one.state}).")
        elif entry is not None and one is not None and not one.repository:
            by_hand.append(f"{one.name}: {entry.by_hand or one.problem}")
        else:
            due.append(name)
            print_message(_offer(name, one))
    problems: list[str] = []
    for name in () if dry_run else due:
        try:
            model = run_with_progress(download(name, user_folders.models_folder(), asked), name)
            print_message(f"Downloaded {model.name} to {model.place}.")
        except (
            InputError,
            MissingResource,
        ) as error:  # such as a licence to be accepted: the others still come
            problems.append(str(error))
    if by_hand:
        problems.append("\n".join(["Not on the Hugging Face Hub:", *by_hand]))
    if problems:
        raise MissingResource("\n".join(dict.fromkeys(problems)))


def _offer(name: str, one: ModelStatus | None) -> str:
    """Return what a download is: its address, size and licence."""
    from core.models.catalogue.hub import HUB

    page = f"{HUB}/{name if one is None else one.repository}"
    size = format_known_bytes(0 if one is None else one.disk_bytes)
    licence = "" if one is None else one.licence
    return f"{name}: {page}, {size}, licence {licence or 'as on that page'}."


def _row(one: ModelStatus, words: int | None, device: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "roles": list(one.roles),
        "used_by": one.used_by,
        "state": str(one.state),
        "is_here": one.state.is_here,
        "place": None if one.place is None else str(one.place),
        "sha256": one.sha256,
        "disk_bytes": one.disk_bytes,
        "memory_bytes": one.memory_bytes,
        "seconds": None if words is None else one.seconds_for(words, device),
        "problem": one.problem,
        "repository": one.repository,
        "licence": one.licence,
    }


def _cells(row: dict[str, Any]) -> dict[str, str | Lines]:
    seconds = row["seconds"]
    more = [row["place"], f"SHA-256 {row['sha256'][:12]}"] if row["is_here"] else [row["problem"]]
    if not row["is_here"] and row["repository"]:
        more = [f"pyramidion models get {row['name']}"]
    licence = row["licence"] and f"Licence: {row['licence']}"
    metrics = row["metrics"] and f"For the numbers of papers on: {', '.join(row['metrics'])}"
    return {
        "name": row["name"],
        "for": Lines(row["roles"]),
        "state": row["state"],
        "size": format_known_bytes(row["disk_bytes"]),
        "memory": format_known_bytes(row["memory_bytes"]),
        "time": UNDEFINED if seconds is None else format_duration(seconds),
        "more": Lines(part for part in (row["used_by"], metrics, licence, *more) if part),
    }


def _words(path: StudyAddress) -> int:
    """Count the words of all summaries, references and documents of a study."""
    from storage.study_file import open_study

    with open_study(path) as study:
        topics = study.texts.load()
        texts = (t for topic in topics for t in (*topic.summaries, *topic.references, *topic.documents))
        return sum(len(text.content.split()) for text in texts)
