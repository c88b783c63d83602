"""Published human ratings: texts and values of small files of the same shape."""

from __future__ import annotations

import json

import pytest

from core.domain.study import SystemKind
from core.errors import BadImport
from storage.formats import import_registry
from storage.study_file import new_study

FRANK = {
    "hash": "h1",
    "model_name": "bart",
    "article": "A cat sat. It slept.",
    "summary": "A cat sat.  A dog slept.",
    "reference": "A cat slept.",
    "split": "valid",
    "summary_sentences": ["A cat sat.", "A dog slept."],
    "summary_sentences_annotations": [
        {"annotator_0": ["NoE"], "annotator_1": ["NoE"], "annotator_2": ["GramE"]},
        {"annotator_0": ["EntE", "OutE"], "annotator_1": ["NoE"], "annotator_2": ["EntE"]},
    ],
}
QAGS = {
    "article": "A cat sat.",
    "summary_sentences": [
        {
            "sentence": "A cat.",
            "responses": [{"worker_id": 7 + at, "response": given} for at, given in enumerate(answers)],
        }
        for answers in (("yes", "yes", "no"), ("no", "no", "yes"), ("yes", "yes", "yes"))
    ],
}
DIALOGUE = {
    "id": "13",
    "dialogue": "| Ann: Hi! | Bob: Hello.",
    "summary": "Ann greets Bob.",
    "annotations": [{"consistency": 5, "relevance": 4, "fluency": 3, "coherence": 2}] * 3,
    "model_id": "A",
}
NEWSROOM = (
    "Article ID,System,ArticleText,SystemSummary,ArticleTitle,coherence_rating,FluencyRating,"
    "InformativenessRating,RelevanceRating\n"
    + "1,lede3,A &amp; B met.</p><p>They left.,A &amp; B.,Title,5,4,3,2\n"
    + "1,lede3,A &amp; B met.</p><p>They left.,A &amp; B.,Title,1,2,3,4\n"
)


@pytest.fixture
def read(tmp_path):
    def read_file(name, content, format_name):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        assert import_registry.detect(path).name == format_name
        return import_registry.read(path)

    return read_file


def values(incoming, dimension):
    return {r.annotator: r.value for r in incoming.ratings if r.dimension == dimension}


def test_frank_errors_become_marked_sentences_of_each_annotator(read, tmp_path):
    incoming = read("human_annotations_sentence.json", [FRANK], "frank")
    (topic,) = incoming.topics
    assert (topic.set, topic.documents["article"].content) == ("valid", FRANK["article"])
    assert topic.summaries["bart"].sentence_spans == ((0, 10), (12, 24))
    spans = {r.annotator: r.spans for r in incoming.ratings}
    assert spans == {
        "annotator_0": ((12, 24, 2), (12, 24, 6)),
        "annotator_1": (),
        "annotator_2": ((0, 10, 7), (12, 24, 2)),
    }
    with new_study(tmp_path / "a.pyramidion") as study:
        study.import_data(incoming)
        cube = study.ratings.cube("factual errors")
    assert dict(zip(cube.annotators, cube.values[:, 0, 0].tolist(), strict=True)) == {
        "annotator_0": 0.5,
        "annotator_1": 1.0,
        "annotator_2": 0.0,
    }


def test_franks_folder_joins_texts_and_the_authors_values(tmp_path):
    texts = {key: FRANK[key] for key in ("hash", "model_name", "article", "summary", "reference", "split")}
    summaries = {"hash": "h1", "model_name": "bart", "Factuality": 0.5, "RelE": 1.0, "split": "valid"}
    (tmp_path / "benchmark_data.json").write_text(json.dumps([texts]), "utf-8")
    (tmp_path / "human_annotations.json").write_text(json.dumps([summaries]), "utf-8")
    assert import_registry.detect(tmp_path).name == "frank"
    incoming = import_registry.read(tmp_path)
    assert list(incoming.topics[0].summaries) == ["bart"]
    assert values(incoming, "factuality") == {"FRANK": 0.5}


def test_frank_sentences_that_are_not_in_the_summary_replace_it_and_are_reported(read):
    incoming = read("human_annotations_sentence.json", [FRANK | {"summary": "Else."}], "frank")
    assert incoming.topics[0].summaries["bart"].content == "A cat sat.\nA dog slept."
    assert "are not parts of the summary" in str(incoming.notices[0])


def test_qags_has_shares_of_workers_and_of_the_majority(read):
    incoming = read("mturk_xsum.jsonl", QAGS, "qags")
    assert list(incoming.systems) == ["bart"]
    assert values(incoming, "factual consistency") == pytest.approx(
        {"worker-7": 2 / 3, "worker-8": 2 / 3, "worker-9": 2 / 3, "majority": 2 / 3}
    )
    assert incoming.topics[0].summaries["bart"].content == "A cat.\nA cat.\nA cat."


def test_dialsummevals_first_system_is_the_reference(read):
    other = DIALOGUE | {"model_id": "F", "summary": "Hi."}
    incoming = read("h.jsonl", f"{json.dumps(DIALOGUE)}\n{json.dumps(other)}\n", "dialsummeval")
    (topic,) = incoming.topics
    assert topic.documents["dialogue"].content == "Ann: Hi!\nBob: Hello."
    assert topic.references["gold"] == topic.summaries["gold"]
    assert incoming.systems == {"gold": SystemKind.HUMAN, "bart": SystemKind.AUTOMATIC}
    assert len(incoming.ratings) == 2 * 3 * 4


def test_newsrooms_headings_vary_and_its_raters_are_numbered(read):
    incoming = read("n.csv", NEWSROOM, "newsroom")
    (topic,) = incoming.topics
    assert (topic.title, topic.documents["article"].content) == ("Title", "A & B met.\nThey left.")
    assert topic.summaries["lede3"].content == "A & B."
    assert values(incoming, "coherence") == {"rater-1": 5, "rater-2": 1}


ANNOTATED = "summary_sentences_annotations"
UNSURE = [{"sentence": "A.", "responses": [{"worker_id": 1, "response": "maybe"}]}]


@pytest.mark.parametrize(
    ("name", "row", "field", "sentence"),
    [
        (
            "human_annotations_sentence.json",
            FRANK | {ANNOTATED: []},
            ANNOTATED,
            "0 elements, but `summary_sentences` has 2",
        ),
        (
            "human_annotations_sentence.json",
            FRANK | {ANNOTATED: [{"a": ["X\x1b"]}, {}]},
            f"{ANNOTATED}[0].a",
            "is unknown. Write one of: NoE, RelE",
        ),
        ("human_annotations_sentence.json", 7, "", "instead of an object"),
        ("human_annotations_sentence.json", FRANK | {"hash": "\ud800"}, "hash", "unpaired surrogate"),
        (
            "human_annotations.json",
            {"hash": "h", "model_name": "m", "Factuality": 2},
            "Factuality",
            "outside the range 0 to 1",
        ),
        (
            "q.json",
            QAGS | {"summary_sentences": UNSURE},
            "summary_sentences[0].responses[0].response",
            "'maybe' is unknown. Write one of: yes, no",
        ),
        (
            "d.json",
            DIALOGUE | {"annotations": [{"consistency": 6}]},
            "annotations[0].consistency",
            "outside the range 1 to 5",
        ),
    ],
)
def test_a_bad_row_is_reported_with_its_field(tmp_path, name, row, field, sentence):
    path = tmp_path / name
    path.write_text(json.dumps([row]), "utf-8")
    with pytest.raises(BadImport) as bad:
        import_registry.read(path)
    assert (bad.value.problems[0].place, bad.value.problems[0].field) == ("row 1", field)
    assert sentence in str(bad.value)


def test_a_json_array_may_have_bad_rows_that_are_skipped(tmp_path):
    path = tmp_path / "d.json"
    path.write_text(json.dumps([DIALOGUE, {"id": 7, "model_id": ""}]), "utf-8")
    incoming = import_registry.read(path, "", {"skip": "yes"})
    assert [problem.place for problem in incoming.skipped] == ["row 2"]
