"""`pyramidion models` and its subcommands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.console import Lines, print_json, print_message, print_table, run_with_progress
from core.files.study_address import StudyAddress
from core.formatting.byte_sizes import format_known_bytes, parse_bytes
from core.formatting.numbers import UNDEFINED, format_duration
from core.models.catalogue.add_model import add_model
from core.models.catalogue.digests import digest_cache
from core.models.catalogue.downloads import download
from core.models.catalogue.hub import offline_reason
from core.models.catalogue.inventory import ModelStatus, model_status
from core.models.catalogue.inventory import list_models as survey
from core.models.catalogue.user_models import user_models
from core.models.runtime.devices import choose_device
from core.models.runtime.disk_cache_limits import VARIABLE, cache_usage, evict
from storage import user_folders
from storage.study_file import open_study


def print_models(study: StudyAddress | None, *, device: str, as_json: bool) -> None:
    """List all models with role, state, size, memory and time for a study, or how to get them."""
    models = run_with_progress(survey(digest_cache()), "Models", "Nothing was changed.")
    words = None if study is None else _words(study)
    place = choose_device(device) if words is not None else "cpu"
    rows = [_row(one, words, place) for one in models]
    if as_json:
        print_json(rows)
        return
    heads = {"name": "Model", "for": "Used for", "state": "State", "size": "Size", "memory": "Memory"}
    if words is not None:
        heads["time"] = "Time per pass"
    print_table(
        [_cells(row) for row in rows], {**heads, "more": "Used by / Location or command"}, right=_RIGHT
    )


def add(place: Path, *, role: str, name: str) -> None:
    """Check and register a model."""
    model = add_model(place, role, name, user_folders.models_folder())
    print_message(f"Added {model.name} for {', '.join(model.roles)}, in {model.place}.")


def remove(name: str) -> None:
    """Unregister a model; its files are kept."""
    status = model_status(name, digest_cache())
    model = user_models().remove(status.name)
    print_message(f"Removed {model.name} from the list; its files stay in {model.place}.")


def switch_offline(is_offline: bool | None) -> None:
    """Forbid or allow downloads for this user; None = only show the state."""
    if is_offline is not None:
        user_models().set_offline(is_offline)
    print_message(offline_reason() or "Downloads are allowed (only on request).")


def encodings(limit: str | None, *, empty: bool, as_json: bool) -> None:
    """Show the size of the encoding cache; change its limit or delete its content."""
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


def fetch(name: str) -> None:
    """Download a model and remember it."""
    model = run_with_progress(download(name, user_folders.models_folder()), name)
    print_message(f"Downloaded {model.name} to {model.place}.")


_RIGHT = ("size", "memory", "time")


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
    }


def _cells(row: dict[str, Any]) -> dict[str, str | Lines]:
    seconds = row["seconds"]
    more = [row["place"], f"SHA-256 {row['sha256'][:12]}"] if row["is_here"] else [row["problem"]]
    if not row["is_here"] and row["repository"]:
        more = [f"pyramidion models download {row['name']}"]
    return {
        "name": row["name"],
        "for": Lines(row["roles"]),
        "state": row["state"],
        "size": format_known_bytes(row["disk_bytes"]),
        "memory": format_known_bytes(row["memory_bytes"]),
        "time": UNDEFINED if seconds is None else format_duration(seconds),
        "more": Lines(part for part in (row["used_by"], *more) if part),
    }


def _words(path: StudyAddress) -> int:
    """Count the words of all summaries, references and documents of a study."""
    with open_study(path) as study:
        topics = study.texts.load()
        texts = (t for topic in topics for t in (*topic.summaries, *topic.references, *topic.documents))
        return sum(len(text.content.split()) for text in texts)
