"""Staleness in words: which inputs of scores have changed, and when, as far as the history has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from core.comparison.measures import MeasureRef
from core.formatting.numbers import pluralize
from core.names import first_names
from core.ports import EditRecord, Study
from core.scoring.plan import PlannedRun
from core.scoring.staleness import (
    DOCUMENTS,
    EDITED,
    LANGUAGE,
    QUERY,
    REFERENCE,
    SUMMARY,
    TOPIC,
    UNRECORDED,
    ChangedInput,
    Staleness,
)

OUT_OF_DATE = "out_of_date"
"""Column of data that has what has changed since a measure was scored; it is there if anything has."""

_LISTED = 3
_RECENT_EDITS = 200
_IMPORTED = (REFERENCE, SUMMARY, DOCUMENTS, QUERY)
_OF_OTHERS = ("rate ", "annotate rating ", "comment", "resolve ", "remove comment", "compare ", "change set")
"""How edits begin that change no input of a metric."""


def changes_text(study: Study, found: Iterable[Staleness]) -> str:
    """Return what has changed since scoring as a sentence; empty = all is up to date.

    Dates are those of the history of edits, in UTC, so that reports are the same everywhere. Several
    configurations are summed up.
    """
    by_topic: dict[str, set[ChangedInput]] = defaultdict(set)
    since = []
    for one in found:
        since += [one.since] if one.changes else []
        for topic_id, changes in one.changes.items():
            by_topic[topic_id].update(changes)
    if not by_topic:
        return ""
    began = datetime.fromtimestamp(min(since), UTC) if min(since) else None
    phrases, is_dated = _phrases(study, by_topic, began)
    more = f"; {pluralize(len(phrases) - _LISTED, 'further change')}" if len(phrases) > _LISTED else ""
    text = "; ".join(phrases[:_LISTED]) + more
    scored = f" (scored on {_day(began)} UTC)" if began is not None and not is_dated else ""
    return f"{text[:1].upper()}{text[1:]}{scored}."


def measures_text(study: Study, refs: Sequence[MeasureRef], listed: int = _LISTED) -> str:
    """Return which measures are out of date, and why; empty = none. listed: number of names at most."""
    stale = [ref for ref in refs if ref.is_stale]
    if not stale:
        return ""
    named = first_names([ref.label for ref in stale], listed)
    return f"{named}: out of date. {changes_text(study, (ref.staleness for ref in stale))}"


def stale_texts(study: Study, refs: Iterable[MeasureRef]) -> dict[str, str]:
    """Return by label of each measure that is out of date what has changed, a sentence."""
    stale = [ref for ref in refs if ref.is_stale]
    changes = {ref.signature: ref.staleness for ref in stale}
    texts = {signature: changes_text(study, [one]) for signature, one in changes.items()}
    return {ref.label: texts[ref.signature] for ref in stale}


def stale_notes(texts: Mapping[str, str], labels: Collection[str] | None = None) -> list[str]:
    """Return which measures are out of date, those with the same changes together, and the remedy.

    texts: by label, from `stale_texts`. labels: of the measures that are shown, None = all.
    """
    named: dict[str, list[str]] = defaultdict(list)
    for label, text in texts.items():
        if labels is None or label in labels:
            named[text].append(label)
    return [f"{', '.join(alike)}: out of date. {text} Score again." for text, alike in named.items()]


def stale_topics(study: Study, refs: Iterable[MeasureRef]) -> dict[str, set[str]]:
    """Return by name of each topic the labels of the measures whose scores of it are out of date."""
    stale = [ref for ref in refs if ref.is_stale]
    return {
        head.name: {ref.label for ref in stale if head.id in ref.staleness.changes}
        for head in study.texts.topics()
    }


def run_text(study: Study, run: PlannedRun) -> str:
    """Return why a planned run scores topics again; empty = it scores none again."""
    return changes_text(study, [Staleness(run.changes, run.since)])


def _phrases(
    study: Study, by_topic: dict[str, set[ChangedInput]], since: datetime | None
) -> tuple[list[str], bool]:
    """Return a phrase for each kind of change, and whether one has a date."""
    names = {head.id: head.name for head in study.texts.topics()}
    order = {topic_id: place for place, topic_id in enumerate(names)}
    shared = sorted({one for changes in by_topic.values() for one in changes if one.is_shared})
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for topic_id in sorted(by_topic, key=lambda one: order.get(one, len(order))):
        for one in sorted(by_topic[topic_id]):
            if not one.is_shared:
                groups[one.kind, one.change].append((topic_id, one.name))
    days = _Days(study, since)
    found = []
    for (kind, change), places in sorted(groups.items(), key=lambda group: group[0][0] == UNRECORDED):
        topics = list(dict.fromkeys(names.get(topic_id, "a removed topic") for topic_id, _ in places))
        day = days.of(kind, {topic_id for topic_id, _ in places})
        found.append((_phrase(kind, change, topics, [name for _, name in places]), day))
    for one in shared:
        what = f"the {one.kind} changed" if one.change == EDITED else f"{one.kind} {one.change}"
        found.append((what, days.of(one.kind, ())))
    return [phrase + day for phrase, day in found], any(day for _, day in found)


def _phrase(kind: str, change: str, topics: Sequence[str], names: Sequence[str]) -> str:
    others = f" and {pluralize(len(topics) - 1, 'other topic')}" if len(topics) > 1 else ""
    where = f"{topics[0]}{others}"
    if kind == UNRECORDED:
        return (
            f"texts, annotations or settings of {where} changed (which is unknown, as these scores are older "
            "than the record of their inputs)"
        )
    if kind == TOPIC:
        return f"{pluralize(len(names), 'topic')} removed"
    if kind not in (REFERENCE, SUMMARY):
        return f"{kind} of {where} {'were' if kind.endswith('s') else 'was'} {change}"
    things = "references" if kind == REFERENCE else "summaries"
    if len(names) == 1:
        what = f"{kind} {names[0]} of {where}" if kind == REFERENCE else f"summary of {where} by {names[0]}"
        return f"{what} was {change}"
    if len(set(names)) == 1:
        return f"{things} by {names[0]} of {where} were {change}"
    return f"{len(names):,} {things} of {where} were {change}"


class _Days:
    """Days of changes, from the edits since scoring. since: None = unknown."""

    def __init__(self, study: Study, since: datetime | None) -> None:
        self._study, self._since = study, since
        self._recent = [] if since is None else self._edits(None)

    def of(self, kind: str, topic_ids: Collection[str]) -> str:
        """Return `` on 2026-11-24 UTC``, or the first and the last day; empty = unknown."""
        if self._since is None or kind == UNRECORDED:
            return ""
        if kind == LANGUAGE:
            found = [one for one in self._recent if one.verb.startswith("set language")]
        elif kind in _IMPORTED:
            found = [one for one in self._recent if one.verb == "import"]
            if len({_day(one.at) for one in found}) > 1:  # which of them is not recorded
                return ""
        elif topic_ids and len(topic_ids) <= _LISTED:
            edits = (edit for topic_id in topic_ids for edit in self._edits(topic_id))
            found = [one for one in edits if not one.verb.startswith(_OF_OTHERS)]
        else:
            return ""
        days = sorted({_day(one.at) for one in found})
        if not days:
            return ""
        if len(days) == 1:
            return f" on {days[0]} UTC"
        return f" between {days[0]} and {days[-1]} UTC"

    def _edits(self, topic_id: str | None) -> list[EditRecord]:
        """Return the latest edits since scoring."""
        records = self._study.edits.history(topic_id, _RECENT_EDITS)
        return [one for one in records if self._since is not None and one.at > self._since]


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"
