"""Presenter of the Comparisons page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from core.annotation.annotators import annotators_of
from core.annotation.comparison_plans import draw_plan
from core.annotation.team_progress import comparison_progress
from core.comparison.judgements import judgement_matrix
from core.comparison.preferences import PREFIX, PreferenceScore, answered_plan, plan_result, repeated_answers
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan, Preference, next_item
from core.domain.study import TopicTexts
from core.errors import InputError, PyramidionError
from core.formatting.tables import CellKind, Column, Table
from core.ports import ChangeKind, ChangeSet, EditReceipt, Study
from core.progress import JobSteps, Progress
from gui.annotation.match_values import SummaryText
from gui.annotation.study_modes import blind_mode_of
from gui.annotation.text.summary_columns import SummaryRow
from gui.background.jobs import Job
from gui.pages.comparisons.view import LOOK_BACK, NEXT_PLAN, NO_PLAN, TIE, ComparisonRow, ComparisonsView
from gui.session.context import Context, PageParts
from gui.session.edits import ActiveTime
from gui.style.language import tr

if TYPE_CHECKING:
    from gui.pages.comparisons.view import PlanChoices, PlanDialog
KEY = "comparisons"
_RELEVANT_CHANGES = frozenset({ChangeKind.TEXTS, ChangeKind.COMPARISONS, ChangeKind.PEOPLE})
NOTHING_TO_COMPARE = tr("No topic has summaries of two systems to compare.")
NONE_FOR_YOU = tr("The comparisons of this plan are for other annotators.")

BLIND = tr("The study is blind, so the ranking is not shown here; Compare has it.")

_Drawn = tuple[ComparisonPlan, list[ComparisonItem]]


class ComparisonsPresenter(QObject):
    """Show one comparison at a time, store each answer at once and go to the next one.

    Names of systems are not shown before all are answered. Of best–worst scaling the first choice is the
    best, the second one the worst.
    """

    def __init__(self, view: ComparisonsView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._time = ActiveTime()
        self._plans: Sequence[ComparisonPlan] = ()
        self._plan: ComparisonPlan | None = None
        self._items: Sequence[ComparisonItem] = ()
        self._answers: dict[str, Preference] = {}  # the annotator's, by comparison
        self._item: ComparisonItem | None = None
        self._topic: TopicTexts | None = None
        self._best = ""  # of best–worst scaling, before the worst is chosen
        self._pending_writes = 0
        self._is_loaded = self._is_at_end = self._is_outdated = False
        self.dialog: PlanDialog | None = None
        self._drawing: Job | None = None
        self._drawn: _Drawn | None = None
        self._ranking: Job | None = None
        view.shown.connect(self._refresh)
        view.answered.connect(self.choose)
        view.comparison_place.stepped.connect(self.step)
        view.next_button.clicked.connect(self._go_on)
        view.plan_box.chosen.connect(self._choose_plan)
        for requested in (view.plan_button.clicked, view.empty.primary.clicked):
            requested.connect(self.plan)
        for text in (view.columns, view.source_panel.text):
            text.words_selected.connect(self._time.touch)
        self._context.changes.changed.connect(self._study_changed)
        self._context.selection.comparison_changed.connect(self._follow)
        actions: dict[str, Callable[[], object]] = {
            "comparison.tie": lambda: self.choose(TIE),
            "comparison.clear": self.clear,
            "comparison.next_undone": self.go_to_next,
            "comparison.previous": lambda: self.step(-1),
            "comparison.next": lambda: self.step(+1),
            "comparison.source": self._view.toggle_source,
            "comparison.plan": self.plan,
        }
        for number in range(1, 10):
            actions[f"comparison.choose_{number}"] = partial(self.choose, number)
        for command, action in actions.items():
            self._context.commands.bind(command, action, KEY)

    @Slot(int)
    def choose(self, number: int) -> None:
        """Choose a summary of the comparison by its number, or `TIE`."""
        item, plan = self._item, self._plan
        if item is None or plan is None or number > len(item.summary_ids) or self._is_at_end:
            return
        if plan.kind is ComparisonKind.PAIRWISE:
            chosen = item.summary_ids[number - 1] if number != TIE else None
            other = next((one for one in item.summary_ids if one != chosen), None)
            self._answer(item, chosen, other if chosen else None)
        elif number == TIE:
            self._context.commands.refuse(tr("Best–worst scaling has no ties. Choose the best summary."))
        elif not self._best:
            self._best = item.summary_ids[number - 1]
            self._show()
        elif item.summary_ids[number - 1] != self._best:
            self._answer(item, self._best, item.summary_ids[number - 1])
        else:
            self._best = ""
            self._show()

    def clear(self) -> None:
        self._best = ""
        item = self._item
        if item is not None and item.id in self._answers and not self._is_at_end:
            kept = tr("This answer belongs to another annotator and was not removed.")
            if not self._context.may_edit(lambda _: kept):
                return
            self._answers.pop(item.id)
            study, me = self._context.study, self._context.annotator.id
            self._track(study.comparisons.clear(item.id, me, self._time.take()))
        self._show()

    def go_to_next(self) -> None:
        """Go to the annotator's next comparison without an answer."""
        here = self._item.id if self._item is not None else ""
        found = next_item(self._items, self._answers, self._context.annotator.id, here)
        if found is None:
            self._show_end()
        else:
            self._go_to(found)

    @Slot(int)
    def step(self, by: int) -> None:
        """Go to the previous (-1) or next (+1) comparison."""
        mine = self._mine()
        if self._is_at_end:
            self._leave_end()
        elif self._item in mine:
            place = mine.index(self._item) + by
            if 0 <= place < len(mine):
                self._go_to(mine[place])

    @Slot()
    def plan(self) -> None:
        """Open the dialog for a new plan."""
        from gui.pages.comparisons.view import PlanDialog

        if not self._context.may_manage("comparison.plan"):
            return
        people = [person.name for person in annotators_of(self._context.study)]
        self.dialog = PlanDialog(people, [plan.name for plan in self._plans], self._view)
        self.dialog.changed.connect(self._check_plan)
        self.dialog.accepted.connect(self._save_plan)
        self._check_plan()
        self.dialog.open()

    def _answer(self, item: ComparisonItem, best: str | None, worst: str | None) -> None:
        self._best = ""
        if not self._context.may_edit(partial(_repeat_answer, item.id, best, worst)):
            self._show()
            return
        me = self._context.annotator.id
        self._answers[item.id] = Preference("", item.id, me, best, worst)
        self._track(self._context.study.comparisons.answer(item.id, me, best, worst, self._time.take()))
        found = next_item(self._items, self._answers, me, item.id)
        self._go_to(found or item)
        if found is None:
            self._show_end()

    def _show_end(self) -> None:
        """Show that all comparisons of the plan are answered, their result, and what is left."""
        self._is_at_end = True
        self._view.show_ranking(None, "", "")
        self._show()

    @Slot()
    def _go_on(self) -> None:
        if self._is_at_end:
            self._leave_end()
        else:
            self.go_to_next()

    def _start_ranking(self, plan: ComparisonPlan) -> None:
        """Rank the systems by the answers once all are stored."""
        if self._pending_writes:
            return
        is_blind = blind_mode_of(self._context).is_on
        work = _rank(self._context.study, plan, self._context.annotator.name, is_blind=is_blind)
        self._ranking = self._context.jobs.start(tr("Ranking systems"), work)
        self._ranking.finished.connect(self._show_ranking)

    @Slot(object)
    def _show_ranking(self, found: tuple[Table | None, str, str]) -> None:
        if self.sender() in (self._ranking, None) and self._is_at_end:
            self._view.show_ranking(*found)

    def _leave_end(self) -> None:
        """Show the last comparison again, or go on with another plan."""
        self._is_at_end = False
        if (plan := self._unanswered_plan()) is not None:
            self._choose_plan(plan.id)
        else:
            self._show()

    def _unanswered_plan(self) -> ComparisonPlan | None:
        """Return the first plan with comparisons that the annotator has not answered."""
        name = self._context.annotator.name
        for plan in self._plans:
            own = comparison_progress(self._context.study, [plan]).of(name)
            if own.done < own.total and plan != self._plan:
                return plan
        return None

    def _end(self) -> tuple[str, tuple[str, str]]:
        """Return what is shown at the end, and the primary button."""
        plan = self._unanswered_plan()
        done = tr("All {mine} are answered. Thank you.", mine=tr("%n comparisons", "", len(self._mine())))
        if plan is not None:
            own = comparison_progress(self._context.study, [plan]).of(self._context.annotator.name)
            left = tr("%n comparisons", "", own.total - own.done)
            return tr("{done} {left} of “{name}” are left.", done=done, left=left, name=plan.name), NEXT_PLAN
        return tr("{done} Nothing is left. The results are judgements on Compare.", done=done), LOOK_BACK

    def _track(self, write: Future[EditReceipt]) -> None:
        self._pending_writes += 1
        self._view.notice.show_message("")
        self._context.writes.track(write, lambda _: self._written(), self._write_failed)

    def _written(self) -> None:
        self._pending_writes -= 1
        if not self._pending_writes and (self._is_outdated or self._is_at_end):
            self._reload()

    def _write_failed(self, error: PyramidionError) -> None:
        self._pending_writes -= 1
        self._load()
        self._show()
        self._view.notice.show_message(str(error))

    # Display

    @Slot()
    def _refresh(self) -> None:
        if not self._view.isVisible():
            return
        if not self._is_loaded:
            self._load()
        self._show()

    def _load(self) -> None:
        """Load the plans, and comparisons and answers of the current one."""
        self._is_loaded = True
        store, me = self._context.study.comparisons, self._context.annotator.id
        self._plans = store.plans()
        known = {plan.id: plan for plan in self._plans}
        current = self._plan.id if self._plan is not None else ""
        self._plan = known.get(current, self._plans[-1] if self._plans else None)
        self._items = store.items(self._plan.id) if self._plan is not None else ()
        answers = store.preferences(self._plan.id) if self._plan is not None else ()
        self._answers = {one.item_id: one for one in answers if one.annotator_id == me}
        mine = self._mine()
        ids = {item.id for item in mine}
        selected = self._context.selection.comparison_id
        if selected in ids:
            self._item = next(item for item in mine if item.id == selected)
        elif self._item is None or self._item.id not in ids:
            self._item = next_item(self._items, self._answers, me) or next(iter(mine), None)
        self._topic = None
        if self._is_at_end:
            self._is_at_end = next_item(self._items, self._answers, me) is None

    def _show(self) -> None:
        view, plan, item = self._view, self._plan, self._item
        view.show_plans([(one.id, one.name) for one in self._plans], plan.id if plan is not None else "")
        if plan is None or item is None:
            view.show_empty(NONE_FOR_YOU if plan is not None else NO_PLAN, can_plan=plan is None)
            return
        if self._is_at_end:
            view.show_end(*self._end())
            self._start_ranking(plan)
            return
        view.show_empty("", can_plan=False)
        if self._topic is None or self._topic.id != item.topic_id:
            self._topic = self._context.study.texts.topic(item.topic_id)
            view.source_panel.show_sources(self._topic)
        mine = self._mine()
        view.question_label.setText(plan.question)
        view.show_comparison(
            ComparisonRow(
                mine.index(item) + 1,
                len(mine),
                self._topic.name,
                self._topic.title,
                self._prompt(plan),
                self._buttons(plan, item),
                self._summaries(self._topic, item),
            )
        )
        view.show_progress(sum(one.id in self._answers for one in mine), len(mine))

    def _prompt(self, plan: ComparisonPlan) -> str:
        if plan.kind is ComparisonKind.PAIRWISE:
            return tr("1 or 2 chooses the better summary, 0 a tie.")
        if self._best:
            return tr("Now choose the worst. The best again takes it back.")
        return tr("Choose the best, then the worst, by their numbers.")

    def _buttons(self, plan: ComparisonPlan, item: ComparisonItem) -> tuple[tuple[int, str, bool], ...]:
        answer = self._answers.get(item.id)
        if plan.kind is ComparisonKind.PAIRWISE:
            chosen = dict.fromkeys((1, TIE, 2), False)
            if answer is not None:
                best = answer.best
                chosen[TIE if best is None else item.summary_ids.index(best) + 1] = True
            titles = {1: tr("1 is better"), TIE: tr("Tie"), 2: tr("2 is better")}
            return tuple((number, titles[number], is_on) for number, is_on in chosen.items())
        best, worst = self._chosen(item)
        return tuple(
            (number, f"{number} {_role(one, best, worst)}".strip(), one in (best, worst))
            for number, one in enumerate(item.summary_ids, 1)
        )

    def _summaries(self, topic: TopicTexts, item: ComparisonItem) -> tuple[SummaryRow, ...]:
        texts = {text.id: text for text in topic.summaries}
        best, worst = self._chosen(item)
        is_best_worst = self._plan is not None and self._plan.kind is ComparisonKind.BEST_WORST
        return tuple(
            SummaryRow(
                SummaryText(texts[one], place, len(item.summary_ids)),
                _role(one, best, worst) if is_best_worst else tr("preferred") if one == best else "",
            )
            for place, one in enumerate(item.summary_ids, 1)
        )

    def _chosen(self, item: ComparisonItem) -> tuple[str | None, str | None]:
        """Return the best and the worst summary as answered, or as chosen so far."""
        answer = self._answers.get(item.id)
        if answer is None or self._best:
            return self._best or None, None
        return answer.best, answer.worst

    def _mine(self) -> list[ComparisonItem]:
        me = self._context.annotator.id
        return [item for item in self._items if item.is_for(me)]

    def _go_to(self, item: ComparisonItem) -> None:
        self._item, self._best, self._is_at_end = item, "", False
        self._context.selection.select(topic_id=item.topic_id, comparison_id=item.id)
        self._show()

    # Plans

    @Slot(object)
    def _choose_plan(self, plan_id: str) -> None:
        self._plan = next((plan for plan in self._plans if plan.id == plan_id), self._plan)
        self._item, self._is_at_end = None, False
        self._context.selection.select(comparison_id="")
        self._load()
        self._show()

    @Slot()
    def _check_plan(self) -> None:
        """Draw the comparisons again, on a worker thread, and show how many there are."""
        if self.dialog is None:
            return
        self._drawn = None
        names = [plan.name for plan in self._plans]
        work = _draw(self._context.study, self.dialog.choices, names)
        self.dialog.show_plan("…", "", is_ready=False)
        if self._drawing is not None:
            self._drawing.cancel()
        self._drawing = self._context.jobs.start(tr("Planning comparisons"), work, owner=self.dialog)
        self._drawing.finished.connect(self._show_drawn)

    @Slot(object)
    def _show_drawn(self, drawn: _Drawn | str) -> None:
        if self.dialog is None or self.sender() not in (self._drawing, None):
            return
        if isinstance(drawn, str):
            self.dialog.show_plan("", drawn, is_ready=False)
            return
        self._drawn = drawn
        shared = sum(item.annotator_id is None for item in drawn[1])
        more = tr(", {shared:,} of them for everybody", shared=shared) if shared < len(drawn[1]) else ""
        self.dialog.show_plan(tr("%n comparisons", "", len(drawn[1])) + f"{more}.", "", is_ready=True)

    @Slot()
    def _save_plan(self) -> None:
        if self._drawn is None:
            return
        plan, items = self._drawn
        write = self._context.study.comparisons.add_plan(plan, items, self._context.annotator.id)
        self._context.writes.track(write, lambda _: self._choose_new(plan), self._write_failed)

    def _choose_new(self, plan: ComparisonPlan) -> None:
        self._plan, self._item = plan, None
        self._load()
        self._refresh()
        self._view.focus_default()

    @Slot(str)
    def _follow(self, comparison_id: str) -> None:
        """Show the comparison that was selected elsewhere, as by undo, also one of another plan."""
        if not self._is_loaded or (self._item is not None and self._item.id == comparison_id):
            return
        found = next((item for item in self._mine() if item.id == comparison_id), None)
        if found is not None:
            self._go_to(found)
            return
        store = self._context.study.comparisons
        for plan in self._plans:
            if any(item.id == comparison_id for item in store.items(plan.id)):
                self._plan, self._item = plan, None
                self._load()
                self._refresh()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        """Follow undo, imports and other programs; own answers are shown already."""
        if not changes.kinds & _RELEVANT_CHANGES:
            return
        if self._pending_writes:
            self._is_outdated = True  # reload after the pending writes, which are newer than the stored data
        else:
            self._reload()

    def _reload(self) -> None:
        self._is_loaded = self._is_outdated = False
        self._refresh()


build = PageParts(ComparisonsView, ComparisonsPresenter)


def _draw(study: Study, chosen: PlanChoices, names: Sequence[str]) -> JobSteps[_Drawn | str]:
    """Return a plan and its comparisons, or why they cannot be drawn. names: of the plans that exist."""
    yield Progress(0, 0, tr("drawing comparisons"))
    if chosen.name in names:
        return tr("There is a plan named {name} already. Choose another name.", name=chosen.name)
    try:
        plan, items = draw_plan(
            study,
            chosen.name,
            chosen.kind,
            question=chosen.question,
            size=chosen.size,
            per_summary=chosen.per_summary,
            overlap=chosen.overlap,
            seed=chosen.seed,
            annotators=chosen.annotators or [p.name for p in annotators_of(study)],
        )
    except InputError as error:
        return str(error)
    return (plan, items) if items else NOTHING_TO_COMPARE


def _rank(
    study: Study, plan: ComparisonPlan, name: str, *, is_blind: bool
) -> JobSteps[tuple[Table | None, str, str]]:
    """Return the ranking of systems by an annotator's answers, how repeated ones agree, and the method."""
    from core.experiments.analyses.systems.leaderboard import Leaderboard

    yield Progress(0, 0, plan.name)
    answered = answered_plan(study, plan, (name,))
    same, repeated = repeated_answers(answered)
    agreement = (
        tr("You agree with yourself in {same:,} of {repeated:,} repeats.", same=same, repeated=repeated)
        if repeated
        else ""
    )
    if is_blind:
        return None, agreement, BLIND
    ranked, _ = Leaderboard().ranking(
        judgement_matrix(study, f"{PREFIX}{plan.name}.{PreferenceScore.COUNT}", (name,))
    )
    result = plan_result(study, answered)
    strengths = {one.system: one.strength for one in result.systems}
    is_pairs = plan.kind is ComparisonKind.PAIRWISE
    score, meaning = ("Share won", "ties half") if is_pairs else ("Best − worst", "shares of the comparisons")
    varying = [
        at
        for at, column in enumerate(ranked.columns)
        if column.key not in ("topics", "cluster", "note") or len({row[at] for row in ranked.rows}) > 1
    ]
    columns = [
        replace(ranked.columns[at], title=score) if ranked.columns[at].key == "mean" else ranked.columns[at]
        for at in varying
    ]
    columns.append(Column("Bradley–Terry", "strength", CellKind.SCORE))
    rows = tuple((*(row[at] for at in varying), strengths[str(row[1])]) for row in ranked.rows)
    why = f" No strengths: {result.unidentified}." if result.unidentified else ""
    method = (
        f"Your answers only. {score}: {meaning}, mean over topics, with its 95 % BCa bootstrap interval over "
        f"topics. Bradley–Terry: log strength, with ties by Davidson's model.{why} {ranked.note}"
    )
    return Table(ranked.title, tuple(columns), rows), agreement, method.strip()


def _role(summary_id: str, best: str | None, worst: str | None) -> str:
    return {best: tr("best"), worst: tr("worst")}.get(summary_id, "")


def _repeat_answer(item_id: str, best: str | None, worst: str | None, context: Context) -> str:
    """Repeat an answer as the annotator of another context; return a message, empty if it was stored."""
    write = context.study.comparisons.answer(item_id, context.annotator.id, best, worst)
    context.writes.track(write)
    return ""
