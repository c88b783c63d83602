"""What is to be encoded for several topics and all metrics, encoded in one go before any of them is scored.

So texts of like length share batches whatever topic they are of, and metrics that want different layers of
one text share its pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.study import TopicTexts
from core.errors import PyramidionError
from core.metrics.base import Tools
from core.models.encoders.encode_request import ToEncode
from core.progress import stop_if_asked
from core.scoring.plan import Run

Due = tuple[TopicTexts, list[Run]]
"""A topic with the runs that are to score it."""

_SHARE_KEPT = 0.75
"""How much of what an encoder keeps may be filled ahead: the rest is for what no metric foretold."""

_Encoder = tuple[str, str]
_Wanted = dict[_Encoder, list[ToEncode]]


@dataclass(slots=True)
class Group:
    """Topics that are encoded together, and then scored. readers: runs that something is encoded for."""

    due: list[Due] = field(default_factory=list)
    wanted: _Wanted = field(default_factory=dict)
    readers: list[Run] = field(default_factory=list)


def grouped(due: Sequence[Due], tools: Tools) -> Iterator[Group]:
    """Topics in their order, as many together as their encoders can keep."""
    group, filled = Group(), dict[_Encoder, int]()
    for one in due:
        stop_if_asked()  # documents are divided and cut here, a moment per topic
        wanted, readers = _wanted(one, tools)
        sizes = _sizes(wanted, tools)
        if group.due and any(filled.get(key, 0) + size > _room(key, tools) for key, size in sizes.items()):
            yield group
            group, filled = Group(), {}
        group.due.append(one)
        for key, size in sizes.items():
            group.wanted.setdefault(key, []).extend(wanted[key])
            filled[key] = filled.get(key, 0) + size
        group.readers += readers
    if group.due:
        yield group


def encode(wanted: Mapping[_Encoder, Sequence[ToEncode]], tools: Tools) -> Iterator[float]:
    """Encode all that is wanted; after each batch the share that is done.

    What cannot be encoded is left to the metric that wants it, which then says why.
    """
    for i, (key, texts) in enumerate(wanted.items()):
        try:
            for share in tools.encoder(*key).encode_ahead(texts):
                yield (i + share) / len(wanted)
        except PyramidionError:
            continue


def _wanted(due: Due, tools: Tools) -> tuple[_Wanted, list[Run]]:
    """What a topic's runs will have encoded, and which of them."""
    topic, runs = due
    found: _Wanted = {}
    readers = []
    for run in runs:
        try:
            asked = run.config.metric.to_encode(run.config.restrict(topic), tools)
        except PyramidionError:  # its turn will come, and it will say so
            continue
        for one in asked:
            found.setdefault((one.model, one.dtype), []).append(one)
        readers += [run] if asked else []
    return found, readers


def _sizes(wanted: _Wanted, tools: Tools) -> dict[_Encoder, int]:
    """Bytes that each encoder would keep.

    Left out where there are more than it can keep, since such a topic is encoded as it is scored, and where
    there is no such encoder.
    """
    sizes = {}
    for key, texts in wanted.items():
        try:
            size = tools.encoder(*key).nbytes_of(texts)
        except PyramidionError:
            continue
        if size <= _room(key, tools):
            sizes[key] = size
    return sizes


def _room(key: _Encoder, tools: Tools) -> float:
    return _SHARE_KEPT * tools.encoder(*key).room
