"""Encode the texts of several topics for all metrics in one pass, before scoring.

Texts of similar length then share batches across topics, and metrics that read different layers of one
text share its pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.study import TopicTexts
from core.errors import PyramidionError
from core.metrics.base import Resources
from core.models.encoders.text_encoding import EncodeRequest
from core.progress import raise_if_cancelled
from core.scoring.plan import PlannedRun

DueTopic = tuple[TopicTexts, list[PlannedRun]]
"""A topic with the runs that are to score it."""

_SHARE_KEPT = 0.75
"""Share of an encoder's cache that may be filled ahead; the rest is for texts that no metric announced."""

_Encoder = tuple[str, str]
_Requests = dict[_Encoder, list[EncodeRequest]]


@dataclass(slots=True)
class EncodingBatch:
    """Topics that are encoded together and then scored. readers: runs that something is encoded for."""

    due: list[DueTopic] = field(default_factory=list)
    requests: _Requests = field(default_factory=dict)
    readers: list[PlannedRun] = field(default_factory=list)


def batch_topics(due: Sequence[DueTopic], resources: Resources) -> Iterator[EncodingBatch]:
    """Yield topics in order, grouped by what their encoders can cache."""
    group, filled = EncodingBatch(), dict[_Encoder, int]()
    for one in due:
        raise_if_cancelled()  # documents are divided and cut here, a moment per topic
        requests, readers = _requests_of(one, resources)
        sizes = _sizes(requests, resources)
        if group.due and any(
            filled.get(key, 0) + size > _room(key, resources) for key, size in sizes.items()
        ):
            yield group
            group, filled = EncodingBatch(), {}
        group.due.append(one)
        for key, size in sizes.items():
            group.requests.setdefault(key, []).extend(requests[key])
            filled[key] = filled.get(key, 0) + size
        group.readers += readers
    if group.due:
        yield group


def encode(requests: Mapping[_Encoder, Sequence[EncodeRequest]], resources: Resources) -> Iterator[float]:
    """Encode all requested texts; yields the finished share after each batch.

    What cannot be encoded is left to the metric that requested it, which then reports the error.
    """
    for i, (key, texts) in enumerate(requests.items()):
        try:
            for share in resources.encoder(*key).prefetch(texts):
                yield (i + share) / len(requests)
        except PyramidionError:
            continue


def _requests_of(due: DueTopic, resources: Resources) -> tuple[_Requests, list[PlannedRun]]:
    """Return what the runs of a topic need encoded, and which of the runs need it."""
    topic, runs = due
    requests_by_encoder: _Requests = {}
    readers = []
    for run in runs:
        try:
            own_requests = run.config.metric.to_encode(run.config.restrict(topic), resources)
        except PyramidionError:  # its turn will come, and it will say so
            continue
        for one in own_requests:
            requests_by_encoder.setdefault((one.model, one.dtype), []).append(one)
        readers += [run] if own_requests else []
    return requests_by_encoder, readers


def _sizes(requests: _Requests, resources: Resources) -> dict[_Encoder, int]:
    """Return the bytes that each encoder would cache.

    Encoders are skipped if the size exceeds their cache, because such a topic is encoded while it is
    scored, and if they are not available.
    """
    sizes = {}
    for key, texts in requests.items():
        try:
            size = resources.encoder(*key).nbytes_of(texts)
        except PyramidionError:
            continue
        if size <= _room(key, resources):
            sizes[key] = size
    return sizes


def _room(key: _Encoder, resources: Resources) -> float:
    return _SHARE_KEPT * resources.encoder(*key).room
