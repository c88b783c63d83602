"""Topics for tests, from sentences and from the shared data sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.domain.study import Text, TopicTexts, join_sentences
from core.scoring.study_resources import StudyResources
from tests.core.metrics.scored import MakeTopic, Written


@pytest.fixture(scope="session")
def resources() -> StudyResources:
    """Tools without a study: enough for metrics that read a topic alone."""
    return StudyResources()


@pytest.fixture(scope="session")
def make_topic() -> MakeTopic:
    """Makes a topic of references by author and summaries by system; lists are lists of sentences."""
    return topic_of


@pytest.fixture
def by_table(
    make_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> Callable[[StudyResources], str]:
    """Return a function that gives tools an encoder with known vectors and returns its name."""
    from tests.core.metrics.table_encoder import table_encoder

    folder = make_model()
    encoder = table_encoder(folder)

    def add(resources: StudyResources) -> str:
        monkeypatch.setattr(resources, "_encoders", {(str(folder), "float32"): encoder})
        return str(folder)

    return add


@pytest.fixture(scope="session")
def multiling(shared_data: Path) -> list[TopicTexts]:
    """Twelve topics with three references and one summary each, segmented."""
    items = json.loads((shared_data / "multiling" / "texts.json").read_text(encoding="utf-8"))
    return [
        topic_of({f"r{i}": text for i, text in enumerate(item["references"])}, {"s": item["candidate"]})
        for item in items
    ]


@pytest.fixture(scope="session")
def summeval(shared_data: Path) -> dict[str, TopicTexts]:
    """A hundred topics by id, with eleven references; systems whose text was changed later are left out."""
    references: dict[str, dict[str, Written]] = {}
    summaries: dict[str, dict[str, Written]] = {}
    path = shared_data / "summeval" / "model_annotations.aligned.paired.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        references[row["id"]] = {f"ref-{i:02}": text for i, text in enumerate(row["references"])}
        if "decoded_note" not in row:
            summaries.setdefault(row["id"], {})[row["model_id"]] = row["decoded"]
    return {name: topic_of(references[name], texts) for name, texts in summaries.items()}


def topic_of(references: Mapping[str, Written], summaries: Mapping[str, Written]) -> TopicTexts:
    return TopicTexts(
        "t",
        "t",
        references=tuple(_text(name, text) for name, text in references.items()),
        summaries=tuple(_text(name, text) for name, text in summaries.items()),
    )


def _text(name: str, written: Written) -> Text:
    return (
        Text(name, name, written) if isinstance(written, str) else Text(name, name, *join_sentences(written))
    )


@pytest.fixture(scope="session")
def documents(shared_data: Path) -> dict[str, str]:
    """The articles of SummEval by id."""
    path = shared_data / "summeval" / "model_annotations.aligned.paired.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["text"] for row in rows}
