"""Assignment of topics to annotators: kinds of work, roles, options of a proposal, progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import InputError
from core.json_text import stored_values

Assignees = Mapping[str, tuple[str, ...]]
"""Names of annotators by the name of the topic."""


class Work(StrEnum):
    """Kind of annotation that annotators make, by the key of its page."""

    PYRAMIDS = "pyramids"
    MATCHES = "matches"
    NUGGETS = "nuggets"
    HITS = "hits"
    RATINGS = "ratings"
    COMPARISONS = "comparisons"

    @property
    def heading(self) -> str:
        """Return its name, as on the tab of the window."""
        return "Pairs" if self is Work.COMPARISONS else self.capitalize()


ASSIGNED = tuple(work for work in Work if work is not Work.COMPARISONS)
"""Kinds of work that topics are assigned for; comparisons are divided by their plan."""


class Role(StrEnum):
    """What an annotator does in a team: guidance in a study file, enforced by permissions on a server."""

    MANAGER = "manager"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"


ROLES = "roles"
"""Key of the setting with the roles."""


def roles_from(stored: str) -> dict[str, Role]:
    """Return roles by name from their setting; none if it is damaged."""
    roles = stored_values(stored, str)
    return {name: Role(role) for name, role in roles.items() if role in tuple(Role)}


def refusal_of(name: str, roles: Mapping[str, Role]) -> str:
    """Return who has to do what only managers do, as a sentence; empty = this annotator may do it.

    Where nobody is a manager, everybody may.
    """
    managers = [one for one, role in roles.items() if role is Role.MANAGER]
    if not managers or name in managers:
        return ""
    return f"Only a manager of this study may do this. Ask {' or '.join(managers)}."


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Options of a proposal.

    per_topic: annotators of each shared topic.
    overlap: share of topics in [0, 1] that are shared; the others have one annotator.
    seed: equal seeds give equal plans.
    """

    per_topic: int = 2
    overlap: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.per_topic < 1:
            raise InputError("A topic needs at least one annotator.")
        if not 0 <= self.overlap <= 1:
            raise InputError("The share of topics with several annotators must be between 0 and 1.")


@dataclass(frozen=True, slots=True)
class CellProgress:
    """Progress of one annotator on one topic. total: 0 = there is nothing to do."""

    done: int = 0
    total: int = 0
    is_begun: bool = False

    @property
    def is_done(self) -> bool:
        return self.done >= self.total > 0


@dataclass(frozen=True, slots=True)
class PersonProgress:
    """Progress of one annotator on the assigned topics.

    topics, topics_done: assigned, and of these done. seconds: active time on all topics.
    """

    name: str
    topics: int = 0
    topics_done: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class PlanProgress:
    """A plan with what is done of it.

    topics: names in order. people: in order. cells: by topic and annotator, where there is a plan or work.
    """

    work: Work
    topics: tuple[str, ...]
    people: tuple[PersonProgress, ...]
    assignees: Assignees
    cells: Mapping[tuple[str, str], CellProgress] = field(default_factory=dict)

    def cell(self, topic: str, name: str) -> CellProgress:
        """Return an annotator's progress on a topic; none where there is neither a plan nor work."""
        return self.cells.get((topic, name), CellProgress())
