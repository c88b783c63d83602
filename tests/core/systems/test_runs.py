"""Systems made by summarizers: configurations, runs that go on, programs, packages that add summarizers."""

from __future__ import annotations

import sys
import textwrap

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import TopicHeader
from core.errors import BadSetting, InputError, PluginFailed
from core.files.allowed_names import allowed_names
from core.progress import run_to_completion
from core.systems import registry
from core.systems.external import ExternalProgram
from core.systems.lead import Lead
from core.systems.run import SystemRequest, earlier_topic, signatures_of, summarize_study
from tests.plugins import installed


def requests(text: str) -> list[SystemRequest]:
    return [SystemRequest(*one) for one in registry.parse_list(text)]


def summaries(study, system: str) -> dict[str, str]:
    return {t.name: s.content for t in study.texts.load() for s in t.summaries if s.name == system}


class TestConfigurations:
    def test_settings_names_and_summarizers_are_told_apart(self):
        found = registry.parse_list(
            "lead-3, short=lexrank:threshold=0.2,mode=lexrank,words=50,mine=lsa,kl-sum"
        )
        assert [(name, one.spec) for name, one in found] == [
            ("lead-3", "lead-3"),
            ("short", "lexrank:words=50,threshold=0.2"),
            ("mine", "lsa"),
            ("kl-sum", "kl-sum"),
        ]
        assert registry.parse_list("lead:words=50")[0][0] == "lead:words=50"

    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("lexrnk", InputError, "Did you mean lexrank"),
            ("lexrank:words", BadSetting, "write it as key=value"),
            ("lexrank:mode=x", BadSetting, "Choose one of: degree, lexrank, continuous"),
            ("lexrank:sords=1", BadSetting, "Did you mean words"),
            ("oracle:measure=x", BadSetting, "No measure of rouge-n:n=2 is named"),
            ("oracle:metric=rogue-n", BadSetting, "No metric is named 'rogue-n'"),
        ],
    )
    def test_mistakes_are_explained(self, text, error, message):
        with pytest.raises(error, match=message):
            registry.parse_list(text)


class TestRuns:
    def test_summaries_are_those_of_a_system_and_made_once(self, study):
        report, other = run_to_completion(summarize_study(study, requests("first=lead:words=4,random")))
        assert (report.name, report.made, report.kept, report.spec) == ("first", 2, 0, "lead:words=4")
        assert summaries(study, "first")["D1"] == "The court met on"
        assert signatures_of(study) == {"first": report.signature, "random": other.signature}
        again, _ = run_to_completion(summarize_study(study, requests("first=lead:words=4,random")))
        assert (again.made, again.kept) == (0, 2)

    def test_a_cancelled_run_keeps_what_it_made_and_goes_on(self, study):
        steps = summarize_study(study, requests("lead-3"))
        for progress in steps:
            if progress.done == 1:
                break
        steps.close()
        assert list(summaries(study, "lead-3")) == ["D1"]
        (report,) = run_to_completion(summarize_study(study, requests("lead-3")))
        assert (report.made, report.kept) == (1, 1)

    def test_only_the_named_topics(self, study):
        run_to_completion(summarize_study(study, requests("lead-3"), ["D2"]))
        assert list(summaries(study, "lead-3")) == ["D2"]

    def test_topics_without_documents_have_no_summary(self, study):
        study.import_data(ImportContent("test", [NewTopic("D3", references={"A": NewText("A text.")})]))
        (report,) = run_to_completion(summarize_study(study, requests("lead-3")))
        assert (report.made, report.without) == (2, ("D3",))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("good=lead", "has a system good, not made by a summarizer"),
            ("first=lead:words=9", "has a system first, with other settings"),
            ("a=lead,a=lsa", "Two summarizers would make the system a"),
        ],
    )
    def test_other_systems_are_never_overwritten(self, study, text, message):
        run_to_completion(summarize_study(study, requests("first=lead:words=4")))
        before = summaries(study, "first"), summaries(study, "good")
        with pytest.raises(InputError, match=message):
            run_to_completion(summarize_study(study, requests(text)))
        assert (summaries(study, "first"), summaries(study, "good")) == before

    def test_an_update_topic_has_the_initial_topic_of_the_same_name(self):
        heads = [
            TopicHeader(name, name, set=group)
            for name, group in (
                ("D1-A", "initial"),
                ("D1-B", "update"),
                ("D2-B", "update"),
                ("D3", "initial"),
                ("D4", "initial"),
                ("D4-update", "update"),
            )
        ]
        assert [earlier_topic(head, heads) for head in heads] == ["", "D1-A", "", "", "", "D4"]


def allowed(program):
    """Allow a program, as its user does by typing it."""
    allowed_names().named_settings(program)
    return program


class TestPrograms:
    @pytest.fixture
    def program(self, tmp_path):
        """Return a summarizer that runs Python code, with the variable `row` for each topic."""

        def made(code: str, **settings: float) -> ExternalProgram:
            path = tmp_path / "program.py"
            body = textwrap.indent(textwrap.dedent(code), "    ")
            path.write_text(
                f"import json, sys\nfor line in sys.stdin:\n    row = json.loads(line)\n{body}\n", "utf-8"
            )
            return allowed(ExternalProgram(command=f"{sys.executable} {path}", **settings))

        return made

    def run(self, study, program):
        return run_to_completion(summarize_study(study, [SystemRequest("mine", program)]))

    def test_it_reads_topics_and_writes_summaries_in_any_order(self, study, program):
        mine = program(
            """
            text = row["documents"][0]["text"]
            rows = globals().setdefault("rows", [])
            rows.insert(0, {"id": row["id"], "summary": [text[:9], f"{row['words']} words"]})
            if len(rows) == 2:
                print("\\n".join(json.dumps(one) for one in rows))
            """
        )
        (report,) = self.run(study, mine)
        assert report.made == 2
        assert summaries(study, "mine")["D1"] == "The court\n100 words"
        assert "command:" in signatures_of(study)["mine"]

    @pytest.mark.parametrize(
        ("code", "message"),
        [
            ("print('no')", "Line 1 of what the program wrote: it is no JSON"),
            ("print('{}')", 'it has no "id"'),
            ("print(json.dumps({'id': row['id'], 'summary': 3}))", "neither a text nor a list"),
            ("print(json.dumps({'id': 'x', 'summary': ''}))", "'x' is no topic that it was given"),
            ("print(json.dumps({'id': 'D1', 'summary': ''}))", "a second summary of D1"),
            ("pass", "wrote no summary of D1 and 1 more"),
            ("print(json.dumps({'id': row['id'], 'summary': 'a\\0'}))", "cannot be stored"),
            ("sys.exit('Out of tea.')", "status 1. It wrote: Out of tea."),
        ],
    )
    def test_its_mistakes_are_explained_and_nothing_is_stored(self, study, program, code, message):
        with pytest.raises(InputError) as caught:
            self.run(study, program(code))
        assert message in str(caught.value)
        assert not summaries(study, "mine")

    def test_it_is_stopped_after_its_time(self, study, program):
        with pytest.raises(InputError, match=r"did not finish within 0\.5 seconds"):
            self.run(study, program("import time; time.sleep(60)", seconds=0.5))

    @pytest.mark.parametrize(
        ("command", "message"),
        [
            ("", "Name the program"),
            ("nosuchprogram x", "There is no program 'nosuchprogram'"),
            ("a 'b", "quotes"),
        ],
    )
    def test_a_program_that_cannot_start_is_reported_first(self, study, command, message):
        with pytest.raises(InputError, match=message):
            self.run(study, allowed(ExternalProgram(command=command)))


class TestPackages:
    def test_one_adds_a_summarizer_with_its_name_in_the_signature(self, study):
        with installed("sample"):
            (report,) = run_to_completion(summarize_study(study, requests("tail:skip=0,sentences=1")))
            assert report.signature.startswith("tail|words:100|sentences:1")
            assert "|package:word-overlap 1.2|" in report.signature
            assert registry.short(report.signature) == "tail:sentences=1"
        assert summaries(study, "tail:sentences=1")["D1"] == "It rejected the ban on the old bridge."
        assert registry.short(report.signature) == report.signature, "uninstalled"

    def test_errors_of_one_name_it(self, study):
        with installed("broken"):
            with pytest.raises(
                PluginFailed, match=r"nosummary of the package broken-metrics 0\.9 failed: Ind"
            ):
                run_to_completion(summarize_study(study, requests("nosummary")))
            (message,) = registry.PLUGINS.failures()
        assert "The summarizer gone of the package broken-metrics 0.9 could not be loaded" in message
        assert "Missing" in message

    def test_two_summarizers_of_one_name_are_refused(self):
        class Other(Lead):
            """A second one named lead."""

        Other.__module__ = "elsewhere"
        with pytest.raises(ValueError, match="two summarizers are named 'lead'"):
            registry.register(Other)
