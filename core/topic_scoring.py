"""One topic scored by one configuration."""

from __future__ import annotations

import time

from core.domain.study import TopicTexts
from core.jackknife import score_humans, with_humans
from core.metrics.base import Tools
from core.planning import Run
from core.ports import MetricConfig, ScoreBlock
from core.unknown_tokens import scored


def score_topic(run: Run, topic: TopicTexts, tools: Tools) -> ScoreBlock:
    """One topic's block: a pure function of what it is given, fit for another process."""
    began = time.perf_counter()
    config, metric = run.config, run.config.metric
    chosen = config.restrict(topic)
    rows = with_humans(chosen) if config.humans else chosen
    # Before anything is read, so that what changes meanwhile leaves the block stale.
    inputs = config.inputs_hash(stored_of(run).signature, chosen, run.other_inputs, tools)
    lent = tools.with_references_by(config.references)
    scores = score_humans(metric, chosen, lent) if config.humans else scored(metric, chosen, lent)
    return ScoreBlock(
        topic_id=topic.id,
        systems=tuple(text.name for text in rows.summaries),
        references=tuple(text.name for text in chosen.references),
        values=scores.values,
        stats=scores.stats,
        inputs_hash=inputs,
        seconds=time.perf_counter() - began,
        notes=scores.notes,
    )


def stored_of(run: Run) -> MetricConfig:
    """A run's configuration as the study keeps it."""
    if run.stored is None:
        raise ValueError("a refused run has no topics")
    return run.stored
