"""Scores of lists of texts: the numbers of a study, to the last digit."""

from __future__ import annotations

import math

import pytest

import pyramidion
from core.comparison.measures import matrices, measures
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.errors import InputError, MissingResource
from core.scoring.config import config_from_stored
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study
from tests.plugins import installed
from tests.scoring import score_all

SUMMARIES = ["The court lifted the ban on the bridge.", "The harbour was shut by a storm.", "Cafés reopened."]
REFERENCES = [
    [
        "The court ruled that the ban on the bridge was void.",
        "A judge lifted the ban. Cafés reopened at once.",
    ],
    ["A storm closed the harbour for two days.", "Ships waited. The harbour was shut."],
    ["The cafés opened again.", "It rained."],
]
DOCUMENTS = ["The court met. It rejected the ban.", ["A storm closed the harbour.", "Ships waited."], "Rain."]
METRICS = ["rouge-n:n=2", "rouge-l", "bleu", "chrf", "cider", "js", "meteor", "idss", "rouge-su:stem=yes"]


@pytest.fixture(scope="module")
def in_a_study(tmp_path_factory):
    """Scores and system means of the same texts in a study file, by signature and measure."""
    path = tmp_path_factory.mktemp("same") / "same.pyramidion"
    topics = [
        NewTopic(
            f"T{place}",
            documents={
                f"d{n}": NewText(text)
                for n, text in enumerate([documents] if isinstance(documents, str) else documents)
            },
            references={f"r{n}": NewText(text) for n, text in enumerate(references)},
            summaries={"mine": NewText(summary)},
        )
        for place, (summary, references, documents) in enumerate(
            zip(SUMMARIES, REFERENCES, DOCUMENTS, strict=True)
        )
    ]
    with new_study(path) as study:
        study.import_data(ImportContent("same", topics))
        score_all(study, *METRICS)
        refs = measures(study)
        found = {
            (ref.signature, ref.measure): (one.values[0].tolist(), float(one.system_means()[0]))
            for ref, one in zip(refs, matrices(study, refs), strict=True)
        }
        assert config_from_stored(refs[0].config).signature(StudyResources(study)) == refs[0].signature
    return found


def test_scores_are_those_of_a_study_to_the_last_digit(in_a_study):
    found = {
        (scores.signature, measure): (scores.per_summary[measure].tolist(), scores.values[measure])
        for scores in pyramidion.score(SUMMARIES, REFERENCES, METRICS, documents=DOCUMENTS).values()
        for measure in scores.values
    }
    assert found == in_a_study


def test_a_hand_worked_case():
    """Tokens: the bridge is open. Reference 1 shares 4 of 5 tokens, reference 2 none of 2."""
    references = [["The old bridge is open.", "It opened."]]
    scores = pyramidion.score(["The bridge is open."], references, "rouge-n:n=1")
    assert (scores["recall"], scores["rouge-1.precision"]) == (round(4 / 7, 5), round(4 / 8, 5))
    assert scores.main == "rouge-1.f"
    assert float(scores) == scores.value == scores["f"]
    assert "rouge-n|n:1|" in scores._repr_html_()


@pytest.mark.parametrize(
    ("name", "spec", "main"),
    [
        ("rouge-2", "rouge-n", "rouge-2.f"),
        ("rouge-3.recall", "rouge-n:n=3", "rouge-3.recall"),
        ("js-2", "js:n=2", "js-2.divergence"),
        ("bleu", "bleu", "bleu.score"),
        ("rouge-n:n=2,stem=yes", "rouge-n:stem=yes", "rouge-2.f"),
    ],
)
def test_metrics_are_named_as_in_tables_or_as_on_the_command_line(name, spec, main):
    scores = pyramidion.score(["A bridge is open."], ["A bridge was open."], name)
    assert (scores.metric, scores.main) == (spec, main)


def test_a_signature_repeats_the_run():
    once = pyramidion.score(SUMMARIES, REFERENCES, "rouge-n:n=2,stem=yes")
    again = pyramidion.score(SUMMARIES, REFERENCES, once.signature)
    assert again.signature == once.signature
    assert again.per_summary.equals(once.per_summary)


def test_undefined_values_do_not_count():
    scores = pyramidion.score(["A bridge.", ""], ["A bridge.", "A bridge."], "js:n=1")
    assert math.isnan(scores.per_summary.iloc[1, 0])
    assert scores.value == scores.per_summary.iloc[0, 0] == 0


def test_the_language_is_detected_as_on_import():
    texts = ["法院解除了对桥的禁令。", "风暴关闭了港口。"]
    detected = pyramidion.score(texts, texts, "rouge-1")
    assert "|text:unicode|" in detected.signature or "|text:icu|" in detected.signature
    assert detected.value == 1
    assert pyramidion.score(texts, texts, "rouge-1", language="zh").signature == detected.signature
    assert pyramidion.score(texts, texts, "rouge-n:n=1,text=1.5.5").notes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("A text.", ["A text."]), "summaries is one text. Pass a list"),
        (([], []), "There are no summaries"),
        ((["A."], ["A.", "B."]), "1 summary, but references has 2 entries"),
        ((["A.", None], ["A.", "B."]), r"summaries\[1\] has a NoneType instead of a text"),
        ((["A."], [["A.", 3]]), r"references\[0\] has a int instead of a text"),
        (([["A.", "B."]], ["A."]), r"summaries\[0\] is a list"),
        ((["A."], None, "rouge-2"), "no references that count"),
        ((["A."], ["A."], "idss"), "no documents"),
        ((["A."], ["A."], "rogue-2"), "No metric is named 'rogue-2'. Did you mean"),
        ((["A."], ["A."], "rouge-n:n=0"), "below 1"),
    ],
)
def test_mistakes_are_explained(arguments, message):
    with pytest.raises(InputError, match=message):
        pyramidion.score(*arguments)


def test_a_metric_that_cannot_run_says_why():
    with pytest.raises(MissingResource, match="external was not computed: Name the program"):
        pyramidion.score(["A."], ["A."], "external")


def test_metrics_of_packages_work_and_errors_of_theirs_name_them():
    with installed("sample", "broken"):
        scores = pyramidion.score(["a b c d"], [["a b", "d"]], "word-overlap")
        assert scores.value == (2 / 4 + 1 / 4) / 2
        assert "|package:word-overlap 1.2|" in scores.signature
        with pytest.raises(
            pyramidion.PyramidionError, match=r"nowork of the package broken-metrics 0\.9 failed"
        ):
            pyramidion.score(["a"], ["a"], "nowork")


def test_a_missing_measure_is_explained():
    with pytest.raises(KeyError, match=r"has no measure 'x'. It has: rouge-2\.recall"):
        pyramidion.score(["A b."], ["A b."])["x"]
