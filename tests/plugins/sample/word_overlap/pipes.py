"""Summaries as lines ``topic|system|text``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pyramidion.plugins import (
    BadImport,
    ExportFormat,
    ImportContent,
    ImportFormat,
    NewText,
    NewTopic,
    Problem,
    Study,
)


def read(path: Path, options: Mapping[str, str], study: Study | None) -> ImportContent:
    """Return the summaries of a file. Raises BadImport with every bad line."""
    topics: dict[str, dict[str, NewText]] = {}
    problems = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        topic, _, rest = line.partition("|")
        system, separator, text = rest.partition("|")
        if separator:
            topics.setdefault(topic, {})[system] = NewText(text)
        else:
            problems.append(Problem(path.name, f"line {number}", "", "It has no two pipes.", "Add them."))
    if problems:
        raise BadImport(problems)
    return ImportContent(path.name, [NewTopic(name, summaries=texts) for name, texts in topics.items()])


def lines(study: Study) -> Iterator[Mapping[str, str]]:
    """Yield the summaries of a study."""
    for topic in study.texts.load():
        for text in topic.summaries:
            yield {"line": f"{topic.name}|{text.name}|{text.content}"}


FORMATS = [
    ImportFormat(
        "pipes",
        "Pipes",
        "One summary per line: topic, system and text with pipes between them.",
        read,
        lambda path: path.suffix == ".pipes",
        (".pipes",),
    ),
    ExportFormat("texts", "pipes", ".pipes", "One summary per line, with pipes.", lines, is_plain=True),
]
