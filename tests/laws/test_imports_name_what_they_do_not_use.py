"""Law: whatever a file holds has an effect on the import, or is named as not used.

Tried to be broken for every import format: a key, column, attribute or file that no format knows is added at
every place of a sound seed, and every single value of the seed is changed. Both must change what is imported,
be refused, or be named in a notice.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import openpyxl
import pyarrow
import pyarrow.parquet
import pytest

from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.study_file import StudyFile, new_study
from tests.fuzz import mapping_seeds, seeds, table_seeds
from tests.fuzz.seeds import Files

pytestmark = pytest.mark.slow

UNKNOWN = "unknown_key"
KEPT = {"ducview"}
"""Formats that keep unknown attributes for their export."""
ALLOWED = {
    "Label Studio": {"2.annotations.0.result.0.from_name"},  # of the control of a comparison
    "judge-bench pairs": {
        "annotations.0.labels_list.1"
    },  # the first one says that these are names of systems
    "g-eval": {f"0.all_responses.{n}" for n in range(4)},  # the number in an answer stays the same
    "Potato": {"0.id", "1.id", "2.id"},  # next to the names of topic and system
    "Potato 2": {  # the label again, and that it was chosen
        "instance_id_to_span_to_value.S1.0.1",
        "instance_id_to_label_to_value.S2.0.1",
    },
    "doccano": {
        "0.annotator",  # of marks in a reference, which are the owner's
        *("0.done", "0.list_done", "1.list_done"),  # as in the other row of the list
        *("4.Comments.0", "4.annotator"),  # of a text without a label, which is counted
    },
}
"""Values of the seeds that repeat others, or are in a row that a notice counts."""

Change = tuple[str, Files]
"""Name of what was added or changed, and the files with it."""


def _jsonl(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def nuggets(chance: Random) -> Files:
    nugget = {"text": "A ban", "importance": "vital", "id": "1", "comment": "c"}
    nugget["occurrences"] = [{"reference": "A", "spans": [[0, 3]], "confirmed": False, "comment": "o"}]
    hit = {"nugget": "1", "support": "partial_support", "spans": [[0, 3]], "comment": "h", "confirmed": False}
    summary = {"system": "S1", "annotator": "Lou", "done": True, "hits": [hit]}
    row = {"topic": "D1", "annotator": "Kim", "done": True, "nuggets": [nugget], "summaries": [summary]}
    return {"nuggets.jsonl": _jsonl(row)}


def nuggetizer(chance: Random) -> Files:
    row = {"qid": "D1", "candidate_text": "The court.", "docid": "d7", "nuggets": [{"text": "A ban"}]}
    row["nuggets"][0] |= {"importance": "vital", "assignment": "support"}  # type: ignore[index]
    return {"nuggets.jsonl": _jsonl(row)}


def preferences(chance: Random) -> Files:
    head = {"topic": "D1", "system_a": "S1", "system_b": "S2", "winner": "a", "annotator": "Kim"}
    return {"pairs.jsonl": _jsonl({**head, "plan": "p", "group": "g", "kind": "pairwise"})}


def citations(chance: Random) -> Files:
    annotation = {"annotator": "Kim", "text": "It is fast.", "spans": [[0, 2]], "facets": ["method"]}
    annotation["cited"] = [{"span": [0, 3], "text": "The"}]
    paper = {"topic": "D1", "citing_paper": "p1"}
    row = {**paper, "number": "1", "document": "d1", "marker": "x", "marker_span": [0, 2]}
    rows = {**paper, "text": "It is fast.", "sentences": [[0, 11]]}, {**row, "annotations": [annotation]}
    return {"rows.jsonl": _jsonl(*rows)}


def scisumm(chance: Random) -> Files:
    article = '<PAPER><S sid="1">It is fast.</S></PAPER>'
    line = "Citance Number: 1 | Reference Article: P01.xml | Citing Article: P02.xml | Citation Text: It. | "
    line += (
        "Reference Offset: ['1'] | Reference Text: It is fast. | Discourse Facet: Method | Annotator: Kim |"
    )
    files = {
        "P01/annotation/P01.ann.txt": line,
        "P01/Reference_XML/P01.xml": article,
        "P01/summary/P01.abstract.txt": article,
    }
    return {name: content.encode() for name, content in files.items()}


def published(name: str, chance: Random) -> Files:
    while (found := table_seeds.published(chance))[0] != name:
        pass
    rows = found[1]
    return {name: _jsonl(*rows) if name.endswith(".jsonl") else json.dumps(rows).encode()}


MORE: dict[str, tuple[str, Callable[[Random], Files], bool]] = {
    "nuggets": ("nuggets", nuggets, False),
    "nuggetizer": ("nuggets", nuggetizer, False),
    "comparisons": ("preferences", preferences, False),
    "citances": ("citations", citations, False),
    "CL-SciSumm": ("scisumm", scisumm, True),
    "FRANK": ("frank", partial(published, "human_annotations_sentence.json"), False),
    "QAGS": ("qags", partial(published, "mturk_xsum.jsonl"), False),
    "DialSummEval": ("dialsummeval", partial(published, "h.jsonl"), False),
    **{
        name: (name.split()[0], lambda chance, files=files: files, name in mapping_seeds.FOLDERS)
        for name, files in mapping_seeds.EXCERPTS.items()
    },
}
ALL = {kind.name: (kind.format, kind.make, kind.is_folder) for kind in seeds.KINDS if kind.format} | MORE


def test_there_is_a_seed_of_every_format():
    own = {known.name for known in import_registry.formats() if not known.package}
    assert {name for name, _, _ in ALL.values()} == own - {"sacrebleu"}, "which is only refused"


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> Iterator[StudyFile]:
    """Return a study with the texts that nuggets are about."""
    folder = tmp_path_factory.mktemp("law")
    table = folder / "texts.jsonl"
    head = {"topic": "D1", "text": "The court met and ruled."}
    table.write_bytes(_jsonl({**head, "author": "A"}, {**head, "system": "S1"}, {**head, "system": "S2"}))
    with new_study(folder / "s.pyramidion") as made:
        request = import_registry.import_request(table)
        run_to_completion(import_registry.import_steps(made, request))
        yield made


class Reader:
    """Reads files of one format; returns what is imported and the notices."""

    def __init__(self, study: StudyFile, folder: Path, name: str, is_folder: bool) -> None:
        self._study, self._folder, self._name, self._is_folder = study, folder, name, is_folder
        self._number = 0

    def __call__(self, files: Files) -> tuple[str, str]:
        self._number += 1
        root = self._folder / str(self._number) / "in"
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content)
        path = root if self._is_folder else root / next(iter(files))
        try:
            study = self._study if self._name == "nuggets" else None
            request = import_registry.import_request(path, self._name)
            content = run_to_completion(import_registry.read_steps(request, study))
        except BadImport as error:
            return "refused " + " ".join(map(str, error.problems)), ""
        except InputError as error:
            return f"refused {error}", ""
        return repr(replace(content, notices=())), " ".join(notice.sentence for notice in content.notices)


@cache
def seed_of(name: str, study: StudyFile, folder: Path) -> Files:
    """Return the first seed that is imported and to which nothing odd was done."""
    known, make, is_folder = ALL[name]
    read = Reader(study, folder / "seeds", known, is_folder)
    refusal = ""
    with mock.patch.object(seeds, "changed", lambda rows, chance: json.loads(json.dumps(rows))):
        for number in range(50):
            files = make(Random(number))
            refusal, _ = read(files)
            if not refusal.startswith("refused"):
                return files
    raise AssertionError(f"no sound seed of {name}: {refusal}")


def additions(files: Files, *, is_folder: bool) -> Iterator[Change]:
    """Yield the files with something unknown at one place."""
    for name, content in files.items():
        for change in _added(name, content):
            yield UNKNOWN, {**files, name: change}
    if is_folder:
        for folder in {str(Path(name).parent) for name in files} | {"."}:
            yield f"{UNKNOWN}.bin", {**files, f"{folder}/{UNKNOWN}.bin": b"\x01"}


def _added(name: str, content: bytes) -> Iterator[bytes]:
    suffix = Path(name).suffix
    if suffix in (".jsonl", ".json") and b"{" in content[:3]:
        for rows in _changed_json(_parsed(name, content), _with_key):
            yield _written(name, rows)
    elif suffix in (".csv", ".tsv"):
        encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
        text = content.decode(encoding, "replace")
        sign = max(",;\t|", key=text.splitlines()[0].count)
        rows = [[*row, "zzz"] for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign)]
        rows[0][-1] = UNKNOWN
        out = io.StringIO()
        csv.writer(out, delimiter=sign).writerows(rows)
        yield out.getvalue().encode(encoding)
    elif suffix == ".xlsx":
        book = openpyxl.load_workbook(io.BytesIO(content))
        sheet = book.worksheets[0]
        column = sheet.max_column + 1
        for row in range(1, sheet.max_row + 1):
            sheet.cell(row, column).value = UNKNOWN if row == 1 else "zzz"
        packed = io.BytesIO()
        book.save(packed)
        yield packed.getvalue()
    elif suffix == ".parquet":
        table = pyarrow.parquet.read_table(io.BytesIO(content))
        packed = io.BytesIO()
        pyarrow.parquet.write_table(table.append_column(UNKNOWN, [["zzz"] * len(table)]), packed)
        yield packed.getvalue()
    elif suffix == ".zip":
        with zipfile.ZipFile(io.BytesIO(content)) as old:
            members = {one.filename: old.read(one) for one in old.infolist()}
        yield _zipped(members | {f"{UNKNOWN}.bin": b"\x01"})
        for member, inner in members.items():
            if member != "pyramidion.json":
                yield from (_zipped({**members, member: change}) for change in _added(member, inner))
    elif suffix in (".xml", ".xmi"):
        for tag in (b"<EVAL ", b"<P ", b"<M ", b"<custom:PyramidionUnit "):
            if tag in content:
                yield content.replace(tag, tag + f'{UNKNOWN}="zzz" '.encode())
        if b"<PEERS>" in content:
            yield content.replace(b"<PEERS>", f"<{UNKNOWN}>zzz</{UNKNOWN}><PEERS>".encode())


def _zipped(members: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _parsed(name: str, content: bytes) -> Any:
    text = content.decode()
    return [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)


def _written(name: str, rows: Any) -> bytes:
    return _jsonl(*rows) if name.endswith("l") else json.dumps(rows).encode()


def _changed_json(value: Any, change: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield a value with one object or value in it changed, one of each path."""
    done = set()
    for path in list(_paths(value)):
        kind = tuple("[]" if isinstance(key, int) else key for key in path)
        found = deepcopy(value)
        holder = found
        for key in path[:-1]:
            holder = holder[key]
        if not path or kind in done:
            continue
        new = change(holder[path[-1]])
        if new is not None:
            done.add(kind)
            holder[path[-1]] = new
            if not {"%TYPES", "%VIEWS"} & set(path):  # of INCEpTION, not of the text
                yield found


def _paths(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _paths(one, (*at, key))


def _with_key(value: Any) -> Any:
    is_text = isinstance(value, dict) and str(value.get("%TYPE")).startswith("uima.")  # of INCEpTION
    return {**value, UNKNOWN: "zzz"} if isinstance(value, dict) and not is_text else None


def values(files: Files) -> Iterator[Change]:
    """Yield the files with one value changed, and the key it has."""
    for name, content in files.items():
        if not (Path(name).suffix in (".jsonl", ".json") and b"{" in content[:3]):
            continue
        rows = _parsed(name, content)
        for path in list(_paths(rows)):
            found = deepcopy(rows)
            holder = found
            for key in path[:-1]:
                holder = holder[key]
            if path and (new := _other(holder[path[-1]])) is not None:
                holder[path[-1]] = new
                yield ".".join(map(str, path)), {**files, name: _written(name, found)}


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return f"{value}x" if isinstance(value, str) and value else None


@pytest.mark.parametrize("name", ALL)
def test_what_no_format_knows_is_named(name, study, tmp_path):
    known, _, is_folder = ALL[name]
    files = seed_of(name, study, tmp_path)
    read = Reader(study, tmp_path, known, is_folder)
    before, _ = read(files)
    count = 0
    for what, changed in additions(files, is_folder=is_folder):
        after, notices = read(changed)
        count += 1
        assert what in notices.lower() or after != before, (what, notices, changed)
    assert count or known in KEPT


@pytest.mark.parametrize("name", ALL)
def test_every_value_has_an_effect_or_is_named(name, study, tmp_path):
    known, _, is_folder = ALL[name]
    files = seed_of(name, study, tmp_path)
    read = Reader(study, tmp_path, known, is_folder)
    before, _ = read(files)
    silent = []
    for key, changed in values(files):
        after, notices = read(changed)
        names = [part for part in key.split(".") if not part.isdecimal()]
        if after == before and not any(f"{part}" in notices for part in names[-1:]):
            silent.append(key)
    assert set(silent) <= ALLOWED.get(name, set())
