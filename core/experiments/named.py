"""Measures and judgements alike, by name, as matrices of automatic systems where more is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import InputError
from core.experiments.gathering import PYRAMID
from core.experiments.measured import Wanted, automatic, measure, of_stored
from core.judgements import judgement_matrices, judgements
from core.matrix import Matrix
from core.measures import find, measures
from core.metrics.base import Tools
from core.ports import Study
from core.progress import Steps
from core.stand_ins import stand_ins_among


@dataclass(frozen=True, slots=True)
class Named:
    """What is compared, and what is to be said of it. left_out, stand_ins, warnings: a sentence each."""

    matrices: tuple[Matrix, ...]
    left_out: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def without(self, judgement: str) -> tuple[Matrix, ...]:
        """The matrices that are not the judgement itself."""
        return tuple(one for one in self.matrices if one.label != judgement)


def named_or_all(study: Study, names: Sequence[str]) -> Named:
    """These measures and judgements; without names every measure and the pyramid, where it is there.

    Raises InputError on a name that the study does not have.
    """
    refs = measures(study, check_stale=False)
    known = {ref.name for ref in judgements(study)}
    people = [name for name in names if name in known] if names else [n for n in (PYRAMID,) if n in known]
    chosen = [find(refs, name) for name in names if name not in known] if names else refs
    chosen = [ref for ref in chosen if ref.label not in people]
    scored = [replace(of_stored(study, ref).scores, label=ref.label) for ref in chosen]
    return Named((*_people(study, people), *scored), (), stand_ins_among(chosen))


def named_wanted(study: Study, tools: Tools, wanted: Sequence[Wanted], *, pyramid: str) -> Steps[Named]:
    """What a paper compared: the pyramid where there is one, then its metrics, scored where they are not.

    pyramid: what the paper calls it, empty = it had none.
    """
    reading = yield from measure(study, tools, wanted)
    missing = list(reading.missing)
    matrices = [replace(one.scores, label=one.label) for one in reading.measured]
    if pyramid and any(ref.name == PYRAMID for ref in judgements(study)):
        matrices = [replace(one, label=pyramid) for one in _people(study, [PYRAMID])] + matrices
    elif pyramid:
        missing.append(f"{pyramid} is left out: no summary's matching is marked done.")
    if not matrices:
        raise InputError(" ".join(missing))
    return Named(tuple(matrices), tuple(missing), reading.stand_ins, reading.warnings)


def _people(study: Study, names: Sequence[str]) -> list[Matrix]:
    rows = automatic(study)
    return [one.only(rows) for one in judgement_matrices(study, names).values()] if names else []
