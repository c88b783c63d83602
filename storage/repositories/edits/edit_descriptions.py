"""What an edit changed, in words, from its rows before and after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from storage.database.schema import ReferenceRow
from storage.repositories.edits import row_deltas
from storage.repositories.edits.row_deltas import Row, RowDelta

RESTORE = "restore"
"""The verb of an edit that made an earlier state the present one."""
MADE, GONE, CHANGED = "made", "gone", "changed"
_PARENTS = {"contributor_parts": ("contributors", "contributor_id"), "contributors": ("scus", "scu_id")}
_MATCHING = {
    MADE: ("matched", "noted a unit"),
    GONE: ("no longer matched", "removed a unit"),
    CHANGED: ("changed the match of", "changed a unit"),
}
_MOST_PHRASES = 2
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class NameLookup:
    """What stands behind ids: SCUs' and contributors' rows as they are now, and authors of references."""

    rows: Mapping[tuple[str, str], Row]
    authors: Mapping[str, str]

    def label(self, scu_id: str | None) -> str:
        """An SCU's label in quotation marks."""
        row = self.rows.get(("scus", scu_id or ""))
        return quoted(row["label"]) if row is not None else "an SCU"

    def contributor(self, contributor_id: str) -> tuple[str, str | None]:
        """The author of a contributor's reference, and its SCU."""
        row = self.rows.get(("contributors", contributor_id))
        return ("", None) if row is None else (self.author(row), row["scu_id"])

    def author(self, contributor: Row) -> str:
        """The author of the reference that a contributor lies in."""
        return self.authors.get(contributor["reference_id"], "")


def load_names(connection: Connection, edits: Iterable[Sequence[RowDelta]]) -> NameLookup:
    """Look up what the changes of some edits name, in a few queries."""
    rows: dict[tuple[str, str], Row] = {}
    for table in ("contributor_parts", "contributors"):
        parent, column = _PARENTS[table]
        rows |= row_deltas.fetch(connection, {parent: _ids(edits, rows, table, column)})
    matched = _ids(edits, rows, "matches", "scu_id")
    rows |= row_deltas.fetch(connection, {"scus": matched - {key[1] for key in rows if key[0] == "scus"}})
    authors = connection.execute(
        select(ReferenceRow.id, ReferenceRow.author).where(
            ReferenceRow.id.in_(_ids(edits, rows, "contributors", "reference_id"))
        )
    )
    return NameLookup(rows, {row.id: row.author for row in authors})


def describe_edit(verb: str, changes: Sequence[RowDelta], names: NameLookup) -> str:
    """What an edit did, as ``Added contributor B to “Ferry ran aground”``; else its verb."""
    deed = _Deed(changes, names)
    phrases = list(deed.phrases())
    if len(phrases) > _MOST_PHRASES:
        phrases = [deed.counts() or capital(verb)]
    told = capital("; ".join(phrases)) or capital(verb)
    return f"Restored: {told}" if phrases and verb == RESTORE else told


def quoted(label: str) -> str:
    """A label in quotation marks, cut short where it is long."""
    words = " ".join(label.split())
    cut = words if len(words) <= _LONGEST_LABEL else f"{words[: _LONGEST_LABEL - 1].rstrip()}…"
    return f"“{cut}”" if cut else "an SCU without a label"


def capital(words: str) -> str:
    """Words that begin with a capital letter."""
    return words[:1].upper() + words[1:]


class _Deed:
    """The changes of one edit, sorted by what they are."""

    def __init__(self, changes: Sequence[RowDelta], names: NameLookup) -> None:
        self._names = names
        self._rows: dict[tuple[str, str], list[RowDelta]] = defaultdict(list)
        self._with_parent: dict[str, list[RowDelta]] = defaultdict(list)
        for change in changes:
            self._rows[change.table, kind_of(change)].append(change)
        for table, (parent, column) in (*_PARENTS.items(), ("ratings", ("dimensions", "dimension_id"))):
            for kind in (MADE, GONE):  # what came or went with its parent is no deed of its own
                with_it = {c.after["id"] for c in self._rows[parent, kind]}
                all_of_kind = self._rows[table, kind]
                self._with_parent[table] += [c for c in all_of_kind if c.after[column] in with_it]
                self._rows[table, kind] = [c for c in all_of_kind if c.after[column] not in with_it]

    def phrases(self) -> Iterator[str]:
        """What was done, one phrase each."""
        if (merged := self._merged()) is not None:
            yield merged
            return
        yield from self._scus()
        yield from self._contributors()
        yield from self._parts()
        yield from self._marks()
        yield from self._matches()
        yield from self._scales()
        yield from self._ratings()

    def counts(self) -> str:
        """How many SCUs or scales came, went and changed."""
        words = []
        for table, one, many in (("scus", "SCU", "SCUs"), ("dimensions", "scale", "scales")):
            made, gone = ({c.after["id"] for c in self._rows[table, kind]} for kind in (MADE, GONE))
            changed = {c.after["id"] for c in self._rows[table, CHANGED]}
            if table == "scus":
                for kind in (MADE, GONE, CHANGED):
                    changed |= {c.after["scu_id"] for c in self._rows["contributors", kind]}
            counted = ((made, "added"), (gone, "removed"), (changed - made - gone, "changed"))
            words += [f"{len(ids)} {one if len(ids) == 1 else many} {did}" for ids, did in counted if ids]
        return ", ".join(words)

    def _has(self, table: str) -> bool:
        return any(self._rows[table, kind] for kind in (MADE, GONE, CHANGED))

    def _merged(self) -> str | None:
        gone, made = self._rows["scus", GONE], self._rows["scus", MADE]
        takers = {c.after["scu_id"] for c in self._rows["contributors", MADE]}
        for table in ("contributors", "matches"):
            takers |= {c.after["scu_id"] for c in self._rows[table, CHANGED] if _has_moved(c, "scu_id")}
        moved = [c for c in self._rows["contributor_parts", CHANGED] if _has_moved(c, "contributor_id")]
        for part in (*self._rows["contributor_parts", MADE], *moved):
            takers.add(self._names.contributor(part.after["contributor_id"])[1])
        takers.discard(None)
        if len(gone) != 1 or made or len(takers) != 1:
            return None
        return f"merged {quoted(gone[0].before['label'])} into {self._names.label(takers.pop())}"

    def _scus(self) -> Iterator[str]:
        for change in self._rows["scus", MADE]:
            yield f"new SCU {quoted(change.after['label'])}"
        for change in self._rows["scus", GONE]:
            yield f"removed SCU {quoted(change.before['label'])}"
        for change in self._rows["scus", CHANGED]:
            was, now = change.before, change.after
            if was["label"] != now["label"]:
                yield f"label {quoted(was['label'])} → {quoted(now['label'])}"
            if was["comment"] != now["comment"]:
                yield f"comment on {quoted(now['label'])}" + _said(now["comment"])

    def _contributors(self) -> Iterator[str]:
        made, gone = self._rows["contributors", MADE], self._rows["contributors", GONE]
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
                yield f"comment on contributor {author} of {label}" + _said(change.after["comment"])

    def _label_of(self, contributor: RowDelta) -> str:
        return self._names.label(contributor.after["scu_id"])

    def _parts(self) -> Iterator[str]:
        done: dict[str, set[str]] = defaultdict(set)
        for kind in (MADE, GONE, CHANGED):
            for change in self._rows["contributor_parts", kind]:
                is_new = kind == CHANGED and _has_moved(change, "contributor_id")
                done[change.after["contributor_id"]].add(MADE if is_new else kind)
        words = {frozenset({MADE}): "added a part to", frozenset({GONE}): "removed a part of"}
        for contributor_id, kinds in done.items():
            author, scu_id = self._names.contributor(contributor_id)
            did = words.get(frozenset(kinds), "changed the parts of")
            yield f"{did} contributor {author} of {self._names.label(scu_id)}"

    def _marks(self) -> Iterator[str]:
        for change in self._rows["pyramids", CHANGED]:
            if change.before["is_done"] != change.after["is_done"]:
                yield "marked the pyramid done" if change.after["is_done"] else "reopened the pyramid"
        for kind in (MADE, CHANGED):
            for change in self._rows["summary_states", kind]:
                yield from _summary_marks(change)

    def _matches(self) -> Iterator[str]:
        """Without systems' names: they may be hidden from who reads this."""
        went = {c.after["id"] for c in self._rows["scus", GONE]}
        for kind, (in_it, outside) in _MATCHING.items():
            for change in self._rows["matches", kind]:
                if kind == CHANGED and (told := self._unit_changed(change)):
                    yield told
                elif change.after["scu_id"] is None:
                    yield f"{outside} outside the pyramid"
                elif change.after["scu_id"] not in went:
                    yield f"{in_it} {self._names.label(change.after['scu_id'])}"
        if self._has("match_parts") and not self._has("matches"):
            yield "changed the matched words of a summary"

    def _unit_changed(self, change: RowDelta) -> str:
        """What became of a unit that stayed: what it expresses, or what is said of it; empty = neither."""
        if _has_moved(change, "comment"):
            return "comment on a unit" + _said(change.after["comment"])
        if not _has_moved(change, "scu_id"):
            return ""
        scu_id = change.after["scu_id"]
        return (
            f"assigned a unit to {self._names.label(scu_id)}" if scu_id else "put a unit outside the pyramid"
        )

    def _scales(self) -> Iterator[str]:
        for change in self._rows["dimensions", MADE]:
            yield f"new scale {quoted(change.after['name'])}, {_range(change.after)}"
        for change in self._rows["dimensions", GONE]:
            of_it = [c for c in self._with_parent["ratings"] if c.after["dimension_id"] == change.after["id"]]
            many = f"{len(of_it):,} {'rating' if len(of_it) == 1 else 'ratings'}"
            yield f"removed scale {quoted(change.before['name'])}" + (f" with {many}" if of_it else "")
        for change in self._rows["dimensions", CHANGED]:
            yield from _scale_changed(change.before, change.after)

    def _ratings(self) -> Iterator[str]:
        for kind in (MADE, GONE, CHANGED):
            for change in self._rows["ratings", kind]:
                yield "took a rating back" if kind == GONE else f"rated {change.after['value']:g}"


def kind_of(change: RowDelta) -> str:
    """Whether a row was made, went, or changed."""
    if change.before["is_deleted"] and not change.after["is_deleted"]:
        return MADE
    return GONE if change.after["is_deleted"] and not change.before["is_deleted"] else CHANGED


def _has_moved(change: RowDelta, column: str) -> bool:
    """Whether a row has another parent now."""
    return bool(change.before[column] != change.after[column])


def _summary_marks(change: RowDelta) -> Iterator[str]:
    blank = {"is_done": False, "is_flagged": False, "note": ""}
    was = blank if kind_of(change) == MADE else change.before
    now = change.after
    if was["is_done"] != now["is_done"]:
        yield "marked a summary done" if now["is_done"] else "reopened a summary"
    if was["is_flagged"] != now["is_flagged"]:
        yield "flagged a summary" if now["is_flagged"] else "took the flag off a summary"
    if was["note"] != now["note"]:
        yield "note on a summary" + _said(now["note"])


def _scale_changed(was: Row, now: Row) -> Iterator[str]:
    """What became of a scale that stayed."""
    name = quoted(now["name"])
    if was["name"] != now["name"]:
        yield f"renamed scale {quoted(was['name'])} to {name}"
    if (was["low"], was["high"]) != (now["low"], now["high"]):
        yield f"changed the range of scale {name} from {_range(was)} to {_range(now)}"
    texts = [column for column in ("question", "description", "anchors") if was[column] != now[column]]
    if texts:
        yield f"changed the {' and the '.join(texts)} of scale {name}"
    if was["position"] != now["position"]:
        yield f"moved scale {name}"


def _range(scale: Row) -> str:
    return f"{scale['low']:g}–{scale['high']:g}"


def _said(words: str) -> str:
    return f": {quoted(words)}" if words else " removed"


def _ids(
    edits: Iterable[Sequence[RowDelta]], rows: Mapping[tuple[str, str], Row], table: str, column: str
) -> set[str]:
    """What a column names in the changed rows of a table, and in those that were looked up."""
    named = {
        side[column] for changes in edits for c in changes if c.table == table for side in (c.before, c.after)
    }
    named |= {row[column] for (name, _), row in rows.items() if name == table}
    return {value for value in named if value is not None}
