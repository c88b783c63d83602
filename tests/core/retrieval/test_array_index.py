"""Indexes built, saved as arrays and opened again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, MissingResource
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.index_arrays import IndexArrays
from core.retrieval.packed_strings import ABSENT, PackedStrings, sorted_order
from core.retrieval.protocols import STUDY_INDEX, Smoothing, SourceDocument
from core.retrieval.study_index import study_documents
from core.scoring.study_resources import StudyResources
from tests.core.retrieval.made_index import index_of

PORTER = Analysis()
TEXTS = ["The court banned the bridge.", "", "A storm; a court", "Čapek 日本 🌉"]


def test_stored_and_in_memory_arrays_rank_alike(tmp_path):
    built = index_of(TEXTS, Analysis())
    built.arrays.save(tmp_path)
    opened = ArrayIndex("made", built.analysis, built.fingerprint, IndexArrays.load(tmp_path))
    queries = [["court"], ["storm", "čapek"], ["nobody"]]
    assert opened.rank(queries, 5, Smoothing()) == built.rank(queries, 5, Smoothing())
    assert all(
        np.array_equal(array, opened.arrays.named()[name]) for name, array in built.arrays.named().items()
    )
    assert opened.titles(["2", "0"]) == ["Title 2", "Title 0"]


def test_an_empty_index_can_be_opened(tmp_path):
    index_of([]).arrays.save(tmp_path)
    opened = ArrayIndex("empty", Analysis(), "", IndexArrays.load(tmp_path))
    assert (opened.documents, opened.tokens) == (0, 0)
    assert opened.rank([["court"]], 5, Smoothing()) == [()]
    assert opened.document_frequencies(["court"]).tolist() == [0]


def test_a_phrase_crosses_neither_a_dropped_word_nor_a_document():
    index = index_of(["ban of bridge", "court ban", "bridge"], Analysis("none"))
    phrases = [("ban", "bridge"), ("court", "ban"), ("ban", "ban")]
    assert index.phrase_frequencies(phrases).tolist() == [0, 1, 0]


def test_two_documents_with_one_id_are_refused():
    twice = [SourceDocument("a", "", "one"), SourceDocument("a", "", "two")]
    with pytest.raises(InputError, match=r"Two documents have the id 'a'.*Rename one"):
        run_to_completion(build_index(twice, Analysis()))


def test_building_reports_progress():
    steps = build_index((SourceDocument(str(at), "", "x") for at in range(250)), Analysis(), 250)
    assert [(step.done, step.total) for step in steps] == [(100, 250), (200, 250), (250, 250)]


@given(st.lists(st.text(max_size=5), max_size=8), st.text(max_size=5))
def test_sorted_strings_are_found_by_binary_search(strings, other):
    ordered = sorted_order({*strings})
    packed = PackedStrings.of(ordered)
    assert [packed[at] for at in range(len(packed))] == ordered
    assert [packed.find(string) for string in ordered] == list(range(len(ordered)))
    assert (packed.find(other) == ABSENT) == (other not in ordered)


def test_the_fingerprint_follows_ids_contents_order_and_analysis_but_not_titles():
    def fingerprint(*documents, analysis=PORTER):
        return run_to_completion(
            build_index([SourceDocument(*each) for each in documents], analysis)
        ).fingerprint

    one, two = ("a", "A", "x"), ("b", "B", "y")
    first = fingerprint(one, two)
    assert fingerprint(one, ("b", "Other", "y")) == first
    others = [
        fingerprint(two, one),
        fingerprint(one),
        fingerprint(one, ("b", "B", "z")),
        fingerprint(one, ("c", "B", "y")),
        fingerprint(one, two, analysis=Analysis("none")),
    ]
    assert len({first, *others}) == 6


def test_the_studys_documents_are_indexed_by_topic_name(study):
    index = StudyResources(study).index(STUDY_INDEX, Analysis())
    built = run_to_completion(build_index(study_documents(study), Analysis()))
    assert (index.name, index.documents, index.fingerprint) == (STUDY_INDEX, 2, built.fingerprint)
    assert index.rank([["storm"]], 5, Smoothing())[0][0].document == "D2/D2-1"
    assert index.titles(["D2/D2-1"]) == ["D2 · Harbour storm · D2-1"]


def test_without_a_study_there_are_no_documents():
    assert StudyResources().index(STUDY_INDEX, Analysis()).documents == 0


def test_an_index_is_opened_once_per_run(study):
    resources = StudyResources(study)
    opened = resources.index(STUDY_INDEX, Analysis())
    assert (
        resources.index(STUDY_INDEX, Analysis())
        is opened
        is not resources.index(STUDY_INDEX, Analysis("none"))
    )
    assert resources.with_fresh_caches().index(STUDY_INDEX, Analysis()) is not opened


def test_other_indexes_come_from_the_provider():
    with pytest.raises(MissingResource, match="nowhere"):
        StudyResources().index("nowhere", Analysis())
