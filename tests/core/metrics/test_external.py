"""Metrics of programs: what they read and write, their mistakes, and when they are allowed to run."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from cli.main import main
from core.comparison.explanations.explain_score import explain
from core.comparison.measures import matrices, measures
from core.errors import BadSetting
from core.files.allowed_names import NotAllowed, allowed_names
from core.metrics.external import ExternalMetric
from core.metrics.registry import parse
from core.progress import Cancelled, cancellable
from core.scoring.engine import parse_config, plan
from core.scoring.plan import RefusedRun
from core.scoring.study_resources import StudyResources
from tests.scoring import score_all

LENGTHS = """
    print(json.dumps({"id": row["id"], "score": len(row["summary"]), "texts": len(row["references"])}))
"""


@pytest.fixture(autouse=True)
def _nothing_allowed_by_others():
    yield
    allowed_names().__init__()


@pytest.fixture
def program(tmp_path):
    """Return a command that runs Python code with the variable `row` for each line that it reads."""

    def made(code: str) -> str:
        path = tmp_path / "program.py"
        body = textwrap.indent(textwrap.dedent(code), "    ")
        started = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
        path.write_text(
            f"import json, sys\n{started}\nfor line in sys.stdin:\n    row = json.loads(line)\n{body}\n",
            "utf-8",
        )
        return f"{sys.executable} -S {path}"

    return made


def made(command: str, **settings: object) -> ExternalMetric:
    metric = ExternalMetric(command=command, **settings)
    allowed_names().named_settings(metric)
    return metric


def values(study) -> dict[str, np.ndarray]:
    refs = measures(study)
    return {ref.label: found.values for ref, found in zip(refs, matrices(study, refs), strict=True)}


def test_it_reads_summaries_and_references_and_is_started_once_for_all_topics(study, program, tmp_path):
    metric = made(program(LENGTHS), label="size", measures_of="score+texts")
    score_all(study, metric.spec)
    found = values(study)
    lead, good, bad = (
        [len(t.content) for topic in study.texts.load() for t in topic.summaries if t.name == name]
        for name in ("lead", "good", "bad")
    )
    assert sorted(found["size.score"].tolist()) == sorted([lead, good, bad])
    assert (found["size.texts"] == 2).all()
    assert (tmp_path / "starts").read_text() == "x"


def test_values_of_single_references_are_pooled_here(study, program, tmp_path):
    code = """
    (reference,) = row["references"]
    print(json.dumps({"id": row["id"], "score": len(reference)}))
    """
    command = program(code)
    lengths = np.array([[len(r.content) for r in t.references] for t in study.texts.load()], float)
    score_all(study, made(command, pooling="mean").spec, made(command, pooling="max").spec)
    found = {label: each[0] for label, each in values(study).items()}
    assert np.array_equal(found["external[pooling:mean].score"], lengths.mean(axis=1))
    assert np.array_equal(found["external[pooling:max].score"], lengths.max(axis=1))
    ref = measures(study)[0]
    topic = study.texts.topics()[0].id
    tree = explain(study, ref, topic, "lead", StudyResources(study))
    assert [child.value for child in tree.children] == lengths[0].tolist()


def test_null_is_undefined_and_documents_are_passed_on(study, program):
    code = """
    value = None if "windy" in row["summary"] else len(row["documents"])
    print(json.dumps({"id": row["id"], "score": value}))
    """
    score_all(study, made(program(code), texts="documents").spec)
    (found,) = values(study).values()
    assert np.isnan(found).sum() == 1
    assert np.nansum(found) == 5


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('no')", "Line 1 of what the program wrote: it is no JSON"),
        ("print('{}')", 'it has no "id"'),
        ("print(json.dumps({'id': '99', 'score': 1}))", "'99' is no id that it was given"),
        ("print(json.dumps({'id': '0', 'score': 1}))", "it has the id 0 a second time"),
        ("print(json.dumps({'id': row['id']}))", 'it has no "score"'),
        ("print(json.dumps({'id': row['id'], 'score': 'x'}))", '"score" is neither a number nor null'),
        ("print(json.dumps({'id': row['id'], 'score': float('inf')}))", "is infinite"),
        ("pass", "wrote nothing on 6 of 6 summaries"),
        ("sys.exit('Out of tea.')", "status 1. It wrote: Out of tea."),
    ],
)
def test_its_mistakes_are_explained_and_other_metrics_go_on(study, program, code, message):
    report = score_all(study, made(program(code)).spec, "rouge-n:n=1")
    assert report.scored == 2
    assert message in next(iter(report.refusals.values()))


def test_it_is_stopped_after_its_time(study, program):
    report = score_all(study, made(program("import time; time.sleep(60)"), seconds=0.2).spec)
    assert "did not finish within 0.2 seconds" in next(iter(report.refusals.values()))


@pytest.mark.skipif(sys.platform == "win32", reason="process groups exist on POSIX only; no command")
def test_cancelling_ends_it_and_what_it_started(study, program, tmp_path):
    mark = tmp_path / "child"
    code = f"""
    import subprocess
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    open({str(mark)!r}, "w").write(str(child.pid)); child.wait()
    """
    metric, stop = made(program(code)), threading.Event()
    topic = study.texts.topic(study.texts.topics()[0].id)
    watcher = threading.Thread(target=lambda: (wait_for(mark), stop.set()))
    watcher.start()
    with cancellable(stop.is_set), pytest.raises(Cancelled):
        metric.prepare(topic, StudyResources(study))
    watcher.join()
    wait_until_gone(int(mark.read_text()))


def wait_for(path: Path) -> None:
    while not (path.exists() and path.read_text()):
        time.sleep(0.01)


def wait_until_gone(pid: int) -> None:
    """Return once a process has ended; it may wait for its new parent to collect it."""
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{pid}/stat").exists() and ") Z" in Path(f"/proc/{pid}/stat").read_text():
            return
        time.sleep(0.01)


class TestOnlyWhatTheUserNamesRuns:
    def test_a_study_alone_runs_nothing(self, study, program, tmp_path):
        command = program(LENGTHS)
        score_all(study, made(command).spec)
        allowed_names().__init__()  # as in another process, on somebody else's study
        (tmp_path / "starts").unlink()
        (ref,) = measures(study)
        resources = StudyResources(study)
        (entry,) = plan(study, [parse_config(ref.config.spec, resources)], resources).entries
        assert isinstance(entry, RefusedRun)
        assert command in entry.reason
        with pytest.raises(NotAllowed, match="is named only in the study"):
            explain(study, ref, study.texts.topics()[0].id, "lead", resources)
        assert not (tmp_path / "starts").exists()

    def test_naming_it_on_the_command_line_allows_it(self, small_file, program, tmp_path, capsys):
        path = tmp_path / "s.pyramidion"
        path.write_bytes(small_file.read_bytes())
        assert main(["score", str(path), "-m", f"external:command={program(LENGTHS)}"]) == 0
        assert "Scored 2 (metric, topic) pairs" in capsys.readouterr().err
        assert main(["score", str(path), "--plan"]) == 0
        assert "program.py" not in capsys.readouterr().out, "it is no default"


def test_the_signature_has_a_hash_of_the_program(study, program, tmp_path):
    command, resources = program(LENGTHS), StudyResources(study)
    before = made(command).signature(resources)
    program("pass")
    after = made(command).signature(StudyResources(study))
    assert before.partition("|program:")[0] == after.partition("|program:")[0]
    assert before != after
    assert parse(before) == made(command)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measures_of": "a+a"}, "a name twice"),
        ({"measures_of": "id"}, "'id' is no name"),
        ({"label": "a.b"}, "'a.b' is no name"),
        ({"texts": "documents", "pooling": "mean"}, "needs references"),
        ({"pooling": "max", "better": "lower"}, "conflicts"),
    ],
)
def test_settings_that_conflict_are_refused(settings, message):
    with pytest.raises(BadSetting, match=message):
        ExternalMetric(**settings)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "Name the program"),
        ("nosuchprogram x", "There is no program 'nosuchprogram'"),
        ("a 'b", "quotes"),
    ],
)
def test_a_program_that_cannot_start_is_refused_before_scoring(command, message):
    assert message in made(command).unavailable(StudyResources())
