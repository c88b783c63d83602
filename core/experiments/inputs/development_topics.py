"""Topics for development: rubrics, prompts and thresholds may be tuned on them, all others are for tests.

They are a setting of the study, so that everybody who opens it keeps the same topics apart.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from enum import StrEnum

import numpy as np

from core.domain.study import TopicHeader
from core.errors import InputError
from core.json_text import parse_json
from core.ports import EditReceipt, Study

SETTING = "development_topics"


class TopicPart(StrEnum):
    """Which topics a number is computed on. AUTOMATIC: for tests, or all if none are for development."""

    AUTOMATIC = "automatic"
    ALL = "all"
    DEVELOPMENT = "development"
    TEST = "test"


def development_topics(study: Study) -> list[str]:
    """Return the names of the topics for development that the study still has, in its order."""
    stored = study.settings.get(SETTING)
    try:
        ids = set(parse_json(stored)) if stored else set()
    except (ValueError, TypeError):
        raise InputError(
            "The study's list of topics for development is damaged. Choose them again."
        ) from None
    return [head.name for head in study.texts.topics() if head.id in ids]


def keep_for_development(
    study: Study, topics: Collection[TopicHeader], annotator_id: str | None = None
) -> Future[EditReceipt]:
    """Make these the topics for development, as one edit, which the annotator can undo; none = no split."""
    ids = sorted(topic.id for topic in topics)
    return study.settings.save(SETTING, json.dumps(ids) if ids else "", annotator_id)


def drawn_topics(heads: Sequence[TopicHeader], count: int, seed: int = 0) -> list[TopicHeader]:
    """Draw topics for development. Raises InputError if none is left for tests."""
    if not 0 < count < len(heads):
        raise InputError(
            f"{count} of {len(heads)} topics for development leave none for tests, or none for development. "
            f"Choose 1 to {max(1, len(heads) - 1)}."
        )
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    chosen = set(random.permutation(len(heads))[:count].tolist())
    return [head for place, head in enumerate(heads) if place in chosen]


def part_of(study: Study, part: TopicPart) -> tuple[TopicPart, list[str]]:
    """Return which part is meant, and the names of its topics. Raises InputError where a part is empty."""
    development = set(development_topics(study))
    if part is TopicPart.AUTOMATIC:
        part = TopicPart.TEST if development else TopicPart.ALL
    if part is not TopicPart.ALL and not development:
        raise InputError(
            "No topics are kept for development yet. Choose them with `pyramidion topics STUDY TOPIC… "
            "--development`."
        )
    names = [head.name for head in study.texts.topics()]
    if part is TopicPart.DEVELOPMENT:
        names = [name for name in names if name in development]
    elif part is TopicPart.TEST:
        names = [name for name in names if name not in development]
    if not names:
        raise InputError("All topics are for development, so that none is left for tests. Keep fewer.")
    return part, names
