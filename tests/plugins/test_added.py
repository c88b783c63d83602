"""What other packages add: scored, listed, signed, imported and exported; broken ones are named."""

from __future__ import annotations

import json
import sys

import pytest

from cli.main import main
from core.comparison.measures import matrix, measures
from core.errors import BadImport, InputError, PluginFailed
from core.metrics import registry
from core.plugins import PluginGroup, describe
from core.progress import Cancelled, run_to_completion
from core.scoring.engine import parse_config, plan
from core.scoring.plan import RefusedRun
from core.scoring.study_resources import StudyResources
from core.scoring.tasks import Task, run_task
from storage.formats import export_registry, import_registry
from storage.formats.registry import PLUGINS as FORMATS
from tests.plugins import installed
from tests.scoring import score_all


@pytest.fixture
def sample():
    with installed("sample"):
        yield


@pytest.fixture
def broken():
    with installed("broken"):
        yield


class TestAMetric:
    def test_is_scored_by_its_definition(self, sample, study):
        score_all(study, "word-overlap")
        (ref,) = measures(study)
        found = matrix(study, ref)
        # A: {the, court, on} of 5 words; B: {the}
        assert found.values[found.systems.index("lead"), 0] == (3 / 5 + 1 / 5) / 2

    def test_has_its_package_in_the_signature_which_reproduces_it(self, sample, study):
        resources = StudyResources(study)
        config = parse_config("word-overlap:case=yes", resources)
        signature = config.signature(resources)
        assert signature == "word-overlap|case:yes|package:word-overlap 1.2|version:1"
        assert parse_config(signature, resources) == config
        with pytest.raises(InputError, match=r"package:word-overlap 1\.0, but here it is word-overlap 1\.2"):
            parse_config(signature.replace("1.2", "1.0"), resources)

    def test_is_unknown_once_it_is_uninstalled_and_its_scores_stay(self, study):
        with installed("sample"):
            score_all(study, "word-overlap")
        (ref,) = measures(study)
        assert (ref.label, ref.is_stale) == ("word-overlap.share", False)
        with pytest.raises(InputError, match="No metric is named 'word-overlap'"):
            registry.parse("word-overlap")

    def test_is_listed_and_scored_on_the_command_line_and_in_the_report(
        self, sample, small_file, tmp_path, capsys
    ):
        path = tmp_path / "s.pyramidion"
        path.write_bytes(small_file.read_bytes())
        assert main(["metrics", "--json"]) == 0
        row = next(row for row in json.loads(capsys.readouterr().out) if row["name"] == "word-overlap")
        assert (row["package"], row["measures"]) == ("word-overlap 1.2", ["word-overlap.share"])
        assert main(["score", str(path), "-m", "word-overlap", "--json"]) == 0
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        assert run["signature"].endswith("|package:word-overlap 1.2|version:1")
        assert main(["report", str(path), "-o", str(tmp_path / "r.html")]) == 0
        assert run["signature"] in (tmp_path / "r.html").read_text("utf-8").replace("<wbr>", "")

    def test_runs_in_other_processes_with_the_same_guard(self, broken, study):
        resources = StudyResources(study)
        (run,) = plan(study, [parse_config("nowork", resources)], resources).runs
        topic = study.texts.topic(run.topics[0])
        (result,) = run_task(Task.of(topic, [run]), resources)
        assert "nowork of the package broken-metrics 0.9 failed: ZeroDivisionError" in result.message


class TestABrokenPackage:
    def test_is_reported_and_leaves_the_others_alone(self, broken):
        assert registry.parse("rouge-n:n=2").measures()[0] == "rouge-2.recall"
        reasons = {plugin.name: plugin.error for plugin in registry.PLUGINS.plugins()}
        assert reasons["nowork"] == reasons["noshape"] == ""
        assert reasons["absent"].startswith("ModuleNotFoundError: No module named 'broken_metrics_absent'")
        assert "itself has a metric named 'rouge-n'" in reasons["clash"]
        assert "no subclass of pyramidion.plugins.Metric" in reasons["nometric"]
        assert "size of Undeclared is not declared by setting()" in reasons["undeclared"]

    def test_is_named_where_it_is_asked_for(self, broken):
        with pytest.raises(
            InputError, match=r"The metric absent of the package broken-metrics 0\.9 could not be"
        ):
            registry.parse("absent")
        with pytest.raises(InputError, match="The format worse of the package"):
            import_registry.find("worse")

    def test_does_not_stop_the_other_metrics_of_a_run(self, broken, study):
        report = score_all(study, "nowork", "rouge-n:n=1", "noshape")
        assert report.scored == 2
        messages = {failure.message for failure in report.failures}
        assert any("nowork of the package broken-metrics 0.9 failed: ZeroDiv" in one for one in messages)
        assert any("values have the shape (1,) instead of (3, 1)" in one for one in messages)

    def test_is_named_on_the_command_line(self, broken, capsys):
        assert main(["plugins"]) == 1
        streams = capsys.readouterr()
        assert "broken-metrics 0.9" in streams.out
        assert (
            "The metric clash of the package broken-metrics 0.9 could not be loaded: ValueError"
            in streams.err
        )
        assert "The format worse of the package" in streams.err
        assert main(["metrics", "--json"]) == 0

    def test_that_fails_while_planning_is_refused_with_its_name(self, broken, study, monkeypatch):
        kind = type(registry.parse("nowork"))
        monkeypatch.setattr(kind, "corpus_hash", guard_of(kind, lambda *_: {}["x"]))
        resources = StudyResources(study)
        (entry,) = plan(study, [parse_config("nowork", resources)], resources).entries
        assert isinstance(entry, RefusedRun)
        assert "broken-metrics 0.9 failed: KeyError" in entry.reason

    def test_cancelling_is_no_failure(self, broken):
        kind = type(registry.parse("nowork"))

        def stop(*_):
            raise Cancelled

        with pytest.raises(Cancelled):
            guard_of(kind, stop)()


def guard_of(kind, function):
    from core.plugins import guarded

    return guarded(function, f"The metric {kind.name} of the package {kind.package}")


class TestFormats:
    def test_one_is_detected_imported_and_exported(self, sample, study, tmp_path):
        path = tmp_path / "texts.pipes"
        path.write_text("D9|lead|A bridge.\nD9|good|A new bridge.\n", "utf-8")
        assert import_registry.detect(path).package == "word-overlap 1.2"
        run_to_completion(import_registry.import_steps(study, import_registry.import_request(path)))
        export = export_registry.find("texts", "pipes")
        run_to_completion(export_registry.export_steps(study, export, tmp_path / "out.pipes"))
        lines = (tmp_path / "out.pipes").read_text("utf-8").splitlines()
        assert {"D9|lead|A bridge.", "D9|good|A new bridge.", "D1|bad|Bridges are old."} <= set(lines)

    def test_its_problems_are_those_of_an_import(self, sample, tmp_path):
        path = tmp_path / "texts.pipes"
        path.write_text("D9|lead", "utf-8")
        with pytest.raises(BadImport, match=r"texts\.pipes, line 1: It has no two pipes\. Add them\."):
            import_registry.read(path)

    def test_the_command_line_imports_and_exports_it(self, sample, small_file, tmp_path, capsys):
        path, source, out = (tmp_path / name for name in ("s.pyramidion", "in.pipes", "out.pipes"))
        path.write_bytes(small_file.read_bytes())
        source.write_text("D9|lead|A bridge.", "utf-8")
        assert main(["import", str(path), str(source)]) == 0
        assert main(["export", str(path), "--what", "texts", "--format", "pipes", "-o", str(out)]) == 0
        assert "D9|lead|A bridge." in out.read_text("utf-8").splitlines()

    def test_a_broken_one_is_named_and_detection_goes_on(self, broken, tmp_path):
        table = tmp_path / "t.csv"
        table.write_text("topic,system,text\nD1,lead,A bridge.\n", "utf-8")
        assert import_registry.detect(table).name == "table"
        bad = tmp_path / "x.bad"
        bad.write_text("x", "utf-8")
        with pytest.raises(
            PluginFailed, match=r"bad of the package broken-metrics 0\.9 failed: TypeError: it read"
        ):
            import_registry.read(bad, "bad")
        assert "Missing" in FORMATS.failures()[0]

    def test_own_names_stay_free(self):
        group = PluginGroup("nothing.here", "format", lambda *_: {}, lambda: ["table"])
        with pytest.raises(ValueError, match="itself has a format named 'table'"):
            group._check_free("table")


def test_without_packages_there_are_none(capsys):
    assert "word_overlap" not in sys.modules
    assert main(["plugins", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_an_error_is_described_in_one_line():
    assert describe(ValueError("a\n  b.")) == "ValueError: a b"
    assert describe(KeyError()) == "KeyError"
