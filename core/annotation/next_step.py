"""The next step of the person who opens a study: import, annotate, score or compare."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from core.annotation.team_progress import WorkProgress
from core.domain.assignment import CellProgress, Role, Work
from core.domain.study import TopicHeader


class Step(Enum):
    """What to do next. START, CONTINUE: annotating."""

    IMPORT = auto()
    START = auto()
    CONTINUE = auto()
    SCORE = auto()
    COMPARE = auto()


@dataclass(frozen=True, slots=True)
class Person:
    """Who opens a study.

    is_annotator: False = somebody who only looks at the work of others.
    assigned: names of their topics by kind of work; none = no assignment.
    """

    name: str
    is_annotator: bool = True
    role: Role | None = None
    assigned: Mapping[Work, Collection[str]] = field(default_factory=dict)

    def works(self, progress: Mapping[Work, WorkProgress]) -> dict[Work, CellProgress]:
        """Return the progress of each kind of work that this person is assigned."""
        own = {work for work, topics in self.assigned.items() if topics}
        own |= {work for work, one in progress.items() if any(name == self.name for _, name in one.own)}
        return {
            work: progress[work].of(self.name, self.assigned.get(work, ())) for work in Work if work in own
        }


def next_step(
    person: Person,
    topics: Sequence[TopicHeader],
    progress: Mapping[Work, WorkProgress],
    *,
    has_scales: bool,
    is_scored: bool,
) -> tuple[Step, Work | None]:
    """Return the next step, and the kind of work to annotate, None = the step is another.

    Assigned work comes first. Somebody with the role of an annotator and no assignment works on all that the
    study has begun. A study without annotations begins with pyramids or ratings, but not for a manager, an
    adjudicator or somebody who only looks at it.
    """
    if not topics:
        return Step.IMPORT, None
    possible = set(Work)
    if not has_scales:
        possible.remove(Work.RATINGS)
    if not any(topic.references for topic in topics):
        possible.remove(Work.PYRAMIDS)
    begun = [work for work in Work if progress[work].of_all().is_begun]
    own = person.works(progress)
    if not own and (person.role is Role.ANNOTATOR or (person.role is None and not begun)):
        usual = [work for work in (Work.PYRAMIDS, Work.RATINGS) if work in possible][:1]
        works = (begun or usual) if person.is_annotator else ()
        own = {work: progress[work].of(person.name) for work in works}
    left = [work for work, one in own.items() if work in possible and one.done < one.total]
    if left:
        return Step.CONTINUE if any(one.is_begun for one in own.values()) else Step.START, left[0]
    return Step.COMPARE if is_scored else Step.SCORE, None
