"""Import of DUCView files: one file, or a folder of files named by a pattern.

They are combined into one import: topics, pyramids of matches, contradictions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.domain.import_batch import (
    ImportContent,
    ImportedFile,
    NewMatch,
    NewMatches,
    NewPyramid,
    NewText,
    NewTopic,
)
from core.domain.name_checks import name_problem
from core.domain.study import SystemKind, Text
from core.errors import MAX_PROBLEMS, BadImport, InputError, Problem
from core.files.paths import access_errors, list_files, printable_path
from core.ports import ScoringInputs
from core.progress import JobSteps, Progress
from storage.formats.ducview import file_names
from storage.formats.ducview.decode import decode
from storage.formats.ducview.file_names import ParsedName
from storage.formats.ducview.model import NO_MATCH, File, FileAnnotation, pack_node, without_blanks
from storage.formats.ducview.scores import differing
from storage.formats.ducview.to_annotations import ImportedPyramid, ImportOptions, to_matches, to_pyramid
from storage.formats.format_types import Format
from storage.formats.memory import MemoryBudget, xml_size
from storage.formats.readers.fields import Problems, is_clean, is_name
from storage.formats.readers.tables.csv_records import has_suffix
from storage.formats.readers.text_files import content_of, is_inside
from storage.formats.study_texts import StudyTexts

_APART = "Remove one of the files, or distinguish them with {annotator} in the pattern."


@dataclass(slots=True)
class ImportFile:
    """A file that is being imported: its name, parsed fields, problems and notices."""

    name: str
    named: ParsedName
    problems: Problems
    notices: Problems


@dataclass(slots=True)
class _Topic:
    """A topic that is being imported. pyramids: by annotator. files: name of each pyramid's file."""

    references: dict[str, NewText] = field(default_factory=dict)
    summaries: dict[str, NewText] = field(default_factory=dict)
    pyramids: dict[str, ImportedPyramid] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


class ImportBatch:
    """Files to be combined into one import. annotator: default for files whose name contains none."""

    def __init__(self, study_texts: StudyTexts, choices: ImportOptions, annotator: str) -> None:
        self._study_texts, self._choices, self._annotator = study_texts, choices, annotator
        self._topics: dict[str, _Topic] = defaultdict(_Topic)
        self._kinds: dict[str, SystemKind] = {}
        self._pyramids: list[NewPyramid] = []
        self._matches: dict[tuple[str, ...], NewMatches] = {}
        self._heads: list[ImportedFile] = []
        self._problems: list[Problem] = []
        self._notices: list[Problem] = []

    def hear(self, problems: Problems, notices: Problems) -> None:
        """Collect problems and notices of a file. Raises BadImport when there are too many problems."""
        self._problems += problems.found
        self._notices += notices.found
        if len(self._problems) >= MAX_PROBLEMS:
            raise BadImport(self._problems)

    def finish(self, source: str) -> ImportContent:
        """Return the import. Raises BadImport with all problems, if any."""
        if self._problems:
            raise BadImport(self._problems)
        topics = [
            NewTopic(name, references=topic.references, summaries=topic.summaries)
            for name, topic in self._topics.items()
        ]
        return ImportContent(
            source,
            topics,
            self._kinds,
            pyramids=self._pyramids,
            matches=list(self._matches.values()),
            files=self._heads,
            notices=self._notices,
        )

    def take(self, source: ImportFile, file: File) -> None:
        """Add a file's pyramid, or its peer annotation and pyramid."""
        if isinstance(file.body, FileAnnotation):
            self._take_annotation(source, file, file.body)
        else:
            self._take_pyramid(source, file)

    def _take_pyramid(self, source: ImportFile, file: File) -> None:
        owner = source.named.annotator or self._annotator
        topic = self._topics[source.named.topic]
        if owner in topic.pyramids:
            what = (
                f"{topic.files[owner]} already contains a pyramid of topic {source.named.topic} by {owner}."
            )
            source.problems.add("", what, _APART)
        elif (imported := self._import_pyramid(source, file, owner)) is not None:
            authors, units = list(imported.layout.places), len(imported.scus)
            head = ImportedFile(source.name, "pyramid", source.named.topic, owner, authors, units=units)
            self._heads.append(head)

    def _import_pyramid(self, source: ImportFile, file: File, owner: str) -> ImportedPyramid | None:
        """Convert a file's pyramid for an annotator; None and problems if it is ambiguous."""
        topic, stored = self._topics[source.named.topic], self._study_texts.references(source.named.topic)
        known = {author: text.content for author, text in (stored | topic.references).items()}
        imported = to_pyramid(file.pyramid, known, self._choices, source.problems, source.notices)
        if imported is None:
            return None
        if source.named.author and len(imported.layout.places) == 1:
            imported = _by_author(imported, source.named.author)
        for author, content in imported.layout.contents.items():
            if is_name(author, "author", source.problems) and is_clean(content, author, source.problems):
                topic.references.setdefault(author, _as_stored(stored.get(author), content))
        topic.pyramids[owner], topic.files[owner] = imported, source.name
        around = {} if isinstance(file.body, FileAnnotation) else _around(file)
        extras = {**imported.kept, **around}
        self._pyramids.append(NewPyramid(source.named.topic, owner, imported.scus, extras))
        return imported

    def _take_annotation(self, source: ImportFile, file: File, body: FileAnnotation) -> None:
        named = source.named
        system, annotator = named.system or named.author, named.annotator or self._annotator
        owner = self._owner(source, file, annotator)
        if owner is None:
            return
        if (named.topic, system, owner, annotator) in self._matches:
            what = f"Another file already contains the matches of {annotator} in the summary of {system}."
            source.problems.add("", what, _APART)
            return
        matches = self._import_matches(source, body, self._topics[named.topic].pyramids[owner])
        if matches is not None:
            new = replace(matches, system=system, owner=owner, annotator=annotator)
            self._keep_matches(source, replace(new, extras={**new.extras, **_around(file)}))

    def _owner(self, source: ImportFile, file: File, annotator: str) -> str | None:
        """Return whose pyramid the matches of a file refer to, None = the file has no usable pyramid."""
        topic = self._topics[source.named.topic]
        equal = [owner for owner, known in topic.pyramids.items() if known.file == file.pyramid]
        if equal:
            return annotator if annotator in equal else equal[0]
        if not topic.pyramids:
            return (
                self._annotator if self._import_pyramid(source, file, self._annotator) is not None else None
            )
        owner = annotator if annotator in topic.pyramids else next(iter(topic.pyramids))
        source.notices.place = "pyramid"
        what = f"The pyramid in it differs from that in {topic.files[owner]}."
        source.notices.add("", what, "The other pyramid is used; matches are assigned by its uids.")
        return owner

    def _import_matches(
        self, source: ImportFile, body: FileAnnotation, pyramid: ImportedPyramid
    ) -> NewMatches | None:
        """Convert the matches in a file; annotator and pyramid are filled in later."""
        named = source.named
        topic, system = self._topics[named.topic], named.system or named.author
        stored = self._study_texts.summary(named.topic, system)
        known = topic.summaries.get(system) or stored
        text = None if known is None else known.content
        matches = to_matches(body, text, self._choices, source.problems, source.notices)
        _check_keys(body, pyramid, source.problems)
        if matches is None or not is_clean(matches.content, "text", source.problems) or source.problems.found:
            return None
        _compare_scores(body, pyramid, matches.matches, source.notices)
        topic.summaries.setdefault(system, _as_stored(stored, matches.content))
        return NewMatches(named.topic, system, "", "", matches.matches, matches.kept)

    def _keep_matches(self, source: ImportFile, new: NewMatches) -> None:
        kind = SystemKind.HUMAN if source.named.author else SystemKind.AUTOMATIC
        self._kinds.setdefault(new.system, kind)
        self._matches[new.topic, new.system, new.owner, new.annotator] = new
        authors = list(self._topics[new.topic].pyramids[new.owner].layout.places)
        units = len(new.matches)
        head = ImportedFile(source.name, "matches", new.topic, new.annotator, authors, new.system, units)
        self._heads.append(head)


def _as_stored(stored: Text | None, content: str) -> NewText:
    """Return a text as stored in the study if it is there, to keep its sentence boundaries."""
    if stored is None or stored.content != content:
        return NewText(content)
    return NewText(content, stored.sentence_spans, stored.external_id)


def _by_author(imported: ImportedPyramid, author: str) -> ImportedPyramid:
    """Return a pyramid over one reference, assigned to the given author."""
    layout = imported.layout
    (span,), (content,) = layout.places.values(), layout.contents.values()
    scus = tuple(
        replace(scu, contributors=tuple(replace(c, author=author) for c in scu.contributors))
        for scu in imported.scus
    )
    layout = replace(layout, places={author: span}, contents={author: content})
    return replace(imported, layout=layout, scus=scus, kept={**imported.kept, **layout.as_record()})


def _check_keys(body: FileAnnotation, pyramid: ImportedPyramid, problems: Problems) -> None:
    """Add problems for matches of SCUs that the pyramid in use does not have."""
    known = {scu.key for scu in pyramid.scus} | {NO_MATCH}
    for scu in body.scus:
        if scu.contributors and scu.uid not in known:
            problems.place = f"line {scu.line}, peerscu {scu.uid}"
            what = "The pyramid used for this topic has no SCU with this uid."
            problems.add("uid", what, "Correct the uid.")


def _compare_scores(
    body: FileAnnotation, pyramid: ImportedPyramid, matches: tuple[NewMatch, ...], notices: Problems
) -> None:
    """Add notices for scores in a file that differ from those computed here."""
    notices.place = "score"
    authors = frozenset(pyramid.layout.places)
    for name, stated, ours in differing(body.score or {}, pyramid.scus, matches, authors):
        what = f"The file states {stated}; the official scoring, used here, gives {ours}."
        notices.add(
            name, what, "DUCView counts contributors instead of references and truncates the average."
        )


def _around(file: File) -> dict[str, object]:
    """Return the contents around a file's root element."""
    before, after = ([pack_node(node) for node in nodes] for nodes in (file.before, file.after))
    return without_blanks({"before": before, "after": after})


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
    pattern = options.get("pattern", "")
    patterns = file_names.chosen_patterns(pattern, list(files), _topics(files, study_texts))
    exported = file_names.exported_names(study).read(files) if study is not None and not pattern else {}
    choices = ImportOptions(options.get("split", "").strip(), bool(options.get("repair")))
    annotator = options.get("annotator", "").strip() or ANNOTATOR
    if fault := name_problem(annotator):
        raise InputError(f"The annotator's name is not valid. {fault} Choose another name.")
    gathering = ImportBatch(study_texts, choices, annotator)
    memory, inside = MemoryBudget(), (path if path.is_dir() else path.parent).resolve()
    for done, (name, file) in enumerate(sorted(files.items(), key=_pyramids_first)):
        yield Progress(done, len(files), f"reading {printable_path(name)}")
        problems = Problems(name, memory=memory)
        if path.is_dir() and not is_inside(file, inside, problems):
            gathering.hear(problems, Problems(name))
        else:
            _take(gathering, name, file, exported.get(name) or file_names.read(name, patterns), problems)
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
    gathering: ImportBatch, name: str, path: Path, named: ParsedName | None, problems: Problems
) -> None:
    """Read one file; errors in it do not stop the others. named: the fields of its name, None = unknown."""
    notices = Problems(name)
    try:
        named = _checked(named, path, problems)
        file = decode(_content(path, problems), problems)
        _check_kind(file, path, problems)
        gathering.take(ImportFile(name, named, problems, notices), file)
    except BadImport:
        pass  # they are in `problems`
    except InputError as error:
        problems.add("", str(error), "")
    gathering.hear(problems, notices)


def _checked(named: ParsedName | None, path: Path, problems: Problems) -> ParsedName:
    """Return the fields of a file's name. Raises BadImport if required ones are missing."""
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
    content = content_of(path, problems, "Choose a DUCView file.")
    if content is None:
        problems.stop_if_any()
        return b""
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
