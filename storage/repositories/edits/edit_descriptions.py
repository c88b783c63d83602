"""Plain-text descriptions of edits, from their rows before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from core.domain.decisions import ADJUDICATE, Choice, DecisionKind, choice_words
from core.domain.pyramid import UnitKind
from core.formatting.legible_text import one_line
from core.json_text import parse_json
from storage.database.schema import PyramidRow, ReferenceRow
from storage.repositories.edits import row_deltas
from storage.repositories.edits.row_deltas import Row, RowDelta

RESTORE = "restore"
"""The verb of an edit that restores an earlier state."""
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
_OTHER_PARENTS = {
    "ratings": ("dimensions", "dimension_id"),
    "comparison_items": ("comparison_plans", "plan_id"),
}
_PARENTS = {"contributor_parts": ("contributors", "contributor_id"), "contributors": ("scus", "scu_id")}
_MATCHING = {
    ADDED: ("matched", "noted a unit"),
    REMOVED: ("no longer matched", "removed a unit"),
    CHANGED: ("changed the match of", "changed a unit"),
}
_VERB_TEXTS = {
    "heed finding again": "stop ignoring finding",
    "take flag off": "unflag summary",
    "set assignment.pyramids": "changed who makes pyramids of which topics",
    "set assignment.matches": "changed who matches which topics",
    "set assignment.nuggets": "changed who marks nuggets of which topics",
    "set assignment.hits": "changed who marks hits of which topics",
    "set assignment.ratings": "changed who rates which topics",
    "set annotators": "changed who are annotators",
    "set control_topics": "changed the control topics",
    "set training_topics": "changed the training topics",
    "set roles": "changed roles of annotators",
    "set shared.scu": "changed whose pyramids everyone matches against",
    "set shared.nugget": "changed whose nuggets everyone looks for",
    "set shared.scu.done": "changed which pyramids everyone matches against",
    "set shared.nugget.done": "changed which nuggets everyone looks for",
}
"""Descriptions of stored verbs that do not read as plain sentences."""
_MOST_PHRASES = 2
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class NameLookup:
    """Lookup of names by id: current rows of SCUs and contributors, and authors of references.

    nuggets: ids of the pyramids whose content units are nuggets.
    """

    rows: Mapping[tuple[str, str], Row]
    authors: Mapping[str, str]
    nuggets: frozenset[str] = frozenset()

    def is_nugget(self, scu_id: str | None) -> bool:
        """Return whether a content unit is a nugget."""
        row = self.rows.get(("scus", scu_id or ""))
        return row is not None and row["pyramid_id"] in self.nuggets

    def label(self, scu_id: str | None) -> str:
        """Return an SCU's label in quotation marks."""
        row = self.rows.get(("scus", scu_id or ""))
        return quoted(row["label"]) if row is not None else "an SCU"

    def contributor(self, contributor_id: str) -> tuple[str, str | None]:
        """Return the author of a contributor's reference, and its SCU."""
        row = self.rows.get(("contributors", contributor_id))
        return ("", None) if row is None else (self.author(row), row["scu_id"])

    def author(self, contributor: Row) -> str:
        """Return the author of a contributor's reference."""
        return self.authors.get(contributor["reference_id"], "")


def load_names(connection: Connection, edits: Iterable[Sequence[RowDelta]]) -> NameLookup:
    """Load the names used in the changes of some edits, in a few queries."""
    rows: dict[tuple[str, str], Row] = {}
    for table in ("contributor_parts", "contributors"):
        parent, column = _PARENTS[table]
        rows |= row_deltas.fetch(connection, {parent: _ids(edits, rows, table, column)})
    matched = _ids(edits, rows, "matches", "scu_id")
    changed = {change.after["id"] for changes in edits for change in changes if change.table == "scus"}
    scus = (matched | changed) - {key[1] for key in rows if key[0] == "scus"}
    rows |= row_deltas.fetch(connection, {"scus": scus})
    authors = connection.execute(
        select(ReferenceRow.id, ReferenceRow.author).where(
            ReferenceRow.id.in_(_ids(edits, rows, "contributors", "reference_id"))
        )
    )
    pyramids = _ids(edits, rows, "scus", "pyramid_id") | _ids(edits, rows, "matches", "pyramid_id")
    nuggets = connection.scalars(
        select(PyramidRow.id).where(PyramidRow.id.in_(pyramids), PyramidRow.kind == UnitKind.NUGGET.value)
    )
    return NameLookup(rows, {row.id: row.author for row in authors}, frozenset(nuggets))


def describe_edit(verb: str, changes: Sequence[RowDelta], names: NameLookup) -> str:
    """Describe an edit, as ``Added contributor B to “Ferry ran aground”``, or else by its verb."""
    if verb.startswith(ADJUDICATE):
        return _describe_adjudication(verb, changes)
    edit = _EditChanges(changes, names)
    phrases = list(edit.phrases())
    verb_text = _VERB_TEXTS.get(verb, verb)
    if len(phrases) > _MOST_PHRASES:
        phrases = [_EditChanges(changes, names).counts() or verb_text]
    text = capital("; ".join(phrases) or verb_text)
    return f"Restored: {text}" if phrases and verb == RESTORE else text


def _describe_adjudication(verb: str, changes: Sequence[RowDelta]) -> str:
    """Describe a step of an adjudication, as ``Adjudicated a rating: accepted Ann``."""
    decisions = [change.after for change in changes if change.table == "decisions"]
    if not decisions:
        return "Merged what annotators agree on"
    kind, choice, source = (decisions[0][column] for column in ("kind", "choice", "source"))
    what = choice_words(DecisionKind(kind), Choice(choice), source)
    unit = verb.removeprefix(ADJUDICATE).strip()
    item = f"{'an' if unit == 'SCU' else 'a'} {unit}" if unit else "an item"
    return f"Adjudicated {item}: {what}"


def quoted(label: str) -> str:
    """Quote a label, shortened if long."""
    cut = one_line(label, _LONGEST_LABEL)
    return f"“{cut}”" if cut else "an SCU without a label"


def capital(words: str) -> str:
    """Capitalize the first letter."""
    return words[:1].upper() + words[1:]


class _EditChanges:
    """The changes of one edit, by table and kind."""

    def __init__(self, changes: Sequence[RowDelta], names: NameLookup) -> None:
        self._names = names
        self._rows: dict[tuple[str, str], list[RowDelta]] = defaultdict(list)
        self._with_parent: dict[str, list[RowDelta]] = defaultdict(list)
        for change in changes:
            self._rows[change.table, kind_of(change)].append(change)
        for table, (parent, column) in (*_PARENTS.items(), *_OTHER_PARENTS.items()):
            for kind in (
                ADDED,
                REMOVED,
            ):  # rows added or removed with their parent are not described separately
                with_it = {c.after["id"] for c in self._rows[parent, kind]}
                all_of_kind = self._rows[table, kind]
                self._with_parent[table] += [c for c in all_of_kind if c.after[column] in with_it]
                self._rows[table, kind] = [c for c in all_of_kind if c.after[column] not in with_it]

    def phrases(self) -> Iterator[str]:
        """Yield one phrase per change."""
        if (merged := self._merged()) is not None:
            yield merged
            return
        yield from self._topics()
        yield from self._scus()
        yield from self._occurrences()
        yield from self._hits()
        yield from self._contributors()
        yield from self._parts()
        yield from self._marks()
        yield from self._matches()
        yield from self._scales()
        yield from self._ratings()
        yield from self._comparisons()
        for change in self._rows["comments", ADDED]:
            text = change.after["text"]
            yield (f"comment {quoted(text)}" if text else "resolved comments")
        for change in self._rows["comments", REMOVED]:
            yield f"removed comment {quoted(change.before['text'])}"

    def counts(self) -> str:
        """Describe how many SCUs or scales were added, removed and changed."""
        words = []
        unit = ("nugget", "nuggets") if self._are_nuggets() else ("SCU", "SCUs")
        for table, one, many in (("scus", *unit), ("dimensions", "scale", "scales")):
            made, gone = ({c.after["id"] for c in self._rows[table, kind]} for kind in (ADDED, REMOVED))
            changed = {c.after["id"] for c in self._rows[table, CHANGED]}
            if table == "scus":
                for kind in (ADDED, REMOVED, CHANGED):
                    changed |= {c.after["scu_id"] for c in self._rows["contributors", kind]}
            counted = ((made, "added"), (gone, "removed"), (changed - made - gone, "changed"))
            words += [f"{len(ids)} {one if len(ids) == 1 else many} {did}" for ids, did in counted if ids]
        if self._are_nuggets():
            words += _hit_counts(self._rows)
        return ", ".join(words)

    def _are_nuggets(self) -> bool:
        """Return whether the edit changed nuggets, their occurrences or hits."""
        for table, column in (("scus", "pyramid_id"), ("matches", "pyramid_id")):
            for kind in (ADDED, REMOVED, CHANGED):
                if any(change.after[column] in self._names.nuggets for change in self._rows[table, kind]):
                    return True
        return any(
            self._names.is_nugget(change.after["scu_id"])
            for kind in (ADDED, REMOVED, CHANGED)
            for change in self._rows["contributors", kind]
        )

    def _has(self, table: str) -> bool:
        return any(self._rows[table, kind] for kind in (ADDED, REMOVED, CHANGED))

    def _merged(self) -> str | None:
        gone, made = self._rows["scus", REMOVED], self._rows["scus", ADDED]
        takers = {c.after["scu_id"] for c in self._rows["contributors", ADDED]}
        for table in ("contributors", "matches"):
            takers |= {c.after["scu_id"] for c in self._rows[table, CHANGED] if _has_moved(c, "scu_id")}
        moved = [c for c in self._rows["contributor_parts", CHANGED] if _has_moved(c, "contributor_id")]
        for part in (*self._rows["contributor_parts", ADDED], *moved):
            takers.add(self._names.contributor(part.after["contributor_id"])[1])
        takers.discard(None)
        if len(gone) != 1 or made or len(takers) != 1:
            return None
        return f"merged {quoted(gone[0].before['label'])} into {self._names.label(takers.pop())}"

    def _topics(self) -> Iterator[str]:
        sets: dict[str, list[str]] = defaultdict(list)
        for change in self._rows["topics", CHANGED]:
            if _has_moved(change, "set"):
                sets[change.after["set"]].append(change.after["name"])
        for name, topics in sets.items():
            which = f"topic {topics[0]}" if len(topics) == 1 else f"{len(topics):,} topics"
            if name:
                yield f"moved {which} to set “{name}”"
            else:
                yield f"removed {which} from {'its set' if len(topics) == 1 else 'their sets'}"

    def _scus(self) -> Iterator[str]:
        for change in self._rows["scus", ADDED]:
            yield f"new {self._unit(change)} {quoted(change.after['label'])}"
        for change in self._rows["scus", REMOVED]:
            yield f"removed {self._unit(change)} {quoted(change.before['label'])}"
        for change in self._rows["scus", CHANGED]:
            was, now = change.before, change.after
            if was["label"] != now["label"]:
                yield f"label {quoted(was['label'])} → {quoted(now['label'])}"
            if was["comment"] != now["comment"]:
                yield f"comment on {quoted(now['label'])}" + _comment_suffix(now["comment"])
            if was["importance"] != now["importance"]:
                label, importance = quoted(now["label"]), now["importance"]
                yield f"rated {label} {importance}" if importance else f"removed the importance of {label}"

    def _unit(self, scu: RowDelta) -> str:
        return "nugget" if scu.after["pyramid_id"] in self._names.nuggets else "SCU"

    def _occurrences(self) -> Iterator[str]:
        """Describe the occurrences of nuggets; the rows are not described again."""
        groups: dict[tuple[str, str], list[RowDelta]] = defaultdict(list)
        for kind in (ADDED, REMOVED, CHANGED):
            for change in self._taken("contributors", kind, self._is_occurrence):
                if verb := _VERBS[kind] or _confirmation(change):
                    is_automatic = kind == ADDED and not change.after["is_confirmed"]
                    groups["found" if is_automatic else verb, change.after["scu_id"]].append(change)
        for (verb, nugget_id), changes in groups.items():
            label = self._names.label(nugget_id)
            if len(changes) == 1:
                yield f"{verb} an occurrence of {label} in {self._names.author(changes[0].after)}"
            else:
                yield f"{verb} {len(changes)} occurrences of {label}"

    def _hits(self) -> Iterator[str]:
        """Describe the hits of nuggets in summaries; the rows are not described again."""
        gone = {c.after["id"] for c in self._rows["scus", REMOVED]}
        groups: dict[tuple[str, str], int] = defaultdict(int)
        for kind in (ADDED, REMOVED, CHANGED):
            for change in self._taken("matches", kind, self._is_hit):
                label = self._names.label(change.after["scu_id"]) if change.after["scu_id"] else ""
                if change.after["scu_id"] not in gone and (phrase := _hit_phrase(change, kind, label)):
                    groups[phrase] += 1
        for (verb, rest), number in groups.items():
            yield f"{verb} {rest.replace('a summary', f'{number} summaries') if number > 1 else rest}"

    def _is_occurrence(self, contributor: RowDelta) -> bool:
        return self._names.is_nugget(contributor.after["scu_id"])

    def _is_hit(self, match: RowDelta) -> bool:
        return match.after["pyramid_id"] in self._names.nuggets

    def _taken(self, table: str, kind: str, concerns: Callable[[RowDelta], bool]) -> list[RowDelta]:
        """Remove the changes that a condition concerns, and those of their parts, and return them."""
        all_of_kind = self._rows[table, kind]
        taken = [change for change in all_of_kind if concerns(change)]
        self._rows[table, kind] = [change for change in all_of_kind if not concerns(change)]
        if table == "matches":
            ids = {change.after["id"] for change in taken}
            parts = self._rows["match_parts", kind]
            self._rows["match_parts", kind] = [part for part in parts if part.after["match_id"] not in ids]
        return taken

    def _contributors(self) -> Iterator[str]:
        made, gone = self._rows["contributors", ADDED], self._rows["contributors", REMOVED]
        if len(made) == len(gone) == 1 and made[0].after["reference_id"] == gone[0].before["reference_id"]:
            author = self._names.author(made[0].after)
            source, target = (self._names.label(c.after["scu_id"]) for c in (gone[0], made[0]))
            yield f"moved contributor {author} from {source} to {target}"
            return
        for change in made:
            yield f"added contributor {self._names.author(change.after)} to {self._label_of(change)}"
        for change in gone:
            yield f"removed contributor {self._names.author(change.before)} from {self._label_of(change)}"
        for change in self._rows["contributors", CHANGED]:
            author, label = self._names.author(change.after), self._label_of(change)
            if _has_moved(change, "scu_id"):
                source = self._names.label(change.before["scu_id"])
                yield f"moved contributor {author} from {source} to {label}"
            if change.before["comment"] != change.after["comment"]:
                yield f"comment on contributor {author} of {label}" + _comment_suffix(change.after["comment"])

    def _label_of(self, contributor: RowDelta) -> str:
        return self._names.label(contributor.after["scu_id"])

    def _parts(self) -> Iterator[str]:
        done: dict[str, set[str]] = defaultdict(set)
        for kind in (ADDED, REMOVED, CHANGED):
            for change in self._rows["contributor_parts", kind]:
                is_new = kind == CHANGED and _has_moved(change, "contributor_id")
                done[change.after["contributor_id"]].add(ADDED if is_new else kind)
        words = {frozenset({ADDED}): "added a part to", frozenset({REMOVED}): "removed a part of"}
        for contributor_id, kinds in done.items():
            author, scu_id = self._names.contributor(contributor_id)
            did = words.get(frozenset(kinds), "changed the parts of")
            yield f"{did} contributor {author} of {self._names.label(scu_id)}"

    def _marks(self) -> Iterator[str]:
        for change in self._rows["pyramids", CHANGED]:
            if change.before["is_done"] != change.after["is_done"]:
                yield "marked the pyramid done" if change.after["is_done"] else "reopened the pyramid"
        for kind in (ADDED, CHANGED):
            for change in self._rows["summary_states", kind]:
                yield from _summary_marks(change)

    def _matches(self) -> Iterator[str]:
        """Describe matches, without names of systems, which may be hidden from the reader."""
        went = {c.after["id"] for c in self._rows["scus", REMOVED]}
        for kind, (in_it, outside) in _MATCHING.items():
            for change in self._rows["matches", kind]:
                if kind == CHANGED and (phrase := self._unit_changed(change)):
                    yield phrase
                elif change.after["scu_id"] is None:
                    yield f"{outside} outside the pyramid"
                elif change.after["scu_id"] not in went:
                    yield f"{in_it} {self._names.label(change.after['scu_id'])}"
        if self._has("match_parts") and not self._has("matches"):
            yield "changed the matched text of a summary"

    def _unit_changed(self, change: RowDelta) -> str:
        """Describe the change of a unit's SCU or comment; empty = neither changed."""
        if _has_moved(change, "comment"):
            return "comment on a unit" + _comment_suffix(change.after["comment"])
        if not _has_moved(change, "scu_id"):
            return ""
        scu_id = change.after["scu_id"]
        return (
            f"assigned a unit to {self._names.label(scu_id)}"
            if scu_id
            else "moved a unit outside the pyramid"
        )

    def _scales(self) -> Iterator[str]:
        for change in self._rows["dimensions", ADDED]:
            yield f"new scale {quoted(change.after['name'])}, {_range(change.after)}"
        for change in self._rows["dimensions", REMOVED]:
            of_it = [c for c in self._with_parent["ratings"] if c.after["dimension_id"] == change.after["id"]]
            many = f"{len(of_it):,} {'rating' if len(of_it) == 1 else 'ratings'}"
            yield f"removed scale {quoted(change.before['name'])}" + (f" with {many}" if of_it else "")
        for change in self._rows["dimensions", CHANGED]:
            yield from _scale_changed(change.before, change.after)

    def _ratings(self) -> Iterator[str]:
        for kind in (ADDED, REMOVED, CHANGED):
            for change in self._rows["ratings", kind]:
                yield from _rating_phrases(change, kind)

    def _comparisons(self) -> Iterator[str]:
        """Describe plans and answers, without names of systems, which may be hidden from the reader."""
        for kind, did in ((ADDED, "new plan of comparisons"), (REMOVED, "removed plan of comparisons")):
            for change in self._rows["comparison_plans", kind]:
                items = len(self._with_parent["comparison_items"])
                yield f"{did} {quoted(change.after['name'])} with {items:,} comparisons"
        for kind in (ADDED, REMOVED, CHANGED):
            for change in self._rows["preferences", kind]:
                if kind == REMOVED:
                    yield "removed an answer to a comparison"
                else:
                    yield "judged summaries equal" if change.after["best"] is None else "compared summaries"


_VERBS = {ADDED: "added", REMOVED: "removed", CHANGED: ""}


def _confirmation(change: RowDelta) -> str:
    return "confirmed" if change.after["is_confirmed"] and not change.before["is_confirmed"] else ""


def _hit_phrase(change: RowDelta, kind: str, label: str) -> tuple[str, str] | None:
    """Return verb and object of a changed hit of a nugget, None = nothing to describe.

    label: of the nugget, empty = a unit outside the nuggets.
    """
    if not label:
        verb = {ADDED: "noted", REMOVED: "removed", CHANGED: "changed"}[kind]
        return verb, "a unit outside the nuggets"
    if kind == ADDED:
        return "matched" if change.after["is_confirmed"] else "found", f"{label} in a summary"
    if kind == REMOVED:
        return "removed", f"the hit of {label} in a summary"
    if _has_moved(change, "is_partial"):
        return "marked", f"{label} as supported in {'part' if change.after['is_partial'] else 'full'}"
    if _confirmation(change):
        return "confirmed", f"{label} in a summary"
    if _has_moved(change, "comment"):
        return "commented", f"on the hit of {label}" + _comment_suffix(change.after["comment"])
    return "assigned", f"a unit to {label}"


def _hit_counts(rows: Mapping[tuple[str, str], Sequence[RowDelta]]) -> list[str]:
    """Return how many hits were added, removed and changed."""
    words = []
    for kind, did in ((ADDED, "added"), (REMOVED, "removed"), (CHANGED, "changed")):
        if number := len(rows["matches", kind]):
            words.append(f"{number} {'hit' if number == 1 else 'hits'} {did}")
    return words


def kind_of(change: RowDelta) -> str:
    """Return whether a row was added, removed or changed."""
    if change.before["is_deleted"] and not change.after["is_deleted"]:
        return ADDED
    return REMOVED if change.after["is_deleted"] and not change.before["is_deleted"] else CHANGED


def _has_moved(change: RowDelta, column: str) -> bool:
    """Return whether a column has another value now."""
    return bool(change.before[column] != change.after[column])


def _summary_marks(change: RowDelta) -> Iterator[str]:
    blank = {"is_done": False, "is_flagged": False, "note": ""}
    was = blank if kind_of(change) == ADDED else change.before
    now = change.after
    if was["is_done"] != now["is_done"]:
        yield "marked a summary done" if now["is_done"] else "reopened a summary"
    if was["is_flagged"] != now["is_flagged"]:
        yield "flagged a summary" if now["is_flagged"] else "unflagged a summary"
    if was["note"] != now["note"]:
        yield "note on a summary" + _comment_suffix(now["note"])


def _rating_phrases(change: RowDelta, kind: str) -> Iterator[str]:
    if kind == REMOVED:
        yield "removed a rating"
        return
    blank = {"value": None, "note": "", "is_flagged": False, "spans": "[]"}
    was = blank if kind == ADDED else change.before
    now = change.after
    if was["spans"] != now["spans"]:
        more = len(parse_json(str(now["spans"]))) - len(parse_json(str(was["spans"])))
        yield "marked a span" if more > 0 else "removed a mark" if more < 0 else "changed a mark"
    elif was["value"] != now["value"]:
        yield "removed the value of a rating" if now["value"] is None else f"rated {now['value']:g}"
    if was["note"] != now["note"]:
        yield "note on a rating" + _comment_suffix(now["note"])
    if was["is_flagged"] != now["is_flagged"]:
        yield "flagged a rating" if now["is_flagged"] else "unflagged a rating"


def _scale_changed(was: Row, now: Row) -> Iterator[str]:
    """Describe the changes of a scale."""
    name = quoted(now["name"])
    if was["name"] != now["name"]:
        yield f"renamed scale {quoted(was['name'])} to {name}"
    if (was["low"], was["high"]) != (now["low"], now["high"]):
        yield f"changed the range of scale {name} from {_range(was)} to {_range(now)}"
    texts = [column for column in ("question", "description", "anchors") if was[column] != now[column]]
    if texts:
        yield f"changed the {' and the '.join(texts)} of scale {name}"
    if was["kind"] != now["kind"]:
        yield f"changed the kind of scale {name} to {now['kind']}"
    if was["is_required"] != now["is_required"]:
        yield f"made scale {name} {'required' if now['is_required'] else 'optional'}"
    if was["position"] != now["position"]:
        yield f"moved scale {name}"


def _range(scale: Row) -> str:
    return f"{scale['low']:g}–{scale['high']:g}"


def _comment_suffix(words: str) -> str:
    return f": {quoted(words)}" if words else " removed"


def _ids(
    edits: Iterable[Sequence[RowDelta]], rows: Mapping[tuple[str, str], Row], table: str, column: str
) -> set[str]:
    """Return the ids in a column of the changed rows of a table and of the loaded rows."""
    named = {
        side[column] for changes in edits for c in changes if c.table == table for side in (c.before, c.after)
    }
    named |= {row[column] for (name, _), row in rows.items() if name == table}
    return {value for value in named if value is not None}
