"""Conversion of DUCView values to an import: spans of references and summaries, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.domain.import_batch import NewContributor, NewMatch, NewPart, NewScu
from core.domain.study import Span
from core.errors import InputError
from storage.formats.ducview import reference_split
from storage.formats.ducview.model import (
    NO_MATCH,
    NO_MATCH_LABEL,
    FileAnnotation,
    FileContributor,
    FilePart,
    FilePyramid,
    FileScu,
    joined,
    pack_extra,
    pack_text,
    span_text,
    without_blanks,
)
from storage.formats.ducview.reference_split import ReferenceLayout
from storage.formats.ducview.span_repair import in_code_points, repair_spans
from storage.formats.ducview.text_alignment import align_texts, describe_difference
from storage.formats.readers.fields import Problems


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """User's options for all files. split: where references begin, if a file does not state it."""

    split: str = ""
    repairs: bool = False


@dataclass(frozen=True, slots=True)
class ImportedPyramid:
    """A pyramid to be imported. file: the file it was read from."""

    file: FilePyramid
    layout: ReferenceLayout
    scus: tuple[NewScu, ...]
    kept: Mapping[str, Any]


def to_pyramid(
    file: FilePyramid, known: Mapping[str, str], choices: ImportOptions, problems: Problems, notices: Problems
) -> ImportedPyramid | None:
    """Convert a pyramid over references; None and problems if it is ambiguous.

    known: the study's references of the topic, by author.
    """
    text = file.text.content
    counted = in_code_points(text, file.scus)
    if counted is not None:
        problems.place = notices.place = "pyramid"
        notices.add("start", *_UTF16)
    scus = repair_spans(text, counted or file.scus, problems, notices, repairs=choices.repairs)
    layout = _laid_out(file, known, choices, problems, notices)
    if layout is None or problems.found:
        return None
    new = tuple(_scu(scu, layout, problems, notices) for scu in scus)
    kept = {**layout.as_record(), **_file_extras(file), "is_utf16": counted is not None}
    return None if problems.found else ImportedPyramid(file, layout, new, without_blanks(kept))


_UTF16 = (
    "The offsets count characters outside the basic plane twice, as DUCView does.",
    "The offsets were converted to count each character once.",
)


def _file_extras(file: FilePyramid) -> dict[str, Any]:
    extras = {"extra": pack_extra(file.extra), "regex_extra": pack_extra(file.regex_extra)}
    return {"regex": file.regex, "has_regex": file.regex is not None, "lines": pack_text(file.text), **extras}


def _laid_out(
    file: FilePyramid, known: Mapping[str, str], choices: ImportOptions, problems: Problems, notices: Problems
) -> ReferenceLayout | None:
    text = file.text.content
    problems.place = notices.place = "text"
    sections = _sections(file, known, choices, problems, notices)
    if not sections:
        return None
    authors = reference_split.authors(text, sections, known)
    places = {author: section.span for author, section in zip(authors, sections, strict=True)}
    for author in [
        a for a in places if a in known and not reference_split.same(known[a], text[slice(*places[a])])
    ]:
        difference = describe_difference(known[author], text[slice(*places[author])])
        what = f"It differs from the study's reference, which stays unchanged: {difference}."
        problems.add(
            f"reference {author}", what, "Correct the text in the file, or import it as another topic."
        )
    contents = {author: known.get(author, text[slice(*span)]) for author, span in places.items()}
    return ReferenceLayout(text, {a: _whole(text, span, contents[a]) for a, span in places.items()}, contents)


def _whole(text: str, span: Span, content: str) -> Span:
    """Return a section with the surrounding white space that the study's text has too."""
    start = span[0] - (len(content) - len(content.lstrip()))
    end = start + len(content)
    return (start, end) if start >= 0 and text[start:end] == content else span


def _sections(
    file: FilePyramid, known: Mapping[str, str], choices: ImportOptions, problems: Problems, notices: Problems
) -> tuple[reference_split.Section, ...]:
    """Return the references' sections as given by the file, the study's texts or the user, else a problem."""
    text = file.text.content
    if file.regex is not None and file.regex.strip():
        try:
            return reference_split.by_regex(text, file.regex)
        except InputError as error:
            notices.add("startDocumentRegEx", str(error), "The references are separated in another way.")
    split = reference_split.by_texts(text, known)
    if split and _hold_all(split, file):
        return split
    if choices.split:
        try:
            if split := reference_split.chosen(text, choices.split):
                return split
        except InputError as error:
            problems.add("startDocumentRegEx", f"{error}", "Use other lines or another expression.")
            return ()
    lines = reference_split.line_numbers(text, reference_split.proposed(text))
    what = "Neither an expression nor the study's texts show where each reference begins."
    remedy = (
        f"Set the split to “proposed” (lines {lines}), or to other lines or an expression." if lines else ""
    )
    problems.add("startDocumentRegEx", what, remedy or "The text is empty; choose a file with its text.")
    return ()


def _hold_all(sections: Sequence[reference_split.Section], file: FilePyramid) -> bool:
    """Return whether every part of a pyramid is within a section, so that no reference was missed."""
    text = file.text.content
    parts = (part for scu in file.scus for c in scu.contributors for part in c.parts)
    spans = [reference_split.trimmed(text, part.span) or part.span for part in parts]
    return all(any(s.span[0] <= start and end <= s.span[1] for s in sections) for start, end in spans)


def _scu(scu: FileScu, layout: ReferenceLayout, problems: Problems, notices: Problems) -> NewScu:
    contributors = []
    for number, contributor in enumerate(scu.contributors, 1):
        problems.place = notices.place = f"line {scu.line}, SCU {scu.uid}, contributor[{number}]"
        if (found := _contributor(contributor, layout, problems)) is not None:
            contributors.append(found)
    notices.place = f"line {scu.line}, SCU {scu.uid}"
    if not (scu.uid.isascii() and scu.uid.isdecimal()):
        notices.add("uid", f"{scu.uid!r} is not a number.", "It is stored, but DUCView opens only numbers.")
    if not scu.contributors:
        notices.add("contributor", "The SCU has no contributor.", "It is imported with weight 0.")
    kept = {"uid": scu.uid, "extra": pack_extra(scu.extra)}
    return NewScu(scu.uid, scu.label, tuple(contributors), scu.comment, without_blanks(kept))


def _contributor(
    contributor: FileContributor, layout: ReferenceLayout, problems: Problems
) -> NewContributor | None:
    authors = dict.fromkeys(a for part in contributor.parts for a in layout.authors_of(part.span))
    if len(authors) != 1:
        where = f"in {' and '.join(authors)}" if authors else "outside the references"
        what = f"Its parts are {where}: “{contributor.label[:60]}”."
        problems.add("part", what, "Split it into one contributor per reference.")
        return None
    author = next(iter(authors))
    parts = [_part(part, layout, author, problems) for part in contributor.parts]
    spans = tuple(part.span for part in contributor.parts)
    kept = _contributor_extras(contributor, joined(layout.text, spans))
    return NewContributor(author, tuple(p for p in parts if p), contributor.comment, kept)


def _part(part: FilePart, layout: ReferenceLayout, author: str, problems: Problems) -> NewPart | None:
    span = layout.to_study(author, part.span)
    if span is None:
        where = f"extends beyond reference {author}" if author else "contains no words"
        what = f"The span {part.start} to {part.end} {where}."
        problems.add("part", what, "Correct the offsets of the part.")
        return None
    return NewPart(*span, _part_extras(part, span, layout.to_file(author, span), layout.text))


def _part_extras(part: FilePart, span: Span, back: Span, text: str) -> dict[str, Any]:
    """Return a part's stated words and span if they differ from the default."""
    record: dict[str, Any] = {}
    if part.label != span_text(text, back) or part.span != back:
        record = {"at": list(span), "span": list(part.span), "label": part.label}
    extra = pack_extra(part.extra)
    return {**record, "extra": extra} if extra else record


def _contributor_extras(contributor: FileContributor, words: str) -> dict[str, Any]:
    record = {"label": contributor.label, "of": words} if contributor.label != words else {}
    extra = pack_extra(contributor.extra)
    return {**record, "extra": extra} if extra else record


@dataclass(frozen=True, slots=True)
class ImportedMatches:
    """Matches in a summary. content: the summary's text in the study after the import."""

    content: str
    matches: tuple[NewMatch, ...]
    kept: Mapping[str, Any]


def to_matches(
    file: FileAnnotation, known: str | None, choices: ImportOptions, problems: Problems, notices: Problems
) -> ImportedMatches | None:
    """Convert the matches in a summary; None and problems if they are ambiguous.

    known: the study's summary, None = none.
    """
    text = file.text.content
    alignment = align_texts(text if known is None else known, text)
    if alignment is None:
        problems.place = "annotation, text"
        what = (
            f"The summary differs from the study's, which stays unchanged: "
            f"{describe_difference(known or '', text)}."
        )
        problems.add("text", what, "Correct the text in the file, or import it as another system.")
        return None
    counted = in_code_points(text, file.scus)
    if counted is not None:
        notices.place = "annotation"
        notices.add("start", *_UTF16)
    scus = repair_spans(text, counted or file.scus, problems, notices, repairs=choices.repairs)
    layout = ReferenceLayout(text, {"": (0, len(text))}, {"": alignment.ours.text})
    matches = tuple(_match(scu, c, layout, problems) for scu in scus for c in scu.contributors)
    kept = {
        **_scu_extras(file),
        "text": text if text != alignment.ours.text else "",
        "lines": pack_text(file.text),
        "is_utf16": counted is not None,
    }
    return ImportedMatches(alignment.ours.text, matches, without_blanks(kept))


def _match(
    scu: FileScu, contributor: FileContributor, layout: ReferenceLayout, problems: Problems
) -> NewMatch:
    with_words = [part for part in contributor.parts if part.label or part.start != part.end]
    problems.place = f"line {scu.line}, peerscu {scu.uid}"
    parts = [_part(part, layout, "", problems) for part in with_words]
    kept = _contributor_extras(contributor, joined(layout.text, tuple(part.span for part in with_words)))
    key = None if scu.uid == NO_MATCH else scu.uid
    if not with_words and key is None:
        problems.add("part", "A unit without a matching SCU needs its words.", "Add a part.")
    return NewMatch(key, tuple(p for p in parts if p), contributor.comment, kept)


def _scu_extras(file: FileAnnotation) -> dict[str, Any]:
    """Return order, comments, labels and unknown contents of the peer SCUs."""
    known: dict[str, tuple[str, int | None]] = {NO_MATCH: (NO_MATCH_LABEL, None)}
    known |= {scu.uid: (scu.label, len(scu.contributors)) for scu in file.pyramid.scus}
    heads = {s.uid: [s.label, s.weight, *known.get(s.uid, ("", None))] for s in file.scus}
    return {
        "order": [scu.uid for scu in file.scus],
        "comments": {scu.uid: scu.comment for scu in file.scus if scu.comment},
        "heads": {uid: head for uid, head in heads.items() if head[:2] != head[2:]},
        "extras": {scu.uid: pack_extra(scu.extra) for scu in file.scus if scu.extra},
        "extra": pack_extra(file.extra),
        "inner": pack_extra(file.inner),
        "score": pack_extra(file.score_extra),
    }
