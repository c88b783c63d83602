"""Bad rows are skipped only where that is asked for, and each is reported."""

from __future__ import annotations

import json

import pytest

from core.errors import BadImport, InputError
from core.progress import run_to_completion
from storage.formats import import_registry
from storage.study_file import new_study

SKIP = {"skip": "yes"}


@pytest.fixture
def target(tmp_path):
    with new_study(tmp_path / "new.pyramidion") as made:
        yield made


def table(tmp_path, *lines, name="rows.csv"):
    path = tmp_path / name
    path.write_bytes("\n".join(lines).encode() if isinstance(lines[0], str) else b"\n".join(lines))
    return path


ROWS = (
    "topic,system,text",
    "D1,lead,One.",
    ",lead,No topic.",
    'D1,other,"Two',
    'lines."',
    "D1,lead,Different.",
)


def test_bad_rows_are_refused_unless_requested(target, tmp_path):
    path = table(tmp_path, *ROWS)
    with pytest.raises(BadImport) as caught:
        run_to_completion(import_registry.import_steps(target, import_registry.import_request(path, "table")))
    assert [problem.place for problem in caught.value.problems] == ["line 3", "line 6"]
    assert target.texts.topics() == []


def test_the_good_rows_come_in_and_each_bad_one_is_reported(target, tmp_path):
    path = table(tmp_path, *ROWS)
    preview = run_to_completion(
        import_registry.preview_steps(target, import_registry.import_request(path, "table", SKIP))
    )
    assert len(preview.counts.skipped) == 2
    counts = run_to_completion(
        import_registry.import_steps(target, import_registry.import_request(path, "table", SKIP))
    )
    assert counts == preview.counts
    assert [(problem.place, problem.field) for problem in counts.skipped] == [
        ("line 3", "topic"),
        ("line 6", "summary of lead"),
    ]
    (topic,) = target.texts.load()
    assert {text.name: text.content for text in topic.summaries} == {"lead": "One.", "other": "Two\nlines."}


def test_a_record_of_several_lines_is_skipped_whole(target, tmp_path):
    lines = [b"topic,system,text", b'D1,lead,"Caf\xff', b'and more"', b"D1,other,Fine."]
    counts = run_to_completion(
        import_registry.import_steps(
            target, import_registry.import_request(table(tmp_path, *lines), "table", SKIP)
        )
    )
    assert [problem.place for problem in counts.skipped] == ["line 2"]
    (topic,) = target.texts.load()
    assert [text.name for text in topic.summaries] == ["other"]


def test_lines_of_jsonl_are_skipped(target, tmp_path):
    good = {"instance_id": "D1", "summarizer_id": "lead", "summarizer_type": "peer", "summary": "One."}
    lines = [json.dumps(good), "{broken", json.dumps(good | {"summarizer_id": 7, "summary": 8})]
    path = table(tmp_path, *lines, name="rows.jsonl")
    counts = run_to_completion(
        import_registry.import_steps(target, import_registry.import_request(path, "sacrerouge", SKIP))
    )
    assert [problem.place for problem in counts.skipped] == ["line 2", "line 3"]
    assert target.texts.topics()[0].summaries == 1


def test_ratings_that_do_not_fit_the_study_are_skipped_too(study, tmp_path):
    study.ratings.add_dimension("coherence")
    path = table(
        tmp_path,
        "topic,system,dimension,annotator,value",
        "D1,lead,coherence,Ann,4",
        "D1,nobody,coherence,Ann,4",
        "D2,lead,coherence,Ann,nine",
    )
    with pytest.raises(BadImport):
        run_to_completion(import_registry.import_steps(study, import_registry.import_request(path, "table")))
    counts = run_to_completion(
        import_registry.import_steps(study, import_registry.import_request(path, "table", SKIP))
    )
    assert counts.added == {"ratings": 1}
    assert [problem.place for problem in counts.skipped] == ["line 4", "topic D1, system nobody"]


def test_a_bad_header_is_no_bad_row(target, tmp_path):
    path = table(tmp_path, "subject,system,text", "D1,lead,One.")
    with pytest.raises(BadImport, match="The column topic is missing"):
        run_to_completion(
            import_registry.import_steps(target, import_registry.import_request(path, "table", SKIP))
        )


def test_a_file_without_a_good_row_is_refused(target, tmp_path):
    path = table(tmp_path, "topic,system,text", ",lead,One.", ",other,Two.")
    with pytest.raises(BadImport, match="There is nothing to import"):
        run_to_completion(
            import_registry.import_steps(target, import_registry.import_request(path, "table", SKIP))
        )


def test_formats_without_rows_say_so(target, tmp_path):
    (tmp_path / "summaries").mkdir()
    with pytest.raises(InputError, match="folders has no rows"):
        run_to_completion(
            import_registry.import_steps(target, import_registry.import_request(tmp_path, "folders", SKIP))
        )


class TestRowsThatRepeatOthers:
    """Equal rows are merged and counted; of two that differ, none wins."""

    HEAD = "topic,system,dimension,annotator,value\n"

    def test_equal_rows_are_merged_and_counted(self, tmp_path):
        path = tmp_path / "r.csv"
        path.write_text(self.HEAD + "a,m,fluency,Kim,3\n" * 3, encoding="utf-8")
        incoming = import_registry.read(path)
        assert [rating.value for rating in incoming.ratings] == [3]
        assert [notice.what for notice in incoming.notices] == ["Repeated exactly and merged: 2 ratings."]

    def test_differing_rows_are_refused_with_both_values_and_places(self, tmp_path):
        path = tmp_path / "r.csv"
        path.write_text(self.HEAD + "a,m,fluency,Kim,3\na,m,fluency,Lou,3\na,m,fluency,Kim,4\n", "utf-8")
        with pytest.raises(BadImport, match="a, m, fluency, Kim: 3 in line 2 and 4 in line 4") as refused:
            import_registry.read(path)
        assert len(refused.value.problems) == 1

    def test_both_of_them_are_skipped_with_the_bad_rows(self, tmp_path):
        path = tmp_path / "r.csv"
        path.write_text(self.HEAD + "a,m,fluency,Kim,3\na,m,fluency,Lou,3\na,m,fluency,Kim,4\n", "utf-8")
        incoming = import_registry.read(path, options={"skip": "yes"})
        assert [rating.annotator for rating in incoming.ratings] == ["Lou"]
        assert [problem.place for problem in incoming.skipped] == ["line 2", "line 4"]

    def test_texts_that_differ_are_shown_where_they_differ(self, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("topic,system,text\na,m,It rained today.\na,m,It rained again.\n", "utf-8")
        with pytest.raises(BadImport, match=r"11 on: “It rained today[.]” and “It rained again[.]”"):
            import_registry.read(path)
