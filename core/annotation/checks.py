"""Checks of annotations for likely mistakes, and fixes of findings, which the annotator applies."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
from rapidfuzz import fuzz, process, utils

from core.annotation.finding import Finding, FindingKind, FindingLocation, Fix
from core.annotation.word_coverage import joined_text, merge_spans, words
from core.domain import pyramid
from core.domain.pyramid import Contributor, Edit, Match, Part, Scu, TopicAnnotation, UnitKind, new_id
from core.domain.pyramid.nugget_edits import confirm_occurrences
from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.formatting.unit_terms import in_terms_of
from core.progress import JobSteps, Progress, run_to_completion
from core.text.scripts import is_inside_word
from core.text.sentences import sentence_spans_of
from core.text.tokenization import UNSEGMENTED_SCRIPTS

Check = Callable[[TopicAnnotation, TopicTexts], Iterator[Finding]]

SIMILAR_PERCENT, ALIKE_PERCENT = 90, 70
"""Labels are near duplicates if token_set_ratio reaches the first and token_sort_ratio the second.

The set ratio ignores order and repetition, but treats a label as equal to any that contains all its words;
the sort ratio limits what the longer one adds. No two of the sample's 120 SCUs in a topic reach both.
"""
MAX_LABEL_LENGTH = 120
_ROWS_AT_ONCE = 64
_LONGEST_QUOTE = 80


def misplaced_parts(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find parts of contributors whose offsets are outside the reference, within a word or on spaces."""
    texts, order = _texts(topic.references), _order(topic.references)
    for scu, contributor in _contributors(annotation):
        text = texts[contributor.reference_id]
        for part in contributor.parts:
            if (fit := clip_part(text.content, part.span)) != part.span:
                place = FindingLocation(scu.id, "", contributor.id, part.id, "", text.id, part.span)
                what = _misfit(text.content, part.span)
                sentence = f"A part of {_named(scu)} in reference {text.name} {what}."
                edit = partial(snap_part, scu_id=scu.id, part_id=part.id, content=text.content)
                repair = _snapping(text.content, fit, edit)
                at = (order[text.id], part.start)
                yield Finding(FindingKind.MISPLACED_PART, sentence, place, repair, at)


def misplaced_matches(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find parts of matches whose offsets are outside the summary, within a word or on spaces."""
    texts, order = _texts(topic.summaries), _order(topic.summaries)
    labels = {scu.id: _named(scu) for scu in annotation.pyramid.scus}
    outside = in_terms_of(annotation.pyramid.kind, "a unit outside the pyramid")
    for match in annotation.matches:
        text = texts[match.summary_id]
        for part in match.parts:
            if (fit := clip_part(text.content, part.span)) != part.span:
                place = FindingLocation(match.scu_id or "", "", "", part.id, match.id, text.id, part.span)
                unit = labels.get(match.scu_id or "", outside)
                sentence = (
                    f"The words matched to {unit} in a summary: one part {_misfit(text.content, part.span)}."
                )
                edit = partial(snap_match_part, match_id=match.id, part_id=part.id, content=text.content)
                repair = _snapping(text.content, fit, edit)
                at = (order[text.id], part.start)
                yield Finding(FindingKind.MISPLACED_MATCH, sentence, place, repair, at)


def without_contributors(annotation: TopicAnnotation, _: TopicTexts) -> Iterator[Finding]:
    """Find SCUs without contributors; matched ones are more severe, since their weight is 0."""
    matches = Counter(match.scu_id for match in annotation.matches)
    for at, scu in enumerate(annotation.pyramid.scus):
        if scu.contributors:
            continue
        if count := matches[scu.id]:
            times = "once" if count == 1 else f"{count} times"
            lack = in_terms_of(annotation.pyramid.kind, "but it has no contributor and so no weight")
            sentence = f"{_named(scu)} is matched {times}, {lack}."
            yield Finding(
                FindingKind.MATCHED_WITHOUT_CONTRIBUTORS, sentence, FindingLocation(scu.id), order=(at,)
            )
        else:
            kind = annotation.pyramid.kind
            effect = in_terms_of(kind, "The SCU is removed; nothing is matched to it.")
            repair = Fix("Remove", "remove SCU", effect, partial(pyramid.remove_scu, scu_id=scu.id))
            sentence = f"{_named(scu)} has {in_terms_of(kind, 'no contributor')}."
            yield Finding(FindingKind.WITHOUT_CONTRIBUTORS, sentence, FindingLocation(scu.id), repair, (at,))


def same_reference(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find SCUs with several contributors from one reference; weight counts references, not contributors."""
    texts, order = _texts(topic.references), _order(topic.references)
    for at, scu in enumerate(annotation.pyramid.scus):
        for reference_id, count in Counter(c.reference_id for c in scu.contributors).items():
            if count > 1:
                second = [c for c in scu.contributors if c.reference_id == reference_id][1]
                place = FindingLocation(scu.id, "", second.id, "", "", reference_id, _whole(second.parts))
                name = texts[reference_id].name
                sentence = f"{_named(scu)} has {count} contributors from reference {name}."
                edit = partial(join_contributors, scu_id=scu.id, reference_id=reference_id)
                about = "They become one contributor with all parts; the weight does not change."
                repair = Fix("Join", "join contributors", about, edit)
                yield Finding(FindingKind.SAME_REFERENCE, sentence, place, repair, (at, order[reference_id]))


def overlapping_parts(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find contributors with two parts that overlap."""
    texts, order = _texts(topic.references), _order(topic.references)
    for scu, contributor in _contributors(annotation):
        parts = sorted(contributor.parts, key=lambda part: part.span)
        pair = next(((p, q) for p, q in pairwise(parts) if parts_overlap(p, q)), None)
        if pair is not None:
            text = texts[contributor.reference_id]
            shared = max(p.start for p in pair), min(p.end for p in pair)
            place = FindingLocation(scu.id, "", contributor.id, pair[1].id, "", text.id, shared)
            quoted = _quoted(text.content, shared)
            sentence = f"Two parts of {_named(scu)} in reference {text.name} share {quoted}."
            edit = partial(join_parts, scu_id=scu.id, contributor_id=contributor.id)
            about = "Parts that share words become one part."
            repair = Fix("Join", "join parts", about, edit)
            yield Finding(FindingKind.OVERLAPPING_PARTS, sentence, place, repair, (order[text.id], shared[0]))


def empty_labels(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find SCUs with an empty label."""
    texts = _texts(topic.references)
    for at, scu in enumerate(annotation.pyramid.scus):
        if scu.label.strip():
            continue
        label = _text_words(scu, texts)
        repair = None
        if label:
            edit: Edit = partial(pyramid.set_label, scu_id=scu.id, label=label)
            repair = Fix("Use its words", "change label", f"The label becomes “{label}”.", edit)
        lack = in_terms_of(annotation.pyramid.kind, "An SCU has no label")
        sentence = f"{lack}; its words are “{_cut(label)}”." if label else f"{lack}."
        yield Finding(FindingKind.EMPTY_LABEL, sentence, FindingLocation(scu.id), repair, (at,))


def similar_labels(annotation: TopicAnnotation, _: TopicTexts) -> Iterator[Finding]:
    """Find pairs of SCUs with nearly the same label."""
    labelled = [scu for scu in annotation.pyramid.scus if scu.label.strip()]
    labels = [utils.default_process(scu.label) for scu in labelled]
    for one, other in _candidate_pairs(labels):
        is_similar = fuzz.token_set_ratio(labels[one], labels[other]) >= SIMILAR_PERCENT
        if is_similar and _numbers(labels[one]) == _numbers(labels[other]):
            yield _similar(annotation.pyramid.kind, labelled[one], labelled[other], (one, other))


def uncovered_sentences(annotation: TopicAnnotation, topic: TopicTexts) -> Iterator[Finding]:
    """Find sentences without a word in any SCU, once the pyramid is marked done."""
    if not annotation.pyramid.is_done:
        return
    spans: dict[str, list[Span]] = {text.id: [] for text in topic.references}
    for _scu, contributor in _contributors(annotation):
        spans[contributor.reference_id] += [part.span for part in contributor.parts]
    for place, text in enumerate(topic.references):
        for sentence in _uncovered(text, merge_spans(spans[text.id])):
            yield _uncovered_sentence(text, sentence, place)


def unconfirmed(annotation: TopicAnnotation, _: TopicTexts) -> Iterator[Finding]:
    """Find nuggets with automatic occurrences, once the nuggets are marked done: they do not count."""
    if not annotation.pyramid.is_done:
        return
    for at, nugget in enumerate(annotation.pyramid.scus):
        waiting = [c for c in nugget.contributors if not c.is_confirmed]
        if waiting:
            sentence = f"{_named(nugget)} has {pluralize(len(waiting), 'occurrence')} to confirm."
            edit = partial(confirm_occurrences, nugget_id=nugget.id, contributor_ids=[c.id for c in waiting])
            repair = Fix("Confirm", "confirm occurrences", "They count towards its tier.", edit)
            yield Finding(FindingKind.UNCONFIRMED, sentence, FindingLocation(nugget.id), repair, (at,))


CHECKS: Sequence[Check] = (
    misplaced_parts,
    misplaced_matches,
    without_contributors,
    same_reference,
    overlapping_parts,
    empty_labels,
    similar_labels,
    uncovered_sentences,
)


NUGGET_CHECKS: Sequence[Check] = (
    misplaced_parts,
    misplaced_matches,
    without_contributors,
    overlapping_parts,
    empty_labels,
    similar_labels,
    unconfirmed,
)
"""Checks of nuggets, which may occur several times in a reference and need not cover its sentences."""


def _candidate_pairs(labels: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs that share enough letters to be compared, a few rows at a time.

    Other threads run between two blocks of rows.
    """
    for top in range(0, len(labels), _ROWS_AT_ONCE):
        rows, rest = labels[top : top + _ROWS_AT_ONCE], labels[top:]
        alike = process.cdist(
            rows, rest, scorer=fuzz.token_sort_ratio, score_cutoff=ALIKE_PERCENT, dtype=np.uint8
        )
        for one, other in np.argwhere(np.triu(alike, 1)).tolist():
            yield top + one, top + other


def _numbers(label: str) -> set[str]:
    """Return the numbers in a label; different numbers are different facts."""
    return {word for word in label.split() if any(sign.isdigit() for sign in word)}


def _similar(kind: UnitKind, one: Scu, other: Scu, at: tuple[int, int]) -> Finding:
    keep, gone = (one, other) if one.weight >= other.weight else (other, one)
    sentence = f"{_named(keep)} and {_named(gone)} have nearly the same label."
    what = in_terms_of(kind, "All contributors and matches")
    about = f"{what} move to {_named(keep)}; {_named(gone)} is removed."
    repair = Fix("Merge", "merge SCUs", about, partial(pyramid.merge_scus, keep=keep.id, gone=gone.id))
    return Finding(FindingKind.SIMILAR_LABELS, sentence, FindingLocation(keep.id, gone.id), repair, at)


def _uncovered(text: Text, covered: Sequence[Span]) -> Iterator[Span]:
    """Yield each sentence that no span touches, from its first to its last word."""
    known = words(text.content)
    for start, end in sentence_spans_of(text):
        first, last = (bisect_left(known, at, key=lambda word: word[0]) for at in (start, end))
        if first == last:
            continue
        span = known[first][0], known[last - 1][1]
        following = bisect_left(covered, span[0], key=lambda part: part[1] - 1)
        if following == len(covered) or covered[following][0] >= span[1]:
            yield span


def _uncovered_sentence(text: Text, span: Span, place: int) -> Finding:
    label = joined_text(text.content, [span])[:MAX_LABEL_LENGTH]

    def edit(annotation: TopicAnnotation) -> TopicAnnotation:
        return pyramid.add_scu(annotation, label, text.id, [span])

    repair = Fix("New SCU", "new SCU", "The sentence becomes an SCU; its words become the label.", edit)
    sentence = f"{_quoted(text.content, span)} in reference {text.name} is in no SCU."
    at = FindingLocation(text_id=text.id, span=span)
    return Finding(FindingKind.UNCOVERED_SENTENCE, sentence, at, repair, (place, span[0]))


def _snapping(content: str, fit: Span | None, edit: Edit) -> Fix:
    if fit is None:
        return Fix("Remove the part", "remove part", "The part has no words and is removed.", edit)
    about = f"The part becomes {_quoted(content, fit)}."
    return Fix("Snap to words", "snap to words", about, edit)


def _misfit(content: str, span: Span) -> str:
    start, end = span
    if start < 0 or end > len(content) or start >= end:
        return f"is outside the text ({start} to {end} of {len(content)} characters)"
    if not content[start:end].strip():
        return "has only white space"
    if content[start].isspace() or content[end - 1].isspace():
        return f"begins or ends with white space: “{_cut(content[start:end])}”"
    return f"cuts a word: {_quoted(content, span)}"


def _contributors(annotation: TopicAnnotation) -> Iterator[tuple[Scu, Contributor]]:
    return ((scu, contributor) for scu in annotation.pyramid.scus for contributor in scu.contributors)


def _texts(texts: Sequence[Text]) -> dict[str, Text]:
    return {text.id: text for text in texts}


def _order(texts: Sequence[Text]) -> dict[str, int]:
    return {text.id: at for at, text in enumerate(texts)}


def _whole(parts: Sequence[Part]) -> Span | None:
    return (min(p.start for p in parts), max(p.end for p in parts)) if parts else None


def _text_words(scu: Scu, texts: dict[str, Text]) -> str:
    if not scu.contributors:
        return ""
    first = scu.contributors[0]
    content = texts[first.reference_id].content
    return joined_text(content, (part.span for part in first.parts), " ")[:MAX_LABEL_LENGTH].strip()


def _named(scu: Scu) -> str:
    return f"“{_cut(scu.label)}”" if scu.label.strip() else "an SCU without a label"


def _quoted(content: str, span: Span) -> str:
    return f"“{_cut(joined_text(content, [span]))}”"


def _cut(words_: str) -> str:
    """Return text shortened for a sentence."""
    return words_ if len(words_) <= _LONGEST_QUOTE else f"{words_[: _LONGEST_QUOTE - 1].rstrip()}…"


def run_checks(annotation: TopicAnnotation, topic: TopicTexts) -> JobSteps[tuple[Finding, ...]]:
    """Run all checks; return the most severe findings first, then in text order."""
    findings: list[Finding] = []
    checks = NUGGET_CHECKS if annotation.pyramid.kind is UnitKind.NUGGET else CHECKS
    for done, check in enumerate(checks):
        yield Progress(done, len(checks), "checking")
        findings += check(annotation, topic)
    return tuple(sorted(findings, key=lambda finding: (finding.kind.rank, finding.order)))


def find_problems(annotation: TopicAnnotation, topic: TopicTexts) -> tuple[Finding, ...]:
    """Return all findings in an annotation, the most severe first, then in text order."""
    return run_to_completion(run_checks(annotation, topic))


_UNSPACED = re.compile(f"[{UNSEGMENTED_SCRIPTS}]")
_JOINER = "\u200d"


def clip_part(content: str, span: Span) -> Span | None:
    """Return a span within its text, without spaces at its ends, extended to whole words.

    None = nothing is left of it. Punctuation stays: an annotator may have meant it.
    """
    start, end = min(max(span[0], 0), len(content)), min(span[1], len(content))
    while start < end and content[start].isspace():
        start += 1
    while start < end and content[end - 1].isspace():
        end -= 1
    if start >= end:
        return None
    while _is_within_word(content, start):
        start -= 1
    while _is_within_word(content, end):
        end += 1
    return start, end


def snap_part(annotation: TopicAnnotation, scu_id: str, part_id: str, content: str) -> TopicAnnotation:
    """Fit one part of an SCU to the words of its reference, `content`; a part without a word is removed."""

    def snap(contributor: Contributor) -> Contributor:
        return replace(contributor, parts=_snapped(contributor.parts, part_id, content))

    scu = annotation.scu(scu_id)
    remaining = tuple(c for c in (snap(c) for c in scu.contributors) if c.parts)
    return _with_scu(annotation, replace(scu, contributors=remaining))


def snap_match_part(
    annotation: TopicAnnotation, match_id: str, part_id: str, content: str
) -> TopicAnnotation:
    """Fit one part of a content unit to the words of its summary, `content`; remove it if it has no word.

    A unit outside the pyramid is removed with its last part. Raises InputError if the unit is gone.
    """
    match = next((m for m in annotation.matches if m.id == match_id), None)
    if match is None:
        raise InputError("This content unit is no longer in the summary; somebody removed it.")
    snapped = replace(match, parts=_snapped(match.parts, part_id, content))
    stays = snapped.parts or snapped.scu_id is not None
    matches = (_either(m, match, snapped) for m in annotation.matches)
    return replace(annotation, matches=tuple(m for m in matches if stays or m is not snapped))


def join_contributors(annotation: TopicAnnotation, scu_id: str, reference_id: str) -> TopicAnnotation:
    """Merge all contributors of an SCU in a reference into one with all parts and comments."""
    scu = annotation.scu(scu_id)
    its = [c for c in scu.contributors if c.reference_id == reference_id]
    if not its:
        raise InputError("This SCU has no contributor in that reference any more.")
    comment = "\n".join(c.comment for c in its if c.comment)
    joined = replace(its[0], parts=_disjoint(part for c in its for part in c.parts), comment=comment)
    remaining = (joined if c is its[0] else c for c in scu.contributors if c is its[0] or c not in its)
    return _with_scu(annotation, replace(scu, contributors=tuple(remaining)))


def join_parts(annotation: TopicAnnotation, scu_id: str, contributor_id: str) -> TopicAnnotation:
    """Merge overlapping parts of a contributor."""

    def join(contributor: Contributor) -> Contributor:
        return replace(contributor, parts=_disjoint(contributor.parts))

    scu = annotation.scu(scu_id)
    joined = (join(c) if c.id == contributor_id else c for c in scu.contributors)
    return _with_scu(annotation, replace(scu, contributors=tuple(joined)))


def parts_overlap(one: Part, other: Part) -> bool:
    """Return whether two parts of one text overlap."""
    return one.start < other.end and other.start < one.end


def _snapped(parts: tuple[Part, ...], part_id: str, content: str) -> tuple[Part, ...]:
    spans = {part.id: clip_part(content, part.span) if part.id == part_id else part.span for part in parts}
    return tuple(replace(p, start=span[0], end=span[1]) for p in parts if (span := spans[p.id]) is not None)


def _disjoint(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the same ranges without overlaps; a part that overlaps no other is not changed."""
    known = tuple(parts)
    lone = [p for p in known if not any(parts_overlap(p, q) for q in known if q is not p)]
    joined = merge_spans(p.span for p in known if p not in lone)
    return (*lone, *(Part(new_id(), start, end) for start, end in joined))


def _with_scu(annotation: TopicAnnotation, new: Scu) -> TopicAnnotation:
    scus = tuple(new if scu.id == new.id else scu for scu in annotation.pyramid.scus)
    return replace(annotation, pyramid=replace(annotation.pyramid, scus=scus))


def _either(match: Match, old: Match, new: Match) -> Match:
    return new if match is old else match


def _is_within_word(content: str, at: int) -> bool:
    """Return whether an offset is inside a word; in unsegmented scripts, inside a character."""
    if not 0 < at < len(content):
        return False
    before, after = content[at - 1], content[at]
    if before.isspace() or after.isspace():
        return False
    if _is_mark(after) or _JOINER in (before, after):
        return True
    if _UNSPACED.match(before) or _UNSPACED.match(after):
        return False
    return is_inside_word(content, at)


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")
