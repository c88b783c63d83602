"""Text files with one text per line; lines of the same number belong together, as for sacreBLEU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.domain.import_batch import ImportContent, NewText
from core.errors import InputError
from core.files.paths import printable_path
from core.formatting.numbers import pluralize
from core.progress import JobSteps, Progress
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, is_clean, lines
from storage.formats.readers.tables.csv_records import encoding_of


def read(
    outputs: Sequence[Path],
    references: Sequence[Path] = (),
    documents: Sequence[Path] = (),
    options: Mapping[str, str] | None = None,
) -> JobSteps[ImportContent]:
    """Read a topic from each line. An empty line is an empty summary, or no reference or document.

    outputs: of systems, which are named as their files. options: the encoding of all files.
    Raises BadImport with every problem, InputError for files of different lengths.
    """
    draft = ImportDraft("", Problems(""))
    named = (*_named(outputs, "summary"), *_named(references, "reference"), *_named(documents, "document"))
    read: list[tuple[Path, str, str, list[str]]] = []
    for done, (path, kind, name) in enumerate(named):
        yield Progress(done, len(named), f"reading {printable_path(path.name)}")
        draft.problems.file = path.name
        encoding = encoding_of(path, options or {})
        texts = [
            line.rstrip("\r\n")
            for _, line in lines(path, draft.problems, encoding)
            if is_clean(line, "", draft.problems)
        ]
        draft.problems.stop_if_any()
        read.append((path, kind, name, texts))
    _check_lengths([(path, len(texts)) for path, _, _, texts in read])
    for _, kind, name, texts in read:
        _add(draft, kind, name, texts)
    return draft.finish()


def _named(paths: Sequence[Path], kind: str) -> Iterable[tuple[Path, str, str]]:
    """Yield each file with its kind and the shortest name that distinguishes it from the others."""
    for names in (
        [path.name.removesuffix(".gz").rpartition(".")[0] or path.name for path in paths],
        [path.name for path in paths],
        [str(path) for path in paths],
    ):
        if max(Counter(names).values(), default=1) == 1:
            return ((path, kind, name) for path, name in zip(paths, names, strict=True))
    twice = next(path for path in paths if list(paths).count(path) > 1)
    raise InputError(f"{printable_path(twice)} is given twice. Name each file once.")


def _check_lengths(counts: Sequence[tuple[Path, int]]) -> None:
    """Raise InputError where files have different numbers of lines, or none."""
    (first, expected), *others = counts
    if not expected:
        raise InputError(f"{printable_path(first)} is empty. Write one text per line.")
    for path, count in others:
        if count != expected:
            raise InputError(
                f"{printable_path(first)} has {pluralize(expected, 'line')}, but {printable_path(path)} has "
                f"{pluralize(count, 'line')}. Files need one text per line, in the same order."
            )


def _add(draft: ImportDraft, kind: str, name: str, texts: Sequence[str]) -> None:
    """Add the texts of a file to the topics of their lines."""
    width = len(str(len(texts)))
    for number, text in enumerate(texts, 1):
        topic = f"{number:0{width}}"
        if kind == "summary":
            draft.summary(topic, name, NewText(text))
        elif text.strip() and kind == "reference":
            draft.reference(topic, name, NewText(text))
        elif text.strip():
            draft.document(topic, name, NewText(text))
