"""Measures ranked over several studies: which follow people best whatever the data (Sun & Nenkova 2019)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.errors import InputError
from core.experiments.asking import (
    coefficient_setting,
    judgements_setting,
    level_setting,
    measures_setting,
    policy,
)
from core.experiments.caution import cautions_about
from core.experiments.experiment import Experiment
from core.experiments.measured import (
    Measured,
    judged,
    lacking_numbers,
    names_in,
    stacked,
    stand_ins_of,
    stored,
)
from core.experiments.ranking import RANKED, heatmap, ranked_table
from core.experiments.registry import register
from core.experiments.result import Result
from core.experiments.running import inputs_hash
from core.experiments.studies_side_by_side import (
    Gathered,
    Key,
    flow,
    labels_of,
    mean_ranks,
    missing_table,
    with_unranked,
)
from core.metrics.base import Tools, setting
from core.ports import Study
from core.progress import Progress, Steps
from core.report.tables import MARK, Table
from core.stats.correlation import Coefficient, Level, correlate_many


def others_setting() -> Any:
    explained = "Further studies: files beside this one, or whole paths; commas between."
    return setting("", explained, title="Further studies")


@register
@dataclass(frozen=True)
class SeveralStudies(Experiment):
    """The further studies are opened to be read, and closed again; nothing is scored in any of them."""

    name: ClassVar[str] = "studies"
    title: ClassVar[str] = "Measures over several studies"
    about: ClassVar[str] = "Ranks measures in this study and in others, and averages the ranks."

    others: str = others_setting()
    measures: str = measures_setting()
    judgements: str = judgements_setting()
    level: str = level_setting(Level.SYSTEM)
    coefficient: str = coefficient_setting(Coefficient.PEARSON)

    def lacking(self, study: Study) -> str:
        return lacking_numbers(study)

    def other_inputs(self, study: Study) -> str:
        return inputs_of(study, self.others)

    def run(self, study: Study, tools: Tools) -> Steps[Result]:
        with opened(study, self.others) as others:
            if not others:
                raise InputError("Name a further study at least, as OTHER.pyramidion beside this one.")
            studies = [study, *others]
            names = told_apart([each.path.stem for each in studies])
            result = yield from compare(
                list(zip(names, studies, strict=True)),
                judgements=names_in(self.judgements),
                measures=names_in(self.measures),
                level=Level(self.level),
                coefficient=Coefficient(self.coefficient),
            )
        return result


def inputs_of(study: Study, listed: str) -> str:
    """A hash over all that further studies hold."""
    with opened(study, listed) as others:
        return " ".join(inputs_hash(other) for other in others)


@contextmanager
def opened(study: Study, listed: str) -> Iterator[list[Study]]:
    """Further studies, open for a while. Raises InputError for one that is named twice or is this one."""
    with ExitStack() as stack:
        others: list[Study] = []
        for name in names_in(listed):
            other = study.beside(name)
            stack.callback(other.close)
            if other.path.resolve() in {each.path.resolve() for each in (study, *others)}:
                raise InputError(f"{name} is in the comparison already; name each study once.")
            others.append(other)
        yield others


def compare(
    studies: Sequence[tuple[str, Study]],
    *,
    judgements: Sequence[str] = (),
    measures: Sequence[str] = (),
    level: Level = Level.SYSTEM,
    coefficient: Coefficient = Coefficient.PEARSON,
) -> Steps[Result]:
    """Correlate what all studies have with each study's judgements, rank within each, average the ranks.

    judgements: names, empty = all of each study; one that a study lacks is left out there. measures: labels
    as the first study has them, empty = all. Raises InputError where the studies share no measure, or one
    lacks what is needed.
    """
    gathered = []
    for done, (name, study) in enumerate(studies):
        yield Progress(done, len(studies), name)
        gathered.append(gather(name, study, judgements))
    return compared(gathered, measures=measures, level=level, coefficient=coefficient)


def compared(
    gathered: Sequence[Gathered],
    *,
    measures: Sequence[str] = (),
    level: Level = Level.SYSTEM,
    coefficient: Coefficient = Coefficient.PEARSON,
) -> Result:
    """The same of studies that are read already. Raises InputError where they share no measure."""
    shared = _shared(gathered, measures)
    partly = [] if measures else _in_several(gathered, shared)
    keys = [*shared, *partly]
    columns: dict[str, list[float]] = {}
    for each in gathered:
        there = [key for key in keys if key in each.measures]
        for judgement, z in each.people.items():
            x = stacked((each.measures[key].scores for key in there), z)
            found = dict(zip(there, correlate_many(x, z.values, level, coefficient), strict=True))
            columns[_column(each, judgement)] = [found[key].value if key in found else np.nan for key in keys]
    values = np.array(list(columns.values()), dtype=np.float64).T
    labels, n = labels_of(gathered, keys), len(shared)
    title, heads = "Measures over several studies", list(columns)
    by_study = ranked_table("By study and judgement", labels[:n], heads, values[:n])
    overview = _overview(title, by_study)
    missing = missing_table(gathered, shared)
    result = Result(
        title,
        (overview, with_unranked(by_study, labels[n:], values[n:]), *([missing] if missing else [])),
        (mean_ranks(overview), flow(labels[:n], gathered, values[:n], coefficient),
         heatmap("Correlations by study", labels, heads, values)),
        (policy(level, coefficient), RANKED, _SAME),
        stand_ins_of([each.measures[key] for each in gathered for key in keys if key in each.measures]),
        warnings=(*_cautions(gathered, shared, level, coefficient), *_left_out(gathered, keys)),
    )  # fmt: skip
    return result.with_footnotes()


_SAME = (
    "Measures are the same where their signatures are: metric, settings, model. The mean rank is over all "
    "columns, each of them one data set with one judgement."
)


def gather(name: str, study: Study, judgements: Sequence[str]) -> Gathered:
    """Read one study. Raises InputError, with the study's name, where it lacks scores or judgements."""
    try:
        found, people = stored(study, ""), judged(study, "", judgements)
        if judgements and not set(people) & set(judgements):
            raise InputError(
                f"it has none of the judgements {', '.join(judgements)}; it has {', '.join(people)}."
            )
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return Gathered(name, {_key(one): one for one in found}, people)


def _overview(title: str, by_study: Table) -> Table:
    """Each measure's mean over all columns, its rank and the mean of its ranks, the best first."""
    kept = [0, -3, -2, -1]
    rows = [tuple(row[at] for at in kept) for row in by_study.rows]
    rows.sort(key=lambda row: row[-1] if isinstance(row[-1], float) and row[-1] == row[-1] else float("inf"))
    return Table(title, tuple(by_study.columns[at] for at in kept), tuple(rows))


def told_apart(names: Sequence[str]) -> list[str]:
    """Names that occur twice get a number, lest two studies share a column."""
    return [
        f"{name} ({list(names[: at + 1]).count(name)})" if names.count(name) > 1 else name
        for at, name in enumerate(names)
    ]


def _key(one: Measured) -> Key:
    """Numbers that came from elsewhere are known by their name alone: each study's file is another."""
    return ("" if one.config.is_imported else one.config.signature, one.ref.measure)


def _in_several(gathered: Sequence[Gathered], shared: Collection[Key]) -> list[Key]:
    """Measures that two studies or more have, but not all."""
    held = Counter(key for each in gathered for key in each.measures)
    return [key for key, count in held.items() if count > 1 and key not in shared]


def _shared(gathered: Sequence[Gathered], labels: Sequence[str]) -> list[Key]:
    first = gathered[0]
    by_label = {one.label.removesuffix(MARK): key for key, one in first.measures.items()}
    for label in labels:
        if label not in by_label:
            raise InputError(f"{first.name} has no measure {label!r}. There are: {', '.join(by_label)}.")
    wanted = [by_label[label] for label in labels] or list(first.measures)
    shared = [key for key in wanted if all(key in each.measures for each in gathered)]
    if not shared:
        raise InputError(
            "These studies share no measure. Score them with the same metrics and settings first."
        )
    return shared


def _cautions(
    gathered: Sequence[Gathered], shared: Sequence[Key], level: Level, coefficient: Coefficient
) -> list[str]:
    """What to beware of in each study, which each sentence names."""
    return [
        f"{each.name}: {sentence}"
        for each in gathered
        for sentence in cautions_about(
            [each.measures[key].scores for key in shared], each.people, level, coefficient
        )
    ]


def _left_out(gathered: Sequence[Gathered], kept: Collection[Key]) -> tuple[str, ...]:
    sentences = []
    for each in gathered:
        others = [one.label for key, one in each.measures.items() if key not in kept]
        if others:
            sentences.append(f"{each.name}: in no other study, so left out: {', '.join(others)}.")
    return tuple(sentences)


def _column(each: Gathered, judgement: str) -> str:
    return each.name if len(each.people) == 1 else f"{each.name} · {judgement}"
