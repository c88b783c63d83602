"""Every metric's trees evaluate to the stored scores, and metrics without parts say so."""

from __future__ import annotations

import pickle
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.svm import SVR

from cli.main import main
from core.comparison.explanations.explain_score import ENCODED, explain
from core.comparison.explanations.explained_parts import NO_PARTS, parts
from core.comparison.explanations.explained_score import EXACT, explain_stored, explanation_document
from core.comparison.measures import MeasureRef, measures
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.files.allowed_names import allowed_names
from core.metrics import registry
from core.metrics.base import Explanation, Metric
from core.metrics.base.needs import MODELS, Need
from core.metrics.comprehension import qafacteval
from core.metrics.external import ExternalMetric
from core.metrics.rouge.rouge_n import RougeN
from core.models.catalogue.alignscore import LABELS
from core.models.catalogue.lightning import RELEASED, converted_checkpoint
from core.report.explanation_page import explanation_page
from core.scoring.memory_study import MemoryStudy
from core.scoring.study_resources import StudyResources
from gui.pages.compare.summary.summary_presenter import why_of
from pyramidion.explanation import ExplanationView
from storage.study_file import new_study
from tests.causal import RUBRIC, causal_model
from tests.core.language_models import make_language_model
from tests.core.metrics.test_comet import released
from tests.core.metrics.test_lite_pyramid import _classifier as classifier
from tests.core.metrics.test_qafacteval import released as released_models
from tests.scoring import score_all

SAID = ("the court ruled", "a new dog ran", "the cat sat on the mat", "on the mat", ",", ".")
"""Words that the tiny tokenizers know."""


WITHOUT_WORDS = {
    *("bleurt", "comet", "compression", "external"),  # read whole texts
    *("judge", "lite-pyramid", "s3", "unieval"),  # likewise
    "auto-nugget",  # marks no words
    *("blanc-help", "blanc-tune", "idss", "rouge-we"),  # mark documents or references, or nothing
    *("be", "pyramid", "summaqa"),  # nothing to mark in these texts
}
"""Metrics whose parts mark no words of a summary here."""


def _text(chance: random.Random) -> NewText:
    return NewText(" ".join(chance.choices(SAID, k=chance.randint(4, 9))) + " .")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Any]:
    chance = random.Random(15)
    topics = [
        NewTopic(
            name,
            documents={f"d{k}": _text(chance) for k in range(2)},
            references={author: _text(chance) for author in "AB"},
            summaries={system: _text(chance) for system in ("north", "south")},
        )
        for name in ("T1", "T2", "T3")
    ]
    with new_study(tmp_path / "every.pyramidion") as made:
        made.import_data(ImportContent("made", topics=topics))
        for topic in made.texts.load():
            _annotate(made, topic)
        yield made
    allowed_names().__init__()  # type: ignore[misc]  # as in a new process: nothing is allowed


def _annotate(study: Any, topic: Any) -> None:
    me = study.annotators.get_or_create("ann").id
    before = study.pyramids.annotation(topic.id, me)
    first, second = (reference.id for reference in topic.references)
    after = pyramid.add_scu(before, "one", first, [(0, 3)], f"{topic.id}-1")
    after = pyramid.add_contributor(after, f"{topic.id}-1", second, [(0, 3)])
    after = pyramid.add_scu(after, "two", second, [(4, 8)], f"{topic.id}-2")
    for summary in topic.summaries:
        after = pyramid.add_match(after, summary.id, me, f"{topic.id}-1")
        after = pyramid.set_summary_state(after, summary.id, me, is_done=True)
    study.pyramids.commit(before, after, "match", me).result()


def _released(folder: Path) -> Path:
    """Regressors as those of S3."""
    draw = np.random.default_rng(4)
    folder.mkdir()
    for target in ("pyr_score", "responsiveness"):
        learner = SVR(kernel="rbf", gamma=1 / 6).fit(draw.random((40, 6)), draw.random(40))
        (folder / f"svr.{target}.en.pkl").write_bytes(pickle.dumps(learner, protocol=2))
    return folder


def _alignment(make_model: Callable[..., Path]) -> Path:
    """A network with the outputs of AlignScore."""
    labels = dict(enumerate(LABELS))
    kind = "BertForSequenceClassification"
    return make_model("alignment", kind, max_position_embeddings=64, initializer_range=0.6, id2label=labels)


def _comet(folder: Path) -> Path:
    """A converted checkpoint of COMET."""
    return converted_checkpoint(released(folder / "released-comet", "wmt22-da") / RELEASED, folder / "comet")


def _program(path: Path) -> str:
    path.write_text(
        "import json, sys\nfor line in sys.stdin:\n    row = json.loads(line)\n"
        "    print(json.dumps({'id': row['id'], 'score': len(row['summary']) / 7}))\n",
        "utf-8",
    )
    metric = ExternalMetric(command=f"{sys.executable} -S {path}")
    allowed_names().named_settings(metric)
    return metric.spec


def _judge(folder: Path) -> str:
    """A random causal model with a small rubric."""
    rubric = folder / "small.toml"
    rubric.write_text(RUBRIC, "utf-8")
    return f"judge:lm={causal_model(folder / 'judging')},rubric={rubric},least=0"


def _nuggets(folder: Path) -> str:
    """A random causal model with rubrics as short as it needs; its answers are no lists."""
    labels = {"importance": "{vital = 1, okay = 0}", "assignment": "{support = 1, partial = 0.5, not = 0}"}
    for step, listed in labels.items():
        text = f'mode = "labels"\nprompt = "the {{units}} :"\nlabels = {listed}\n'
        (folder / f"{step}.toml").write_text(text, "utf-8")
    (folder / "creation.toml").write_text('mode = "list"\nprompt = "the {document} :"\n', "utf-8")
    rubrics = ",".join(f"{step}={folder}/{step}.toml" for step in ("creation", *labels))
    return f"auto-nugget:lm={causal_model(folder / 'nuggets')},trials=1,tokens=4,{rubrics}"


def _questeval(folder: Path) -> str:
    models = [make_language_model(folder / name, "t5", words=80) for name in ("asking", "replying")]
    return f"questeval:qg={models[0]},qa={models[1]},phrases=rules,answers=f1"


@pytest.fixture
def specs(make_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A configuration of every metric whose models are here or are made for tests."""
    monkeypatch.setattr(qafacteval, "_TOKENS", 25)  # of a question, which here never ends by itself
    answering = make_model(
        "answering", "BertForQuestionAnswering", max_position_embeddings=64, initializer_range=0.6
    )
    masked = make_model("masked", "BertForMaskedLM", max_position_embeddings=64, initializer_range=0.6)
    nli = classifier(make_model)
    small = {
        "bartscore": f"bartscore:lm={make_language_model(tmp_path / 'sequence', 'sequence')}",
        "likelihood": f"likelihood:lm={make_language_model(tmp_path / 'causal', 'causal')},template={{text}}",
        "unieval": f"unieval:lm={make_language_model(tmp_path / 't5', 't5')}",
        "questeval": _questeval(tmp_path),
        "qafacteval": released_models(tmp_path / "qafacteval"),
        "be": "be:elements=rules",
        "blanc-help": f"blanc-help:masked_lm={masked},gap=3",
        "blanc-tune": f"blanc-tune:masked_lm={masked},gap=3,finetune_epochs=1",
        "summaqa": f"summaqa:qa={answering},entities=rules",
        "s3": f"s3:model={_released(tmp_path / 'released')}",
        "lite-pyramid": f"lite-pyramid:nli={nli}",
        "alignscore": f"alignscore:nli={_alignment(make_model)}",
        "fact-precision": f"fact-precision:nli={nli}",
        "bleurt": f"bleurt:rater={classifier(make_model, {0: 'LABEL_0'}, 'rater')}",
        "comet": f"comet:rater={_comet(tmp_path)}",
        "factcc": f"factcc:nli={nli}",
        "minicheck": f"minicheck:nli={nli}",
        "summac": f"summac:nli={nli}",
        "external": _program(tmp_path / "program.py"),
        "judge": _judge(tmp_path),
        "auto-nugget": _nuggets(tmp_path),
    }
    return {kind.name: small.get(kind.name, kind.name) for kind in registry.metrics()}


@pytest.mark.slow
def test_trees_of_every_metric_evaluate_to_its_stored_scores(study: Any, specs: dict[str, str]) -> None:
    resources = StudyResources(study, "cpu")
    report = score_all(study, *specs.values(), resources=resources)
    assert not report.failures
    assert not report.refusals
    refs = measures(study, resources)
    assert {ref.config.metric for ref in refs} == set(specs), "no metric is forgotten"
    lit = {ref.config.metric for ref in refs if _check(study, ref, resources)}
    assert set(specs) - lit == WITHOUT_WORDS
    needs = {ref: registry.parse(ref.config.spec).needs for ref in refs}
    one_of_each = {ref.config.metric: ref for ref in refs if Need.PYRAMIDS not in needs[ref]}
    for kind, need, words in (
        ("documents", Need.DOCUMENTS, "the documents are blank"),
        ("references", Need.REFERENCES, "reference A is blank"),
        ("summaries", None, "the summary is blank"),
    ):
        topic = _blank_topic(study, kind)
        for name, ref in one_of_each.items():
            if need is None or need in needs[ref]:
                labels = list(_labels(explain(study, ref, topic, "north", resources)))
                assert any(words in label for label in labels), f"{name}: {labels[:5]}"
                assert not any("a text has nothing" in label for label in labels), f"{name}: {labels[:5]}"


def _blank_topic(study: Any, kind: str) -> str:
    """Add a topic whose texts of a kind are blank, and return its id."""
    chance = random.Random(16)
    names = {"documents": ("d0", "d1"), "references": "AB", "summaries": ("north", "south")}
    texts = {
        each: {name: NewText(" ") if each == kind else _text(chance) for name in own}
        for each, own in names.items()
    }
    study.import_data(ImportContent(kind, topics=[NewTopic(f"no {kind}", **texts)]))
    return next(topic.id for topic in study.texts.load() if topic.name == f"no {kind}")


def _labels(tree: Explanation) -> Iterator[str]:
    yield tree.label
    for child in tree.children:
        yield from _labels(child)


def _check(study: Any, ref: MeasureRef, resources: StudyResources) -> bool:
    """Compare trees with stored scores; return whether a part marks words of the summary."""
    is_lit = False
    for topic, system in (("T1", "north"), ("T2", "south")):
        score = explain_stored(study, ref, topic, system, resources)
        value = score.tree.evaluate()
        note = f"{ref.label} of {system} in {topic}: {value} instead of {score.stored}"
        np.testing.assert_allclose(value, score.stored, rtol=0, atol=score.tolerance, err_msg=note)
        assert score.tolerance == (ENCODED if registry.parse(ref.config.spec).needs & MODELS else EXACT)
        for part in parts(score.tree):
            assert part.contribution == pytest.approx(value - part.without)
            for one in part.evidence:
                assert 0 <= one.span[0] < one.span[1], f"{note}: {part.name} marks {one}"
                is_lit |= one.role == "summary"
    return is_lit


@pytest.fixture
def rouge(study: Any) -> MeasureRef:
    score_all(study, "rouge-n:n=1")
    return next(ref for ref in measures(study) if ref.label == "rouge-1.f")


def test_imported_scores_and_metrics_without_explanation_say_so(
    study: Any, rouge: MeasureRef, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = StudyResources(study, "cpu")
    imported = replace(rouge, config=replace(rouge.config, spec=""))
    with pytest.raises(InputError, match=r"rouge-1\.f was imported, so there is no explanation of it"):
        explain_stored(study, imported, "T1", "north", resources)
    monkeypatch.setattr(RougeN, "explain", Metric.explain)
    sentence = r"The metric rouge-n does not explain its scores, so rouge-1\.f has no parts"
    with pytest.raises(InputError, match=sentence):
        explain_stored(study, rouge, "T1", "north", resources)


def test_a_score_that_is_one_number_says_so_everywhere(
    study: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    score_all(study, _program(tmp_path / "program.py"))
    (ref,) = measures(study)
    score = explain_stored(study, ref, "T1", "north", StudyResources(study, "cpu"))
    assert parts(score.tree) == []
    assert explanation_document(score)["parts"] == []
    assert NO_PARTS in explanation_page([score])
    assert NO_PARTS in ExplanationView(score)._repr_html_()
    assert why_of(ref.label, score.tree).sentence == NO_PARTS
    assert main(["explain", str(study.path), "T1", "north", "-m", ref.label]) == 0
    captured = capsys.readouterr()
    assert NO_PARTS in captured.out + captured.err


def _explained(spec: str, summary: str, reference: str) -> Explanation:
    """Return the tree of a metric's last measure for a summary and a reference, which is the document too."""
    topic = TopicTexts(
        "t",
        "t",
        documents=(Text("d", "d", reference),),
        references=(Text("A", "A", reference),),
        summaries=(Text("s", "s", summary),),
    )
    metric = registry.parse(spec)
    other = TopicTexts("u", "u", references=(Text("A", "A", "Quite other words."),))
    resources = StudyResources(MemoryStudy([topic, other], "en"), "cpu")
    *_, tree = metric.explain(metric.prepare(topic, resources), 0).values()
    return tree


def _marked(spec: str, summary: str, reference: str) -> dict[str, dict[str, set[str]]]:
    """Return the words that each part of a score marks, by part and role."""
    found: dict[str, dict[str, set[str]]] = {}
    for part in parts(_explained(spec, summary, reference)):
        for one in part.evidence:
            content = summary if one.role == "summary" else reference
            found.setdefault(part.name, {}).setdefault(one.role, set()).add(content[slice(*one.span)])
    return found


def test_ngrams_of_characters_mark_what_both_texts_have() -> None:
    found = _marked("chrf:nc=3", "ab cd x", "x abcee")
    both = {"summary": {"ab c"}, "reference": {"abc"}}
    assert found["recall of A › 3 characters, recall of A"] == both
    assert found["precision against A › 3 characters, precision against A"] == both
    assert found["recall of A › 2 characters, recall of A"] == both
    cased = _marked("chrf:nc=2,case=lc", "AB", "abb")
    assert cased["recall of A › 2 characters, recall of A"] == {"summary": {"AB"}, "reference": {"ab"}}
    longer = _marked("chrf:nc=2,case=lc", "\u0130b", "xb")  # its lower case has one character more
    assert longer["recall of A › 1 characters, recall of A"] == {"reference": {"b"}}


@pytest.mark.parametrize(
    ("variant", "words"), [("l", {"the", "dog"}), ("1", {"the", "dog"}), ("2", {"the dog"})]
)
def test_weighted_overlaps_mark_the_matched_words_of_the_summary(variant: str, words: set[str]) -> None:
    summary = "A cat & the dog sat."
    tree = _explained(f"widar:variant={variant},part=sentences", summary, "The mat; the dog ran.")
    marked = [one.span for one in why_of("widar", tree).highlights if one.key == "summary:s"]
    assert {summary[slice(*span)] for span in marked} == words
    assert len(marked) == 2 * len(words), "in recall and in precision"


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("bleu:order=2", "precisions › 2-grams, 1 of 5, per cent"),
        ("cider", "2-grams of A › the dog"),
        ("js:stop_words=no", "summary from the mean with A › sat"),
    ],
)
def test_ngrams_of_words_mark_where_they_are(spec: str, part: str) -> None:
    found = _marked(spec, "A cat & the dog sat", "The mat; the dog ran")
    expected = {"summary": {"the dog"}, "reference": {"the dog"}}
    assert found[part] == (expected if "js" not in spec else {"summary": {"sat"}})
