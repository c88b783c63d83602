"""Evaluation of files without a study: they are imported into a temporary one, which can be kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import TracebackType
from typing import cast
from uuid import uuid4
from weakref import finalize

from core.domain.import_batch import ImportContent, ImportCounts
from core.errors import InputError, Problem, grouped, grouped_differences
from core.files.paths import access_errors, path_exists, printable_path
from core.names import fitting_names
from core.operations.evaluate import Evaluation, evaluate
from core.operations.options import EvaluateRequest
from core.ports import Study
from core.progress import JobSteps
from core.scoring.memory_study import MemoryStudy
from core.text.languages import detect_language, languages_by_topic
from storage.formats.format_types import Format, Options
from storage.formats.mappings import foreign_tables
from storage.formats.readers import aligned_lines
from storage.formats.readers.fields import kind_of
from storage.formats.readers.tables.column_roles import Role
from storage.formats.readers.tables.csv_records import JSONL
from storage.formats.readers.tables.table_cells import SUFFIXES
from storage.formats.readers.usage import read_noted
from storage.repositories.imports.notices import contents as texts_of
from storage.repositories.imports.notices import contents_of, import_notices

TABLES = (*SUFFIXES, *JSONL)
"""File suffixes of tables; other files have a text per line."""


@dataclass(frozen=True, slots=True)
class EvaluatedFiles:
    """Files to evaluate.

    files: one or more tables (or one folder) that are imported in this order; or text files with one text
    per line in the same order: the outputs of systems, after a file of references unless there are others.
    references, documents: more text files. format: of the files, which are tables then; empty = detected.
    options: of its reader.
    """

    files: tuple[Path, ...]
    references: tuple[Path, ...] = ()
    documents: tuple[Path, ...] = ()
    format: str = ""
    options: Options = field(default_factory=dict)

    @property
    def are_tables(self) -> bool:
        """Whether the files are tables. Raises InputError for tables together with text files."""
        if study := next((path for path in self.files if path.suffix == ".pyramidion"), None):
            raise InputError(
                f"{printable_path(study)} is a study. Use pyramidion score and pyramidion correlate."
            )
        tables = [path for path in self.files if self.format or kind_of(path) in TABLES or _is_folder(path)]
        others = [path for path in (*self.files, *self.references, *self.documents) if path not in tables]
        if tables and others:
            raise InputError(
                f"{printable_path(tables[0])} is a table and {printable_path(others[0])} is none. Give "
                "tables that belong together, or text files with one text per line."
            )
        return bool(tables)


class TemporaryStudy:
    """The study in which files are evaluated; it is deleted at the end.

    It is in memory, or in a temporary file if there are several tables, or more than texts and ratings.
    say: how a notice of the import is written.
    """

    def __init__(self, say: Callable[[Problem], str] = str) -> None:
        self._say = say
        folder = mkdtemp(prefix="pyramidion-")
        self.close = finalize(self, rmtree, folder, ignore_errors=True)
        """Delete the study; it is deleted too when it is no longer used."""
        self._path = Path(folder, "evaluation.pyramidion")
        self._memory: tuple[MemoryStudy, ImportContent] | None = None
        self._name = ""

    def __enter__(self) -> TemporaryStudy:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def evaluate(self, files: EvaluatedFiles, request: EvaluateRequest) -> JobSteps[Evaluation]:
        """Import files and evaluate them; notes say how they were read.

        Raises BadImport with the problems of a file, InputError like `core.operations.evaluate.evaluate`.
        """
        self._name, self._memory = files.files[-1].stem if files.files else "evaluation", None
        read = _read_tables if files.are_tables else _read_lines
        contents, request = yield from read(files, request)
        detected = detect_language(texts_of(contents[0]))
        topics = {topic.name: contents_of(topic) for topic in contents[0].topics}
        own = languages_by_topic(topics, detected, detected.code)
        if len(contents) == 1 and (memory := MemoryStudy.of(contents[0], detected.code, own)) is not None:
            self._memory = memory, contents[0]
            notes = list(map(self._say, grouped(import_notices(contents[0], detected, own))))
            found = yield from evaluate(cast(Study, memory), request)
        else:
            from storage.study_file import new_study

            with new_study(self._path, name=self._name, overwrite=True) as study:
                notes = [note for content in contents for note in self._notes(study.import_data(content))]
                found = yield from evaluate(study, request)
        return replace(found, notes=(*notes, *found.notes))

    def keep(self, path: Path, *, overwrite: bool = False) -> None:
        """Store the study in a new file. Raises InputError where a file already exists."""
        from storage.database import study_database  # not for an evaluation that is not kept

        if not overwrite:
            study_database.check_new(path)
        if self._memory is not None:
            self._write(*self._memory)
        copy = path.with_name(f".{path.name}.{uuid4().hex}")
        try:
            study_database.backup(self._path, copy)
            study_database.put_in_place(copy, path)
        finally:
            copy.unlink(missing_ok=True)

    def _notes(self, counts: ImportCounts) -> list[str]:
        return [*map(self._say, grouped(counts.notices)), *grouped_differences(counts.different)]

    def _write(self, memory: MemoryStudy, content: ImportContent) -> None:
        """Write the study in memory to the temporary file, with its scores."""
        from storage.study_file import new_study

        with new_study(self._path, name=self._name, overwrite=True) as study:
            study.import_data(content)
            ids = {head.name: head.id for head in study.texts.topics()}
            saved = [
                study.scores.save(config, replace(block, topic_id=ids[block.topic_id]))
                for config in memory.scores.configs()
                for block in memory.scores.blocks(config.signature)
            ]
            for one in saved:
                one.result()


def _read_tables(
    files: EvaluatedFiles, request: EvaluateRequest
) -> JobSteps[tuple[list[ImportContent], EvaluateRequest]]:
    """Read tables; return them, and the request with the judgements of their columns."""
    contents: list[ImportContent] = []
    humans = dict.fromkeys(request.judgements, "")
    for path in files.files:
        kind, options = _format_of(path, files), files.options
        if kind.has_columns and request.judgements:
            rated, more = _rating_columns(path, options, request.judgements)
            humans, options = humans | rated, {**options, **more}
        contents.append((yield from read_noted(kind, path, options)))
    first = next((system for content in contents for system in content.systems), "")
    named = tuple(human or name for name, human in humans.items())
    return contents, replace(request, judgements=named, baseline=request.baseline or first)


def _format_of(path: Path, files: EvaluatedFiles) -> Format:
    """Return the format of a table. Raises InputError where it is unknown or missing."""
    if files.format or kind_of(path) not in SUFFIXES or not path_exists(path):
        from storage.formats.import_registry import import_request  # loads the readers of all formats

        return import_request(path, files.format, files.options).format
    return foreign_tables.OWN if foreign_tables.is_own_table(path, files.options) else foreign_tables.FORMAT


def _rating_columns(
    path: Path, options: Options, names: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the judgement of each named column of a table, and options that read the column as ratings."""
    humans, more = {}, {}
    uses = {use.column: use for use in foreign_tables.sample(path, options).uses}
    for name in names:
        fits = fitting_names(name, uses)
        if len(fits) != 1:
            continue  # it may be the name of a judgement
        if (use := uses[fits[0]]).role is Role.RATING:
            humans[name] = f"rating.{use.name}"
        else:
            humans[name], more[f"map.rating:{use.column}"] = f"rating.{use.column}", use.column
    return humans, more


def _read_lines(
    files: EvaluatedFiles, request: EvaluateRequest
) -> JobSteps[tuple[list[ImportContent], EvaluateRequest]]:
    """Read text files; return them, and the request with the first output as baseline."""
    references, outputs = files.references, files.files
    if not references and not files.documents:
        references, outputs = outputs[:1], outputs[1:]
    if not outputs:
        raise InputError(
            f"{printable_path(files.files[0])} is a text file of references. Name the outputs after it, or "
            f"a table ({', '.join(TABLES)})."
        )
    incoming = yield from aligned_lines.read(outputs, references, files.documents, files.options)
    return [incoming], replace(request, baseline=request.baseline or next(iter(incoming.systems)))


def _is_folder(path: Path) -> bool:
    with access_errors(path):
        return path.is_dir()
