"""Indexes on the disk: built from files, tables and studies, opened, found damaged, removed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadImport, InputError, MissingResource
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.index_store import DocumentColumns, IndexRequest
from core.retrieval.protocols import STUDY_INDEX, Smoothing, SourceDocument
from storage.indexes.document_sources import DocumentReader
from storage.indexes.index_folder import IndexFolder

TEXTS = {
    "court": "The court lifted the ban on the old bridge.",
    "storm": "A storm closed the harbour and the bridge.",
    "sheep": "Sheep graze on the hills.",
}


@pytest.fixture
def folder(tmp_path: Path) -> IndexFolder:
    return IndexFolder(tmp_path / "indexes", tmp_path / "cache")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of three texts, one of them deeper, and files that are no texts."""
    place = tmp_path / "texts"
    (place / "deep").mkdir(parents=True)
    for name, content in TEXTS.items():
        at = place / "deep" if name == "sheep" else place
        (at / f"{name}.txt").write_text(content, encoding="utf-8")
    (place / "notes.md").write_text("no text")
    (place / ".hidden.txt").write_text("no text")
    return place


@pytest.fixture
def built(folder: IndexFolder, texts: Path) -> IndexFolder:
    run_to_completion(folder.build(IndexRequest("small", (texts,))))
    return folder


def _table(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _in_memory(documents: list[SourceDocument], analysis: Analysis) -> ArrayIndex:
    made = run_to_completion(build_index(documents, analysis))
    return ArrayIndex("memory", analysis, made.fingerprint, made.arrays)


# Where documents come from


def test_a_folder_gives_its_text_files_by_their_places(texts):
    found = {document.id: document.content for document in DocumentReader([texts])}
    assert found == {"court": TEXTS["court"], "storm": TEXTS["storm"], "deep/sheep": TEXTS["sheep"]}


@pytest.mark.parametrize("name", ["a.txt", "a.xml"])
def test_a_link_that_leaves_a_folder_is_not_read(tmp_path, name):
    elsewhere, folder = tmp_path / name, tmp_path / "unpacked"
    elsewhere.write_text("<private/>")
    folder.mkdir()
    (folder / f"link-{name}").symlink_to(elsewhere)
    with pytest.raises(InputError, match=r"is a link to .*, outside the folder"):
        list(DocumentReader([folder]))
    (folder / f"link-{name}").unlink()
    (folder / "b.txt").write_text("Own.")
    (folder / "c.txt").symlink_to(folder / "b.txt")
    assert [document.content for document in DocumentReader([folder])] == ["Own.", "Own."]


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_table_gives_ids_titles_and_texts(tmp_path, suffix):
    separator = "," if suffix == ".csv" else "\t"
    rows = [["PMID", "Title", "Abstract"], ["1", "On bridges", '"Bridges, and ""more"".\nA second line."']]
    path = tmp_path / f"papers{suffix}"
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n", encoding="utf-8")
    assert list(DocumentReader([path])) == [
        SourceDocument("1", "On bridges", 'Bridges, and "more".\nA second line.')
    ]


def test_columns_of_any_name_can_be_named(tmp_path):
    path = _table(tmp_path / "own.jsonl", [{"key": "a", "what": ["One.", "Two."], "head": "T"}])
    assert list(DocumentReader([path], DocumentColumns("key", "head", "what"))) == [
        SourceDocument("a", "T", "One.\nTwo.")
    ]


def test_every_problem_of_a_table_is_reported_at_once(tmp_path):
    rows = [{"id": "a", "text": "x"}, {"id": "", "text": "x"}, {"id": "a", "text": "y"}, {"id": "b"}]
    with pytest.raises(BadImport) as refused:
        list(DocumentReader([_table(tmp_path / "bad.jsonl", rows)]))
    problems = [(problem.place, problem.field) for problem in refused.value.problems]
    assert problems == [("line 2", "id"), ("line 3", "id"), ("line 4", "text")]


def test_a_table_without_the_columns_explains_how_to_name_them(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("key,words\na,b\n")
    with pytest.raises(BadImport, match="name it with --id"):
        list(DocumentReader([path]))


@pytest.mark.parametrize("name", ["absent", "picture.png", "empty"])
def test_what_is_no_source_is_refused_with_a_sentence(tmp_path, name):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=name):
        list(DocumentReader([tmp_path / name]))


def test_a_studys_documents_have_the_fingerprint_of_its_own_index(folder, study, tmp_path):
    from core.retrieval.study_index import StudyIndex, study_documents

    study.close()
    about = run_to_completion(folder.build(IndexRequest("of-study", (study.path,))))
    from storage.study_file import open_study

    with open_study(study.path) as again:
        own = StudyIndex(lambda: study_documents(again), Analysis())
        assert about.fingerprint == own.fingerprint
        assert about.documents == 2


# What is built


def test_an_index_from_the_disk_ranks_as_the_one_that_was_built(built, texts):
    stored = built.open("small")
    memory = _in_memory(list(DocumentReader([texts])), Analysis())
    queries = [["bridg"], ["bridg", "harbour", "bridg"], ["sheep", "court"], ["none"], []]
    assert stored.rank(queries, 5, Smoothing()) == memory.rank(queries, 5, Smoothing())
    assert stored.fingerprint == memory.fingerprint
    assert stored.mean_idf() == memory.mean_idf()
    assert stored.phrase_frequencies([("sheep", "graze"), ("graze", "hill")]).tolist() == [1, 0]


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
@settings(max_examples=30)
def test_whatever_the_texts_are_the_disk_holds_the_same_arrays(tmp_path_factory, contents):
    where = tmp_path_factory.mktemp("indexes")
    rows = [{"id": str(at), "text": content} for at, content in enumerate(contents)]
    rows = [row for row in rows if "\x00" not in row["text"]] or [{"id": "0", "text": ""}]
    source, analysis = _table(where / "t.jsonl", rows), Analysis("none", drop_stop_words=False)
    run_to_completion(IndexFolder(where).build(IndexRequest("any", (source,), analysis)))
    stored = IndexFolder(where).open("any")
    memory = _in_memory([SourceDocument(row["id"], "", row["text"]) for row in rows], analysis)
    assert isinstance(stored, ArrayIndex)
    for name, array in memory.arrays.named().items():
        np.testing.assert_array_equal(stored.arrays.named()[name], array)


def test_the_arrays_are_mapped_and_nothing_is_read_at_once(built):
    opened = built.open("small")
    assert isinstance(opened.arrays.places, np.memmap)


def test_the_list_states_what_there_is(built):
    (about,) = built.list_indexes()
    assert (about.name, about.documents, about.sources, about.problem) == ("small", 3, ("texts",), "")
    assert about.tokens == 11
    assert about.bytes > 500


def test_a_second_index_of_a_name_replaces_the_first_only_if_wanted(built, tmp_path):
    other = _table(tmp_path / "t.jsonl", [{"id": "a", "text": "Only one."}])
    with pytest.raises(InputError, match="already exists"):
        run_to_completion(built.build(IndexRequest("small", (other,))))
    assert built.open("small").documents == 3
    run_to_completion(built.build(IndexRequest("small", (other,), replaces=True)))
    assert built.open("small").documents == 1
    assert [p.name for p in built.folder.iterdir()] == ["small"]


@pytest.mark.parametrize("name", [STUDY_INDEX, "", "a/b", "..", "elasticsearch:http://x/y", "a b", ".hidden"])
def test_a_name_that_means_something_else_is_refused(folder, texts, name):
    with pytest.raises(InputError, match=r"is not a valid index name|study's own documents"):
        run_to_completion(folder.build(IndexRequest(name, (texts,))))


def test_a_build_that_is_stopped_leaves_nothing(folder, tmp_path):
    rows = [{"id": str(at), "text": "some words"} for at in range(500)]
    steps = folder.build(IndexRequest("large", (_table(tmp_path / "t.jsonl", rows),)))
    shares = [next(steps) for _ in range(4)]
    assert 0 < shares[-1].done < shares[-1].total
    steps.close()
    assert list(folder.folder.iterdir()) == []


def test_a_build_that_fails_keeps_the_index_that_is_there(built, tmp_path):
    bad = _table(tmp_path / "t.jsonl", [{"id": "a", "text": "x"}, {"id": "a", "text": "x"}])
    with pytest.raises(BadImport):
        run_to_completion(built.build(IndexRequest("small", (bad,), replaces=True)))
    assert built.open("small").documents == 3


def test_what_a_killed_build_left_goes_with_the_next_one(built, texts):
    left = built.folder / ".old.part-1"
    left.mkdir()
    fresh = built.folder / ".other.part-2"
    fresh.mkdir()
    os.utime(left, (time.time() - 100_000,) * 2)
    run_to_completion(built.build(IndexRequest("second", (texts,))))
    assert not left.exists()
    assert fresh.exists()


# What is damaged or absent


@pytest.mark.parametrize("how", ["flipped", "cut", "gone", "header", "of the future"])
def test_a_damaged_index_is_reported_by_a_sentence(built, how):
    place = built.folder / "small"
    array, header = place / "places.npy", place / "index.json"
    content = array.read_bytes()
    if how == "flipped":
        array.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    elif how == "cut":
        array.write_bytes(content[:-4])
    elif how == "gone":
        array.unlink()
    elif how == "header":
        header.write_text(header.read_text()[:50])
    else:
        header.write_text(json.dumps({**json.loads(header.read_text()), "format": 99}))
    with pytest.raises(
        InputError, match="newer version" if how == "of the future" else "is damaged"
    ) as refused:
        built.open("small")
    assert "pyramidion index build small" in str(refused.value)
    (about,) = built.list_indexes()
    assert bool(about.problem) is (how != "flipped")


def test_an_index_that_is_not_there_names_those_that_are(built):
    with pytest.raises(MissingResource, match="Choose one of: small"):
        built.open("large")


def test_a_removed_index_is_gone(built):
    built.remove("small")
    assert built.names() == []
    assert list(built.folder.iterdir()) == []
    with pytest.raises(MissingResource):
        built.remove("small")


def test_another_process_opens_the_same_index(built):
    import pickle

    again = pickle.loads(pickle.dumps(built))
    assert again.open("small").fingerprint == built.open("small").fingerprint
