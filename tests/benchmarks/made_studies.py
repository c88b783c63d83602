"""Reproducible studies of any size, made of SummEval's texts."""

from __future__ import annotations

import atexit
import json
import random
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import Text, TopicTexts
from storage.study_file import StudyFile, new_study
from tests.benchmarks import sized

SHARED = Path(__file__).parents[2].parent / "shared" / "data"
_WHOLE = SHARED / "summeval" / "model_annotations.aligned.paired.jsonl"
_ARTICLES, _SYSTEMS = 3, 8
"""Articles of SummEval at the smallest size, and systems of the 16."""


def _beginning() -> Path:
    """Return a temporary file with the first articles of SummEval."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / _WHOLE.name
    with _WHOLE.open(encoding="utf-8") as lines:
        some = [line for at, line in enumerate(islice(lines, 16 * _ARTICLES)) if at % 16 < _SYSTEMS]
    path.write_text("".join(some), encoding="utf-8")
    return path


SUMMEVAL = _beginning() if sized(False, _WHOLE.exists()) else _WHOLE
AT_ONCE = 500
"""Number of topics per import, which limits the memory for a large study."""


def is_there() -> bool:
    """Return whether SummEval is available; print where to put it if not."""
    if not SUMMEVAL.exists():
        print(f"SummEval is not here; put it at {_WHOLE.parent}.")
    return SUMMEVAL.exists()


def summeval_topics() -> list[TopicTexts]:
    """Return SummEval's 100 topics with their document, eleven references and the systems' summaries."""
    return [
        TopicTexts(
            f"T{number:05}",
            f"T{number:05}",
            documents=(Text("d00", "d00", article["text"]),),
            references=tuple(Text(f"R{k}", f"R{k}", text) for k, text in enumerate(article["references"])),
            summaries=tuple(
                Text(f"s{k:02}", f"s{k:02}", text) for k, text in enumerate(article["summaries"])
            ),
        )
        for number, article in enumerate(_articles())
    ]


def made_topics(*, topics: int, systems: int, references: int, documents: int) -> Iterator[TopicTexts]:
    """Return the topics of a generated study without its file."""
    for made in _topics(topics, systems, references, documents):
        kinds = {"documents": made.documents, "references": made.references, "summaries": made.summaries}
        texts = {
            kind: tuple(Text(name, name, text.content) for name, text in articles.items())
            for kind, articles in kinds.items()
        }
        yield TopicTexts(made.name, made.name, **texts)


def make_study(path: Path, *, topics: int, systems: int, references: int, documents: int) -> StudyFile:
    """Create a study of a given size. A topic's texts are of one article; further systems mix summaries."""
    study = new_study(path, overwrite=path.exists())
    fill_study(study, topics=topics, systems=systems, references=references, documents=documents)
    return study


def fill_study(study: StudyFile, *, topics: int, systems: int, references: int, documents: int) -> None:
    """Import the topics of a generated study into an empty one."""
    for batch in _batches(_topics(topics, systems, references, documents)):
        study.import_data(ImportContent("made of SummEval", topics=batch))


def _batches(topics: Iterator[NewTopic]) -> Iterator[list[NewTopic]]:
    batch: list[NewTopic] = []
    for topic in topics:
        batch.append(topic)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    yield batch


def _topics(count: int, systems: int, references: int, documents: int) -> Iterator[NewTopic]:
    articles = _articles()
    for number in range(count):
        article = articles[number % len(articles)]
        chance = random.Random(number)
        others = [articles[(number + k) % len(articles)]["text"] for k in range(1, documents)]
        texts = [article["text"], *others]
        yield NewTopic(
            f"T{number:05}",
            documents={f"d{k:02}": NewText(text) for k, text in enumerate(texts)},
            references={
                f"R{k}": NewText(text)
                for k, text in enumerate(_some(article["references"], references, chance))
            },
            summaries={f"s{k:02}": NewText(_summary(article, k, chance)) for k in range(systems)},
        )


def _some(texts: list[str], count: int, chance: random.Random) -> list[str]:
    """Return a number of the texts in their order; topics of the same article have different ones."""
    return [texts[k] for k in sorted(chance.sample(range(len(texts)), count))]


def _summary(article: dict[str, Any], place: int, chance: random.Random) -> str:
    """Return a system's summary; additional systems have half of one summary and half of another."""
    own: list[str] = article["summaries"]
    if place < len(own):
        return own[place]
    one, other = chance.sample(own, 2)
    first, second = one.split(), other.split()
    return " ".join([*first[: len(first) // 2], *second[len(second) // 2 :]])


def _articles() -> list[dict[str, Any]]:
    articles: dict[str, dict[str, Any]] = {}
    for line in SUMMEVAL.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        article = articles.setdefault(row["id"], {**row, "summaries": []})
        article["summaries"].append(row["decoded"])
    return list(articles.values())
