"""SERA against rankings by hand."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.measures import measures
from core.comparison.stand_ins import stand_in_of
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import Text
from core.errors import BadSetting
from core.metrics.registry import metric, parse
from core.metrics.retrieval.sera import RetrievedDocuments, compare_rankings, comparison_tree
from core.ports import MetricConfig
from core.retrieval.protocols import Hit
from core.scoring.config import ScoringConfig
from core.scoring.plan import plan
from core.scoring.staleness import ChangedInput
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study, open_study
from tests.core.retrieval.made_index import index_of
from tests.scoring import score_all


@pytest.fixture(scope="module")
def sample(sample_file, tmp_path_factory):
    with open_study(Path(shutil.copy(sample_file, tmp_path_factory.mktemp("sera")))) as study:
        yield study


LISTS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=6)


def ranking(documents, name="A"):
    """Return a text with its retrieved documents, best first."""
    return RetrievedDocuments(Text(name, name, ""), (), tuple(Hit(each, 1.0) for each in documents))


def in_brackets(ids):
    return [f"<{each}>" for each in ids]


def test_the_example_of_the_paper_is_worked_by_hand():
    # d1 and d3 are two ranks apart: ln 2 / ln 4 = 1/2 each
    plain, discounted = compare_rankings(ranking(["d1", "d2", "d3", "d4"]), ranking(["d3", "d2", "d1", "d4"]))
    assert (plain, discounted) == (1.0, pytest.approx((0.5 + 1 + 0.5 + 1) / 4))


def test_documents_retrieved_by_one_side_do_not_count():
    plain, discounted = compare_rankings(ranking("abcde"), ranking("xbyza"))
    assert plain == 2 / 5
    assert discounted == pytest.approx((1 + math.log(2) / math.log(6)) / 5)


def test_the_longer_list_is_what_documents_are_a_share_of():
    assert (
        compare_rankings(ranking("ab"), ranking("abcd"))[0]
        == compare_rankings(ranking("abcd"), ranking("ab"))[0]
        == 0.5
    )
    assert (
        compare_rankings(ranking(""), ranking("ab"))
        == compare_rankings(ranking(""), ranking(""))
        == (0.0, 0.0)
    )


@given(LISTS, LISTS)
def test_scores_are_alike_both_ways_and_discounting_only_takes_away(mine, theirs):
    plain, discounted = compare_rankings(ranking(mine), ranking(theirs))
    assert (plain, discounted) == pytest.approx(compare_rankings(ranking(theirs), ranking(mine)))
    assert 0 <= discounted <= plain <= 1
    assert compare_rankings(ranking(mine), ranking(mine)) == ((1, 1) if mine else (0, 0))


@given(LISTS, LISTS)
def test_the_account_evaluates_to_the_score_and_names_every_document(mine, theirs):
    sides = ranking(mine, "s"), ranking(theirs)
    for value, discounted in zip(compare_rankings(*sides), (False, True), strict=True):
        tree = comparison_tree(*sides, in_brackets, discounted=discounted)
        assert tree.evaluate() == pytest.approx(value)
        assert len(tree.children[0].children) == len({*mine, *theirs})


def test_the_explanation_names_each_document_with_its_ranks():
    tree = comparison_tree(ranking("ab", "s"), ranking("bc"), in_brackets, discounted=True)
    children = [(child.label, child.value) for child in tree.children[0].children]
    assert children == [
        ("retrieved only by the summary, rank 1: <a>", 0.0),
        ("ranks 2 and 1: <b>", pytest.approx(math.log(2) / math.log(3))),
        ("retrieved only by A, rank 2: <c>", 0.0),
    ]


@pytest.mark.parametrize("query", ["plain", "np", "kw"])
def test_the_sample_is_scored_with_its_own_documents(sample, query):
    chosen, resources = metric("sera", query=query), StudyResources(sample)
    topic = next(iter(sample.texts.load()))
    prepared = chosen.prepare(topic, resources)
    scores = chosen.score(prepared)
    assert scores.values.shape == (len(topic.summaries), 2)
    assert scores.stats.shape == (len(topic.summaries), len(topic.references), 2)
    assert ((scores.values >= 0) & (scores.values <= 1)).all()
    assert len({*scores.values[:, 0]}) > 1
    for system in range(len(topic.summaries)):
        trees = chosen.explain(prepared, system)
        assert tuple(trees) == chosen.measures()
        values = [tree.evaluate() for tree in trees.values()]
        assert values == pytest.approx(scores.values[system].tolist())


def test_a_summary_that_copies_a_reference_finds_what_it_finds(study):
    resources, topic = StudyResources(study), next(iter(study.texts.load()))
    copied = Text("c", "copy", topic.references[1].content)
    chosen = metric("sera", cutoff=1)
    scores = chosen.score(chosen.prepare(replace(topic, summaries=(copied,)), resources))
    assert scores.stats[0, 1].tolist() == [1.0, 1.0]


def test_any_set_of_references_is_had_from_the_statistics(sample):
    sera, topic = metric("sera", query="kw"), next(iter(sample.texts.load()))
    scores = sera.score(sera.prepare(topic, StudyResources(sample)))
    chosen = np.array([True, False] * 4)[: len(topic.references)]
    assert np.allclose(sera.combine(scores.stats, chosen), scores.stats[:, chosen].mean(axis=1))
    assert np.isnan(sera.combine(scores.stats, ~np.ones_like(chosen))).all()


def test_texts_that_find_nothing_are_noted(study):
    topic = next(iter(study.texts.load()))
    lost = replace(topic, summaries=(Text("n", "numbers", "1 2 3"), *topic.summaries))
    chosen = metric("sera")
    scores = chosen.score(chosen.prepare(lost, StudyResources(study)))
    assert scores.values[0].tolist() == [0.0, 0.0]
    assert scores.notes["found_nothing"] >= 1


@pytest.mark.parametrize(
    ("cutoff", "noted"), [(1, "small_index"), (2, "cutoff_exceeds_index"), (5, "cutoff_exceeds_index")]
)
def test_an_index_too_small_to_rank_is_noted(study, cutoff, noted):
    chosen, topic = metric("sera", cutoff=cutoff), next(iter(study.texts.load()))
    notes = chosen.score(chosen.prepare(topic, StudyResources(study))).notes  # an index of two documents
    assert {note: notes.get(note, 0) for note in ("small_index", "cutoff_exceeds_index")} == {
        "small_index": 0,
        "cutoff_exceeds_index": 0,
        noted: 1,
    }


class OneIndex(StudyResources):
    """Resources with an index of made texts."""

    def __init__(self, texts):
        super().__init__()
        self.made = index_of(texts)

    def index(self, name, analysis):
        return self.made


@pytest.mark.parametrize(("documents", "is_small"), [(39, True), (40, False)])
def test_an_index_of_twenty_times_the_cut_off_is_large_enough(study, documents, is_small):
    resources, topic = OneIndex([f"court {at}" for at in range(documents)]), next(iter(study.texts.load()))
    chosen = metric("sera", cutoff=2, index="made")
    notes = chosen.score(chosen.prepare(topic, resources)).notes
    assert ("small_index" in notes) is is_small
    assert "cutoff_exceeds_index" not in notes


def test_documents_that_tie_because_lengths_are_rounded_are_noted(study):
    topic = replace(next(iter(study.texts.load())), references=(Text("r", "r", "court"),))
    topic = replace(topic, summaries=(Text("s", "s", "court"), Text("t", "t", "storm")))
    # 48 and 49 words have one length in Lucene 7; the third document is longer and does not tie
    resources = OneIndex(
        ["court" + " x" * 47, "court" + " x" * 48, "court" + " x" * 200, "storm"] + ["y"] * 50
    )
    for norms, cutoff, tied in (("lucene7", 1, 2), ("lucene7", 2, 2), ("exact", 1, 0)):
        chosen = metric("sera", cutoff=cutoff, norms=norms, index="made")
        prepared = chosen.prepare(topic, resources)
        assert chosen.score(prepared).notes.get("tied_documents", 0) == tied
        assert [len(one.hits) for one in prepared.summaries] == [cutoff, 1]


def test_the_signature_names_the_documents_and_how_their_words_are_made(study):
    signature = metric("sera").signature(StudyResources(study))
    assert "|index:documents|stemmer:porter|stop_words:yes|mu:2000.0|norms:lucene7|" in signature
    assert "|analysis:porter-without-stop-words|corpus:2-documents-" in signature
    assert "phrases" not in signature
    assert "rarity" not in signature
    assert "|phrases:rules|" in metric("sera", query="np", phrases="rules").signature(StudyResources(study))
    assert parse(signature) == metric("sera")


def test_measures_are_named_as_in_the_paper():
    assert metric("sera").measures() == ("sera-5.score", "sera-dis-5.score")
    assert metric("sera", query="np", cutoff=10).measures() == ("sera-np-10.score", "sera-dis-np-10.score")


def test_noun_phrases_by_rules_are_marked_as_a_stand_in():
    rough = parse("sera:query=np,phrases=rules")
    signature = rough.signature(StudyResources(None))
    config = MetricConfig(signature, "sera", "overlap", "sera:query=np,phrases=rules", rough.measures())
    assert stand_in_of(config) == "stand-in: approximate English rules for a noun phrase parser"
    assert not parse("sera:query=kw").substitutes()


def test_scores_are_stale_once_there_are_other_documents(study):
    config = ScoringConfig(metric("sera"))
    score_all(study, config)
    assert plan(study, [config], StudyResources(study)).runs[0].up_to_date == 2
    study.import_data(
        ImportContent("more", topics=(NewTopic("D3", documents={"D3-1": NewText("A storm.")}),))
    )
    assert plan(study, [config], StudyResources(study)).runs[0].up_to_date == 0
    named = {one for ref in measures(study) for changes in ref.staleness.changes.values() for one in changes}
    assert named == {ChangedInput("search index", is_shared=True)}


def test_a_study_without_documents_is_left_out(tmp_path):
    bare = NewTopic("D1", references={"A": NewText("One.")}, summaries={"s": NewText("Two.")})
    with new_study(tmp_path / "bare.pyramidion", name="Bare") as opened:
        opened.import_data(ImportContent("bare", topics=(bare,)))
        planned = plan(opened, [ScoringConfig(metric("sera"))], StudyResources(opened)).runs[0]
    assert planned.left_out == {"no documents to search in": 1}


def test_an_index_that_is_not_there_is_refused_with_the_remedy():
    assert "pyramidion index build" in metric("sera", index="nowhere").unavailable(StudyResources())


def test_a_cut_off_of_nothing_is_refused():
    with pytest.raises(BadSetting):
        metric("sera", cutoff=0)
