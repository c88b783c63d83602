"""Import of DUCView files: one file, or a folder of files named by a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain.import_batch import ImportContent
from core.domain.name_checks import name_problem
from core.errors import BadImport, InputError
from core.files.paths import access_errors, list_files, printable_path
from core.ports import ScoringInputs
from core.progress import JobSteps, Progress
from storage.formats.ducview import file_names
from storage.formats.ducview.decode import decode
from storage.formats.ducview.file_names import NamePattern, ParsedName
from storage.formats.ducview.import_files import ImportBatch, ImportFile
from storage.formats.ducview.model import File, FileAnnotation
from storage.formats.ducview.to_annotations import ImportOptions
from storage.formats.format_types import Format
from storage.formats.memory import MemoryBudget, xml_size
from storage.formats.readers.fields import LONGEST_LINE, Problems, is_name, opened
from storage.formats.readers.tables.csv_records import has_suffix
from storage.formats.readers.text_files import is_inside, is_readable
from storage.formats.study_texts import StudyTexts

ANNOTATOR = "ducview"
"""Annotator of files for which none is given."""


def read(
    path: Path, options: Mapping[str, str], study: ScoringInputs | None = None
) -> JobSteps[ImportContent]:
    """Read a file or folder, and compare it with the study's texts.

    options: pattern (several separated by semicolons), annotator, split, repair (any value = repair spans).
    Raises BadImport with every problem, InputError if there is nothing to read.
    """
    files, study_texts = _files(path), StudyTexts(study)
    patterns = file_names.chosen_patterns(
        options.get("pattern", ""), list(files), _topics(files, study_texts)
    )
    choices = ImportOptions(options.get("split", "").strip(), bool(options.get("repair")))
    annotator = options.get("annotator", "").strip() or ANNOTATOR
    if fault := name_problem(annotator):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    gathering = ImportBatch(study_texts, choices, annotator)
    memory, inside = MemoryBudget(), (path if path.is_dir() else path.parent).resolve()
    for done, (name, file) in enumerate(sorted(files.items(), key=_pyramids_first)):
        yield Progress(done, len(files), f"reading {printable_path(name)}")
        problems = Problems(name, memory=memory)
        if path.is_dir() and not (is_readable(file, problems) and is_inside(file, inside, problems)):
            gathering.hear(problems, Problems(name))
        else:
            _take(gathering, name, file, patterns, problems)
    return gathering.finish(printable_path(path.name))


def _files(path: Path) -> dict[str, Path]:
    """Return the files to read, by their names below the folder."""
    if not path.is_dir():
        return {path.name: path}
    paths = {
        file.relative_to(path).as_posix(): file for file in list_files(path) if file_names.is_named(file)
    }
    if not paths:
        raise InputError(f"{path} contains no .pyr or .pan file. Choose the folder that contains them.")
    return paths


def _topics(files: Mapping[str, Path], study_texts: StudyTexts) -> set[str]:
    """Return names that are known to be topics: the study's, and those of pyramid files."""
    stems = {file.stem for file in files.values() if file.suffix.lower() == ".pyr"}
    return stems | study_texts.topics


def _pyramids_first(item: tuple[str, Path]) -> tuple[bool, str]:
    return item[1].suffix.lower() != ".pyr", item[0]


def _take(
    gathering: ImportBatch, name: str, path: Path, patterns: Sequence[NamePattern], problems: Problems
) -> None:
    """Read one file; errors in it do not stop the others."""
    notices = Problems(name)
    try:
        named = _named(name, path, patterns, problems)
        file = decode(_content(path, problems), problems)
        _check_kind(file, path, problems)
        gathering.take(ImportFile(name, named, problems, notices), file)
    except BadImport:
        pass  # they are in `problems`
    except InputError as error:
        problems.add("", str(error), "")
    gathering.hear(problems, notices)


def _named(name: str, path: Path, patterns: Sequence[NamePattern], problems: Problems) -> ParsedName:
    """Return the fields of a file's name. Raises BadImport if required ones are missing."""
    named = file_names.read(name, patterns)
    if named is None:
        problems.add(
            "name",
            "The file name matches no pattern.",
            "Rename it, or set a pattern such as {topic}.{system}.pan.",
        )
    elif path.suffix.lower() == ".pan" and not (named.system or named.author):
        what = "The pattern contains no system, which a peer annotation needs."
        problems.add("name", what, "Add {system} at its place in the names.")
    else:
        for value in (named.topic, named.system, named.annotator, named.author):
            if value:
                is_name(value, "name", problems)
    problems.stop_if_any()
    return named or ParsedName("")


def _check_kind(file: File, path: Path, problems: Problems) -> None:
    """Raise BadImport for a file with the suffix of the other kind."""
    is_annotation = isinstance(file.body, FileAnnotation)
    if is_annotation == (path.suffix.lower() == ".pyr"):
        kind = "a peer annotation" if is_annotation else "a pyramid alone"
        problems.add("", f"It contains {kind}.", "Name pyramid files .pyr, peer annotations .pan.")
        problems.stop_if_any()


def _content(path: Path, problems: Problems) -> bytes:
    """Return a file's bytes. Raises BadImport if it is too large."""
    with opened(path) as source:
        content: bytes = source.read(LONGEST_LINE + 1)
    if len(content) > LONGEST_LINE:
        problems.add("", f"The file is larger than {LONGEST_LINE >> 20} MB.", "Choose a DUCView file.")
        problems.stop_if_any()
    problems.memory.check(xml_size(content))
    problems.memory.take(xml_size(content) // 2)
    return content


def _recognises(path: Path) -> bool:
    with access_errors(path):
        if path.is_dir():
            return any(map(file_names.is_named, list_files(path)))
    return has_suffix(path, file_names.SUFFIXES)


FORMAT = Format(
    "ducview",
    "DUCView (.pyr, .pan)",
    "Pyramids and their matches in summaries: one file, or a folder of files named by topic and system.",
    read,
    _recognises,
    file_names.SUFFIXES,
    takes_folders=True,
    names_files=True,
)
