"""Recipes for Owczarzak & Dang 2009; figures show the numbers of tables."""

from __future__ import annotations

from functools import partial
from typing import Final

from core.domain.topic_sets import INITIAL, UPDATE
from core.experiments.analyses.split_half import REFERENCES
from core.experiments.experiment import Experiment
from core.experiments.inputs.tac_names import PYRAMIDS, RESPONSIVENESS
from core.experiments.papers.owczarzak2009 import (
    ConditionsItself,
    ConditionsReferences,
    ConditionsStability,
    ConditionsTopics,
)
from core.experiments.papers.owczarzak2009_sets import REFERENCES as VARIED_REFERENCES
from core.experiments.papers.owczarzak2009_sets import TOPICS, initial_against_update
from core.experiments.registry import recipe

PAPER: Final = "Owczarzak & Dang 2009"

_TAC = "1,3,6,12,24,36,39,42,45,48"
_DUC = "1,3,6,12,24,36,39,42,45"


def _references(against: str, topics: str) -> Experiment:
    return ConditionsReferences(against=against, set=topics)


def _topics(against: str, topics: str) -> Experiment:
    return ConditionsTopics(against=against, set=topics, sizes=_TAC)


def _references_of_duc() -> Experiment:
    """DUC 2007 had no initial topics, and pyramids of some topics only, which the paper left out."""
    return ConditionsReferences(set="", pyramid=False)


def _topics_of_duc() -> Experiment:
    return ConditionsTopics(set="", sizes=_DUC, pyramid=False)


def _judgements_alone(topics: str) -> Experiment:
    """The judgements on fewer topics with their own values on all, as footnote 1 gives them."""
    return ConditionsItself(set=topics, sizes="1,3,6,12,24", bootstrap="none")


_RECIPES: tuple[tuple[str, str, Experiment], ...] = (
    ("table-1", "Responsiveness by 1–4 references, initial topics", _references(RESPONSIVENESS, INITIAL)),
    ("table-2", "Responsiveness by 1–4 references, update topics", _references(RESPONSIVENESS, UPDATE)),
    ("table-3", "Pyramid by 1–4 references, initial topics", _references(PYRAMIDS, INITIAL)),
    ("table-4", "Pyramid by 1–4 references, update topics", _references(PYRAMIDS, UPDATE)),
    ("table-5", "Content Responsiveness by 1–4 references", _references_of_duc()),
    (
        "figure-1",
        "Pyramids of 1 or 2 references vs pyramids of others",
        ConditionsStability(of=REFERENCES, set=INITIAL, sizes="1,2"),
    ),
    ("figure-2", "Curves of Responsiveness by 1–4 references", _references(RESPONSIVENESS, INITIAL)),
    ("figure-3", "Curves of the pyramid by 1–4 references", _references(PYRAMIDS, INITIAL)),
    ("table-6", "Stability of Responsiveness and pyramid", ConditionsStability(sizes="1,3,6,12,24")),
    ("table-7", "Responsiveness by 1–48 topics, initial", _topics(RESPONSIVENESS, INITIAL)),
    ("table-8", "Responsiveness by 1–48 topics, update", _topics(RESPONSIVENESS, UPDATE)),
    ("table-9", "Pyramid by 1–48 topics, initial", _topics(PYRAMIDS, INITIAL)),
    ("table-10", "Pyramid by 1–48 topics, update", _topics(PYRAMIDS, UPDATE)),
    ("table-11", "Content Responsiveness by 1–45 topics", _topics_of_duc()),
    (
        "table-1-2",
        "Responsiveness by 1–4 references, initial against update",
        initial_against_update(RESPONSIVENESS, VARIED_REFERENCES),
    ),
    (
        "table-3-4",
        "Pyramid by 1–4 references, initial against update",
        initial_against_update(PYRAMIDS, VARIED_REFERENCES),
    ),
    (
        "table-7-8",
        "Responsiveness by 1–48 topics, initial against update",
        initial_against_update(RESPONSIVENESS, TOPICS, _TAC),
    ),
    (
        "table-9-10",
        "Pyramid by 1–48 topics, initial against update",
        initial_against_update(PYRAMIDS, TOPICS, _TAC),
    ),
    ("footnote-1", "Judgements on 1–24 topics vs their own value on all", _judgements_alone(INITIAL)),
    ("footnote-1-update", "The same on update topics", _judgements_alone(UPDATE)),
    ("figure-4", "Curves of Responsiveness by 1–48 topics, initial", _topics(RESPONSIVENESS, INITIAL)),
    ("figure-5", "Curves of Responsiveness by 1–48 topics, update", _topics(RESPONSIVENESS, UPDATE)),
    ("figure-6", "Curves of the pyramid by 1–48 topics, initial", _topics(PYRAMIDS, INITIAL)),
    ("figure-7", "Curves of the pyramid by 1–48 topics, update", _topics(PYRAMIDS, UPDATE)),
)


def _same(experiment: Experiment) -> Experiment:
    return experiment


for _name, _title, _experiment in _RECIPES:
    recipe(f"conditions-{_name}", paper=PAPER, title=_title)(partial(_same, _experiment))
