"""Reader of SummEval JSONL (Fabbri et al. 2021): one summary per line with document, references, ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.import_batch import ImportContent, NewRating, NewText
from core.errors import InputError, Problem
from core.files.paths import access_errors, list_files, printable_path
from core.progress import JobSteps
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft, read_rows
from storage.formats.readers.fields import Problems, Row, list_field, name_field, new_text, number_field
from storage.formats.readers.recognition import by_names
from storage.formats.readers.tables.csv_records import JSONL
from storage.formats.readers.text_folders import is_inside, text_of
from storage.formats.readers.usage import current

DIMENSIONS = ("coherence", "consistency", "fluency", "relevance")
GROUPS = {"expert_annotations": "expert", "turker_annotations": "crowd"}
SCALE = (1.0, 5.0)


_SYSTEMS, _TOPICS = 16, 100
"""Numbers of systems and topics in the published file."""

_LISTED = 3


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a SummEval file. options: ``documents`` = folder of source documents, if the file has none.

    Raises BadImport with every problem, InputError if there is no such folder.
    """
    articles = _Articles.in_folder(options.get("documents", ""))
    current().expected.append("filepath")
    incoming = yield from read_rows(path, options, partial(_read_row, articles=articles))
    notices = (Problem(printable_path(path.name), "", "", *notice) for notice in _notices(incoming, articles))
    return replace(incoming, notices=(*incoming.notices, *notices))


@dataclass(slots=True)
class _Articles:
    """Source documents in files, by file name.

    folder: None = not given. read: documents of topics that were read already.
    """

    folder: Path | None = None
    files: dict[str, Path] = field(default_factory=dict)
    read: dict[str, NewText | None] = field(default_factory=dict)

    @classmethod
    def in_folder(cls, name: str) -> _Articles:
        if not name:
            return cls()
        folder = Path(name)
        with access_errors(folder):
            if not folder.is_dir():
                raise InputError(f"{folder} is not a folder. Choose the folder with the source documents.")
        return cls(folder, {file.name: file for file in list_files(folder)})

    def of(self, row: Row, topic: str, draft: ImportDraft) -> NewText | None:
        """Return the source document of a row, or None if there is no file."""
        if topic not in self.read:
            file = next((self.files[name] for name in _file_names(row, topic) if name in self.files), None)
            if file is not None and self.folder is not None:
                is_allowed = is_inside(file, self.folder.resolve(), draft.problems)
                file = file if is_allowed else None
            content = None if file is None else text_of(file, draft.problems)
            is_story = file is not None and file.suffix == ".story"
            self.read[topic] = None if content is None else NewText(_story(content) if is_story else content)
        return self.read[topic]


def _file_names(row: Row, topic: str) -> Iterator[str]:
    """Yield possible file names: the row's path, then its id with and without the data set."""
    if isinstance(path := row.get("filepath"), str):
        yield PurePosixPath(path).name
    for stem in (topic, topic.rpartition("-")[2]):
        yield from (f"{stem}{suffix}" for suffix in (".story", ".txt", ""))


def _story(content: str) -> str:
    """Return a CNN/DailyMail story without its highlights, in one line, as SummEval's own script does."""
    lines = content.split("@highlight")[0].splitlines()
    return " ".join(filter(None, map(str.strip, lines)))


def _notices(incoming: ImportContent, articles: _Articles) -> Iterator[tuple[str, str]]:
    """Yield remarks on unusual contents, each with a remedy."""
    without_documents = [topic.name for topic in incoming.topics if not topic.documents]
    if without_documents:
        listed = f"{', '.join(without_documents[:_LISTED])}{' …' if len(without_documents) > _LISTED else ''}"
        what = f"{len(without_documents)} of {len(incoming.topics)} topics have no source document ({listed})"
        metrics = ", ".join(_reading_documents())
        remedy = "Choose another folder" if articles.folder else "Choose the folder of source documents"
        yield (
            f"{what}: {metrics} cannot be computed there.",
            f"{remedy} with --documents (*Source documents* in the window); its files must be named after "
            "`filepath` or `id`, with the extension .story or .txt.",
        )
    if (len(incoming.systems), len(incoming.topics)) == (_SYSTEMS, _TOPICS):
        yield (
            "The published correlations (Fabbri et al. 2021) are based on 17 systems, but this "
            "file contains 16.",
            "Results differ from the paper: Kendall's tau of many metrics by .1 or more. For BLEU most of "
            "it is letter case: its tau with coherence is .47 here, .22 with `bleu:case=lc`, and .12 in the "
            "paper.",
        )


def _reading_documents() -> list[str]:
    """Return the metrics that use source documents by default."""
    from core.metrics.base import Need  # imported here, because only files without documents need all metrics
    from core.metrics.registry import metrics

    return [metric.name for metric in metrics() if Need.DOCUMENTS in metric().needs]


def _read_row(row: Row, draft: ImportDraft, articles: _Articles) -> None:
    problems = draft.problems
    topic, system = name_field(row, "id", problems), name_field(row, "model_id", problems)
    if not topic or not system:
        return
    if summary := new_text(row.get("decoded"), "decoded", problems):
        draft.summary(topic, system, summary)
    if row.get("text") is not None and (article := new_text(row["text"], "text", problems)):
        draft.document(topic, "article", article)
    elif row.get("text") is None and articles.folder and (found := articles.of(row, topic, draft)):
        draft.document(topic, "article", found)
    for position, value in enumerate(_references(row, problems)):
        if reference := new_text(value, f"references[{position}]", problems):
            draft.reference(topic, f"ref-{position:02}", reference)
    for name, group in GROUPS.items():
        for position, annotation in enumerate(list_field(row, name, problems), start=1):
            _read_annotation(
                annotation, f"{name}[{position - 1}]", topic, system, f"{group}-{position}", draft
            )


def _references(row: Row, problems: Problems) -> list[Any]:
    """Return every reference; the older layout has only the original one."""
    several = list_field(row, "references", problems)
    if several:
        return list(several)
    if row.get("reference") is not None:
        return [row["reference"]]
    problems.add("references", "The field is missing or empty.", "Add `references` or `reference`.")
    return []


def _read_annotation(
    annotation: Any, place: str, topic: str, system: str, annotator: str, draft: ImportDraft
) -> None:
    if not isinstance(annotation, Mapping):
        draft.problems.add(place, "Not an object with four ratings.", 'Write {"coherence": 1-5, ...}.')
        return
    for dimension in DIMENSIONS:
        if dimension not in annotation:
            draft.problems.add(f"{place}.{dimension}", "The rating is missing.", "Add a number from 1 to 5.")
            continue
        low, high = SCALE
        here = f"{place}.{dimension}"
        value = number_field(annotation, dimension, draft.problems, low=low, high=high, place=here)
        if value is not None:
            group = annotator.partition("-")[0]
            draft.rating(NewRating(topic, system, dimension, annotator, value), group, SCALE)


FORMAT = Format(
    "summeval",
    "SummEval (JSONL)",
    "One summary per line with its source document, references, and expert and crowd ratings.",
    without_study(read),
    by_names({"model_id", "decoded"}.issubset, JSONL),
    JSONL,
    takes_documents=True,
    has_rows=True,
)
