"""Imports of public data sets are recognized; other imports are not."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from core.domain.data_origin import DATA_SET_SETTING, DataOrigin, read_origins
from core.files.data_sets import DataSet
from core.files.downloads import RemoteFile
from core.progress import run_to_completion
from storage.datasets import recognition
from storage.datasets.catalogue import data_sets
from storage.formats.import_registry import find, import_request, import_steps
from storage.study_file import new_study

SUMMEVAL = {
    "id": "dm-test-8764fb95bfad8ee849274873a92fb8d6b400eee2",
    "model_id": "M11",
    "decoded": "The bridge fell.",
    "references": ["The old bridge fell."],
    "text": "The old bridge fell today.",
}
NEWSROOM = (
    "Article ID,System,ArticleText,SystemSummary,ArticleTitle,CoherenceRating,FluencyRating,"
    "InformativenessRating,RelevanceRating\n1,lede3,A met B.,A and B.,Title,5,4,3,2\n"
)
TABLE = "topic,system,text\nD1,A,The bridge fell.\n"


def origins_of(path: Path, folder: Path, name: str = "") -> tuple[DataOrigin, ...]:
    """Import a file into a new study and return the origins that it stores."""
    with new_study(folder / "a.pyramidion", overwrite=True) as study:
        run_to_completion(import_steps(study, import_request(path, name)))
        return read_origins(study.settings.get(key) for key in study.settings.keys(DATA_SET_SETTING))


def test_summeval_is_recognized_by_the_names_of_topics_and_systems(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(SUMMEVAL))
    (origin,) = origins_of(file, tmp_path)
    assert (origin.name, origin.title, origin.citation) == ("summeval", "SummEval", "Fabbri et al. 2021")
    assert origin.sentence == (
        "The data are SummEval (Fabbri et al. 2021), https://github.com/Yale-LILY/SummEval, imported from "
        "mine.jsonl. They were recognized by the names of topics and systems, not by hashes."
    )
    file.write_text(json.dumps(SUMMEVAL | {"model_id": "my system"}))
    assert origins_of(file, tmp_path) == ()


def test_other_files_with_names_of_a_data_set_are_recognized(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(NEWSROOM)
    (origin,) = origins_of(file, tmp_path)
    assert (origin.name, origin.evidence) == ("newsroom", "names")
    file.write_text(NEWSROOM.replace("lede3", "mine"))
    assert origins_of(file, tmp_path) == ()


def test_a_data_set_that_only_its_format_shows_is_named_so_unless_the_origin_is_known(tmp_path: Path) -> None:
    answers = [{"worker_id": worker, "response": "yes"} for worker in (0, 1, 2)]
    row = {"article": "A met B.", "summary_sentences": [{"sentence": "A met B.", "responses": answers}]}
    file = tmp_path / "mine.jsonl"
    file.write_text(json.dumps(row))
    (origin,) = origins_of(file, tmp_path)
    assert origin.sentence.startswith("The data are in the format of QAGS (Wang et al. 2020), https://")
    known = DataOrigin("qags-x", "QAGS (X)", "Wang et al. 2020", "https://x", "", {}, (), "2024-05-01")
    with new_study(tmp_path / "b.pyramidion") as study:
        run_to_completion(import_steps(study, import_request(file), known))
        assert list(study.settings.keys(DATA_SET_SETTING)) == ["data_set.qags-x"]


def test_a_table_of_unknown_origin_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE)
    assert origins_of(tmp_path / "a.csv", tmp_path) == ()


def test_a_file_with_the_published_hash_is_recognized_in_any_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = hashlib.sha256(TABLE.encode()).hexdigest()
    files = (RemoteFile("theirs.csv", len(TABLE), digest),)
    known = DataSet("tiny", "Tiny", "", "table", "Nobody 2020", "https://example.org", "MIT", files)
    monkeypatch.setattr(recognition, "data_sets", lambda: (known,))
    (tmp_path / "renamed.csv").write_text(TABLE)
    (origin,) = origins_of(tmp_path / "renamed.csv", tmp_path)
    assert dict(origin.sha256) == {"theirs.csv": digest}
    assert origin.sentence.endswith("imported from renamed.csv. The files have the published hashes.")
    (tmp_path / "renamed.csv").write_text(TABLE.replace("fell", "fell down"))
    assert origins_of(tmp_path / "renamed.csv", tmp_path) == ()


def test_every_entry_names_a_format_and_valid_patterns() -> None:
    names = {one.name for one in data_sets()}
    for known in recognition._known():
        assert find(known.format).name == known.format
        assert known.citation
        assert known.page.startswith("https://")
        for pattern in (known.topics, known.systems):
            re.compile(pattern)
    assert {"summeval", "frank", "dialsummeval", "newsroom", "rose"} <= names
