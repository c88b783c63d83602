"""Comments: stored, undone, merged, exported, listed."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

from cli.main import main
from core.domain.annotation_pack import parse_pack
from core.domain.comments import MAX_CHARS, CommentSubject, threads
from core.errors import InputError
from storage.study_file import check, open_study


@pytest.fixture
def ann(study):
    return study.annotators.get_or_create("Ann").id


@pytest.fixture
def ben(study):
    return study.annotators.get_or_create("Ben").id


@pytest.fixture
def subject(study):
    topic = study.texts.topic(study.texts.topics()[0].id)
    return CommentSubject(topic.id, topic.summaries[0].id)


def texts(study):
    return [(one.text, one.resolves) for one in study.comments.all()]


def test_a_thread_is_open_until_it_is_resolved_and_opens_again(study, subject, ann, ben):
    study.comments.add(subject, ann, "  Why? ").result()
    study.comments.add(subject, ben, "", resolves=True).result()
    (thread,) = threads(study.comments.all())
    assert not thread.is_open
    study.comments.add(subject, ann, "Still?").result()
    (thread,) = threads(study.comments.all())
    assert thread.is_open
    assert [one.text for one in thread.comments] == ["Why?", "", "Still?"]
    assert study.edits.history()[0].what == "Comment “Still?”"
    study.edits.undo(ann).result()
    assert texts(study) == [("Why?", False), ("", True)]


def test_only_the_author_removes_a_comment_and_can_undo_it(study, subject, ann, ben):
    study.comments.add(subject, ann, "Why?").result()
    (comment,) = study.comments.all()
    with pytest.raises(InputError, match="Only its author"):
        study.comments.remove(comment.id, ben).result()
    study.comments.remove(comment.id, ann).result()
    assert texts(study) == []
    study.edits.undo(ann).result()
    assert texts(study) == [("Why?", False)]


@pytest.mark.parametrize(("text", "message"), [(" ", "needs a text"), ("x" * (MAX_CHARS + 1), "at most")])
def test_empty_and_endless_comments_are_refused(study, subject, ann, text, message):
    with pytest.raises(InputError, match=message):
        study.comments.add(subject, ann, text).result()


def test_packs_carry_comments_once(study, subject, ann, ben, small_file, tmp_path):
    scale = study.ratings.add_dimension("quality")
    study.comments.add(subject, ann, "Why?").result()
    study.comments.add(CommentSubject(subject.topic_id, subject.summary_id, "", scale.id), ben, "5?").result()
    study.comments.add(CommentSubject(subject.topic_id), ben, "Ok", resolves=True).result()
    pack = parse_pack(study.annotation_pack().to_text(), "all.pack")
    with open_study(shutil.copyfile(small_file, tmp_path / "other.pyramidion")) as other:
        for _ in range(2):
            other.merge_annotations([("all.pack", pack)])
        assert texts(other) == texts(study)
        assert other.comments.all()[1].subject.scale_id == other.ratings.dimensions()[0].id
        path = other.path
    assert check(path) == []


def test_open_comments_and_flags_are_listed_and_exported(study, subject, ann, capsys, tmp_path):
    study.comments.add(subject, ann, "=HYPERLINK(1)").result()
    study.comments.add(CommentSubject(subject.topic_id), ann, "Ok", resolves=True).result()
    study.flush()
    assert main(["flags", str(study.path), "--json"]) == 0
    (item,) = json.loads(capsys.readouterr().out)["items"]
    assert (item["kind"], item["topic"], item["text"]) == ("comment", "D1", "=HYPERLINK(1)")
    assert main(["flags", str(study.path), "--all"]) == 0
    assert "Ok" in capsys.readouterr().out
    out = tmp_path / "c.csv"
    assert main(["export", str(study.path), "--what", "comments", "-o", str(out)]) == 0
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["resolves"] for row in rows] == ["", "yes"]
    assert rows[0]["text"].startswith("'\u2060=")
