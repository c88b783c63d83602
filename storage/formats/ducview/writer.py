"""Export of pyramids and matches as DUCView files: .pyr per pyramid, .pan per summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from core.domain.pyramid import Contributor, Match, Part, Pyramid, Scu, TopicAnnotation
from core.domain.pyramid.scores import score_summary
from core.domain.study import Span, Text, TopicTexts
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.ducview.encode import encode
from storage.formats.ducview.model import (
    NO_MATCH,
    NO_MATCH_LABEL,
    File,
    FileAnnotation,
    FileContributor,
    FilePart,
    FilePyramid,
    FileScu,
    joined,
    span_text,
    unpack_extra,
    unpack_node,
    unpack_text,
)
from storage.formats.ducview.reference_split import ReferenceLayout, fresh, from_record
from storage.formats.ducview.scores import score_block
from storage.formats.ducview.span_repair import in_utf16
from storage.formats.format_types import Export
from storage.repositories import format_extras

Record = Mapping[str, Any]


@dataclass(frozen=True)
class PyramidExport:
    """A pyramid to be written. record: contents of its original file that the study does not model."""

    pyramid: Pyramid
    topic: TopicTexts
    record: Record

    @cached_property
    def _about(self) -> Record:
        return self.record.get("pyramid", {}) if self._recorded is not None else {}

    @cached_property
    def _recorded(self) -> ReferenceLayout | None:
        """The original layout, None if it does not cover the pyramid."""
        contents = {text.name: text.content for text in self.topic.references}
        layout = from_record(self.record.get("pyramid", {}), contents)
        used = {self._authors[c.reference_id] for scu in self.pyramid.scus for c in scu.contributors}
        return layout if layout is not None and used <= set(layout.places) else None

    @cached_property
    def _authors(self) -> Mapping[str, str]:
        return {text.id: text.name for text in self.topic.references}

    @cached_property
    def _laid_out(self) -> tuple[ReferenceLayout, str | None]:
        if self._recorded is not None:
            entry = self._about
            return self._recorded, entry.get("regex", "") if entry.get("has_regex") else None
        return fresh({text.name: text.content for text in self.topic.references})

    @cached_property
    def uids(self) -> Mapping[str, str]:
        """The uid of each SCU by its id: the original one, else the next free number."""
        entry = self.record.get("scus", {})
        uids = {s.id: str(entry[s.id]["uid"]) for s in self.pyramid.scus if "uid" in entry.get(s.id, {})}
        top = max((int(uid) for uid in uids.values() if uid.isascii() and uid.isdecimal()), default=0)
        new = (scu.id for scu in self.pyramid.scus if scu.id not in uids)
        return {**uids, **{scu_id: str(number) for number, scu_id in enumerate(new, top + 1)}}

    @cached_property
    def file(self) -> FilePyramid:
        """The pyramid as stored in files."""
        layout, regex = self._laid_out
        writer = _Units(layout, self.record, is_utf16=bool(self._about.get("is_utf16")))
        return FilePyramid(
            unpack_text(layout.text, self._about.get("lines")),
            tuple(self._scu(scu, writer) for scu in self.pyramid.scus),
            regex,
            unpack_extra(self._about.get("regex_extra")),
            unpack_extra(self._about.get("extra")),
        )

    def _scu(self, scu: Scu, writer: _Units) -> FileScu:
        extra = unpack_extra(self.record.get("scus", {}).get(scu.id, {}).get("extra"))
        held = tuple(writer.unit(c, self._authors[c.reference_id]) for c in scu.contributors)
        return FileScu(self.uids[scu.id], scu.label, held, scu.comment, None, extra)

    def whole(self) -> File:
        """Return the .pyr file."""
        return File(self.file, "", *_around(self._about))

    def annotation(self, summary: Text, matches: Sequence[Match], record: Record) -> File:
        """Return the .pan file of one annotator's matches in a summary. record: see the class."""
        entry = record.get("annotation", {})
        layout = _text_of(summary, entry)
        writer = _Units(layout, record, is_utf16=bool(entry.get("is_utf16")))
        units: dict[str, list[FileContributor]] = {}
        for match in matches:
            uid = NO_MATCH if match.scu_id is None else self.uids[match.scu_id]
            units.setdefault(uid, []).append(writer.unit(match, ""))
        body = FileAnnotation(
            self.file,
            unpack_text(layout.text, entry.get("lines")),
            tuple(self._peer_scus(units, entry)),
            self._score(matches),
            unpack_extra(entry.get("extra")),
            unpack_extra(entry.get("inner")),
            unpack_extra(entry.get("score")),
        )
        return File(body, "", *_around(entry))

    def _score(self, matches: Sequence[Match]) -> Mapping[str, str]:
        layout, regex = self._laid_out
        references = [text.id for text in self.topic.references if text.name in layout.places]
        score = score_summary(self.pyramid, matches, references)
        return score_block(score, has_regex=regex is not None)

    def _peer_scus(self, units: Mapping[str, Sequence[FileContributor]], entry: Record) -> list[FileScu]:
        """Return one peer SCU per SCU, in the original order, else by weight; non-matching ones last."""
        heads: dict[str, tuple[str, int | None]] = {
            scu.uid: (scu.label, len(scu.contributors))
            for scu in sorted(self.file.scus, key=lambda scu: -len(scu.contributors))
        }
        heads[NO_MATCH] = (NO_MATCH_LABEL, None)
        order = [uid for uid in entry.get("order", ()) if uid in heads]
        found = []
        for uid in (*order, *(uid for uid in heads if uid not in order)):
            stored_heads = entry.get("heads", {}).get(uid, ())
            label, weight = stored_heads[:2] if tuple(stored_heads[2:]) == heads[uid] else heads[uid]
            extra = unpack_extra(entry.get("extras", {}).get(uid))
            comment = entry.get("comments", {}).get(uid, "")
            found.append(FileScu(uid, label, tuple(units.get(uid, ())), comment, weight, extra))
        return found


def _text_of(summary: Text, entry: Record) -> ReferenceLayout:
    text = str(entry.get("text", "")) or summary.content
    return ReferenceLayout(text, {"": (0, len(text))}, {"": summary.content})


def _around(entry: Record) -> tuple[Any, Any]:
    before, after = (tuple(map(unpack_node, entry.get(side, ()))) for side in ("before", "after"))
    return before, after


@dataclass(frozen=True)
class _Units:
    """Contributors and matches with spans in a text. is_utf16: count UTF-16 units, as Java does."""

    layout: ReferenceLayout
    record: Record
    is_utf16: bool

    def unit(self, unit: Contributor | Match, author: str) -> FileContributor:
        """Convert a contributor, or a match, which has no author."""
        entry = self.record.get("contributors", {}).get(unit.id, {})
        spans = tuple(self._span(part, author) for part in unit.parts)
        words = joined(self.layout.text, spans)
        label = entry["label"] if entry.get("of") == words else words
        parts = tuple(map(self._part, unit.parts, spans)) or (FilePart("", 0, 0),)
        return FileContributor(label, parts, unit.comment, unpack_extra(entry.get("extra")))

    def _span(self, part: Part, author: str) -> Span:
        entry = self._record_of(part)
        if entry:
            start, end = entry["span"]
            return start, end
        return self.layout.to_file(author, part.span)

    def _part(self, part: Part, span: Span) -> FilePart:
        entry = self._record_of(part)
        label = str(entry["label"]) if entry else span_text(self.layout.text, span)
        start, end = in_utf16(self.layout.text, span) if self.is_utf16 else span
        extra = unpack_extra(self.record.get("parts", {}).get(part.id, {}).get("extra"))
        return FilePart(label, start, end, extra)

    def _record_of(self, part: Part) -> Record:
        """Return the original words and span of a part, empty if they are the default or the "
        "part has moved."""
        entry: Record = self.record.get("parts", {}).get(part.id, {})
        return entry if entry.get("at") == list(part.span) else {}


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write every pyramid and its matches into a folder, all or nothing; returns the number of files.

    Files are named ``TOPIC.pyr`` and ``TOPIC.SYSTEM.pan``, followed by the annotator if there are several.
    Raises InputError if there is nothing to write or writing fails.
    """
    annotations = [a for a in study.pyramids.annotations() if a.pyramid.scus]
    if not annotations:
        raise InputError("The study has no pyramid with an SCU yet. Create or import one first.")
    texts = {topic.id: topic for topic in study.texts.load()}
    names = _Names({person.id: person.name for person in study.annotators.all()}, _has_several(annotations))
    count = 0
    with atomic_folder(folder) as part:
        for done, annotation in enumerate(annotations):
            topic = texts[annotation.pyramid.topic_id]
            if not topic.references:
                what = f"Topic {topic.name} has a pyramid but no reference, which a .pyr file consists of."
                raise InputError(f"{what} Import its references first.")
            for name, file in _files(study, annotation, topic, names):
                with atomic_open(part / name) as out:
                    out.write(_encoded(file, name))
                count += 1
                yield Progress(done, len(annotations), f"writing {name}")
    return count


def _encoded(file: File, name: str) -> str:
    try:
        return encode(file).decode()
    except InputError as error:
        raise InputError(f"{name}: {error}") from error


def _has_several(annotations: Sequence[TopicAnnotation]) -> bool:
    """Return whether the pyramids and matches are by more than one annotator."""
    owners = {a.pyramid.annotator_id for a in annotations}
    return len(owners | {annotator_id for a in annotations for _, annotator_id in _matched(a)}) > 1


@dataclass(slots=True)
class _Names:
    """Unique file names."""

    people: Mapping[str, str]
    with_people: bool
    names: FileNames = field(default_factory=FileNames)

    def reserve(self, suffix: str, annotator_id: str, *pieces: str) -> str:
        """Return a valid, unused name made of these pieces."""
        person = (self.people[annotator_id],) if self.with_people else ()
        return self.names.reserve(".".join((*pieces, *person)), suffix)


def _files(
    study: Study, annotation: TopicAnnotation, topic: TopicTexts, names: _Names
) -> Iterator[tuple[str, File]]:
    """Return the files of one pyramid by name."""
    pyramid = annotation.pyramid
    made = PyramidExport(
        pyramid, topic, format_extras.unpack(study.settings.get(format_extras.pyramid_key(pyramid.id)))
    )
    yield names.reserve(".pyr", pyramid.annotator_id, topic.name), made.whole()
    summaries = {text.id: text for text in topic.summaries}
    for summary_id, annotator_id in _matched(annotation):
        if summary_id in summaries:
            record = format_extras.unpack(
                study.settings.get(format_extras.matches_key(pyramid.id, summary_id, annotator_id))
            )
            matches = annotation.matches_of(summary_id, annotator_id)
            summary = summaries[summary_id]
            name = names.reserve(".pan", annotator_id, topic.name, summary.name)
            yield name, made.annotation(summary, matches, record)


def _matched(annotation: TopicAnnotation) -> list[tuple[str, str]]:
    """Return summaries and annotators with matches, or marked as done without a match."""
    pairs = dict.fromkeys((match.summary_id, match.annotator_id) for match in annotation.matches)
    done = ((s.summary_id, s.annotator_id) for s in annotation.states if s.is_done)
    return list(pairs | dict.fromkeys(done))


EXPORT = Export(
    "pyramids",
    "ducview",
    "",
    "A folder with one .pyr for each pyramid and one .pan for each annotated summary.",
    fill=write,
)
