"""Source documents of an import in files of their own, in a folder that the user chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from core.domain.import_batch import ImportContent, NewText
from core.errors import InputError
from core.files.paths import access_errors, list_files
from storage.formats.readers.fields import Problems
from storage.formats.readers.text_files import is_inside, text_of

_LISTED = 3


@dataclass(slots=True)
class DocumentFiles:
    """Source documents by the name of their file.

    folder: None = not given. read: documents of topics that were read already.
    """

    folder: Path | None = None
    files: dict[str, Path] = field(default_factory=dict)
    read: dict[str, NewText | None] = field(default_factory=dict)

    @classmethod
    def in_folder(cls, name: str) -> DocumentFiles:
        """Return the files of a folder, empty = none. Raises InputError if there is no such folder."""
        if not name:
            return cls()
        folder = Path(name)
        with access_errors(folder):
            if not folder.is_dir():
                raise InputError(f"{folder} is not a folder. Choose the folder with the source documents.")
        return cls(folder, {file.name: file for file in list_files(folder)})

    def of(self, topic: str, names: Sequence[Any], problems: Problems) -> NewText | None:
        """Return the document of a topic, or None if there is no file.

        names: values of its item that may name the file: a path, or a stem.
        """
        if topic not in self.read:
            named = (one for one in _file_names(names) if one in self.files)
            file = next((self.files[name] for name in named), None)
            if file is not None and self.folder is not None:
                file = file if is_inside(file, self.folder.resolve(), problems) else None
            content = None if file is None else text_of(file, problems)
            is_story = file is not None and file.suffix == ".story"
            self.read[topic] = None if content is None else NewText(_story(content) if is_story else content)
        return self.read[topic]

    def notice(self, incoming: ImportContent) -> tuple[str, str] | None:
        """Return that topics have no source document, and the remedy; None if all have one."""
        missing = [topic.name for topic in incoming.topics if not topic.documents]
        if not missing:
            return None
        listed = f"{', '.join(missing[:_LISTED])}{' …' if len(missing) > _LISTED else ''}"
        what = f"{len(missing)} of {len(incoming.topics)} topics have no source document ({listed})"
        remedy = "Choose another folder" if self.folder else "Choose the folder of source documents"
        return (
            f"{what}: {', '.join(_metrics_with_documents())} cannot be computed there.",
            f"{remedy} with --documents (*Source documents* in the window); its files must be named after "
            "`filepath` or `id`, with the extension .story or .txt.",
        )


def _file_names(names: Sequence[Any]) -> Iterator[str]:
    """Yield possible file names: a path's, then a stem with and without the data set before it."""
    for name in names:
        if not isinstance(name, str):
            continue
        if "/" in name:
            yield PurePosixPath(name).name
            continue
        for stem in (name, name.rpartition("-")[2]):
            yield from (f"{stem}{suffix}" for suffix in (".story", ".txt", ""))


def _story(content: str) -> str:
    """Return a CNN/DailyMail story without its highlights, in one line, as SummEval's own script does."""
    lines = content.split("@highlight")[0].splitlines()
    return " ".join(filter(None, map(str.strip, lines)))


def _metrics_with_documents() -> list[str]:
    """Return the metrics that use source documents by default."""
    from core.metrics.base import Need  # imported here, because only files without documents need all metrics
    from core.metrics.registry import metrics

    return [metric.name for metric in metrics() if Need.DOCUMENTS in metric().needs]
