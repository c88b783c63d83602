"""Test sets of mt-metrics-eval: what comes in, what is refused, and what is written."""

from __future__ import annotations

import shutil

import pytest

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.formats.export_registry import export_steps, find
from storage.formats.memory import VARIABLE
from storage.study_file import new_study

FILES = {
    "documents/en-de.docs": "news d1\nnews d1\nchat d2\n",
    "sources/en-de.txt": "One.\nTwo.\nThree.\n",
    "references/en-de.refA.txt": "Eins.\nZwei.\nDrei.\n",
    "references/en-de.refB.txt": "Ein.\n[No translation supplied]\nDreie.\n",
    "system-outputs/en-de/online-A.txt": "eins\nzwei\ndrei\n",
    "system-outputs/en-de/refB.txt": "Ein.\n\nDreie.\n",
    "human-scores/en-de.mqm.seg.score": "online-A\t-1\nonline-A\tNone\nonline-A -25.5\n",
    "human-scores/en-de.mqm.sys.score": "online-A\t-2\n",
    "human-scores/en-de.wmt.sys.score": "online-A\t0.3\n",
    "human-scores/en-de.mqm.rater1.seg.rating": "online-A\tNone\n",
    "metric-scores/en-de/BLEU-refA.seg.score": "online-A 0.1\nonline-A 0.2\nonline-A 0.3\n",
    "metric-scores/en-de/BLEU-refB.seg.score": "online-A 0.4\nonline-A 0.5\nonline-A 0.6\n",
    "metric-scores/en-de/COMET-QE-src.seg.score": "online-A 1\nonline-A 2\nonline-A 3\n",
}


@pytest.fixture
def folder(tmp_path):
    """Lay out a test set, with some files exchanged or removed (None)."""

    def lay_out(**changes):
        place = tmp_path / "wmt"
        shutil.rmtree(place, ignore_errors=True)
        for name, content in {**FILES, **changes}.items():
            if content is not None:
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return place

    return lay_out


@pytest.fixture
def made(tmp_path):
    opened = []

    def make(incoming):
        study = new_study(tmp_path / f"{len(opened)}.pyramidion")
        opened.append(study)
        study.import_data(incoming)
        return study

    yield make
    for study in opened:
        study.close()


def test_segments_become_topics_with_texts_ratings_and_scores(folder, made):
    path = folder()
    assert import_registry.detect(path).name == "mt-metrics-eval"
    incoming = import_registry.read(path)
    assert [(topic.name, topic.set) for topic in incoming.topics] == [
        ("d1:1", "news"), ("d1:2", "news"), ("d2", "chat")
    ]  # fmt: skip
    assert {author: text.content for author, text in incoming.topics[1].references.items()} == {
        "refA": "Zwei."
    }
    assert incoming.topics[2].documents["source"].content == "Three."
    assert incoming.systems == {"online-A": SystemKind.AUTOMATIC, "refB": SystemKind.HUMAN}
    assert [(r.topic, r.dimension, r.value) for r in incoming.ratings] == [
        ("d1:1", "mqm", -1),
        ("d2", "mqm", -25.5),
    ]
    assert incoming.dimensions == {"mqm": (-25.5, -1)}
    found = {(s.measure, s.topic): s.value for s in incoming.scores}
    assert found["BLEU-refA", "d1:1"] == 0.1
    assert found["BLEU-refB", "d2"] == 0.6
    assert found["COMET-QE", "d1:2"] == 2, "the references are left out where one variant exists"
    notices = " ".join(map(str, incoming.notices))
    assert "en-de.wmt.sys.score" in notices
    assert "en-de.mqm.sys.score" not in notices, "its numbers are there by segment"
    assert "en-de.mqm.rater1.seg.rating" in notices
    made(incoming)


def test_several_pairs_are_sets_of_topics(folder):
    path = folder(**{"system-outputs/zh-en/X.txt": "a\nb\n", "sources/zh-en.txt": "1\n2\n"})
    incoming = import_registry.read(path)
    assert [(topic.name, topic.set) for topic in incoming.topics if "zh" in topic.name] == [
        ("zh-en/segment-1", ""), ("zh-en/segment-2", "")
    ]  # fmt: skip
    assert incoming.topics[0].name == "en-de/d1:1"
    assert incoming.topics[0].set == "en-de"


def test_texts_may_be_json_lines_and_documents_of_one_segment_have_scores_by_document(folder):
    docs = {"documents/en-de.docs": "all a\nall b\nall c\n"}
    json_lines = '{"hypothesis": "ei\\nns"}\n{"hypothesis": null}\n{"hypothesis": "drei"}\n'
    outputs = {"system-outputs/en-de/online-A.txt": None, "system-outputs/en-de/online-A.jsonl": json_lines}
    scores = {"human-scores/en-de.esa.doc.score": "online-A 1\nonline-A 2\nonline-A 3\n"}
    incoming = import_registry.read(folder(**docs, **outputs, **scores))
    contents = [topic.summaries.get("online-A") for topic in incoming.topics]
    assert [text and text.content for text in contents] == ["ei\nns", None, "drei"]
    assert [r.value for r in incoming.ratings if r.dimension == "esa"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("changes", "place", "sentence"),
    [
        ({"sources/en-de.txt": "a\n"}, "wmt/sources/en-de.txt", "1 lines, but there are 3 segments"),
        ({"documents/en-de.docs": "d1\n"}, "wmt/documents/en-de.docs, line 1", "Not a domain and the name"),
        (
            {"metric-scores/en-de/X-src.seg.score": "who 1\n"},
            "wmt/metric-scores/en-de/X-src.seg.score, line 1",
            "no outputs of a system 'who'",
        ),
        (
            {"metric-scores/en-de/X-src.seg.score": "online-A 1\n"},
            "wmt/metric-scores/en-de/X-src.seg.score",
            "1 lines, but there are 3 segments, for online-A",
        ),
        (
            {"metric-scores/en-de/X-src.seg.score": "online-A nan\n" * 3},
            "wmt/metric-scores/en-de/X-src.seg.score, line 1, online-A",
            "'nan' is not a number",
        ),
        (
            {"metric-scores/en-de/X-src.seg.score": "a b 1\n"},
            "wmt/metric-scores/en-de/X-src.seg.score, line 1",
            "Not a system and a number",
        ),
        (
            {"system-outputs/en-de/online-A.txt": b"\xff\nb\nc\n"},
            "wmt/system-outputs/en-de/online-A.txt, line 1",
            "is not UTF-8",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_its_line(folder, changes, place, sentence):
    with pytest.raises(BadImport) as bad:
        import_registry.read(folder(**changes))
    assert any(str(p).startswith(f"{place}: ") and sentence in str(p) for p in bad.value.problems), bad.value


def test_a_link_that_leaves_the_folder_and_another_folder_are_refused(folder, tmp_path):
    (tmp_path / "secret").write_text("a\nb\nc\n")
    path = folder(**{"system-outputs/en-de/online-A.txt": None})
    (path / "system-outputs/en-de/online-A.txt").symlink_to(tmp_path / "secret")
    with pytest.raises(BadImport, match="outside the folder"):
        import_registry.read(path)
    with pytest.raises(InputError, match="has no system-outputs"):
        import_registry.read(tmp_path, "mt-metrics-eval")


def test_an_endless_list_of_documents_is_refused_before_it_fills_the_memory(folder, monkeypatch):
    monkeypatch.setenv(VARIABLE, "0.001")
    with pytest.raises(InputError, match=VARIABLE):
        import_registry.read(folder(**{"documents/en-de.docs": "a b\n" * 10_000}))


def written(study, out):
    run_to_completion(export_steps(study, find("metrics", "mt-metrics-eval"), out))
    return {file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file()}


ODD = ImportContent(
    "odd",
    topics=[
        NewTopic(
            "a 1",
            references={"ref-00": NewText("R1."), "all": NewText("R2.")},
            documents={"d": NewText("D.")},
            summaries={".a/b": NewText("One.\nTwo."), "s 2": NewText("[No translation supplied]")},
        ),
        NewTopic("t2", set="up date", references={"ref-00": NewText("R.")}, summaries={".a/b": NewText("")}),
    ],
    annotators={"KO": ""},
    dimensions={"tone": (1, 5)},
    ratings=[NewRating("a 1", "s 2", "tone", "KO", 2)],
    scores=[NewScore("a 1", ".a/b", "half.f", 0.5)],
)


def test_odd_names_and_texts_and_gaps_come_back(made, tmp_path):
    study = made(ODD)
    out = tmp_path / "set"
    names = written(study, out)
    assert "references/und-und.ref%2D00.jsonl" in names
    assert "references/und-und.%61ll.jsonl" in names
    assert "system-outputs/und-und/%2Ea%2Fb.jsonl" in names
    assert (out / "documents/und-und.docs").read_text() == "all a%201\nup%20date t2\n"
    scores = (out / "human-scores/und-und.rating.tone.seg.score").read_text()
    assert scores == "%2Ea%2Fb\tNone\n%2Ea%2Fb\tNone\ns%202\t2.0\ns%202\tNone\n"
    assert (out / "human-scores/und-und.rating.tone.sys.score").read_text() == "%2Ea%2Fb\tNone\ns%202\t2.0\n"
    assert not any(name.startswith("metric-scores/") for name in names)
    assert "Left out, because a summary has no score: half.f." in (out / "README.md").read_text()
    back = import_registry.read(out)
    texts = {
        topic.name: [{name: text.content for name, text in texts.items()} for texts in
                     (topic.references, topic.summaries)]
        for topic in back.topics
    }  # fmt: skip
    assert texts == {
        "a 1": [{"all": "R2.", "ref-00": "R1."}, {".a/b": "One.\nTwo.", "s 2": "[No translation supplied]"}],
        "t2": [{"ref-00": "R."}, {".a/b": ""}],
    }
    assert [topic.set for topic in back.topics] == ["", "up date"]
    assert [(r.topic, r.system, r.dimension, r.value) for r in back.ratings] == [("a 1", "s 2", "tone", 2)]


def test_complete_scores_are_written_by_segment_and_system_and_come_back(made, tmp_path):
    summaries = {name: NewText(f"By {name}.") for name in "AB"}
    scores = [NewScore(t, s, "m-1.f", v) for t, s, v in
              (("t1", "A", 0.1 + 0.2), ("t1", "B", 1e-300), ("t2", "A", -2.0), ("t2", "B", 3.0))]  # fmt: skip
    topics = [NewTopic(name, references={"X": NewText("R.")}, summaries=summaries) for name in ("t1", "t2")]
    study = made(ImportContent("full", topics=topics, scores=scores))
    out = tmp_path / "set"
    written(study, out)
    assert (out / "metric-scores/und-und/m-1.f-all.seg.score").read_text() == (
        "A\t0.30000000000000004\nA\t-2.0\nB\t1e-300\nB\t3.0\n"
    )
    assert (out / "metric-scores/und-und/m-1.f-all.sys.score").read_text() == "A\t-0.85\nB\t1.5\n"
    assert (out / "system-outputs/und-und/A.txt").read_text() == "By A.\nBy A.\n"
    back = import_registry.read(out)
    assert sorted(back.scores, key=str) == sorted(scores, key=str)
    counts = study.import_data(back, dry_run=True)
    assert counts.different == ()
    assert counts.equal["summaries"] == 4


def test_another_test_set_in_the_folder_is_not_mixed_with(made, tmp_path):
    one, two = (
        made(ImportContent("one", topics=[NewTopic("t", summaries={name: NewText("x")})])) for name in "ab"
    )
    names = written(one, tmp_path / "set")
    with pytest.raises(InputError, match=r"already contains documents, sources.*Choose an empty folder"):
        written(two, tmp_path / "set")
    there = {file.relative_to(tmp_path / "set").as_posix() for file in (tmp_path / "set").rglob("*.*")}
    assert there == names
    (tmp_path / "other").mkdir()
    (tmp_path / "other/notes.txt").write_text("Mine.")
    assert "system-outputs/und-und/b.txt" in written(two, tmp_path / "other")


def test_names_that_differ_only_in_case_are_refused_and_nothing_is_written(made, tmp_path):
    summaries = {name: NewText("x") for name in ("Ab", "aB")}
    study = made(ImportContent("case", topics=[NewTopic("t", summaries=summaries)]))
    with pytest.raises(InputError, match="differs only in case"):
        written(study, tmp_path / "set")
    assert not (tmp_path / "set").exists()
    with pytest.raises(InputError, match="no summaries yet"):
        written(
            made(ImportContent("none", topics=[NewTopic("t", references={"A": NewText("x")})])),
            tmp_path / "s",
        )


def test_names_that_are_no_file_names_elsewhere_come_back(made, tmp_path):
    summaries = {name: NewText(f"By {name}.") for name in ("CON", "-rf", "console")}
    names = written(made(ImportContent("odd", topics=[NewTopic("t", summaries=summaries)])), tmp_path / "set")
    folder = "system-outputs/und-und"
    assert {name for name in names if name.startswith(folder)} == {
        f"{folder}/%43ON.txt",
        f"{folder}/%2Drf.txt",
        f"{folder}/console.txt",
    }
    (topic,) = import_registry.read(tmp_path / "set").topics
    assert set(topic.summaries) == set(summaries)


def test_a_name_too_long_for_a_file_is_refused_and_nothing_is_written(made, tmp_path):
    study = made(ImportContent("long", topics=[NewTopic("t", summaries={"a" * 300: NewText("x")})]))
    with pytest.raises(InputError, match="too long for a file of a test set"):
        written(study, tmp_path / "set")
    assert not (tmp_path / "set").exists()
