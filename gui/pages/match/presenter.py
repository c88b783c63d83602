"""Presenter of the Match page."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Slot

from core.domain.assignment import Work
from core.domain.pyramid import Match, Scu, SummaryState, TopicAnnotation
from core.domain.study import Text
from core.ports import ChangeSet
from gui.annotation.guidelines_pane import SidePanelToggle, connect_guidelines
from gui.annotation.match_values import SummaryText, score_text
from gui.annotation.progress.progress_grid import arrange_by_system, flag_rows, next_cell, summary_order
from gui.annotation.scus.scu_list import bind_list_commands
from gui.annotation.study_modes import TrainingFeedback, blind_mode_of
from gui.annotation.text.summary_columns import SummaryRow
from gui.pages.match.edits import MatchEdits
from gui.pages.match.progress import MatchProgress
from gui.pages.match.rows import MatchLocation, MatchRows, MatchScores
from gui.pages.match.suggestions import MatchSuggestions
from gui.pages.match.view import MatchSide, MatchView
from gui.session.annotation_session import annotation_session
from gui.session.context import Context, PageParts
from gui.session.topic_navigation import Cell, TopicNavigator, topic_states
from gui.style.language import tr

KEY = "matches"
ONE, ALL = "one", "all"
WITHHELD = tr(
    "Blind study: mark your own pyramid of this topic done to see those of others. To "
    "skip it, mark the empty pyramid done."
)


class MatchPresenter(QObject):
    """Displays the summaries of the selected topic next to a pyramid. `MatchEdits` edits their units."""

    def __init__(self, view: MatchView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self._session = annotation_session(context)
        self._topics = TopicNavigator(
            context, KEY, view.place, self, lambda: topic_states(self._progress.rows), Work.MATCHES
        )
        self._location = MatchLocation()
        self._edits = MatchEdits(view, context, self._location, self._is_active)
        self._selection = MatchSelection(view, context, self._location, self._edits, self._is_active)
        connect_guidelines(view.guidelines, context)
        self._suggestions = MatchSuggestions(view, context, self._location, self._is_active).suggesting
        self._progress = MatchProgress(context, self)
        self._navigation = MatchNavigation(view, context, self._location, self._progress)
        self._rows: MatchRows | None = None
        self._scores: MatchScores | None = None
        self._blocks: SummaryBlocks | None = None
        self._is_all = context.settings.now.match_layout == ALL
        self._scores_shown: dict[str, bool] = {}  # by summary id, where the score was opened or closed
        self._displayed: TopicAnnotation | None = None
        self._shows_names = False
        self._feedback = TrainingFeedback(view.feedback, context, self)
        self._connect()
        self._bind_commands()
        self._check_score_always()
        blind_mode_of(context).guard_names(view.left.panel)
        view.left.show_layout(is_all=self._is_all)

    def _connect(self) -> None:
        view, session, selection = self._view, self._session, self._context.selection
        view.shown.connect(self._refresh)
        self._progress.updated.connect(self._progress_updated)
        view.worked.connect(session.time.touch)
        view.owner_box.chosen.connect(self._choose_owner)
        view.left.panel.names_button.toggled.connect(self._show_names)
        view.left.layout_choice.chosen.connect(lambda key: self._show_layout(key == ALL))
        view.left.stack.entered.connect(self._activate)
        view.left.stack.flag_pressed.connect(self._flag)
        view.left.stack.done_pressed.connect(self._toggle_done)
        view.pyramids_button.clicked.connect(lambda: self._context.show_page("pyramids"))
        view.scus.tree.reference_opened.connect(self._open_reference)
        view.score.toggle_button.clicked.connect(self._toggle_score)
        view.empty.primary.clicked.connect(self._context.commands.action("study.import").trigger)
        session.opened.connect(self._show_topic)
        session.changed.connect(self._show)
        session.refused.connect(self._context.commands.refuse)
        session.save_failed.connect(self._show_conflict)
        self._topics.listed.connect(self._refresh)
        selection.topic_changed.connect(self._refresh)
        selection.summary_changed.connect(self._refresh)
        self._context.changes.changed.connect(self._study_changed)

    def _bind_commands(self) -> None:
        view, tree = self._view, self._view.scus.tree
        own = {
            "match.note": view.edit_note,
            "match.done_next": self._mark_done_and_next,
            "match.units": view.enter_units,
            "match.references": tree.toggle_details,
            "match.score": self._toggle_score,
            "match.score_always": self._toggle_score_always,
            "match.all": lambda: self._show_layout(not self._is_all),
            "list.next": lambda: self._suggestions.step_or(tree, +1),
            "list.previous": lambda: self._suggestions.step_or(tree, -1),
            "edit.find": view.find_scu,
        }
        for command, handler in (own | self._edits.commands() | self._navigation.commands()).items():
            self._context.commands.bind(command, handler, KEY)
        bind_list_commands(self._context.commands, view.scus, KEY, "match.order")
        SidePanelToggle(view, view.side, self._context, KEY)
        self._context.commands.keys_changed.connect(self._show_score_key)
        self._show_score_key()
        add_menu = self._context.commands.add_menu
        add_menu(view.left.panel.text, TEXT_COMMANDS)
        add_menu(tree, SCU_COMMANDS)
        add_menu(view.left.units.list, UNIT_COMMANDS)
        view.left.stack.text_added.connect(lambda text: add_menu(text, TEXT_COMMANDS))

    @Slot()
    def _refresh(self) -> None:
        """Open the selected topic and summary, if the page is visible."""
        if not self._view.isVisible():
            return
        self._progress.begin()
        self._topics.show_place()
        head = self._topics.current()
        if head is None:
            self._rows = None
            self._view.show_summary(None)
            return
        self._context.selection.select(topic_id=head.id)
        before = self._rows
        self._session.open(head.id, self._progress.owner_of(head.id))
        if self._rows is None or self._rows.topic is not self._session.topic:
            self._show_topic()
        elif self._rows is before:  # otherwise opening the topic has already updated the page
            self._show_summary()

    @Slot()
    def _show_topic(self) -> None:
        if not self._is_active():
            return
        self._rows = MatchRows(self._session.topic)
        self._scores = MatchScores(self._session.topic)
        self._blocks = SummaryBlocks(self._rows, self._scores, self._order(), self._context.annotator.id)
        self._view.notice.show_message("")
        self._edits.cancel_reassign()
        self._show_owners()
        self._location.summary_id = ""
        self._show_summary()

    def _show_summary(self) -> None:
        """Show the selected summary; without one, the first summary that is not done."""
        order, location = self._order(), self._location
        summary_id = self._context.selection.summary_id
        if summary_id not in order:
            summary_id = next((s for s in order if not self._edits.state(s).is_done), next(iter(order), ""))
        if summary_id == location.summary_id and summary_id:
            if self._session.annotation is not self._displayed:
                self._show()
            return
        location.summary_id, location.match_id = summary_id, ""
        location.scu_id = self._context.selection.scu_id
        text = self._summary()
        self._view.left.text.drop_selection()
        if text is None:
            self._view.show_summary(None)
            return
        name = text.name if self._shows_names else ""
        self._view.show_summary(SummaryText(text, order.index(text.id) + 1, len(order), name))
        self._show()
        # last, because the selection's signal calls this method again
        self._context.selection.select(summary_id=text.id, system=text.name)

    @Slot()
    def _show(self) -> None:
        text, rows, scores = self._summary(), self._rows, self._scores
        if text is None or rows is None or scores is None or not self._is_active():
            return
        annotation, matches = self._session.annotation, self._edits.matches()
        self._displayed = annotation
        notes = self._show_blocks() if self._is_all else None
        scus = rows.scu_rows(annotation, matches, text.content, notes)
        if not self._is_all:
            self._view.left.panel.text.show_marks(rows.marks(annotation, matches))
        self._view.show_scus(scus, rows.letters)
        units = rows.units(annotation, matches, text.content)
        self._view.left.units.show_units(units, rows.units_fact(matches, text.content))
        state = self._edits.state()
        is_open = self._is_score_open(text.id, state.is_done)
        self._view.show_score(scores.live(annotation.pyramid, matches), is_open=is_open)
        self._view.show_state(text.id, is_done=state.is_done, is_flagged=state.is_flagged, note=state.note)
        self._selection.show()
        self._feedback.show(annotation, self._session.topic, text.id)
        self._show_progress()

    @Slot(str, int, int)
    def _open_reference(self, reference_id: str, start: int, end: int) -> None:
        """Show a span of a reference on the Pyramid page."""
        self._context.show_page("pyramids")
        self._context.selection.pointed.emit(reference_id, start, end)

    def _show_owners(self) -> None:
        topic_id, progress = self._session.topic_id, self._progress
        owners, owner_id = progress.owners(topic_id), self._session.owner_id
        self._view.show_owners(owners, owner_id)
        is_own = owner_id == self._context.annotator.id
        names = {owner.annotator_id: owner.name for owner in owners}
        self._view.show_owner("" if is_own else names.get(owner_id, ""))
        if progress.withholds(topic_id):
            self._view.notice.show_message(WITHHELD)

    def _show_blocks(self) -> Mapping[str, str]:
        """Show all summaries; return a note per SCU on how many of them express it."""
        if self._blocks is None:
            return {}
        annotation = self._session.annotation
        blocks = self._blocks.blocks(annotation, self._is_score_open, shows_names=self._shows_names)
        self._view.left.show_blocks(blocks, self._location.summary_id)
        return self._blocks.notes(annotation)

    def _show_progress(self) -> None:
        topic, progress = self._session.topic, self._progress
        progress.note_topic(topic, self._session.annotation)
        heads, rows = arrange_by_system(progress.rows) if self._shows_names else ((), progress.rows)
        view, flags = self._view, flag_rows(progress.rows, shows_names=self._shows_names)
        view.progress.grid.show_rows(rows, self._location.summary_id, heads)
        view.progress.others_label.show_text(progress.others(topic.id))
        view.left.progress_label.setText(progress.fact)
        if view.flags.rows.rows() != flags:
            view.flags.rows.set_rows(flags)
        view.side.tabs.set_count("flags", len(flags))

    @Slot()
    def _progress_updated(self) -> None:
        self._topics.refresh_list()
        topic_id = self._session.topic_id
        if not self._view.isVisible() or not topic_id:
            return
        if self._session.owner_id != self._progress.owner_of(topic_id):
            self._refresh()
        else:
            self._show_owners()
            self._show_progress()

    @Slot(object)
    def _study_changed(self, changes: ChangeSet) -> None:
        if self._progress.note_change(changes) and self._view.isVisible():
            self._progress.begin()

    def _is_score_open(self, summary_id: str, is_done: bool) -> bool:
        """Return whether the score of a summary may be seen: before it is done, it biases annotators."""
        is_open = is_done or self._context.settings.now.live_score
        return self._scores_shown.get(summary_id, is_open)

    @Slot()
    def _toggle_score(self) -> None:
        """Open the score of the current summary, or close it."""
        self._scores_shown[self._location.summary_id] = not self._view.score.is_open
        self._show()

    def _toggle_score_always(self) -> None:
        """Show the score of every summary at once, or only when the summary is done."""
        self._context.settings.change(live_score=not self._context.settings.now.live_score)
        self._scores_shown.clear()
        self._check_score_always()
        self._show()

    def _check_score_always(self) -> None:
        always = "match.score_always"
        self._context.commands.set_checked(always if self._context.settings.now.live_score else "", (always,))

    @Slot()
    def _show_score_key(self) -> None:
        self._view.score.key_label.show_text(self._context.commands.key("match.score"))

    @Slot(str)
    def _activate(self, summary_id: str) -> None:
        """Make a summary the active one, on which shortcuts act."""
        self._context.selection.select(summary_id=summary_id)

    @Slot(str)
    def _flag(self, summary_id: str) -> None:
        self._activate(summary_id)
        self._edits.flag()

    @Slot(str)
    def _toggle_done(self, summary_id: str) -> None:
        self._activate(summary_id)
        self._edits.mark_done()

    def _mark_done_and_next(self) -> None:
        if not self._edits.state().is_done:
            self._edits.mark_done()
            if self._feedback.is_on:
                return  # it is read first; the key again goes on
        self._navigation.go_to_next_undone()

    def _show_layout(self, is_all: bool) -> None:
        """Show all summaries of the topic, or one; store the choice in the settings."""
        if is_all == self._is_all:
            return
        self._is_all = is_all
        self._context.settings.change(match_layout=ALL if is_all else ONE)
        self._view.left.show_layout(is_all=is_all)
        if self._rows is not None:
            self._location.summary_id = ""
            self._show_summary()

    @Slot(object)
    def _choose_owner(self, owner_id: str) -> None:
        self._progress.choose_owner(self._session.topic_id, owner_id)
        self._refresh()

    @Slot(bool)
    def _show_names(self, are_shown: bool) -> None:
        self._shows_names = are_shown
        text = self._summary()
        if text is not None:
            self._view.left.panel.show_system(text.name if are_shown else "")
            self._show()

    @Slot(str)
    def _show_conflict(self, sentence: str) -> None:
        if self._is_active():
            self._view.notice.show_message(sentence)

    def _is_active(self) -> bool:
        """Return whether the page is visible and displays the pyramid to match against."""
        topic_id = self._session.topic_id
        is_owner = self._session.owner_id == self._progress.owner_of(topic_id)
        return self._view.isVisible() and bool(topic_id) and is_owner

    def _order(self) -> tuple[str, ...]:
        return summary_order(self._session.topic, self._context.annotator.id)

    def _summary(self) -> Text | None:
        return self._rows.summary(self._location.summary_id) if self._rows is not None else None


build = PageParts(MatchView, MatchPresenter, (MatchSide,))


_SEPARATOR = ""
_MATCH_COMMANDS = ("match.match", "match.match_without", "match.again")
TEXT_COMMANDS = (
    *_MATCH_COMMANDS,
    "match.outside",
    "match.add_part",
    _SEPARATOR,
    "match.reassign",
    "match.comment",
    "part.replace",
    "match.remove_part",
)
SCU_COMMANDS = (
    *_MATCH_COMMANDS,
    _SEPARATOR,
    "match.unmatch",
    "match.reassign",
    "match.comment",
    _SEPARATOR,
    "match.references",
)
UNIT_COMMANDS = ("match.reassign", "match.outside", "match.comment", _SEPARATOR, "match.unmatch")


class MatchNavigation(QObject):
    """Selects the next summary or passage."""

    def __init__(
        self, view: MatchView, context: Context, location: MatchLocation, progress: MatchProgress
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._location, self._progress = view, context, location, progress
        self._session = annotation_session(context)
        view.progress.grid.cell_chosen.connect(self.go_to)
        view.flags.row_opened.connect(lambda flag: self.go_to(flag.topic_id, flag.summary_id))
        view.flags.clicked.connect(view.flags.activated)  # one click is enough
        view.next_requested.connect(self.go_to_next_undone)
        view.left.units.next_button.clicked.connect(lambda: self.step_uncovered(+1))
        view.left.panel.place.stepped.connect(self.step_summary)

    def commands(self) -> dict[str, Callable[[], None]]:
        return {
            "match.next_undone": self.go_to_next_undone,
            "match.next_flagged": self.go_to_next_flagged,
            "match.next_uncovered": lambda: self.step_uncovered(+1),
            "match.previous_uncovered": lambda: self.step_uncovered(-1),
            "match.previous_summary": lambda: self.step_summary(-1),
            "match.next_summary": lambda: self.step_summary(+1),
        }

    @Slot(str, str)
    def go_to(self, topic_id: str, summary_id: str) -> None:
        self._context.selection.select(topic_id=topic_id, summary_id=summary_id)

    @Slot()
    def go_to_next_undone(self) -> None:
        """Select the next summary that is not done, in any topic."""
        self._go_to_next(lambda cell: not cell.is_done, tr("Every summary is done."))

    def go_to_next_flagged(self) -> None:
        """Select the next flagged summary, in any topic."""
        self._go_to_next(lambda cell: cell.is_flagged, tr("No summary is flagged."))

    def step_summary(self, by: int) -> None:
        """Select the previous (-1) or next (+1) summary."""
        order = (
            summary_order(self._session.topic, self._context.annotator.id) if self._session.topic_id else ()
        )
        if self._location.summary_id in order:
            index = order.index(self._location.summary_id) + by
            if 0 <= index < len(order):
                self.go_to(self._session.topic_id, order[index])

    def step_uncovered(self, by: int) -> None:
        """Select the next (+1) or previous (-1) unmatched text, wrapping around."""
        uncovered = self._view.left.text.uncovered()
        if not uncovered:
            self._context.show_message(tr("The whole summary is matched."))
            return
        caret = self._view.left.text.caret
        if by > 0:
            span = next((span for span in uncovered if span[0] >= caret), uncovered[0])
        else:
            span = next((span for span in reversed(uncovered) if span[1] < caret), uncovered[-1])
        self._view.left.text.point_at(span)

    def _go_to_next(self, is_it: Callable[[Cell], bool], message: str) -> None:
        """Select the next summary that is it, in any topic; without one, show a message."""
        target = next_cell(self._progress.rows, self._location.summary_id, is_it)
        if target is None:
            self._context.show_message(message)
        else:
            self.go_to(*target)


@dataclass(frozen=True, slots=True)
class _CachedBlock:
    """A block, with and without the name of its system, and its inputs."""

    matches: tuple[Match, ...]
    state: SummaryState | None
    has_score: bool
    named: SummaryRow
    anonymous: SummaryRow


class SummaryBlocks:
    """Blocks of one topic's summaries, in the annotator's order."""

    def __init__(self, rows: MatchRows, scores: MatchScores, order: Sequence[str], annotator_id: str) -> None:
        self._rows, self._scores = rows, scores
        self._order, self._annotator_id = order, annotator_id
        self._cache: dict[str, _CachedBlock] = {}
        self._scus: tuple[Scu, ...] = ()

    def blocks(
        self, annotation: TopicAnnotation, is_score_open: Callable[[str, bool], bool], *, shows_names: bool
    ) -> tuple[SummaryRow, ...]:
        """Return the blocks of all summaries, with their scores where those are open."""
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._cache.clear()
        matches = self.matches(annotation)
        states = {s.summary_id: s for s in annotation.states if s.annotator_id == self._annotator_id}
        blocks = []
        for index, summary_id in enumerate(self._order):
            own, state = matches[summary_id], states.get(summary_id)
            cached = self._cache.get(summary_id)
            has_score = is_score_open(summary_id, state is not None and state.is_done)
            if cached is None or (cached.matches, cached.state, cached.has_score) != (own, state, has_score):
                block = self._block(annotation, index, own, state)
                block = block if has_score else replace(block, result="")
                anonymous = replace(block, summary=replace(block.summary, system=""))
                cached = self._cache[summary_id] = _CachedBlock(own, state, has_score, block, anonymous)
            blocks.append(cached.named if shows_names else cached.anonymous)
        return tuple(blocks)

    def notes(self, annotation: TopicAnnotation) -> dict[str, str]:
        """Return a note per SCU id on how many summaries express it, e.g. ``2 of 4``."""
        counts = Counter(
            scu_id
            for own in self.matches(annotation).values()
            for scu_id in {match.scu_id for match in own if match.scu_id is not None}
        )
        return {
            scu_id: tr("{count} of {order}", count=count, order=len(self._order))
            for scu_id, count in counts.items()
        }

    def matches(self, annotation: TopicAnnotation) -> Mapping[str, tuple[Match, ...]]:
        """Return the annotator's units by summary id."""
        grouped: dict[str, list[Match]] = defaultdict(list)
        for match in annotation.matches:
            if match.annotator_id == self._annotator_id:
                grouped[match.summary_id].append(match)
        return {summary_id: tuple(grouped[summary_id]) for summary_id in self._order}

    def _block(
        self, annotation: TopicAnnotation, index: int, matches: tuple[Match, ...], state: SummaryState | None
    ) -> SummaryRow:
        text = self._rows.text(self._order[index])
        return SummaryRow(
            SummaryText(text, index + 1, len(self._order), text.name),
            score_text(self._scores.modified(annotation.pyramid, matches)),
            state is not None and state.is_done,
            state is not None and state.is_flagged,
            self._rows.marks(annotation, matches),
            frozenset(match.scu_id for match in matches if match.scu_id is not None),
        )


class MatchSelection(QObject):
    """Selects and highlights SCUs and units.

    is_active: returns whether the page is visible and displays the pyramid to match against.
    """

    def __init__(
        self,
        view: MatchView,
        context: Context,
        location: MatchLocation,
        edits: MatchEdits,
        is_active: Callable[[], bool],
    ) -> None:
        super().__init__(view)
        self._view, self._context, self._location, self._edits = view, context, location, edits
        self._session, self._is_active = annotation_session(context), is_active
        self._hovered = ""
        view.unit_chosen.connect(self.choose)
        for units in (view.left.units.list, view.scus.tree):
            units.unit_opened.connect(self.open)
        view.unit_hovered.connect(self.hover)
        view.scus.tree.scu_checked.connect(self.toggle_match)
        context.selection.scu_changed.connect(self._select_scu)
        context.selection.pointed.connect(self._point_at)

    def show(self, *, reveal: bool = False) -> None:
        """Show the selection; a unit that does not exist any more is deselected."""
        if self._unit(self._location.match_id) is None:
            self._location.match_id = ""
        self._view.show_selected(self._location.scu_id, self._location.match_id, reveal=reveal)

    @Slot(str)
    def choose(self, unit_id: str) -> None:
        """Select an SCU, or a unit with the SCU that it expresses."""
        location, unit = self._location, self._unit(unit_id)
        if unit is not None:
            location.match_id, location.scu_id = unit_id, unit.scu_id or ""
        else:
            location.match_id, location.scu_id = self._unit_at_caret(unit_id), unit_id
        if location.scu_id:
            self._context.selection.select(scu_id=location.scu_id)
        self.show(reveal=True)

    @Slot(str)
    def open(self, unit_id: str) -> None:
        unit = self._unit(unit_id)
        if unit is not None and unit.parts:
            self._view.left.text.point_at(unit.parts[0].span)

    @Slot(str)
    def hover(self, unit_id: str) -> None:
        """Highlight an SCU, or a unit and its SCU; empty for none."""
        if unit_id != self._hovered:
            self._hovered = unit_id
            unit = self._unit(unit_id)
            self._view.show_hovered(unit_id, (unit.scu_id or "") if unit is not None else unit_id)

    @Slot(str)
    def toggle_match(self, scu_id: str) -> None:
        """Select an SCU, and match it or remove its matches; this opens no references, so no row moves."""
        self.choose(scu_id)
        self._edits.toggle_match(scu_id)

    @Slot(str)
    def _select_scu(self, scu_id: str) -> None:
        is_other = scu_id != self._location.scu_id
        if is_other:
            self._location.scu_id, self._location.match_id = scu_id, ""
        if self._is_active():
            self.show(reveal=True)
            if is_other:
                self._view.scus.tree.show_details()

    @Slot(str, int, int)
    def _point_at(self, text_id: str, start: int, end: int) -> None:
        """Show a span that another page points at."""
        if self._view.isVisible() and text_id == self._location.summary_id:
            self._view.left.text.point_at((start, end))

    def _unit(self, unit_id: str) -> Match | None:
        if not unit_id or not self._session.topic_id:
            return None
        return next((match for match in self._edits.matches() if match.id == unit_id), None)

    def _unit_at_caret(self, scu_id: str) -> str:
        """Return the unit of an SCU at the text cursor; empty if the text is not focused or has none."""
        text = self._view.left.text
        unit = self._edits.unit_at(text.caret, scu_id) if text.hasFocus() else None
        return unit.id if unit is not None else ""
