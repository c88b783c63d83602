"""Export of pyramids and matches as DUCView files: .pyr per pyramid, .pan per summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.ducview.encode import encode
from storage.formats.ducview.from_annotations import PyramidExport
from storage.formats.ducview.model import File
from storage.formats.format_types import Export
from storage.repositories import format_extras


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
