"""Export of pyramids: as data sets hold them, and as pages and pictures.

Data sets (RoSE, Lite2Pyramid) hold lists of content units with a label for each unit and summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.ports import Study
from core.progress import JobSteps, Progress
from core.report.pyramid_sheet import write_sheets
from storage.formats.format_types import Export


@dataclass(frozen=True, slots=True)
class LabelledUnits:
    """The units of a topic by one annotator, and which of them each summary has, by another or the same.

    labels: by id of the summary, in the order of the units; only summaries whose matching is marked done.
    """

    topic: TopicTexts
    owner: str
    matcher: str
    units: tuple[Scu, ...]
    labels: Mapping[str, tuple[int, ...]]


def labelled_units(study: Study) -> Iterator[LabelledUnits]:
    """Yield the units of each topic, annotator of the pyramid and annotator of the matches.

    Raises InputError if the study has no pyramid with an SCU.
    """
    topics = {topic.id: topic for topic in study.texts.load() if topic.references}
    annotations = [a for a in study.pyramids.annotations() if a.pyramid.scus and a.pyramid.topic_id in topics]
    if not annotations:
        raise InputError("The study has no pyramid with an SCU yet. Create or import one first.")
    people = {person.id: person.name for person in study.annotators.all()}
    for annotation in annotations:
        owner = annotation.pyramid.annotator_id
        done = dict.fromkeys(state.annotator_id for state in annotation.states if state.is_done)
        for matcher in done or (owner,):
            yield LabelledUnits(
                topics[annotation.pyramid.topic_id],
                people[owner],
                people[matcher],
                annotation.pyramid.scus,
                _labels(annotation, matcher),
            )


def _labels(annotation: TopicAnnotation, matcher: str) -> dict[str, tuple[int, ...]]:
    labels = {}
    for state in annotation.states:
        if state.annotator_id == matcher and state.is_done:
            present = {match.scu_id for match in annotation.matches_of(state.summary_id, matcher)}
            labels[state.summary_id] = tuple(int(scu.id in present) for scu in annotation.pyramid.scus)
    return labels


ACU = "acu"
PROTOCOLS = {"prior": (1, 5), "ref_free": (1, 5), "ref_based": (1, 5), "normalized_acu": (0, 1)}
"""Ratings other than the labels of ACUs, with their scales."""


def rose_records(study: Study) -> Iterator[dict[str, Any]]:
    """Yield the rows; ``author``, ``annotator`` and ``matched_by`` are fields that RoSE itself does not have.

    Raises InputError if the study has no pyramid with an SCU.
    """
    ratings = _means(study)
    for labelled in labelled_units(study):
        topic = labelled.topic
        for reference in topic.references:
            places = [
                place
                for place, unit in enumerate(labelled.units)
                if any(c.reference_id == reference.id for c in unit.contributors)
            ]
            if not places:
                continue
            yield {
                "source": "\n\n".join(text.content for text in topic.documents),
                "reference": reference.content,
                "reference_acus": [labelled.units[place].label for place in places],
                "example_id": topic.name,
                "annotations": dict(_rose_annotations(labelled, places, ratings.pop(topic.name, {}))),
                "system_outputs": {text.name: text.content for text in topic.summaries},
                "author": reference.name,
                "annotator": labelled.owner,
                "matched_by": labelled.matcher,
            }


def _rose_annotations(
    labelled: LabelledUnits, places: list[int], ratings: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the annotations of each summary. ratings: by system; only in the first row of a topic."""
    for text in labelled.topic.summaries:
        annotation: dict[str, Any] = dict(ratings.get(text.name, {}))
        if (labels := labelled.labels.get(text.id)) is not None:
            own = [labels[place] for place in places]
            annotation |= {"acu_labels": own, ACU: sum(own) / len(own)}
        if annotation:
            yield text.name, annotation


def _means(study: Study) -> dict[str, dict[str, dict[str, float]]]:
    """Return the mean ratings on the scales of RoSE by topic and system."""
    means: dict[str, dict[str, dict[str, float]]] = {}
    for dimension in study.ratings.dimensions():
        if PROTOCOLS.get(dimension.name) != (dimension.low, dimension.high):
            continue
        cube = study.ratings.cube(dimension.name)
        for s, system in enumerate(cube.systems):
            for t, topic in enumerate(cube.topics):
                values = cube.values[:, s, t]
                if np.isfinite(values).any():
                    mean = float(np.mean(values[np.isfinite(values)]))
                    means.setdefault(topic, {}).setdefault(system, {})[dimension.name] = mean
    return means


ROSE = Export(
    "pyramids",
    "rose",
    ".jsonl",
    "One line per topic and reference, with its SCUs and a label for each SCU and summary.",
    rose_records,
)


UNITS, REFERENCES, DOCUMENTS, IDS = "SCUs.txt", "references.txt", "documents.txt", "ids.txt"
SUMMARIES, SUMMARY, LABELS, LABEL = "summaries", ".summary", "labels", ".label"
WEIGHTS = "weights.txt"
OPEN, CLOSE = "<t>", "</t>"
"""Marks around a sentence."""

_BREAKS = str.maketrans({"\n": " ", "\r": " ", "\t": " "})
_README = """\
{units}: the SCUs of one topic per line, separated by tabs. {labels}/SYSTEM{label}: for each SCU 1 = the
summary has it, 0 = not; an empty line = not annotated. Annotator: {people}.
{notes}"""


def write(study: Study, folder: Path) -> JobSteps[int]:
    """Write every pyramid, all or nothing; returns the number of files.

    Each annotator of pyramids or matches has an own folder if there are several.
    Raises InputError if there is nothing to write or writing fails.
    """
    sets: dict[tuple[str, str], list[LabelledUnits]] = {}
    for labelled in labelled_units(study):
        sets.setdefault((labelled.owner, labelled.matcher), []).append(labelled)
    names, count = FileNames(), 0
    with atomic_folder(folder) as part:
        for done, (people, topics) in enumerate(sets.items()):
            own = names.reserve(", ".join(dict.fromkeys(people)), "") if len(sets) > 1 else "."
            yield Progress(done, len(sets), f"writing the pyramids of {people[0]}")
            for name, lines in _files(topics, people):
                (part / own / name).parent.mkdir(parents=True, exist_ok=True)
                with atomic_open(part / own / name) as file:
                    file.writelines(f"{line}\n" for line in lines)
                count += 1
    return count


def _files(topics: Sequence[LabelledUnits], people: Sequence[str]) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the names and lines of the files of one annotator."""
    notes: Counter[str] = Counter()
    yield UNITS, ["\t".join(_labels_of(one)) for one in topics]
    yield IDS, [one.topic.name for one in topics]
    references = [_most_used(one) for one in topics]
    for one, reference in zip(topics, references, strict=True):
        notes["references were left out: the layout has one per topic"] += len(one.topic.references) - 1
        notes["texts had line breaks, which are spaces here"] += _has_breaks(reference)
    yield REFERENCES, [_text(reference) for reference in references]
    if any(one.topic.documents for one in topics):
        yield (
            DOCUMENTS,
            [" ".join(_text(text, marks=False) for text in one.topic.documents) for one in topics],
        )
    weights = [[unit.weight for unit in one.units] for one in topics]
    if any(weight != 1 for row in weights for weight in row):
        yield WEIGHTS, ["\t".join(map(str, row)) for row in weights]
    names = FileNames()
    for system in dict.fromkeys(text.name for one in topics for text in one.topic.summaries):
        texts = [next((t for t in one.topic.summaries if t.name == system), None) for one in topics]
        notes["summaries are missing"] += texts.count(None)
        notes["texts had line breaks, which are spaces here"] += sum(map(_has_breaks, texts))
        stem = names.reserve(system, SUMMARY).removesuffix(SUMMARY)
        notes["systems have another name, because theirs is no file name"] += stem != system
        yield f"{SUMMARIES}/{stem}{SUMMARY}", [_text(text) if text else "" for text in texts]
        labels = [one.labels.get(text.id) if text else None for one, text in zip(topics, texts, strict=True)]
        if any(row is not None for row in labels):
            yield f"{LABELS}/{stem}{LABEL}", ["\t".join(map(str, row or ())) for row in labels]
    listed = "".join(f"{count:,} {what}.\n" for what, count in notes.items() if count)
    about = {"units": UNITS, "labels": LABELS, "label": LABEL, "people": ", ".join(dict.fromkeys(people))}
    yield "README.md", _README.format(**about, notes=listed).splitlines()


def _labels_of(one: LabelledUnits) -> list[str]:
    return [_line(unit.label).strip() or f"SCU {number}" for number, unit in enumerate(one.units, 1)]


def _most_used(one: LabelledUnits) -> Text:
    """Return the reference with most of the units; the first of several."""
    uses = Counter(c.reference_id for unit in one.units for c in unit.contributors)
    return max(one.topic.references, key=lambda text: uses[text.id])


def _has_breaks(text: Text | None) -> bool:
    return text is not None and text.stored_sentences() is None and _line(text.content) != text.content


def _text(text: Text, *, marks: bool = True) -> str:
    """Return a text as one line, with its sentence boundaries if it came with them."""
    sentences = text.stored_sentences()
    if marks and sentences:
        return " ".join(f"{OPEN} {_line(sentence)} {CLOSE}" for sentence in sentences)
    return _line(text.content)


def _line(text: str) -> str:
    return text.replace("\r\n", " ").translate(_BREAKS)


LITE2PYRAMID = Export(
    "pyramids",
    "lite2pyramid",
    "",
    "A folder with SCUs, labels and texts, one topic per line of each file.",
    fill=write,
)


SHEETS = tuple(
    Export(
        "pyramids",
        suffix[1:],
        "",
        f"A folder with each pyramid as {title}: {contents}.",
        fill=partial(write_sheets, suffix=suffix),
    )
    for suffix, title, contents in (
        (".html", "a web page", "a figure of its tiers, and its SCUs with their contributors"),
        (".pdf", "PDF", "a figure of its tiers, and its SCUs with their contributors"),
        (".png", "a picture", "its tiers"),
    )
)
