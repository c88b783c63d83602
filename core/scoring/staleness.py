"""Staleness of stored scores: whether a block is up to date, and which of its inputs have changed if not.

The only place that decides it. It is in `core.scoring`, the lowest layer that asks: a plan of scoring needs
the same answer as comparisons and reports above it. `core.comparison.staleness_text` puts it into words.

A hash of all inputs decides. The digests of the parts, which are stored next to it, name what has changed.
"""

from __future__ import annotations

import hashlib
import json
import time
from base64 import b64encode
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final

from core.domain.study import Text, TopicTexts
from core.errors import InputError, MissingResource, PluginFailed, PyramidionError, StudyDamaged
from core.files.allowed_names import NotAllowed
from core.metrics.base import Resources
from core.ports import InputParts, MetricConfig, ScoreBlock, ScoringStudy
from core.recent import Recent
from core.scoring.config import ScoringConfig, config_from_stored

ADDED, EDITED, REMOVED = "added", "edited", "removed"
REFERENCE, SUMMARY, DOCUMENTS, QUERY = "reference", "summary", "source documents", "query"
LANGUAGE, TOPIC = "language", "topic"
UNRECORDED = "inputs"
"""Kind of a change that no recorded part shows."""

_LENGTH: Final = 4
"""Characters of a part's digest (24 bits): the hash of all inputs decides, a part only names what changed."""

_SIGNATURE_TITLES = {
    "version": "metric version",
    "hash": "model hash",
    "df": "document frequencies of the references",
    "corpus": "search index",
}
"""Names of parts of a signature; other parts are named as in it."""

_OF_DIGESTS = frozenset({"df", "corpus"})
"""Parts of a signature whose values tell users nothing."""

_LONGEST_VALUE = 40
"""Length of the longest value of a signature that is shown, such as a model's name."""


@dataclass(frozen=True, slots=True, order=True)
class ChangedInput:
    """An input of stored scores that is no longer the same.

    kind: such as ``reference``, ``source documents``, ``metric version``, ``idf weights of the references``.
    name: author of a reference, system of a summary; empty = there is one input of this kind.
    change: added, edited, removed, or values such as ``1 → 2``.
    is_shared: whether it is an input of all topics, not of one.
    """

    kind: str
    name: str = ""
    change: str = EDITED
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Staleness:
    """Whether the stored scores of a configuration are up to date.

    changes: by id of each topic whose scores are not, what has changed since scoring.
    since: when the oldest of these were scored, in seconds since 1970, 0 = unknown.
    unchecked: why it cannot be checked, a sentence; empty = it was.
    """

    changes: Mapping[str, tuple[ChangedInput, ...]] = field(default_factory=dict)
    since: int = 0
    unchecked: str = ""


UP_TO_DATE: Final = Staleness()


def input_parts(
    config: ScoringConfig, topic: TopicTexts, corpus_hash: str, resources: Resources
) -> InputParts:
    """Return the digests of everything that scoring a topic, restricted, reads now.

    corpus_hash: result of `Metric.corpus_hash`.
    """
    read, metric = config.texts_read(topic), config.metric
    shared = metric.corpus_parts(resources.with_references_by(config.references), corpus_hash)
    own = dict(metric.topic_parts(topic, resources, metric.topic_hash(topic, resources)))
    if "documents" in read:
        own[DOCUMENTS] = json.dumps([(text.name, text.digest) for text in topic.documents])
    if metric.reads_query and topic.query:
        own[QUERY] = topic.query
    summaries, references, language = _texts_parts.get(tuple(read), (topic,), lambda: _of_texts(read))
    return InputParts(
        at=int(time.time()),
        summaries=summaries,
        references=references,
        shared={name: _short(text) for name, text in shared.items()},
        own={name: _short(text) for name, text in own.items()},
        language=language,
    )


class InputCheck:
    """Compares the stored blocks of a configuration with what scoring would read now.

    signature: under which they are stored. now: the current one of the configuration, empty = the same.
    corpus_hash: result of `Metric.corpus_hash`.
    Raises what `Metric.corpus_hash` raises.
    """

    def __init__(
        self, study: ScoringStudy, config: ScoringConfig, signature: str, resources: Resources, now: str = ""
    ) -> None:
        self._study, self._config, self._signature, self._tools = study, config, signature, resources
        self._of_metric = _signature_changes(signature, now) if now else ()
        self.corpus_hash = config.metric.corpus_hash(resources.with_references_by(config.references))
        self._hashes = study.scores.input_hashes(signature)

    @property
    def topics(self) -> Iterable[str]:
        """Return the ids of the topics with a stored block."""
        return self._hashes.keys()

    def changes(self, topic: TopicTexts) -> tuple[ChangedInput, ...] | None:
        """Return what has changed since a topic was scored; none = up to date, None = not scored."""
        stored = self._hashes.get(topic.id)
        if stored is None:
            return None
        chosen = self._config.restrict(topic)
        if stored == self._hash(chosen):
            return self._of_metric
        block = self._blocks.get(topic.id)
        if block is None or block.parts is None:
            if topic.query and stored == self._hash(replace(chosen, query="")):  # it was no part of the hash
                return self._of_metric
            found = set() if block is None else set(self._renamed(block, chosen))
        else:
            now = input_parts(self._config, chosen, self.corpus_hash, self._tools)
            found = set(self._differing(block, block.parts, now, chosen))
        return tuple(sorted(found.union(self._of_metric) or {ChangedInput(UNRECORDED)}))

    def scored_at(self, topic_id: str) -> int:
        """Return when a topic was scored, in seconds since 1970; 0 = unknown."""
        block = self._blocks.get(topic_id)
        return block.parts.at if block is not None and block.parts is not None else 0

    def _hash(self, topic: TopicTexts) -> str:
        return self._config.inputs_hash(self._signature, topic, self.corpus_hash, self._tools)

    @cached_property
    def _blocks(self) -> Mapping[str, ScoreBlock]:
        """Return the stored blocks; none if one is damaged."""
        try:
            return {block.topic_id: block for block in self._study.scores.blocks(self._signature)}
        except StudyDamaged:
            return {}

    def _texts(
        self, block: ScoreBlock, topic: TopicTexts
    ) -> Iterator[tuple[str, Sequence[str], Sequence[Text]]]:
        """Yield the kinds of named texts that are read: the names in a block, and the texts of the topic."""
        count = len(block.systems) - (len(block.references) if self._config.humans else 0)
        read = self._config.texts_read(topic)
        yield SUMMARY, block.systems[:count], topic.summaries
        if "references" in read:
            yield REFERENCE, block.references, topic.references

    def _renamed(self, block: ScoreBlock, topic: TopicTexts) -> Iterator[ChangedInput]:
        """Yield the texts that were added or removed, which the names in a block tell."""
        for kind, names, texts in self._texts(block, topic):
            now = [text.name for text in texts]
            yield from (ChangedInput(kind, name, ADDED) for name in now if name not in names)
            yield from (ChangedInput(kind, name, REMOVED) for name in names if name not in now)

    def _differing(
        self, block: ScoreBlock, stored: InputParts, now: InputParts, topic: TopicTexts
    ) -> Iterator[ChangedInput]:
        """Yield every input whose digest is another one."""
        yield from self._renamed(block, topic)
        for (kind, names, texts), joined in zip(
            self._texts(block, topic), (stored.summaries, stored.references), strict=False
        ):
            digests = dict(zip(names, _parted(joined), strict=False))
            common = [text for text in texts if text.name in digests]
            edited = [text.name for text in common if _short(text.digest) != digests[text.name]]
            yield from (ChangedInput(kind, name) for name in edited)
            if [name for name in names if name in digests] != [text.name for text in texts] and {
                text.name for text in texts
            } == digests.keys():
                yield ChangedInput(f"order of the {'summaries' if kind == SUMMARY else 'references'}")
        if stored.language != now.language:
            change = f"{stored.language or 'none'} → {now.language or 'none'}"
            yield ChangedInput(LANGUAGE, change=change, is_shared=True)
        for before, after, is_shared in ((stored.shared, now.shared, True), (stored.own, now.own, False)):
            for part in before.keys() | after.keys():
                if before.get(part) != after.get(part):
                    yield ChangedInput(part, is_shared=is_shared)


def check_scores(
    study: ScoringStudy, configs: Sequence[MetricConfig], resources: Resources
) -> dict[str, Staleness]:
    """Return by signature whether the scores of configurations are up to date; reads all texts once.

    Imported scores are never stale, nor are scores of metrics unknown to this version.
    """
    known = {config.signature for config in study.scores.configs()}
    found: dict[str, Staleness] = {}
    checks: dict[str, _ConfigCheck] = {}
    for stored in configs:
        try:
            checks[stored.signature] = _ConfigCheck(study, stored, resources, known)
        except NotAllowed as error:
            found[stored.signature] = Staleness(unchecked=str(error))
        except (InputError, MissingResource, PluginFailed):
            continue
    if checks:
        for topic in study.texts.load():
            for check in checks.values():
                check.look_at(topic)
    return found | {signature: check.result() for signature, check in checks.items()}


class _ConfigCheck:
    """The check of one stored configuration."""

    def __init__(
        self, study: ScoringStudy, stored: MetricConfig, resources: Resources, known: Container[str]
    ) -> None:
        config = config_from_stored(stored)
        now = _changed_signature(config, stored, resources, known)
        self._inputs = InputCheck(study, config, stored.signature, resources, now)
        gone: tuple[ChangedInput, ...] = (ChangedInput(TOPIC, change=REMOVED),)
        self._changes = dict.fromkeys(self._inputs.topics, gone)  # until the topic is seen
        self._unchecked = ""

    def look_at(self, topic: TopicTexts) -> None:
        if self._unchecked or topic.id not in self._changes:
            return
        try:
            changes = self._inputs.changes(topic) or ()
        except NotAllowed as error:
            self._unchecked = str(error)
            return
        except (InputError, MissingResource, PluginFailed):  # scoring reports it
            changes = ()
        if changes:
            self._changes[topic.id] = changes
        else:
            del self._changes[topic.id]

    def result(self) -> Staleness:
        if self._unchecked:
            return Staleness(unchecked=self._unchecked)
        if not self._changes:
            return UP_TO_DATE
        return Staleness(self._changes, min(map(self._inputs.scored_at, self._changes)))


def _changed_signature(
    config: ScoringConfig, stored: MetricConfig, resources: Resources, known: Container[str]
) -> str:
    """Return the current signature; empty = the same, unknown here, or there are scores under it too."""
    try:
        now = config.signature(resources)
    except PyramidionError:
        return ""
    return "" if now in known else now


def _signature_changes(before: str, now: str) -> tuple[ChangedInput, ...]:
    """Return what differs between two signatures of one configuration, such as the version of the metric."""
    old, new = (
        dict(part.partition(":")[::2] for part in signature.split("|")[1:]) for signature in (before, now)
    )
    return tuple(
        ChangedInput(
            _SIGNATURE_TITLES.get(key, key),
            change=_change_of(key, old.get(key), new.get(key)),
            is_shared=True,
        )
        for key in dict.fromkeys((*old, *new))
        if old.get(key) != new.get(key)
    )


def _change_of(key: str, before: str | None, now: str | None) -> str:
    values = before or "none", now or "none"
    is_telling = key not in _OF_DIGESTS and max(map(len, values)) <= _LONGEST_VALUE
    return " → ".join(values) if is_telling else EDITED


_JOINED = "summaries", "references"
_texts_parts = Recent[tuple[str, str, str]](4)


def _of_texts(read: Mapping[str, Sequence[Text]]) -> tuple[str, str, str]:
    """Return digests of summaries and of references, and the language of which rules divide some texts."""
    summaries, references = ("".join(_short(text.digest) for text in read.get(kind, ())) for kind in _JOINED)
    divided = (text.language for texts in read.values() for text in texts if text.reading_key != text.digest)
    return summaries, references, next(divided, "")


def _parted(joined: str) -> Sequence[str]:
    return [joined[start : start + _LENGTH] for start in range(0, len(joined), _LENGTH)]


@lru_cache(maxsize=4096)  # all metrics of a topic read the same texts
def _short(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return b64encode(digest)[:_LENGTH].decode()
