"""Presenter of the tab Progress of the team."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Slot

from core.annotation.annotator_progress import progress_table, team_progress
from core.annotation.annotators import add_annotator, annotators_of, has_work, remove_annotator
from core.annotation.assignment import manager_needed, roles_of, set_role
from core.domain.assignment import Role
from core.formatting.tables import Table
from core.ports import ChangeKind, Study
from core.progress import JobSteps
from gui.pages.progress.view import Person, ProgressView
from gui.session.context import Context, PageReader
from gui.style.language import tr

KEY = "progress"
_COMMANDS = ("study.merge", "edit.comments")


@dataclass(frozen=True, slots=True)
class Team:
    """What each annotator has done, and by name who they are. refusal: why people cannot be changed."""

    progress: Table
    people: dict[str, Person]
    refusal: str


def build(context: Context) -> tuple[ProgressView, ProgressPresenter]:
    view = ProgressView([context.commands.action(command) for command in _COMMANDS], list(Role))
    return view, ProgressPresenter(view, context)


def read_team(study: Study, me: str) -> JobSteps[Team]:
    """Return the annotators, what each has done and how long it took. me: name of who looks at it."""
    found = yield from team_progress(study)
    roles, members = roles_of(study), {person.name for person in annotators_of(study)}
    people = {
        one.name: Person(str(roles.get(one.name, "")), has_work(study, one.name), one.status == "inactive")
        for one in found
        if one.name in members
    }
    return Team(progress_table(found), people, study.read_only or manager_needed(study, me))


class ProgressPresenter(QObject):
    """Show the annotators; add and remove them, and give them roles, each as one edit."""

    def __init__(self, view: ProgressView, context: Context) -> None:
        super().__init__(view)
        self._view = view
        self._team: Team | None = None
        self._reader = PageReader(
            view,
            context,
            tr("Counting the work of the team"),
            lambda: read_team(context.study, context.annotator.name),
            frozenset(ChangeKind),
        )
        self._reader.read.connect(self._take)
        for requested in (view.add_button.clicked, view.name_field.returnPressed):
            requested.connect(self._add)
        view.remove_button.clicked.connect(self._remove)
        view.role_box.chosen.connect(self._choose_role)

    @Slot(object)
    def _take(self, team: Team) -> None:
        self._team = team
        self._view.show_refusal(team.refusal)
        self._view.show_people(team.progress, team.people)

    @Slot()
    def _add(self) -> None:
        if name := self._view.name_field.text().strip():
            self._view.name_field.clear()
            self._reader.edit(lambda its: add_annotator(its.study, name, its.annotator.id))

    @Slot()
    def _remove(self) -> None:
        """Remove the selected annotator; who annotated becomes inactive, or active again."""
        name = self._view.person
        is_inactive = self._team is not None and self._team.people[name].is_inactive
        change = add_annotator if is_inactive else remove_annotator
        self._reader.edit(lambda context: change(context.study, name, context.annotator.id))

    @Slot(object)
    def _choose_role(self, role: str) -> None:
        name, given = self._view.person, Role(role) if role else None
        self._reader.edit(lambda context: set_role(context.study, name, given, context.annotator.id))
