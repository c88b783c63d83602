"""Pyramids of data sets that give content units as sentences, without their places in the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
)
from core.domain.study import Span
from core.errors import Problem
from core.numerals import parse_number
from core.text.segmentation import word_spans
from core.text.sentences import sentence_spans
from core.text.stemming import snowball_stem
from core.text.word_lists import load_word_list
from storage.formats.mappings.mapping import MatchesRule, UnitsRule
from storage.formats.mappings.values import BAD, EMPTY, Scope, needed, value_of
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import new_text
from storage.formats.readers.tables.table_cells import as_text

USUAL_AUTHOR = "reference"
_CLOSE = 0.001


class ReferenceSearch:
    """Finds the words of content units in one reference."""

    def __init__(self, text: NewText) -> None:
        self._content = text.content
        self._sentences = [
            _stems(text.content, span) for span in text.sentence_spans or sentence_spans(text.content)
        ]

    def span_of(self, unit: str) -> Span | None:
        """Return the words of a unit: from the first to the last in the sentence that has most of them.

        Returns None where no sentence has a word of the unit, other than a function word.
        """
        words = unit.strip(" .")
        if words and (start := self._content.find(words)) >= 0:
            return start, start + len(words)
        stems = {stem for _, stem in _stems(unit, (0, len(unit)))}
        best: list[Span] = []
        most = 0
        for sentence in self._sentences:
            shared = [(span, stem) for span, stem in sentence if stem in stems]
            if (number := len({stem for _, stem in shared})) > most:
                best, most = [span for span, _ in shared], number
        return (best[0][0], best[-1][1]) if best else None

    @property
    def whole(self) -> Span:
        """The whole text."""
        return 0, len(self._content)


def _stems(content: str, span: Span) -> list[tuple[Span, str]]:
    """Return the words of a part of a text other than function words: their spans and stems."""
    start, end = span
    words = [(first + start, last + start) for first, last in word_spans(content[start:end])]
    folded = [((first, last), content[first:last].casefold()) for first, last in words]
    return [(place, snowball_stem(word)) for place, word in folded if word not in _function_words()]


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_word_list("stop_words_153.txt"))


@dataclass(slots=True)
class _Pyramid:
    """Units of one topic and annotator by key. hits: keys by system and who matched."""

    units: dict[str, NewScu] = field(default_factory=dict)
    hits: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)


class Pyramids:
    """Collects the units and matches of an import.

    none: texts that stand for no number.
    """

    def __init__(self, draft: ImportDraft, none: Sequence[str]) -> None:
        self._draft, self._problems, self._none = draft, draft.problems, none
        self._pyramids: dict[tuple[str, str], _Pyramid] = {}
        self._count = 0
        self._whole: list[str] = []  # units without a word in their reference
        self._other_shares: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self._pyramids)

    def add_units(self, rule: UnitsRule, scope: Scope) -> None:
        """Add the units of a reference, placed in it; their keys are a variable of the item."""
        labels, label = rule.labels(scope), rule.labels.label
        scope.names["units"] = None
        if labels is BAD or labels in EMPTY:
            return
        if not isinstance(labels, list) or not all(isinstance(one, str) and one.strip() for one in labels):
            scope.fault(label, "A content unit is not a text, or empty.", "Write a list of texts.")
            return
        if not all(new_text(one, scope.at(label), self._problems) for one in labels):
            return
        topic, owner = needed("topic", scope), needed("annotator", scope)
        author = str(scope.names.get("author") or USUAL_AUTHOR)
        reference = self._draft.topic(topic).references.get(author)
        if reference is None or not reference.content.strip():
            return
        pyramid = self._pyramids.setdefault((topic, owner), _Pyramid())
        keys: dict[str, None] = {}
        for unit in self._located(author, reference, labels):
            key, number = (unit.key, 1) if rule.key == "number" else (unit.label, 1)
            while key in keys:
                number += 1
                key = f"{unit.label} [{number}]"
            keys[key] = None
            known = pyramid.units.setdefault(key, replace(unit, key=key))
            if author not in {one.author for one in known.contributors}:
                both = (*known.contributors, *unit.contributors)
                pyramid.units[key] = replace(known, contributors=both)
        scope.names["units"] = list(keys)

    def add_matches(self, rule: MatchesRule, scope: Scope) -> None:
        """Add the units of the row's list that a summary has."""
        labels, label = rule.labels(scope), rule.labels.label
        if labels is BAD or labels in EMPTY:
            return
        listed = labels if isinstance(labels, list) else [labels]
        present = [int(one) if isinstance(one, bool) else parse_number(one) for one in listed]
        if wrong := [at for at, one in enumerate(present) if one not in (0, 1)]:
            what = f"Label {wrong[0] + 1}, {as_text(listed[wrong[0]])[:40]!r}, is neither 0 nor 1."
            scope.fault(label, what, "Write 1 or 0 for each content unit.")
            return
        topic, owner = needed("topic", scope), needed("annotator", scope)
        system = needed("system", scope)
        units = scope.names.get("units") or []
        if len(present) != len(units):
            what = f"{len(present)} labels for {len(units)} content units."
            scope.fault(label, what, "Write a label for each content unit.")
            return
        matcher = str(scope.names.get("matched_by") or owner)
        hits = self._pyramids[topic, owner].hits.setdefault((system, matcher), {})
        hits.update({key: None for key, one in zip(units, present, strict=True) if one})
        share = value_of(rule.share, scope)
        if rule.share is not None and share not in EMPTY and as_text(share) not in self._none:
            given, own = parse_number(share), sum(map(bool, present)) / len(present)
            self._other_shares[rule.share.label] += given is None or abs(given - own) > _CLOSE

    def _located(self, author: str, text: NewText, labels: Sequence[str]) -> Iterator[NewScu]:
        """Yield the content units of one reference; their keys are numbers from 1."""
        search = ReferenceSearch(text)
        for number, label in enumerate(labels, 1):
            self._count += 1
            span = search.span_of(label)
            if span is None:
                self._whole.append(label)
            part = NewPart(*(span or search.whole))
            yield NewScu(str(number), label, (NewContributor(author, (part,)),))

    def added_to(self, content: ImportContent) -> ImportContent:
        """Return an import with the pyramids, the matches, and what to know about them."""
        people = [who for key, one in self._pyramids.items() for who in (key[1], *(w for _, w in one.hits))]
        return replace(
            content,
            annotators={**dict.fromkeys(people, ""), **content.annotators},
            pyramids=[
                NewPyramid(topic, owner, tuple(one.units.values()))
                for (topic, owner), one in self._pyramids.items()
                if one.units
            ],
            matches=[
                NewMatches(topic, system, owner, who, tuple(NewMatch(key) for key in hits))
                for (topic, owner), one in self._pyramids.items()
                for (system, who), hits in one.hits.items()
            ],
            notices=(*content.notices, *(Problem(content.source, "", "", *one) for one in self._notices())),
        )

    def _notices(self) -> Iterator[tuple[str, str]]:
        if self._count:
            what = f"The places of {self._count:,} content units in the references are not in the data."
            yield what, "Each is shown where most of its words are in one sentence of the reference."
        if self._whole:
            listed = "; ".join(f"“{label[:60]}”" for label in self._whole[:3])
            what = f"{len(self._whole):,} of them have no word in the reference: {listed}."
            yield what, "They are shown as the whole reference."
        for label, count in self._other_shares.items():
            if count:
                what = f"{count:,} values of {label} are not the share of content units whose label is 1."
                yield what, "The labels were imported."
