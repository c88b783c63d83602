"""Law: scores are stale if an input of their metric has changed, and then exactly that input is named.

Tried to be broken by every metric that runs without a model, changing one input at a time: texts of each kind
(edited, added, removed, in another order), the query, the language and the version of the metric.
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import replace
from typing import ClassVar

import pytest

from core.domain.study import Text, TopicTexts, text_digest
from core.metrics import registry
from core.metrics.base import MODELS, Need
from core.metrics.js import JensenShannon
from core.progress import run_to_completion
from core.scoring.config import ScoringConfig
from core.scoring.engine import score
from core.scoring.memory_study import MemoryStudy
from core.scoring.plan import plan
from core.scoring.staleness import ChangedInput, check_scores
from core.scoring.study_resources import StudyResources

pytestmark = pytest.mark.slow

CHANGED = "t1"
FREQUENCIES = ChangedInput("document frequencies of the references", is_shared=True)
INDEX = ChangedInput("search index", is_shared=True)


def texts(topic, **written):
    return tuple(Text(f"{topic}{name}", name, f"{content}. Of {topic}.") for name, content in written.items())


def topics():
    return [
        TopicTexts(
            topic,
            topic.upper(),
            query="Which court?",
            documents=texts(topic, one="The court lifted the ban", two="A long report on the old court"),
            references=texts(topic, A="The court lifted a ban", B="A ban was lifted by judges", C="No ban"),
            summaries=texts(topic, lead="The court met", good="The court lifted the ban"),
        )
        for topic in ("t1", "t2")
    ]


class AsksQuery(JensenShannon):
    """A metric that reads the query, as programs of users do."""

    name: ClassVar[str] = "asks-query"
    reads_query: ClassVar[bool] = True


def metrics():
    unfit = MODELS | {Need.PYRAMIDS, Need.PROGRAM}
    plain = [kind for kind in registry.metrics() if not kind().needs & unfit]
    return [metric for kind in plain if not (metric := kind()).unavailable(StudyResources())]


def edited(texts, at=0):
    return (*texts[:at], replace(texts[at], content="Quite other words.", digest=""), *texts[at + 1 :])


def in_german(text):
    return replace(text, language="de", digest=text_digest(text.content, None))


def of_texts(kind, name, change="edited"):
    return lambda reads: {ChangedInput(kind, name, change)} if reads else set()


CHANGES = {
    "nothing": ("summaries", lambda texts: texts, lambda reads: set()),
    "summary": ("summaries", edited, of_texts("summary", "lead")),
    "removed summary": ("summaries", lambda texts: texts[1:], of_texts("summary", "lead", "removed")),
    "added summary": (
        "summaries",
        lambda known: (*known, *texts(CHANGED, new="A new one")),
        of_texts("summary", "new", "added"),
    ),
    "order of summaries": ("summaries", lambda texts: texts[::-1], of_texts("order of the summaries", "")),
    "reference": ("references", lambda texts: edited(texts, 1), of_texts("reference", "B")),
    "removed reference": ("references", lambda texts: texts[:-1], of_texts("reference", "C", "removed")),
    "added reference": (
        "references",
        lambda known: (*known, *texts(CHANGED, D="Judges met")),
        of_texts("reference", "D", "added"),
    ),
    "documents": ("documents", edited, of_texts("source documents", "")),
    "query": ("query", lambda _: "Whose ban?", of_texts("query", "")),
}


@pytest.fixture(scope="module")
def scored():
    """A study scored by every metric, and its configurations."""
    study = MemoryStudy(topics())
    configs = [ScoringConfig(metric) for metric in (*metrics(), AsksQuery())]
    configs += [ScoringConfig(registry.parse("rouge-n"), humans=True)]
    configs += [ScoringConfig(registry.parse("rouge-n"), references=("A",))]
    resources = StudyResources(study)
    report = run_to_completion(score(study, plan(study, configs, resources), resources))
    assert not report.failures
    assert report.scored == len(configs) * len(study.texts.by_id)
    assert len(configs) > 12
    return study, configs


@pytest.fixture
def named(scored, monkeypatch):
    """Return what is named as changed, by configuration and topic; planning has to find the same."""
    study, configs = scored
    parse = registry.parse
    monkeypatch.setattr(
        registry, "parse", lambda spec: AsksQuery() if spec == AsksQuery.name else parse(spec)
    )

    def ask():
        resources = StudyResources(study)
        checks = check_scores(study, study.scores.configs(), resources)
        changes = {}
        for run in plan(study, configs, resources).runs:
            stored = next(
                one.signature
                for one in study.scores.configs()
                if (one.spec, one.references, one.scores_humans)
                == (run.stored.spec, run.stored.references, run.stored.scores_humans)
            )
            assert checks[stored].changes == run.changes, stored
            assert set(run.topics) == set(run.changes)
            changes[run.config] = {topic: set(found) for topic, found in run.changes.items()}
        return changes

    return ask


@pytest.mark.parametrize("what", CHANGES)
def test_exactly_the_changed_input_is_named(what, scored, named, monkeypatch):
    kind, change, expected = CHANGES[what]
    study, _ = scored
    before = study.texts.by_id[CHANGED]
    after = replace(before, **{kind: change(getattr(before, kind))})
    monkeypatch.setitem(study.texts.by_id, CHANGED, after)
    for config, found in named().items():
        assert found == _expected(config, kind, expected, is_new=after != before), config.signature


def _expected(config, kind, expected, *, is_new):
    needs = config.metric.needs
    reads = {
        "summaries": True,
        "references": (Need.REFERENCES in needs and not config.references) or config.humans,
        "documents": Need.DOCUMENTS in needs,
        "query": config.metric.reads_query,
    }
    own, shared = expected(reads[kind]), set()
    if kind == "references" and is_new and Need.CORPUS in needs:
        shared = {FREQUENCIES}
    if kind == "documents" and is_new and Need.INDEX in needs:
        shared = {INDEX}
    by_topic = {CHANGED: own | shared, "t2": shared}
    return {topic: found for topic, found in by_topic.items() if found}


@pytest.mark.parametrize("kind", registry.metrics(), ids=lambda kind: kind.name)
def test_a_metric_says_whether_it_reads_the_query(kind):
    modules = {part.__module__ for part in kind.__mro__ if part.__module__.startswith("core.metrics.")}
    reads = any("topic.query" in inspect.getsource(sys.modules[module]) for module in modules)
    assert kind.reads_query == reads


def test_another_language_is_named_once_for_all_texts(scored, named, monkeypatch):
    study, _ = scored
    for topic in list(study.texts.by_id.values()):
        kinds = ("documents", "references", "summaries")
        new = {kind: tuple(map(in_german, getattr(topic, kind))) for kind in kinds}
        monkeypatch.setitem(study.texts.by_id, topic.id, replace(topic, **new))
    for config, found in named().items():
        changes = {ChangedInput("language", "", "none → de", is_shared=True)}
        assert found == {"t1": changes, "t2": changes}, config.metric.spec


def test_a_new_version_of_a_metric_is_named(scored, named, monkeypatch):
    versions = {kind: kind.version for kind in {type(config.metric) for config in scored[1]}}
    for kind, version in versions.items():
        monkeypatch.setattr(kind, "version", version + 1)
    for config, found in named().items():
        version = versions[type(config.metric)]
        changes = {ChangedInput("metric version", "", f"{version} → {version + 1}", is_shared=True)}
        assert found == {"t1": changes, "t2": changes}, config.metric.spec
