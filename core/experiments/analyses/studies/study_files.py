"""Comparison of an open study with other study files: facts, problems, result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from core.errors import InputError, PyramidionError
from core.experiments.analyses.studies.across_studies import compared, load_studies, number_duplicates
from core.experiments.tables.study_comparison_tables import StudyMatrices
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.ports import Study
from core.progress import JobSteps, Progress
from core.results.result import Result
from core.stats.correlation import Coefficient, Level


@dataclass(frozen=True, slots=True)
class StudyFilesResult:
    """Contents of study files, by path.

    facts: summary of each file's contents.
    problems: why a file is not included, a sentence.
    judgements: names that at least one file has.
    result: None if too few files are included or they share nothing; refusal then gives the reason.
    """

    facts: Mapping[StudyAddress, str] = field(default_factory=dict)
    problems: Mapping[StudyAddress, str] = field(default_factory=dict)
    judgements: tuple[str, ...] = ()
    result: Result | None = None
    refusal: str = ""


def compare_study_files(
    study: Study,
    others: Sequence[StudyAddress],
    judgements: Sequence[str],
    level: Level,
    coefficient: Coefficient,
    *,
    on_common: bool = False,
) -> JobSteps[StudyFilesResult]:
    """Load the open study and others, and compare the readable ones.

    judgements: empty = all of each.
    on_common: within each study use only systems and topics for which every measure is complete.
    """
    paths: tuple[StudyAddress, ...] = (study.path, *others)
    names = dict(zip(paths, number_duplicates([path.stem for path in paths]), strict=True))
    facts: dict[StudyAddress, str] = {}
    problems: dict[StudyAddress, str] = {}
    studies: list[StudyMatrices] = []
    known: dict[str, None] = {}
    for done, path in enumerate(paths):
        yield Progress(done, len(paths), names[path])
        try:
            whole, chosen = _read(study, path, names[path], judgements)
        except PyramidionError as error:
            problems[path] = str(error).removeprefix(f"{names[path]}: ")
            continue
        studies.append(chosen)
        known.update(dict.fromkeys(whole.people))
        facts[path] = (
            f"{pluralize(len(whole.measures), 'measure')}, {pluralize(len(whole.people), 'judgement')}"
        )
    result, refusal = _compared(studies, level, coefficient, on_common=on_common)
    return StudyFilesResult(facts, problems, tuple(known), result, refusal)


def _read(
    study: Study, path: StudyAddress, name: str, judgements: Sequence[str]
) -> tuple[StudyMatrices, StudyMatrices]:
    """Load a file with all of its judgements and with the chosen ones. Raises PyramidionError."""
    with ExitStack() as stack:
        here = study
        if path != study.path:
            here = study.open_relative(str(path))
            stack.callback(here.close)
        whole = load_studies(name, here, ())
        return whole, load_studies(name, here, judgements) if judgements else whole


def _compared(
    studies: Sequence[StudyMatrices], level: Level, coefficient: Coefficient, *, on_common: bool
) -> tuple[Result | None, str]:
    if len(studies) < 2:
        return None, "At least two studies are required. Add one that has scores and judgements."
    try:
        return compared(studies, level=level, coefficient=coefficient, on_common=on_common), ""
    except InputError as error:
        return None, str(error)
