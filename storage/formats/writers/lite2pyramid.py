"""Export of pyramids as folders of Lite2Pyramid, one topic per line of each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.domain.study import Text
from core.files.atomic_write import atomic_folder, atomic_open
from core.files.file_names import FileNames
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.format_types import Export
from storage.formats.writers.labelled_units import LabelledUnits, labelled_units

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


EXPORT = Export(
    "pyramids",
    "lite2pyramid",
    "",
    "A folder with SCUs, labels and texts, one topic per line of each file.",
    fill=write,
)
