"""Ctrl+C: the verb ends at once and says truly what is left of its work."""

from __future__ import annotations

import pytest

from cli.errors import DONE, INTERRUPTED
from core.progress import Progress
from storage.formats import import_registry
from storage.study_file import open_study


def stopped(*before):
    """Steps that do some work and are then stopped, in the place of a verb's own."""

    def steps(*arguments, **options):
        yield Progress(0, 0)
        for work in before:
            work(*arguments)
        raise KeyboardInterrupt

    return steps


def import_whole(study, request):
    study.import_data(import_registry.read(request.path, request.format.name, request.options))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("topic,system,text\nT1,s,A summary.\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("work", "message", "topics"),
    [
        ((), "Interrupted. Nothing was written.", 0),
        ((import_whole,), "Too late to interrupt: everything was imported.", 1),
    ],
    ids=["while it reads", "while it writes"],
)
def test_a_stopped_import_states_whether_it_was_written(
    work, message, topics, run, table, tmp_path, monkeypatch
):
    study = tmp_path / "s.pyramidion"
    run("new", study)
    monkeypatch.setattr(import_registry, "import_steps", stopped(*work))
    assert run("import", study, table) == (INTERRUPTED, "", f"{message}\n")
    with open_study(study) as opened:
        assert len(opened.texts.topics()) == topics


def test_a_stopped_sample_is_no_sample(run, tmp_path, monkeypatch):
    study = tmp_path / "s.pyramidion"
    with monkeypatch.context() as patched:
        patched.setattr("storage.sample_study._annotate", _interrupt)
        assert run("new", study, "--sample") == (INTERRUPTED, "", "Interrupted. No study was created.\n")
    assert list(tmp_path.iterdir()) == []
    assert run("new", study)[0] == DONE


@pytest.mark.parametrize(
    ("verb", "steps", "message"),
    [
        (("export", "--output"), "storage.formats.export_registry.export_steps", "Nothing was written."),
        (("report", "--output"), "core.report.build.build_report", "No report was written."),
    ],
)
def test_what_was_to_be_written_is_not_there(verb, steps, message, run, scored, tmp_path, monkeypatch):
    name, option = verb
    monkeypatch.setattr(steps, stopped())
    assert run(name, scored, option, tmp_path / "out") == (INTERRUPTED, "", f"Interrupted. {message}\n")
    assert list(tmp_path.iterdir()) == []


def _interrupt(*arguments):
    raise KeyboardInterrupt
