"""Values that the Studies page displays."""

from __future__ import annotations

from dataclasses import dataclass

from core.files.study_address import StudyAddress


@dataclass(frozen=True, slots=True)
class StudyRow:
    """One study file.

    contents: number of measures and judgements; empty = not read yet.
    problem: why it is not included; empty = it is.
    """

    path: StudyAddress
    contents: str = ""
    problem: str = ""
    is_own: bool = False
