"""Published files that mappings read: each is recognized, and its counts, sums and texts are right."""

from __future__ import annotations

from collections import Counter

import pytest

from core.errors import BadImport
from storage.formats import import_registry
from tests.fuzz.mapping_seeds import EXCERPTS, FOLDERS, STORY, A, B


@pytest.fixture
def read(tmp_path):
    """Read an excerpt by the format that is recognized; it is the one that the excerpt is called for."""

    def read_one(name):
        folder = tmp_path / "in"
        for file, content in EXCERPTS[name].items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes(content)
        path = folder if name in FOLDERS else folder / next(iter(EXCERPTS[name]))
        known = import_registry.detect(path)
        assert known is not None
        assert known.name == name.split()[0]
        return import_registry.read(path)

    return read_one


def ratings(content):
    return {(r.topic, r.system, r.dimension, r.annotator): r.value for r in content.ratings}


def texts(content, kind):
    return {(t.name, name): text.content for t in content.topics for name, text in getattr(t, kind).items()}


def spans(content):
    found = texts(content, "summaries")
    return {
        (r.annotator, kind): found[r.topic, r.system][start:end]
        for r in content.ratings
        for start, end, kind in r.spans
    }


def unused(content):
    return " ".join(n.what for n in content.notices if n.what.startswith("Not used"))


def test_hallucinated_spans_are_where_their_words_are(read):
    found = read("xsum-hallucinations")
    assert spans(found) == {("wid_0", 2): "bridge fell", ("wid_0", 1): "on Monday"}
    assert ratings(found)["1", "PtGen", "hallucinations", "wid_1"] == 1
    assert any("1 marked spans are not those of their words" in n.what for n in found.notices)


def test_factuality_of_xsum_is_yes_or_no_and_the_scores_have_compound_keys(read):
    found = read("xsum-hallucinations factuality")
    assert ratings(found) == {
        ("1", "PtGen", "factual", "wid_0"): 0,
        ("1", "PtGen", "factual", "wid_1"): 1,
        ("1", "BERTS2S", "factual", "wid_0"): 1,
    }
    scores = read("xsum-hallucinations scores").scores
    assert {(s.topic, s.system, s.measure): s.value for s in scores} == {
        ("1", "TranS2S", "rouge-1"): 0.5,
        ("1", "TranS2S", "rouge-2"): 0.25,
        ("1", "TranS2S", "bertscore"): 0.75,
        ("1", "TranS2S", "entailment"): 0.1,
    }


def test_sentences_of_tofueval_are_one_summary_with_its_errors(read):
    found = read("tofueval")
    assert texts(found, "summaries") == {("N-1: Bridges", "model_A"): f"{A}\n{B}"}
    assert ratings(found)["N-1: Bridges", "model_A", "factual consistency", "expert"] == 0.5
    assert [r.note for r in found.ratings] == ["It does not say so.", ""]
    assert spans(found) == {("expert", 3): B, ("expert", 7): B}
    assert unused(found) == "Not used: annotation_id."
    (topic,) = read("tofueval key points").topics
    assert topic.query == "Bridges"
    assert len(topic.references["key points"].sentence_spans) == 2


def test_other_texts_of_one_system_are_versions_of_it(read):
    found = read("aggrefact")
    assert texts(found, "summaries") == {("CLIFF-7", "BART"): A, ("CLIFF-7", "BART-2"): B}
    assert sorted(ratings(found).values()) == [0, 1]
    assert Counter(s.measure for s in found.scores) == {"DAE_score": 2, "DAE_label": 2}


def test_questions_of_squality_are_topics(read):
    (topic,) = read("squality").topics
    assert (topic.name, topic.query) == ("50-1", "What fell?")
    assert topic.documents["story"].content == f"{A}\n{B}"
    assert topic.references["writer-6"].content == A
    found = read("squality reviews")
    assert sum(ratings(found).values()) == (10 + 11 + 12) + (50 + 51 + 52)
    assert found.topics[0].name == "50-1"
    assert "questions.*.*.reviews.overall-rank" in unused(found)


def test_a_list_of_sentences_is_one_document(read):
    (topic,) = read("scitldr").topics
    assert {name: text.content for name, text in topic.documents.items()} == {"source": f"{A}\n{B}"}
    assert [text.content for text in topic.references.values()] == ["It fell.", "A bridge fell."]
    (topic,) = read("longeval").topics
    assert topic.summaries["longt5"].content == B
    assert topic.references["human"].content == A


def test_comparisons_have_their_texts_in_the_row(read):
    found = read("feedback")
    assert texts(found, "summaries") == {("t1", "sup4"): A, ("t1", "sup4-2"): B}
    assert [(p.annotator, p.best) for p in found.preferences] == [("w1", "sup4-2"), ("w3", "sup4")]
    assert unused(found) == "Not used: summaries.note, batch, split, extra."
    assert ratings(read("feedback axes")) == {
        ("t1", "ref", "overall", "w2"): 7,
        ("t1", "ref", "accuracy", "w2"): 6,
        ("t1", "ref", "coverage", "w2"): 5,
    }
    found = read("feedback pairs")
    assert {(p.plan, p.best) for p in found.preferences} == {
        ("overall", "text-davinci-002"),
        ("informative", ""),
    }
    assert texts(found, "documents") == {("a1", "article"): STORY}


def test_scales_are_those_that_the_file_describes(read):
    found = read("judge-bench")
    assert found.dimensions == {"Fluency": (1, 6), "Safe": (1, 2)}
    assert found.scale_texts["Safe"].anchors == ((1, "No"), (2, "Yes"))
    assert sorted(ratings(found).values()) == [2, 4, 5]
    assert texts(found, "summaries") == {("4", "system"): A}
    assert texts(found, "documents") == {("4", "input"): STORY}
    found = read("judge-bench pairs")
    assert [(p.plan, p.systems, p.best) for p in found.preferences] == [
        ("quality", ("model_a", "model_b"), "model_b")
    ]


def test_a_hit_may_have_several_summaries(read):
    found = read("mturk")
    assert texts(found, "summaries") == {("topic-1", "lead"): A, ("topic-1", "system-2"): B}
    assert ratings(found) == {
        ("topic-1", "lead", "coherence", "w1"): 3,
        ("topic-1", "system-2", "coherence", "w1"): 4,
    }
    notices = " ".join(notice.what for notice in found.notices)
    assert "1 rejected row" in notices
    assert "1 answers to reason are no numbers" in notices
    assert "Not used: HITId, Reward." in notices


def test_a_text_has_its_kind_in_its_row(read):
    (topic,) = read("tidy").topics
    assert (topic.documents["document"].content, topic.references["Kim"].content) == (STORY, A)
    assert topic.summaries["lead"].content == B


def test_lines_of_files_belong_together(read):
    found = read("lines")
    assert texts(found, "summaries") == {("line-1", "out"): A, ("line-2", "out"): B}
    assert texts(found, "references") == {("line-1", "ref"): A, ("line-2", "ref"): B}
    assert texts(found, "documents") == {("line-1", "source"): A, ("line-2", "source"): B}


def test_each_system_may_have_a_folder(read):
    found = read("system-folders")
    assert texts(found, "summaries") == {("t1", "lead"): STORY, ("t1", "tail"): STORY}
    assert texts(found, "references") == {("t1", "reference"): STORY}


def test_each_system_may_have_a_folder_of_one_file(read):
    assert texts(read("lines by folder"), "summaries") == {
        (topic, system): topic for topic in (A, B) for system in "AB"
    }


@pytest.mark.parametrize(
    ("name", "scores", "summary"),
    [
        ("lm-eval", {("3", "in", "rouge1"): 0.5, ("3", "in", "bleu"): 12.5}, B),
        ("helm", {("id1", "m1", "rouge_2"): 0.25}, B),
        ("ragas", {("sample-001", "gpt", "faithfulness"): 0.75}, B),
        ("deepeval", {("case1", "run", "Faithfulness"): 0.75}, A),
        ("g-eval", {("d1", "M1", "g-eval-coherence"): 4.0}, B),
    ],
)
def test_outputs_of_tools_for_evaluation_have_scores_by_metric(read, name, scores, summary):
    found = read(name)
    assert {(s.topic, s.system, s.measure): s.value for s in found.scores} == scores
    assert list(texts(found, "summaries").values()) == [summary]
    assert found.topics[0].references


def test_scores_of_a_whole_test_set_are_refused(tmp_path):
    path = tmp_path / "bleu.json"
    path.write_text('{"name": "BLEU", "score": 12.6, "signature": "nrefs:1", "version": "2.4.0"}', "utf-8")
    with pytest.raises(BadImport, match="one score for the whole test set"):
        import_registry.read(path)
