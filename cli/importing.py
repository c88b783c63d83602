"""`pyramidion import`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cli.console import follow, put_json, put_table, say
from core.errors import BadImport, InputError
from core.ports import ImportCounts
from storage.exchange import registry
from storage.study_file import open_study

_SCALE = re.compile(r"(?P<low>-?\d+(\.\d+)?)-(?P<high>-?\d+(\.\d+)?)")


def import_file(
    study_path: Path,
    path: Path,
    name: str,
    *,
    columns: Sequence[str],
    scale: str,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Read a file into a study, or say what that would do. Raises BadImport with every problem."""
    name = name or _recognised(path)
    options = {**_mapping(columns), **_ends(scale)}
    with open_study(study_path) as study:
        if dry_run:
            preview = follow(registry.previewing(study, path, name, options), "reading")
            if preview.counts is None:
                raise BadImport(preview.problems)
            counts = preview.counts
        else:
            counts = follow(registry.importing(study, path, name, options), "importing")
    _tell(counts, name, dry_run=dry_run, as_json=as_json)


def _recognised(path: Path) -> str:
    if not path.exists():
        raise InputError(f"{path} does not exist. Check the name.")
    found = registry.detect(path)
    if found is None:
        names = ", ".join(known.name for known in registry.formats())
        raise InputError(
            f"The format of {path} is not recognised by its name and its first lines. "
            f"Say it with --format: {names}."
        )
    return found.name


def _mapping(columns: Sequence[str]) -> dict[str, str]:
    pairs = [column.partition("=") for column in columns]
    for ours, equals, theirs in pairs:
        if not ours or not equals or not theirs:
            raise InputError(f"--map {ours}{equals}{theirs}: write COLUMN=NAME, as --map topic=doc_id.")
    return {f"map.{ours}": theirs for ours, _, theirs in pairs}


def _ends(scale: str) -> dict[str, str]:
    ends = _SCALE.fullmatch(scale.replace(" ", ""))
    if ends is None or float(ends["low"]) >= float(ends["high"]):
        raise InputError(f"--scale {scale}: write LOW-HIGH, the lower end first, as 1-5 or -2-2.")
    return ends.groupdict()


def _tell(counts: ImportCounts, name: str, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        document = {"format": name, "dry_run": dry_run, "added": dict(counts.added)}
        put_json({**document, "equal": dict(counts.equal), "different": list(counts.different)})
        return
    kinds = [k for k in {**counts.added, **counts.equal} if counts.added.get(k) or counts.equal.get(k)]
    rows = [{"kind": k, "new": counts.added.get(k, 0), "equal": counts.equal.get(k, 0)} for k in kinds]
    heading = "Would be added" if dry_run else "Added"
    put_table(rows, {"kind": name, "new": heading, "equal": "There already"}, right=("new", "equal"))
    for sentence in counts.different:
        say(sentence)
