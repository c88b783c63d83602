"""Commands that import and export data."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.restore import back_up_before
from cli.completion import EXPORTS, completing, data_set_names, export_formats, import_formats
from cli.console import Lines, print_json, print_message, print_table
from cli.opening import editor_id, open_sound
from cli.options import Editor, Json, Study, expand_option_groups, output_option
from core.errors import BadImport, FileChanged, InputError, Interrupted, grouped
from core.files.atomic_write import STANDARD_OUTPUT
from core.files.paths import access_errors
from core.formatting.numbers import format_known_bytes, pluralize
from core.names import unknown_name
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.domain.import_batch import ImportCounts, ImportedFile
    from core.files.data_sets import DataSet
    from core.ports import ChangeSet
    from core.progress import JobSteps
    from storage.data_set_download import Downloaded


_SCALE = re.compile(r"(?P<low>-?\d+(\.\d+)?)-(?P<high>-?\d+(\.\d+)?)", re.ASCII)


MappingName = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE",
        autocompletion=completing(import_formats),
        help="Import mapping: a name that `pyramidion mappings` lists, or a TOML file. Default: guessed.",
    ),
]


def chosen_format(file_format: str, mapping: str) -> str:
    """Return the name of the format or mapping, empty = neither is given. Raises InputError for both."""
    if mapping and file_format:
        raise InputError("--mapping and --format both say how the file is read. Give one of them.")
    return mapping or file_format


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Columns, rating scale and file format of a table."""

    column: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="COLUMN=NAME",
            help="table, columns, data-set: name of a column in the file, such as topic=doc_id, "
            "rating:quality=Q1, rating:quality@ann=Q2 or summary:bart=bart. Can be repeated.",
        ),
    ] = None
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="columns, data-set: column of the file to leave out. Can be repeated."
        ),
    ] = None
    scale: Annotated[
        str,
        typer.Option(
            metavar="LOW-HIGH",
            help="Tables: rating scale, such as 1-7 or -2-2. Default: that in a column's heading, or 1-5.",
        ),
    ] = ""
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Tables: encoding of the file, such as utf-16 or windows-1252. Default: UTF-8, or UTF-16 by "
            "its first bytes.",
        ),
    ] = ""
    separator: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Tables: comma, semicolon, tab or bar. Default: detected from the first rows.",
        ),
    ] = ""
    part: Annotated[
        str, typer.Option(metavar="NAME", help="Tables: sheet of a workbook, or split of a data set.")
    ] = ""

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name. Raises InputError."""
        read = {"encoding": self.encoding, "separator": self.separator, "part": self.part}
        ignored = {f"map.ignore:{column}": column for column in self.ignore or ()}
        return {**self._mapping(), **ignored, **self._ends(), **{k: v for k, v in read.items() if v}}

    def _mapping(self) -> dict[str, str]:
        pairs = [column.partition("=") for column in self.column or ()]
        for ours, equals, theirs in pairs:
            if not ours or not equals or not theirs:
                raise InputError(
                    f"--map {ours}{equals}{theirs}: expected COLUMN=NAME, such as --map topic=doc_id."
                )
        return {f"map.{ours}": theirs for ours, _, theirs in pairs}

    def _ends(self) -> dict[str, str]:
        if not self.scale:
            return {}
        ends = _SCALE.fullmatch(self.scale.replace(" ", ""))
        if ends is None or float(ends["low"]) >= float(ends["high"]):
            raise InputError(
                f"--scale {self.scale}: expected LOW-HIGH with the lower end first, such as 1-5 or -2-2."
            )
        return ends.groupdict()


@dataclass(frozen=True, slots=True)
class DucviewOptions:
    """File names and layout of DUCView files."""

    pattern: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN",
            help="ducview: pattern of file names, such as {topic}.{system}.pan. Fields: topic, system, "
            "annotator, author (of a human summary); * matches any text. Can be repeated. Default: common "
            "patterns.",
        ),
    ] = None
    annotator: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="ducview, nuggets, lite2pyramid, rose, mt-metrics-eval, annotation tools: annotator, if "
            "the file names none. Default: the name of the format; nuggetizer; imported (columns).",
        ),
    ] = ""
    split: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="ducview: where references begin if the file does not mark it: `proposed`, line numbers "
            "such as 1,9,20, or a regular expression that matches the heading of each reference.",
        ),
    ] = ""
    repair: Annotated[
        bool, typer.Option("--repair", help="ducview: move misplaced spans to the text that they quote.")
    ] = False

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name; without those not given."""
        options = {"pattern": ";".join(self.pattern or ()), "annotator": self.annotator, "split": self.split}
        repair = {"repair": "yes"} if self.repair else {}
        return {key: value for key, value in options.items() if value} | repair


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """Folders that an import may read from, and how offsets in texts count."""

    allow_outside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="rouge-settings: also read texts from FOLDER, outside the folder of the settings file. "
            "Can be repeated. `--dry-run` lists the folders needed.",
        ),
    ] = None

    offsets: Annotated[
        str,
        typer.Option(
            metavar="UNIT",
            help="doccano: what offsets count: `utf-16`, or `graphemes` if the project counts grapheme "
            "clusters as one character.",
        ),
    ] = ""

    def reader_options(self) -> dict[str, str]:
        """Return the options of the format's reader by name."""
        outside = {"outside": ";".join(self.allow_outside)} if self.allow_outside else {}
        return outside | ({"offsets": self.offsets} if self.offsets else {})


@expand_option_groups
def import_(
    study_path: Study,
    path: Annotated[
        Path, typer.Argument(help="File or folder to import; - for standard input.", show_default=False)
    ],
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            autocompletion=completing(import_formats),
            help="File format: a mapping that `pyramidion mappings` lists, such as summeval; or table (of "
            "this program), columns (of other projects), data-set, nuggets, mt-metrics-eval, tac (and DUC), "
            "scisumm (and BiomedSumm), rouge-settings, ducview, brat, label-studio, doccano, potato or "
            "inception; `pyramidion plugins` lists more of other packages. Default: detected.",
        ),
    ] = "",
    mapping: MappingName = "",
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Check the file and show what would be imported and, of a table, the mapping that was "
            "guessed; change nothing.",
        ),
    ] = False,
    *,
    skip_bad_rows: Annotated[
        bool,
        typer.Option(
            "--skip-bad-rows",
            help="Formats with one row or line per item, such as table and summeval: skip invalid rows and "
            "list them.",
        ),
    ] = False,
    update: Annotated[
        bool,
        typer.Option(
            "--update",
            help="Replace ratings, and titles, queries and sets of topics, that differ in the study. "
            "Replaced ratings are one edit, with history and undo.",
        ),
    ] = False,
    editor: Editor = "",
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="summeval: folder of source documents (.story or .txt, named by `filepath` or `id`), for "
            "a file without `text`.",
            show_default=False,
        ),
    ] = None,
    columns: TableOptions,
    naming: DucviewOptions,
    sources: FolderOptions,
    as_json: Json = False,
) -> None:
    """Import texts, ratings, scores or pyramids.

    If any row is invalid, nothing is imported and all problems are listed.
    """
    from core.ports import require_writable
    from storage.formats import import_registry
    from storage.study_file import open_study

    chosen = chosen_format(file_format, mapping)
    flags = {"documents": str(documents)} if documents is not None else {}
    if skip_bad_rows:
        flags["skip"] = "yes"
    if update:
        flags["update"] = "yes"
    if editor:
        flags["as"] = editor
    options = {**columns.reader_options(), **naming.reader_options(), **sources.reader_options(), **flags}
    with _named_file(path) as file:
        files: Sequence[ImportedFile] = ()
        guessed = ""
        with open_study(study_path) as study:
            request = import_registry.import_request(file, chosen, options, study)
            if dry_run:
                preview = run_with_progress(
                    import_registry.preview_steps(study, request), "reading", "Nothing was written."
                )
                if preview.counts is None or preview.incoming is None:
                    raise BadImport(preview.problems)
                counts, files = preview.counts, preview.incoming.files
                guessed = preview.incoming.mapping if request.format.is_foreign else ""
            else:
                require_writable(study)
                if study.texts.topics():
                    back_up_before(study_path, "the import")
                counts = _imported(study, import_registry.import_steps(study, request))
        name = file_format or request.format.name
        _print_counts(counts, files, name, dry_run=dry_run, as_json=as_json, mapping=guessed)


@contextmanager
def _named_file(path: Path) -> Iterator[Path]:
    """Provide the file or folder to read; for -, standard input as a temporary file (JSONL, CSV or TSV).

    Raises InputError where standard input is a terminal or empty.
    """
    from tempfile import TemporaryDirectory

    if path != Path("-"):
        yield path
        return
    if sys.stdin.isatty():
        raise InputError("- reads standard input, which is a terminal. Pipe a file into it, or name a file.")
    with TemporaryDirectory() as folder:
        file = Path(folder, "standard-input")
        with file.open("wb") as whole:
            shutil.copyfileobj(sys.stdin.buffer, whole)
        with file.open("rb") as read:
            first = read.readline(1 << 16).lstrip(b"\xef\xbb\xbf").lstrip()
        if not first:
            raise InputError("Standard input is empty. Pipe a JSONL file or a table into it, or name a file.")
        suffix = ".jsonl" if first.startswith((b"{", b"[")) else ".tsv" if b"\t" in first else ".csv"
        yield file.rename(file.with_suffix(suffix))


def _imported(study: ports.Study, steps: JobSteps[ImportCounts]) -> ImportCounts:
    """Run an import; one that is interrupted is imported completely or not at all, and reports which."""
    written: list[ChangeSet] = []
    study.subscribe(written.append)
    try:
        return run_with_progress(steps, "importing", "Nothing was written.")
    except Interrupted:
        study.flush()  # a write that was queued before Ctrl+C still happens
        if written:
            raise Interrupted("Too late to interrupt: everything was imported.") from None
        raise


def _print_counts(
    counts: ImportCounts,
    files: Sequence[ImportedFile],
    name: str,
    *,
    dry_run: bool = False,
    as_json: bool = False,
    mapping: str = "",
) -> None:
    """Print what an import added. name: of the format. mapping: the one that was guessed."""
    if as_json:
        document = {"format": name, "dry_run": dry_run, "added": dict(counts.added)}
        document |= {"read": {one.kind: one.read for one in counts.kinds}, "unchanged": dict(counts.equal)}
        document |= {"left_out": counts.left_out}
        notices = [asdict(notice) for notice in grouped(counts.notices)]
        skipped = [asdict(problem) for problem in counts.skipped]
        document |= {"skipped": skipped, "notices": notices}
        document |= {"mapping": mapping} if mapping else {}
        print_json({**document, "files": [asdict(file) for file in files]})
        return
    if files:
        _print_files(files)
    columns = {
        "kind": name,
        "read": "Read",
        "added": "Would be added" if dry_run else "Added",
        "unchanged": "Unchanged",
        "left_out": "Left out",
    }
    rows = [{column: getattr(one, column) for column in columns} for one in counts.kinds]
    print_table(rows, columns, right=tuple(columns)[1:])
    for sentence in counts.remarks:
        print_message(sentence)
    if counts.skipped:
        many = f"{len(counts.skipped):,} bad {'row' if len(counts.skipped) == 1 else 'rows'}"
        print_message(f"{many} {'would be' if dry_run else 'were'} skipped.")
    if counts.left_out:
        print_message("Left out:")
    for sentence in counts.left_out:
        print_message(sentence)
    if mapping:
        print_message("The mapping that was guessed; change it in a file, and import with --mapping FILE:")
        typer.echo(mapping)


def _print_files(files: Sequence[ImportedFile]) -> None:
    """Print the detected role of each file."""
    rows = [{**asdict(file), "authors": ", ".join(file.authors)} for file in files]
    columns = {
        "file": "File",
        "holds": "Content",
        "topic": "Topic",
        "authors": "Reference authors",
        "system": "System",
        "annotator": "Annotator",
        "units": "SCUs or matches",
    }
    print_table(rows, columns, right=("units",))


def mappings(
    name: Annotated[
        str, typer.Argument(help="Print this mapping; without a name, list all.", show_default=False)
    ] = "",
    add: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the mapping of a TOML file under the file's name."),
    ] = None,
    remove: Annotated[str, typer.Option(metavar="NAME", help="Remove a mapping that was added.")] = "",
    as_json: Json = False,
) -> None:
    """List, print, add or remove import mappings.

    A mapping says how a file of another project is read: how it is recognized, what its rows are, and what
    each value becomes. One that was added is recognized like those of the program.
    """
    from storage.formats import import_registry
    from storage.formats.mappings.formats import MAPPING_SUFFIX, mapping_text, user_mappings
    from storage.user_folders import mappings_folder

    own = {known.name for known in user_mappings()}
    if add is not None:
        known = import_registry.find(str(add.with_suffix(MAPPING_SUFFIX)))
        import_registry.add_mapping(mapping_text(known), known.name)
        print_message(f"Kept: files of this layout are recognized, and read with --mapping {known.name}.")
    elif remove:
        if remove not in own:
            listing = "`pyramidion mappings` lists them"
            raise InputError(unknown_name("added mapping", remove, sorted(own), listing))
        (mappings_folder() / f"{remove}{MAPPING_SUFFIX}").unlink()
    elif name:
        text = mapping_text(import_registry.find(name))
        if not text:
            raise InputError(f"{name} is read by code. `pyramidion mappings` lists those that are mappings.")
        typer.echo(text)
    else:
        listed = [known for known in import_registry.formats() if mapping_text(known)]
        rows = [
            {"name": one.name, "title": one.title, "about": one.about, "is_own": one.name in own}
            for one in listed
        ]
        if as_json:
            print_json(rows)
        else:
            shown = [{**row, "of": "yours" if row["is_own"] else "the program"} for row in rows]
            print_table(shown, {"name": "Name", "title": "Files", "about": "Content", "of": "Of"})


def undo(
    path: Study,
    redo: Annotated[bool, typer.Option("--redo", help="Redo what was undone last.")] = False,
    editor: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="NAME",
            help="Annotator whose last edit is undone. Default: nobody, as for imports and settings.",
            show_default=False,
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Undo the last edit, such as an import, or redo it.

    An import is one edit: everything that it added is removed, with scores computed for its topics. It is
    refused where later work builds on it.
    """
    from core.ports import require_writable
    from storage.study_file import open_study

    with open_study(path) as study:
        require_writable(study)
        act = study.edits.redo if redo else study.edits.undo
        receipt = act(editor_id(study, editor, is_undo=True)).result()
    if as_json:
        print_json({"study": str(path), "edit": receipt.what or receipt.verb, "is_undone": not redo})
        return
    print_message(f"{path}: {'Redone' if redo else 'Undone'}: {receipt.what or receipt.verb}.")


def get(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[DATASET]",
            help="Name of a data set; without it, list all.",
            show_default=False,
            autocompletion=completing(data_set_names),
        ),
    ] = "",
    output: Annotated[
        Path | None, output_option("FILE", "New study file. Default: DATASET.pyramidion.")
    ] = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="summeval: folder of the articles of CNN/DailyMail, as for `pyramidion import`.",
            show_default=False,
        ),
    ] = None,
    accept_change: Annotated[
        bool,
        typer.Option(
            "--accept-change", help="Accept a file without a known hash that differs from the first download."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Download a public data set from its authors and import it into a new study.

    Files are checked against known hashes; where nobody publishes one, against the first download on this
    computer, which the output says. An interrupted download is resumed. Nothing else connects to the network.
    """
    from core.experiments.analyses.studies.published import published_tables
    from storage import user_folders
    from storage.data_set_download import download, study_steps
    from storage.datasets.catalogue import find_data_set

    if not name:
        _list_data_sets(as_json=as_json)
        return
    options = {"documents": str(documents)} if documents is not None else {}
    study = output or Path(f"{name}.pyramidion")
    data_set = find_data_set(name)
    _check_new(study)
    try:
        downloaded = run_with_progress(
            download(data_set, user_folders.data_sets_folder(), accepts_changes=accept_change),
            data_set.name,
            "What was downloaded is kept; run the command again to resume.",
        )
    except FileChanged as error:
        raise InputError(f"{error} To accept it, add --accept-change.") from error
    _print_checks(downloaded)
    counts = run_with_progress(study_steps(study, downloaded, options), "importing", "No study was created.")
    _print_counts(counts, (), data_set.format)
    print_message(
        f"Created {study}. Cite {data_set.citation}; {data_set.page} describes the data set "
        f"(licence: {data_set.licence})."
    )
    if any(table.key == data_set.name for table in published_tables()):
        print_message(f"Published results: pyramidion resample {study} --experiment published")


def _list_data_sets(*, as_json: bool) -> None:
    """List the data sets that can be downloaded."""
    from storage.datasets.catalogue import data_sets

    rows = [_row(one) for one in data_sets()]
    if as_json:
        print_json(rows)
        return
    shown = [
        {
            **row,
            "about": Lines((row["title"], row["about"])),
            "more": Lines((row["citation"], row["page"], f"Licence: {row['licence']}")),
            "size": format_known_bytes(row["bytes"]),
        }
        for row in rows
    ]
    columns = {"name": "Name", "about": "Data set", "size": "Size", "check": "Checked by", "more": "Source"}
    print_table(shown, columns, right=("size",))


def _check_new(study: Path) -> None:
    """Raise InputError if the study cannot be created, before anything is downloaded."""
    with access_errors(study):
        if study.exists():
            raise InputError(f"{study} exists already. Choose another name with -o.")
        if not study.parent.is_dir():
            raise InputError(f"The folder {study.parent} does not exist. Create it first.")


def _print_checks(downloaded: Downloaded) -> None:
    data_set = downloaded.data_set
    if data_set.hub is not None:
        print_message("The file has the hash that the Hugging Face Hub names for it.")
    elif not downloaded.unverified:
        print_message(f"Checked by known hashes: {pluralize(len(downloaded.hashes), 'file')}.")
    for name in downloaded.unverified:
        sha256 = downloaded.hashes[name]
        if name in downloaded.first:
            print_message(
                f"Not verified: no published hash of {name} is known. Its SHA-256, {sha256}, is stored, and "
                "later downloads are compared with it."
            )
        else:
            print_message(
                f"Not verified: no published hash of {name} is known. It equals the first download on this "
                f"computer (SHA-256 {sha256})."
            )


def _row(one: DataSet) -> dict[str, Any]:
    return {
        "name": one.name,
        "title": one.title,
        "about": one.about,
        "format": one.format,
        "citation": one.citation,
        "page": one.page,
        "licence": one.licence,
        "bytes": one.size or None,
        "check": one.check,
    }


_PACK = "pack"
_ANNOTATIONS = "annotations"

_SCORES = ("scores", "humans")
"""Content whose missing values are explained by messages, as the file has no row for them."""


def export(
    path: Study,
    output: Annotated[
        Path,
        output_option(
            "PATH", "File to write (.jsonl, .csv, .txt), or a folder, as for ducview; - for standard output."
        ),
    ],
    what: Annotated[
        str,
        typer.Option(
            metavar="CONTENT",
            autocompletion=completing(lambda: EXPORTS),
            help=f"Content to export: {', '.join(EXPORTS)}. metrics: scores and judgements; humans: both, "
            "with references as systems; annotations: for `merge`.",
        ),
    ] = "scores",
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            autocompletion=export_formats,
            help="File format: sacrerouge (JSONL) or csv; for texts also hashes (keys of precomputed "
            "vectors); for pyramids ducview (.pyr, .pan), rose (JSONL) or lite2pyramid (a folder); for "
            "metrics also mt-metrics-eval (a folder); for rouge also rouge-1.5.5 (output of the Perl "
            "script) or rouge-1.5.5-tokens (with -t 1). Default: by the suffix of the output file.",
            show_default=False,
        ),
    ] = "",
    annotator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="annotations: annotator to export. Can be repeated. Default: all."),
    ] = None,
) -> None:
    """Export scores, judgements, annotations or texts."""
    from core.comparison.cautions import score_notes
    from core.comparison.measures import measures
    from storage.formats import annotation_packs
    from storage.formats.export_registry import choose_export, export_steps

    chosen = choose_export(what, file_format, output)
    what = chosen.what
    if annotator and not (what == _ANNOTATIONS and chosen.format == _PACK):
        subject = f"{what} as {chosen.format}" if what == _ANNOTATIONS else what
        raise InputError(
            f"--annotator has no effect on {subject}. Use it with --what {_ANNOTATIONS} --format {_PACK}, or "
            "omit it."
        )
    if annotator:
        chosen = replace(chosen, records=partial(annotation_packs.annotation_lines, annotators=annotator))
    with open_sound(path) as study:
        rows = run_with_progress(export_steps(study, chosen, output), "writing", "Nothing was written.")
        notes = (
            score_notes(study, measures(study, check_stale=False, with_made=True)) if what in _SCORES else []
        )
    for note in notes:
        print_message(note)
    target = "standard output" if output == STANDARD_OUTPUT else str(output)
    count = "the annotations" if what == _ANNOTATIONS else pluralize(rows, "file" if chosen.fill else "row")
    print_message(f"Wrote {count} to {target}.")
