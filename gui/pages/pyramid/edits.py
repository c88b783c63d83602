"""Edits of SCUs and their parts: splitting, moving, merging, removing, changing spans."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from core.domain import pyramid
from core.domain.pyramid import Contributor, Edit, Part, Scu, TopicAnnotation, UnitKind, new_id
from core.domain.pyramid.nugget_edits import add_occurrence
from core.domain.pyramid.scu_edits import move, split
from core.domain.study import Span
from core.formatting import unit_terms
from gui.annotation.drag_and_drop import DraggedItem, DragKind
from gui.annotation.text.word_selection_text import AT_EDGE, ENDS, with_end_moved
from gui.pages.pyramid.rows import PyramidRows, WordSelection
from gui.pages.pyramid.view import PyramidView
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import in_terms_of, tr

KEY, NUGGETS = "pyramids", "nuggets"
KEYS = {UnitKind.SCU: KEY, UnitKind.NUGGET: NUGGETS}
"""Key of the page of each kind of content unit."""
_MAX_LABEL_CHARS = 120
SELECT_TEXT = tr("Select text in a reference first, with the mouse or with Shift and the arrow keys.")
SELECT_SCU = tr("Select an SCU first: click it in the list, or press {list.next}.")
PLACE_CURSOR = tr(
    "Place the text cursor in a part of the selected SCU, or press "
    "{pyramid.next_contributor} to go to its contributors."
)
MOVE, REPLACE = "change span", "replace span"
ONE_WORD = tr("A part needs at least one word. {pyramid.remove_part} removes the part.")
NOT_HERE = tr(
    "This SCU has no contributor in that reference. {pyramid.add_contributor} adds the selection as one."
)
WHICH_PART = tr("The contributor has several parts. Select one on its card, then select the text again.")


class Editor(QObject):
    """Reads and edits the displayed pyramid; each edit that removes something has a notice with an Undo link.

    Signals:
        created: id of an SCU that was made of selected text.
    """

    created = Signal(str)
    _regrouping: RegroupController

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._view, self._context = view, context
        self.kind, self.key = view.kind, KEYS[view.kind]
        self._session = annotation_session(context, self.kind)
        self._rows: PyramidRows | None = None
        self._is_editing = False
        view.references.part_resized.connect(self._resize)
        bind = context.commands.bind
        bind("pyramid.remove", self.remove, self.key)
        bind("pyramid.remove_part", self.remove_part, self.key)
        bind("part.replace", self.replace, self.key)
        for command, end, by in ENDS:
            bind(command, partial(self._move_end, end > 0, by), self.key)

    @property
    def annotation(self) -> TopicAnnotation:
        """Return the displayed pyramid with all matches."""
        return self._session.annotation

    def show_details(self, *, reveal: bool = False) -> None:
        """Show the selected SCU everywhere. reveal: scroll to its text."""
        raise NotImplementedError

    def edit(self, change: Edit, verb: str) -> bool:
        """Make an edit if the page is active; return whether it changed something."""
        self._view.notice.show_message("")
        self._regrouping.cancel()
        self._is_editing = True
        try:
            return self.is_active() and self._session.edit(change, unit_terms.in_terms_of(self.kind, verb))
        finally:
            self._is_editing = False

    @Slot(str)
    def show_message(self, text: str) -> None:
        """Show a message about SCUs in the terms of the page's kind of content unit."""
        self._context.show_message(in_terms_of(self.kind, text))

    @Slot(str)
    def refuse(self, reason: str) -> None:
        """Refuse a command, for a reason in the same terms."""
        self._context.commands.refuse(in_terms_of(self.kind, reason))

    def selected_scu(self) -> str:
        """Return the id of the selected SCU; without one, show a message and return an empty string."""
        scu_id = self._context.selection.scu_id
        if self.is_active() and any(scu.id == scu_id for scu in self.annotation.pyramid.scus):
            return scu_id
        self.refuse(SELECT_SCU)
        return ""

    def selected_words(self) -> WordSelection | None:
        """Return the spans selected in a reference; without any, show a message and return None."""
        selection = self._view.references.selection()
        if not selection.spans:
            self.refuse(SELECT_TEXT)
            return None
        return selection

    def label_of(self, reference_id: str, spans: Sequence[Span]) -> str:
        return self._rows.label_of(reference_id, spans)[:_MAX_LABEL_CHARS] if self._rows else ""

    def content_of(self, reference_id: str) -> str:
        return next(text.content for text in self._session.topic.references if text.id == reference_id)

    @Slot()
    def new_scu(self) -> None:
        """Create an SCU from the selected text, and open its label for editing."""
        selection = self.selected_words()
        if selection is None or self._rows is None:
            return
        scu_id, content = new_id(), self.content_of(selection.text_id)
        label = self.label_of(selection.text_id, selection.spans)
        created = self.edit(
            lambda a: pyramid.add_scu(a, label, selection.text_id, selection.spans, scu_id, content),
            "new SCU",
        )
        if created:
            self._view.references.drop_selection()
            self._context.selection.select(scu_id=scu_id)
            self._view.edit_label(scu_id)
            self.created.emit(scu_id)

    def add_contributor(self) -> None:
        """Add the selected text to the selected SCU."""
        scu_id, selection = self.selected_scu(), self.selected_words()
        if scu_id and selection is not None:
            content = self.content_of(selection.text_id)
            add = add_occurrence if self.kind is UnitKind.NUGGET else pyramid.add_contributor
            added = self.edit(
                lambda a: add(a, scu_id, selection.text_id, selection.spans, content), "add contributor"
            )
            if added:
                self._view.references.drop_selection()

    def is_active(self) -> bool:
        """Return whether the page is visible and displays the annotator's own pyramid."""
        return (
            self._view.isVisible()
            and bool(self._session.topic_id)
            and self._session.owner_id == self._context.annotator.id
        )

    @Slot()
    def remove(self) -> None:
        """Remove the focused contributor, else the selected SCU."""
        scu_id = self.selected_scu()
        contributor_id, _ = self._view.details.cards.current
        if scu_id and contributor_id:
            row = self._view.details.cards.last_row
            removed = self.edit(
                lambda a: pyramid.remove_contributor(a, scu_id, contributor_id), "remove contributor"
            )
            if removed and row is not None:
                self._view.show_edit_notice(
                    in_terms_of(self.kind, tr("Removed contributor {letter}.", letter=row.letter))
                )
        elif scu_id:
            next_scu_id, notice = self._neighbour(scu_id), self._notice(scu_id)
            if self.edit(lambda a: pyramid.remove_scu(a, scu_id), "remove SCU"):
                self._context.selection.select(scu_id=next_scu_id)
                self._view.show_edit_notice(notice)

    def remove_part(self) -> None:
        """Remove the focused part of the selected SCU, else the one at the text cursor."""
        scu_id = self.selected_scu()
        if not scu_id:
            return
        part_id = self._view.details.cards.current[1] or self._part_at_caret(scu_id)
        if not part_id:
            self.refuse(PLACE_CURSOR)
        elif self.edit(lambda a: pyramid.remove_part(a, scu_id, part_id), "remove part"):
            self._view.show_edit_notice(tr("Removed a part."))

    def _notice(self, scu_id: str) -> str:
        """Return the notice for removing an SCU; the matches of all annotators are removed with it."""
        matches = sum(match.scu_id == scu_id for match in self.annotation.matches)
        with_matches = tr(" with {matches}", matches=tr("%n matches", "", matches)) if matches else ""
        with_matches = in_terms_of(self.kind, with_matches)
        return tr(
            "Removed “{label}”{with_matches}.",
            label=self.annotation.scu(scu_id).label,
            with_matches=with_matches,
        )

    def _neighbour(self, scu_id: str) -> str:
        """Return the SCU to select after removing this one: the next in the list, else the previous."""
        visible = self._view.scus.tree.scus.visible()
        if scu_id not in visible:
            return ""
        at = visible.index(scu_id)
        return next(iter((*visible[at + 1 : at + 2], *visible[max(0, at - 1) : at])), "")

    def _part_at_caret(self, scu_id: str) -> str:
        reference_id, caret = self._view.references.caret()
        contributors = self.annotation.scu(scu_id).contributors
        parts = (part for c in contributors if c.reference_id == reference_id for part in c.parts)
        return next((part.id for part in parts if part.start <= caret <= part.end), "")

    @Slot()
    def replace(self) -> None:
        """Replace a part of the selected SCU with the selection."""
        scu_id = self.selected_scu()
        selection = self.selected_words() if scu_id else None
        if selection is None:
            return
        parts = [part for c, part in self._parts(scu_id) if c.reference_id == selection.text_id]
        part = self._part_to_replace(parts, selection.spans)
        if part is None:
            self.refuse(WHICH_PART if parts else NOT_HERE)
            return
        if self._change(scu_id, part.id, selection.text_id, selection.spans, REPLACE):
            self._view.references.drop_selection()

    def _part_to_replace(self, parts: Sequence[Part], spans: Sequence[Span]) -> Part | None:
        """Return the part that a selection replaces: one it overlaps, the only one, or the current one."""
        for part in parts:
            if any(start < part.end and part.start < end for start, end in spans):
                return part
        current = self._view.details.cards.last[1]
        on_card = next((part for part in parts if part.id == current), None)
        return parts[0] if len(parts) == 1 else on_card

    @Slot(str, str, object, object)
    def _resize(self, text_id: str, scu_id: str, before: Span, after: Span) -> None:
        """Change the span of a part whose handle was dragged."""
        for contributor, part in self._parts(scu_id):
            if contributor.reference_id == text_id and part.span == before:
                self._change(scu_id, part.id, text_id, [after], MOVE)
                return

    def _move_end(self, at_end: bool, by: int) -> None:
        scu_id = self.selected_scu()
        if not scu_id:
            return
        current = self._current_part(scu_id)
        if current is None:
            self.refuse(PLACE_CURSOR)
            return
        contributor, part = current
        section = self._view.references.section(contributor.reference_id)
        if section is None:
            return
        after = with_end_moved(section.text.word_spans, part.span, by, at_end=at_end)
        if after == part.span:
            self.refuse(AT_EDGE if by > 0 else ONE_WORD)
        elif self._change(scu_id, part.id, contributor.reference_id, [after], MOVE):
            section.text.keep_caret_within(after)

    def _current_part(self, scu_id: str) -> tuple[Contributor, Part] | None:
        """Return the part of the focused card, the part at the text cursor, or the only part."""
        parts = self._parts(scu_id)
        card = self._view.details.cards.current[1]
        reference_id, caret = self._view.references.caret()
        here = [(c, part) for c, part in parts if c.reference_id == reference_id]
        for candidates in (
            [(c, part) for c, part in parts if part.id == card],
            [(c, part) for c, part in here if part.start <= caret <= part.end],
        ):
            if candidates:
                return candidates[0]
        return next((only[0] for only in (here, parts) if len(only) == 1), None)

    def _parts(self, scu_id: str) -> list[tuple[Contributor, Part]]:
        scus = (scu for scu in self.annotation.pyramid.scus if scu.id == scu_id)
        return [(c, part) for scu in scus for c in scu.contributors for part in c.parts]

    def _change(self, scu_id: str, part_id: str, text_id: str, spans: Sequence[Span], verb: str) -> bool:
        content = self.content_of(text_id)
        return self.edit(lambda a: pyramid.replace_part(a, scu_id, part_id, spans, content), verb)


SELECT_CONTRIBUTORS = tr("Select contributors with Space, then press the same key again.")
NO_CONTRIBUTORS = tr(
    "This SCU has no contributors yet. Select text that expresses it, then press {pyramid.add_contributor}."
)
MAX_LABEL_CHARS = 36
"""Characters of a label in a prompt."""
SELECT_OTHER = tr("click the other SCU, or press Enter on it.")


class RegroupController(QObject):
    """Splits, moves and merges, and shows a notice with an Undo link."""

    def __init__(self, page: Editor, view: PyramidView, context: Context) -> None:
        super().__init__(view)
        self._page, self._view, self._context = page, view, context
        self._on_answer: Callable[[str], object] | None = None
        view.scu_confirmed.connect(self._answer_prompt)
        view.cancelled.connect(self.cancel)
        view.scus.tree.dropped.connect(self._drop)
        view.details.cards.part_chosen.connect(self._reveal)
        view.details.card_comment.committed.connect(self._comment)
        view.undo_link.clicked.connect(self._context.commands.action("edit.undo").trigger)
        commands = self._context.commands
        for command, handler in (
            ("pyramid.split", self.split),
            ("pyramid.move", self.begin_move),
            ("pyramid.merge", self.begin_merge),
            ("pyramid.next_contributor", lambda: self.step_contributor(+1)),
            ("pyramid.previous_contributor", lambda: self.step_contributor(-1)),
            ("pyramid.comment_contributor", self.comment_contributor),
        ):
            commands.bind(command, handler, self._page.key)

    @property
    def is_prompt_open(self) -> bool:
        """Return whether a prompt for another SCU is open; clicks then answer it instead of selecting."""
        return self._on_answer is not None

    def split(self) -> None:
        """Split the selected contributors into a new SCU, and open its label for editing."""
        if parts := self._parts_to_move():
            self._split(self._page.selected_scu(), parts)

    def begin_move(self) -> None:
        """Prompt for the SCU to move the selected contributors to."""
        if parts := self._parts_to_move():
            scu_id = self._page.selected_scu()
            self._open_prompt(
                in_terms_of(
                    self._page.kind, tr("Move to another SCU: {select_other}", select_other=SELECT_OTHER)
                ),
                lambda to: self._move(scu_id, parts, to),
            )

    def begin_merge(self) -> None:
        """Prompt for the SCU to merge into the selected one."""
        if keep := self._page.selected_scu():
            label = self._page.annotation.scu(keep).label
            label = label if len(label) <= MAX_LABEL_CHARS else f"{label[: MAX_LABEL_CHARS - 1].rstrip()}…"
            which = in_terms_of(
                self._page.kind,
                tr("{select_other} The label of the heavier SCU stays.", select_other=SELECT_OTHER),
            )
            prompt = tr("Merge with “{label}”: {which}", label=label, which=which)
            self._open_prompt(prompt, lambda other: self._merge(keep, other))

    @Slot()
    def cancel(self) -> None:
        if self._on_answer is not None:
            self._on_answer = None
            self._view.show_prompt("")
            self._view.show_hovered("")
            self._page.show_details()

    def step_contributor(self, by: int) -> None:
        """Focus the previous (-1) or next (+1) contributor, and scroll to its text."""
        if self._page.selected_scu() and not self._view.step_card(by):
            self._page.refuse(NO_CONTRIBUTORS)

    def comment_contributor(self) -> None:
        """Edit the comment of the contributor that was focused last."""
        if self._page.selected_scu() and not self._view.edit_card_comment():
            self._page.refuse(NO_CONTRIBUTORS)

    @Slot(str)
    def _answer_prompt(self, scu_id: str) -> None:
        if (on_answer := self._on_answer) is not None and scu_id:
            self.cancel()
            on_answer(scu_id)

    @Slot(object, str)
    def _drop(self, item: DraggedItem, target: str) -> None:
        """Handle a drop on an SCU; an empty target creates a new SCU."""
        self.cancel()
        if item.kind is DragKind.WORDS:
            self._drop_words(target)
        elif item.kind is DragKind.SCU:
            self._merge(target, item.scu_id)
        elif target:
            self._move(item.scu_id, item.part_ids, target)
        else:
            self._split(item.scu_id, item.part_ids)

    def _drop_words(self, target: str) -> None:
        if not target:
            self._page.new_scu()
            return
        self._context.selection.select(scu_id=target)
        self._page.add_contributor()

    def _split(self, scu_id: str, parts: Collection[str]) -> None:
        new_scu_id = new_id()
        label = self._label_of(parts)
        if not self._page.edit(lambda a: split(a, scu_id, parts, label, new_scu_id), "split SCU"):
            return
        self._context.selection.select(scu_id=new_scu_id)
        kept = in_terms_of(self._page.kind, tr(", which keeps its matches"))
        is_matched = any(match.scu_id == scu_id for match in self._page.annotation.matches)
        matches = kept if is_matched else ""
        self._view.show_edit_notice(
            tr("Split from “{label}”{matches}.", label=self._label(scu_id), matches=matches)
        )
        self._view.edit_label(new_scu_id)

    def _move(self, scu_id: str, parts: Collection[str], to: str) -> None:
        label = self._label(scu_id)
        if self._page.edit(lambda a: move(a, scu_id, parts, to), "move contributor"):
            self._context.selection.select(scu_id=to)
            exists = any(scu.id == scu_id for scu in self._page.annotation.pyramid.scus)
            removed = "" if exists else tr(" “{label}” was left empty and removed.", label=label)
            self._view.show_edit_notice(
                tr("Moved to “{label}”.{removed}", label=self._label(to), removed=removed)
            )

    def _merge(self, keep: str, other: str) -> None:
        if self._page.edit(lambda a: pyramid.merge_scus(a, keep, other), "merge SCUs"):
            self._context.selection.select(scu_id=keep)
            self._view.show_edit_notice(tr("Merged into “{label}”.", label=self._label(keep)))

    @Slot(str, str)
    def _reveal(self, contributor_id: str, part_id: str) -> None:
        pair = self._part(contributor_id, part_id)
        if pair is not None:
            contributor, part = pair
            self._view.references.reveal_offset(contributor.reference_id, part.start)

    @Slot(str, str)
    def _comment(self, contributor_id: str, comment: str) -> None:
        scu = self._scu_of(contributor_id)
        if scu is not None:
            self._page.edit(
                lambda a: pyramid.set_contributor_comment(a, scu.id, contributor_id, comment),
                "comment on contributor",
            )

    def _open_prompt(self, prompt: str, on_answer: Callable[[str], object]) -> None:
        self._on_answer = on_answer
        self._view.show_prompt(prompt)

    def _parts_to_move(self) -> tuple[str, ...]:
        """Return the parts to take out of the selected SCU; without any, show a message."""
        if not self._page.selected_scu():
            return ()
        parts = self._view.details.cards.parts_to_move
        if not parts:
            has_cards = self._view.step_card(+1)
            self._page.refuse(SELECT_CONTRIBUTORS if has_cards else NO_CONTRIBUTORS)
        return parts

    def _label_of(self, parts: Collection[str]) -> str:
        """Return the label proposed for these parts: their text in the first reference."""
        for scu in self._page.annotation.pyramid.scus:
            for contributor in scu.contributors:
                spans = [part.span for part in contributor.parts if part.id in parts]
                if spans:
                    return self._page.label_of(contributor.reference_id, spans)
        return ""

    def _label(self, scu_id: str) -> str:
        scus = self._page.annotation.pyramid.scus
        return next((scu.label for scu in scus if scu.id == scu_id), "")

    def _scu_of(self, contributor_id: str) -> Scu | None:
        scus = self._page.annotation.pyramid.scus
        return next((scu for scu in scus if any(c.id == contributor_id for c in scu.contributors)), None)

    def _part(self, contributor_id: str, part_id: str) -> tuple[Contributor, Part] | None:
        scu = self._scu_of(contributor_id)
        pairs = ((c, part) for c in (scu.contributors if scu else ()) for part in c.parts)
        return next((pair for pair in pairs if pair[1].id == part_id), None)
