"""The metric `auto-nugget`: the authors' results on the same answers, parsing, stored and odd answers."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadSetting, InputError, MissingResource
from core.metrics.judge.lists import parsed_labels, parsed_list
from core.metrics.judge.rubric import Mode, RubricError, find_rubric, packaged_rubrics, read_rubric
from core.metrics.registry import metric
from core.models.chat import ChatAnswer
from core.scoring.study_resources import StudyResources
from tests import reference
from tests.causal import causal_model
from tests.core.metrics.made_topics import topic_of_texts
from tests.reference.nuggetizer.make import TRIALS, key

EXPECTED = Path(reference.__file__).parent / "nuggetizer" / "expected.json"
CASES = json.loads(EXPECTED.read_text(encoding="utf-8"))
SERVER = "http://127.0.0.1:9/v1"


class Scripted(StudyResources):
    """Resources with a model that answers as a function of prompt and trial; `asked` counts its answers."""

    def __init__(self, answer, kept="") -> None:
        super().__init__(None, "cpu")
        self.answer, self.kept, self.asked = answer, kept, 0
        self.requests = []

    def chat(self, model, server="", dtype="float32"):
        return self

    def kept_answers(self, key):
        return self.kept

    def answers(self, prompts, request):
        self.requests.append(request)
        for prompt in prompts:
            self.asked += 1
            yield ChatAnswer((self.answer("".join(prompt), request.seed),))


def nuggets_of(answer, topic, kept="", **settings):
    """Return the metric's scores, what it prepared, and its resources."""
    resources = Scripted(answer, kept)
    one = metric("auto-nugget", server=SERVER, lm="x", **settings)
    prepared = one.prepare(topic, resources)
    return one.score(prepared), prepared, resources


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_nuggets_support_and_scores_equal_those_of_the_authors_on_the_same_answers(case):
    """The answers are found by the hash of the prompt, so that the prompts are equal too."""
    topic = replace(topic_of_texts(case["summaries"], case["references"]), query=case["query"])
    scores, prepared, _ = nuggets_of(
        lambda prompt, trial: case["answers"][key(prompt)][trial], topic, failures="zero", trials=TRIALS
    )
    assert [scu.label for scu in prepared.annotation.pyramid.scus] == case["nuggets"]
    expected = np.array([row["scores"] for row in case["expected"]])
    np.testing.assert_allclose(np.nan_to_num(scores.values, nan=0.0), expected, atol=1e-12)
    for text, row in zip(topic.summaries, case["expected"], strict=True):
        hits = {m.scu_id: m.is_partial for m in prepared.annotation.matches_of(text.id, "auto-nugget")}
        for scu, record in zip(prepared.annotation.pyramid.scus, row["records"], strict=True):
            assert (scu.importance == "vital") == (record["importance"] == "vital")
            wanted = {"support": False, "partial_support": True}.get(record["assignment"])
            assert hits.get(scu.id) == wanted


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('["a", "b"]', ("a", "b")),
        ("```python\n['it\\'s']\n```", ("it's",)),
        ("('a',)", ("a",)),
        ("[]", ()),
        ("['\\ud800']", ("?",)),
        ("['\\d']", ("\\d",)),
        *((text, None) for text in ("", "'abc'", "[1]", "['a'", "{'a'}", "None", "[" * 9999, "x()", "\0")),
        ("['" + "a" * 300_000 + "']", None),
    ],
)
def test_a_list_is_one_of_strings_in_pythons_notation(text, read):
    assert parsed_list(text) == read


def test_labels_are_as_many_as_units_and_known():
    assert parsed_labels("['Vital', 'okay']", 2, ("vital", "okay")) == ("vital", "okay")
    for text in ("['vital']", "['vital', 'okay', 'okay']", "['vital', 'important']", "vital"):
        assert parsed_labels(text, 2, ("vital", "okay")) is None
    assert parsed_labels("['vital', 'so so']", 2, ("vital", "okay"), others="okay") == ("vital", "okay")


TOPIC = topic_of_texts(["First.", "Second.", "First."], ["Reference."])


def by_step(creation="['a', 'b']", importance="['vital', 'okay']", assignment="['support', 'not_support']"):
    def answer(prompt, trial):
        if "Updated Nugget List:" in prompt:
            return creation
        return assignment if "Passage:" in prompt else importance

    return answer


def test_values_worked_by_hand_and_their_explanation():
    answer = by_step(assignment="['partial_support', 'support']")
    scores, prepared, resources = nuggets_of(answer, TOPIC)
    assert scores.values.tolist() == [[0, 0.5, 0.5, 0.75]] * 3
    assert resources.asked == 4  # two summaries are the same
    one = metric("auto-nugget", server=SERVER, lm="x")
    trees = one.explain(prepared, 0)
    assert [tree.evaluate() for tree in trees.values()] == [0, 0.5, 0.5, 0.75]
    assert [request.temperature for request in resources.requests] == [0, 0, 0]


def test_stored_answers_are_not_asked_for_again():
    scores, _, _ = nuggets_of(by_step(), TOPIC)
    (kept,) = scores.answers.values()
    again, _, resources = nuggets_of(by_step(creation="[]"), TOPIC, kept)
    assert resources.asked == 0
    assert again.values.tolist() == scores.values.tolist()
    changed = kept.replace("['a', 'b']", "['c', 'd']")
    assert nuggets_of(by_step(), TOPIC, changed)[2].asked == 3  # the prompts with nuggets differ


@pytest.mark.parametrize("assignment", ["nonsense", "['support']", "['support'] * 2", "[" * 500])
def test_an_answer_that_is_no_list_is_counted_and_never_guessed(assignment):
    scores, prepared, resources = nuggets_of(by_step(assignment=assignment), TOPIC, trials=3)
    assert np.isnan(scores.values).all()
    assert scores.notes == {"no_value": 9}
    assert resources.asked == 2 + 2 * 3
    assert {request.temperature for request in resources.requests[-2:]} == {0.2}
    assert prepared.annotation.matches == prepared.annotation.states == ()
    one = metric("auto-nugget", server=SERVER, lm="x")
    assert math.isnan(one.explain(prepared, 0)["auto-nugget.all"].evaluate())
    zero, _, _ = nuggets_of(by_step(assignment=assignment), TOPIC, trials=3, failures="zero")
    assert zero.values.tolist() == [[0.0] * 4] * 3


def test_a_text_that_is_no_short_fact_is_asked_for_again():
    huge = str(["a" * 5000])
    scores, _, resources = nuggets_of(by_step(creation=huge), TOPIC, trials=2)
    assert np.isnan(scores.values).all()
    assert (scores.notes, resources.asked) == ({"no_value": 2, "no_units": 3}, 2)
    _, prepared, _ = nuggets_of(by_step(creation="['a\\x00b', 'c']"), TOPIC)
    assert [scu.label for scu in prepared.annotation.pyramid.scus] == ["ab", "c"]


def test_without_nuggets_nothing_is_assigned():
    scores, _, resources = nuggets_of(by_step(creation="['', ' ']"), TOPIC)
    assert np.isnan(scores.values).all()
    assert (scores.notes, resources.asked) == ({"no_units": 3}, 1)


def test_a_model_on_this_machine_is_asked(tmp_path):
    folder = causal_model(tmp_path / "lm")
    one = metric("auto-nugget", lm=str(folder), trials=1, tokens=4)
    resources = StudyResources(None, "cpu")
    short = find_rubric("nugget-creation", (Mode.LIST,))
    path = tmp_path / "short.toml"
    path.write_text('mode = "list"\nprompt = "the court : {document} {units}"\n', encoding="utf-8")
    one = replace(one, creation=str(path))
    assert short.mode is Mode.LIST
    assert not one.unavailable(resources)
    scores = one.score(one.prepare(TOPIC, resources))
    assert scores.values.shape == (3, 4)


def test_models_servers_and_rubrics_of_another_kind_are_refused(tmp_path):
    resources = StudyResources(None, "cpu")
    with pytest.raises(MissingResource, match="auto-nugget needs a language model"):
        metric("auto-nugget").check(resources)
    with pytest.raises(BadSetting, match="no address"):
        metric("auto-nugget", server="nowhere")
    with pytest.raises(InputError, match="one of: list"):
        metric("auto-nugget", lm="x", creation="summeval").check(resources)
    with pytest.raises(InputError, match="one of: rating"):
        metric("judge", lm="x", rubric="nugget-assignment").check(resources)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('mode = "labels"\nprompt = "x"\nlabels = {a = 1, b = 0}', "{units}"),
        ('mode = "labels"\nprompt = "{units}"', "needs `labels`"),
        ('mode = "labels"\nprompt = "{units}"\nlabels = {a = 2, b = 0}', "needs `labels`"),
        ('mode = "labels"\nprompt = "{units}"\nlabels = {a = 1, A = 0}', "differ in case"),
        ('mode = "labels"\nprompt = "{units}"\nlabels = {a = 1, b = nan}', "needs `labels`"),
        ('mode = "list"\nprompt = "{units}"', "{document}"),
        ('mode = "list"\nprompt = "{document}"\nlabels = {a = 1, b = 0}', "mode labels"),
        ('mode = "list"\nprompt = "{document}"\n[[criteria]]\nname = "a"', "no criteria"),
        ('prompt = "{summary}"\nlabels = {a = 1, b = 0}', "mode labels"),
    ],
)
def test_rubrics_of_lists_are_checked(text, said):
    with pytest.raises(InputError, match="The rubric x") as refusal:
        read_rubric(text, "x")
    assert said in str(refusal.value)


def test_every_packaged_rubric_has_a_use():
    modes = (Mode.LIST, Mode.LABELS)
    names = ("nugget-assignment", "nugget-creation", "nugget-importance", "scu-matching")
    assert packaged_rubrics(modes) == names
    assert set(packaged_rubrics(tuple(Mode))) == {*names, *packaged_rubrics()}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('mode = "rating"\nprompt = "x', 2),
        ('title = "a"\nmode = "odd"\nprompt = "{summary}"', 2),
        ('title = "a"\nprompt = """\nmode = 5\n{summary}"""\nversion = "x"\n[[criteria]]\nname = "a"', 5),
        ('prompt = "{summary}"\n[[criteria]]\nname = "a"\n[[criteria]]\nname = "b"\nlow = 7', 6),
        ('prompt = "{summary}"\n[[criteria]]\nname = "a"\n[[criteria]]\nquestion = "b"', 4),
        ('prompt = "{summary}"\n[[criteria]]\nname = "a"\nodd = 1', 4),
        ('prompt = "{summary}"\nodd = 1\n', 2),
        ('prompt = "{summary}"\n\n', 1),
        ("", 1),
    ],
)
def test_errors_of_rubrics_name_the_line(text, line):
    with pytest.raises(RubricError) as refusal:
        read_rubric(text, "x")
    assert refusal.value.line == line
    assert f"line {line}" in str(refusal.value)
