"""Scores of proposed pyramids: those of the pyramid metric on what is proposed, for any references."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.domain.pyramid.scores import score_summary
from core.domain.pyramid.subset_scores import KINDS
from core.errors import BadSetting, InputError
from core.metrics.registry import metric
from core.models.chat import ChatAnswer
from core.suggestions.proposal import PROPOSER
from tests.core.metrics.scored import tools_for

REFERENCES = {
    "A": "A storm closed the harbour on Monday. The judge lifted the ban on fishing.",
    "B": "The harbour was closed by a storm. Prices of fish rose in all markets.",
    "C": "The court lifted the fishing ban. The harbour was closed because of a storm.",
}
SUMMARIES = {
    "copy": REFERENCES["A"],
    "other": "The football team won its third match. Its coach was very happy.",
    "mixed": "A judge lifted the ban on fishing. The team won its match.",
    "empty": "",
}


@pytest.fixture(scope="module")
def topic(make_topic):
    return make_topic(REFERENCES, SUMMARIES)


@pytest.fixture(scope="module")
def tools(topic, minilm):
    return tools_for(topic, minilm=minilm)


def test_a_copy_expresses_all_scus_of_its_reference_and_another_text_none(topic, tools):
    chosen = metric("auto-pyramid")
    rows = dict(zip(SUMMARIES, chosen.score(chosen.prepare(topic, tools)).values.tolist(), strict=True))
    assert rows["copy"][:3] == pytest.approx([1.0, 1.0, 1.0])  # its two SCUs are the heaviest
    assert rows["other"] == rows["empty"] == [0.0] * 4
    assert rows["mixed"][1] == pytest.approx(2 / 5)  # weights 3 and 2 are the best of two units


def test_every_subset_of_references_is_scored_as_the_pyramid_metric_does(topic, tools):
    chosen = metric("auto-pyramid")
    prepared = chosen.prepare(topic, tools)
    stats = chosen.score(prepared).stats
    made = prepared.pyramids[0].annotation
    ids = [reference.id for reference in topic.references]
    for subset in product((False, True), repeat=3):
        held = [key for key, is_in in zip(ids, subset, strict=True) if is_in]
        expected = [
            [
                getattr(score_summary(made.pyramid, made.matches_of(text.id, PROPOSER), held), kind)
                for kind in KINDS
            ]
            for text in topic.summaries
        ]
        np.testing.assert_allclose(chosen.combine(stats, np.array(subset)), np.array(expected, dtype=float))


def test_explanations_evaluate_to_the_scores_and_mark_the_words(topic, tools):
    chosen = metric("auto-pyramid")
    prepared = chosen.prepare(topic, tools)
    values = chosen.score(prepared).values
    for row, system in zip(values, range(len(SUMMARIES)), strict=True):
        trees = chosen.explain(prepared, system)
        assert [tree.evaluate() for tree in trees.values()] == pytest.approx(row.tolist())
    (matched, _) = chosen.explain(prepared, 0)["auto-pyramid.presence"].children
    marked = {
        SUMMARIES["copy"][slice(*one.span)]
        for leaf in matched.children
        for one in leaf.evidence
        if one.role == "summary"
    }
    assert marked == {"A storm closed the harbour on Monday", "The judge lifted the ban on fishing"}


def test_references_without_clauses_leave_the_scores_undefined(make_topic, minilm):
    blank = make_topic({"A": "Yes.", "B": ""}, {"s": "A storm closed the harbour."})
    chosen = metric("auto-pyramid")
    scores = chosen.score(chosen.prepare(blank, tools_for(blank, minilm=minilm)))
    assert np.isnan(scores.values).all()
    assert scores.notes == {"no_units": 1}


def test_a_model_that_is_no_entailment_model_is_named(tools):
    reason = metric("auto-pyramid", nli="minilm").unavailable(tools)
    assert "minilm" in reason


class TestLanguageModel:
    """Matches by the answers of a language model."""

    @staticmethod
    def run(topic, tools, monkeypatch, answer, stored=""):
        asked = []

        class Model:
            def answers(self, prompts, request):
                for prompt in prompts:
                    asked.append("".join(prompt))
                    yield ChatAnswer((answer(asked[-1]),))

        monkeypatch.setattr(type(tools), "chat", lambda *_: Model())
        monkeypatch.setattr(type(tools), "kept_answers", lambda *_: stored)
        chosen = metric("auto-pyramid", lm="x", server="http://127.0.0.1:9/v1")
        prepared = chosen.prepare(topic, tools)
        return chosen.score(prepared), prepared, asked

    def test_labels_decide_and_a_summary_without_them_has_no_score(self, topic, tools, monkeypatch):
        def answer(prompt):
            count = int(prompt.partition("a list of ")[2].split()[0])
            if "football" in prompt:
                return "I cannot say."
            return str(["expressed", *(["absent"] * (count - 1))])

        scores, prepared, asked = self.run(topic, tools, monkeypatch, answer)
        rows = dict(zip(SUMMARIES, scores.values.tolist(), strict=True))
        assert rows["copy"][3] == rows["mixed"][3] == rows["empty"][3] > 0
        assert np.isnan(rows["other"]).all()
        assert scores.notes["no_value"] == 3
        assert len(asked) == 3 + 3  # three trials for the summary whose answer is no list
        others = {text.id for text in topic.summaries if text.name == "other"}
        assert not others & {match.summary_id for match in prepared.pyramids[0].annotation.matches}
        (stored,) = scores.answers.values()
        again, _, asked = self.run(topic, tools, monkeypatch, answer, stored)
        assert asked == []
        np.testing.assert_array_equal(again.values, scores.values)

    def test_settings_that_do_nothing_are_refused_and_old_signatures_stay(self, tools):
        with pytest.raises(BadSetting, match="matching"):
            metric("auto-pyramid", matching="other")
        with pytest.raises(BadSetting, match="nli"):
            metric("auto-pyramid", lm="x", nli="y")
        assert "matching" not in metric("auto-pyramid").signature(tools)
        with pytest.raises(InputError, match="labels"):
            metric("auto-pyramid", lm="x", matching="summeval").check(tools)
