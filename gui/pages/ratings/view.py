"""View of the Ratings page: source texts, a summary, scales, progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from core.domain.ratings import ScaleKind
from core.domain.scale_templates import TEMPLATES, ScaleTemplate
from gui.annotation.match_values import SummaryText
from gui.annotation.progress.progress_grid import ProgressPanel
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.summary_columns import (
    SourcePanel,
    SummaryColumns,
    SummaryPanel,
    SummaryRow,
    digit_of,
)
from gui.commands.definitions import KeyGroup, KeyHint, KeyRow
from gui.pages.ratings.rating_scale import RatingScale, scale_widget
from gui.pages.ratings.values import NO_RATING, ScaleRow
from gui.session.topic_navigation import GridRow
from gui.style import icons
from gui.style.language import tr
from gui.style.theme import HAIR, MEDIUM, SMALL, TIGHT, Type
from gui.widgets.buttons import edits, icon_button, link_button, plain_button, rename
from gui.widgets.label import Label
from gui.widgets.layouts import Stretch, discard, extend, hbox, scrolled, vbox
from gui.widgets.notice import EmptyPage, Notice
from gui.widgets.page import Page
from gui.widgets.panel import Panel
from gui.widgets.reading_order import go_on


def described(template: ScaleTemplate) -> tuple[str, str]:
    """Return the name of a published evaluation, and its scales with their range and source."""
    names = ", ".join(scale.name for scale in template.scales)
    return template.title.partition(":")[0], f"{names}: {template.scales[0].range_text}. {template.source}."


class PublishedScales(QWidget):
    """A button for each published evaluation.

    Signals:
        chosen: a ScaleTemplate.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.buttons = []
        column = vbox(parent=self, spacing=HAIR)
        for template in TEMPLATES:
            name, scales = described(template)
            button = link_button(name, "plus")
            button.setAccessibleName(tr("Add {name}: {scales}", name=name, scales=scales))
            button.clicked.connect(partial(self.chosen.emit, template))
            edits(button)
            self.buttons.append(button)
            label = Label(scales, Type.SMALL, "muted", wrap=True)
            label.setContentsMargins(SMALL, 0, SMALL, SMALL)
            extend(column, button, label)


_SCALE_PADDING = SMALL + HAIR
"""Distance between a scale's focus ring and its contents."""


class RatingsView(Page):
    """Rate a summary on scales while reading the documents and references of its topic.

    Signals:
        scale_added: a new RatingScale.
        scale_named: name of the first scale, to be added.
    """

    scale_added = Signal(object)
    scale_named = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Ratings"), steps=tr("topic"), edits=True)
        self.summary_panel, self.columns = SummaryPanel(), SummaryColumns()
        self.layout_button = icon_button("columns", tr("Show all summaries side by side"))
        self.layout_button.setCheckable(True)
        self.source_button = icon_button("texts", tr("Show documents and references"))
        self.source_button.setCheckable(True)
        self.source_panel = SourcePanel()
        self.scales: list[RatingScale] = []
        self.name_field, self.add_button = QLineEdit(), plain_button(tr("Add"), "plus")
        self.progress, self.notice = ProgressPanel(has_begun=True), Notice(can_close=True)
        self.details_button = icon_button("chevron-up", tr("Show progress by topic"))
        self.details_button.setCheckable(True)
        self.next_button = self.set_primary(tr("Next unrated"), "chevron-right")
        self.empty = EmptyPage("star", tr("There are no summaries to rate yet."), tr("Import…"), is_edit=True)
        self.edit_button = link_button(tr("Edit scales…"))
        edits(self.name_field, self.add_button, self.edit_button)
        self._is_all, self._has_source = False, True
        self._last_scale = self._place = ""
        self._hints: tuple[KeyHint, ...] = ()
        self._no_scales = Label(tr("Add a scale from 1 to 5, or those of a published evaluation."), wrap=True)
        self.published = PublishedScales()
        self.own_keys = KeyGroup(
            tr("On a scale"),
            (
                KeyRow((("1",), ("5",)), tr("Rate and go to the next scale"), "to"),
                KeyRow((("Enter",),), tr("After the last scale: next unrated summary")),
                KeyRow((("Tab",),), tr("Next scale")),
                KeyRow((("1",), ("9",)), tr("Mark selected words"), "to"),
                KeyRow((("0",),), tr("Nothing to mark")),
                KeyRow((("Shift+Tab",),), tr("From the first scale to the summary")),
            ),
        )
        self._arrange()
        self.details_button.toggled.connect(self._show_details)
        self.columns.digit_pressed.connect(self._mark)
        self.summary_panel.text.installEventFilter(self)
        self.name_field.returnPressed.connect(self._add_scale)
        self.add_button.clicked.connect(self._add_scale)

    def show_summary(self, summary: SummaryText | None) -> None:
        """Show a summary; None = the topic has no summaries."""
        for panel in self._panels:
            panel.setVisible(summary is not None)
        self.source_panel.setVisible(summary is not None and self._has_source)
        self.empty.setVisible(summary is None)
        self.next_button.setEnabled(summary is not None)
        self.summary_panel.show_summary(summary)
        self._place = (
            tr("Summary {position} of {total}", position=summary.position, total=summary.total)
            if summary is not None
            else ""
        )

    def show_layout(self, *, is_all: bool, has_source: bool) -> None:
        """Show all summaries side by side, or one. has_source: show the documents and references."""
        self._is_all, self._has_source = is_all, has_source
        self.layout_button.setChecked(is_all)
        self.source_button.setChecked(has_source)
        hide, show = tr("Hide documents and references"), tr("Show documents and references")
        name = hide if has_source else show
        rename(self.source_button, name)
        self.summary_panel.text.setVisible(not is_all)
        self.columns.setVisible(is_all)
        self.source_panel.setVisible(has_source and not self.empty.isVisibleTo(self))
        self.share_out((30, 60, 24, 1) if is_all else (40, 36, 30, 1))

    def show_summaries(self, rows: Sequence[SummaryRow], active: str) -> None:
        """Show all summaries of the topic side by side. active: id of the one that is rated."""
        self.summary_panel.set_title(tr("Summaries"))
        self.summary_panel.set_fact("")
        self.columns.show_summaries(rows, active)

    def show_scales(self, summary_id: str, content: str, rows: Sequence[ScaleRow]) -> None:
        """Show the scales with the ratings of a summary, given by its id and text.

        The focus stays where it is.
        """
        unrated = [replace(row, rating=NO_RATING, feedback="") for row in rows]
        focused = self.window().focusWidget()  # also while a dialog is open over it
        is_outside = not any(one is focused or one.isAncestorOf(focused) for one in self.scales if focused)
        takes_focus = False
        if [replace(scale.row, rating=NO_RATING, feedback="") for scale in self.scales] != unrated:
            self._rebuild(rows)
            takes_focus = (
                is_outside and focused is not None and (focused is self or self.isAncestorOf(focused))
            )
        for scale, row in zip(self.scales, rows, strict=True):
            scale.show_rating(summary_id, content, row.rating, row.feedback)
        counted = [row for row in rows if row.is_required] or rows
        rated = sum(row.rating.value is not None for row in counted)
        self._scales_panel.set_fact(
            tr("{rated} of {counted} rated", rated=rated, counted=len(counted)) if rows else ""
        )
        self._show_marks(rows)
        if takes_focus and self.scales:  # before its field is hidden, which would pass the focus on
            for scale in self.scales:
                scale.show()  # a hidden widget cannot get the focus
            self.focus_first_unrated()
        for widget in (self._no_scales, self.name_field, self.add_button, self.published):
            widget.setVisible(not rows)

    @property
    def summary_text(self) -> AnnotatedText:
        return (self.columns.active_text if self._is_all else None) or self.summary_panel.text

    def _show_marks(self, rows: Sequence[ScaleRow]) -> None:
        marks = [mark for row in rows for mark in row.marks]
        if not self._is_all:
            self.summary_panel.text.show_marks(marks)

    def show_progress(self, rows: Sequence[GridRow], summary_id: str, fact: str) -> None:
        """Show which summaries are rated on all scales."""
        self.progress.grid.show_rows(rows, summary_id)
        self.progress_panel.set_fact(fact)

    def show_hints(self, hints: Sequence[KeyHint]) -> None:
        """Show keyboard hints, those of the scales first."""
        self._hints = tuple(hints)
        kinds = {scale.row.kind for scale in self.scales}
        own = [KeyHint(("1", "–", "5"), tr("Rate"))] if kinds - {ScaleKind.SPANS, ScaleKind.TEXT} else []
        if ScaleKind.SPANS in kinds:
            own += [KeyHint(("Shift+Tab",), tr("Summary")), KeyHint(("1", "–", "9"), tr("Mark selection"))]
            own.append(KeyHint(("0",), tr("Nothing to mark")))
        if len(self.scales) > 1:
            own.append(KeyHint(("Tab",), tr("Next scale")))
        super().show_hints((*own, *hints))

    def focused_scale(self) -> RatingScale | None:
        """Return the scale with the focus, else the last one while the summary or the next step has it."""
        focus = self.focusWidget()
        if self.summary_text.hasFocus() or self.next_button.hasFocus():
            return next((one for one in self.scales if one.row.id == self._last_scale), None)
        return next(
            (
                scale
                for scale in self.scales
                if scale.hasFocus() or (focus is not None and scale.isAncestorOf(focus) and focus.hasFocus())
            ),
            None,
        )

    def focus_default(self) -> None:
        if self.scales:
            self.focus_first_unrated()
        else:
            super().focus_default()

    def start(self) -> QWidget | None:
        can_name = self.name_field.isEnabled() and not self.name_field.isHidden()
        return self.name_field if can_name else None

    def focus_first_unrated(self) -> None:
        """Focus the first required scale without a rating, or the first scale if all are rated."""
        unrated = [scale for scale in self.scales if not scale.is_rated]
        open_scales = [scale for scale in unrated if scale.row.is_required] or unrated
        for scale in (open_scales or self.scales)[:1]:
            scale.setAccessibleDescription(self._place)  # said once, with the summary's first scale
            scale.setFocus(Qt.FocusReason.TabFocusReason)

    def focus_scale(self, dimension_id: str) -> None:
        for scale in self.scales:
            if scale.row.id == dimension_id:
                scale.setFocus(Qt.FocusReason.TabFocusReason)

    @Slot(object)
    def _go_on(self, scale: RatingScale) -> None:
        """Focus the scale after a rated one; after the last one a skipped one, else the next step.

        The next step takes no digits, so that one digit too many rates nothing.
        """
        self._remember(scale)
        scale.setAccessibleDescription("")
        following = [one for one in self.scales[self.scales.index(scale) + 1 :] if _has_turn(one)]
        skipped = [one for one in self.scales if one.row.is_required and not one.is_rated]
        go_on(next(iter((*following, *skipped)), self.next_button))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        digit = digit_of(event)
        if digit and watched is self.summary_panel.text:
            self._mark(digit)
            return True
        return super().eventFilter(watched, event)

    @Slot(int)
    def _mark(self, category: int) -> None:
        """Mark the selected words on the last focused scale of such a category, else on the first one."""
        fitting = [one for one in self.scales if one.marks is not None and category in one.buttons]
        fitting.sort(key=lambda one: one.row.id != self._last_scale)
        for scale in fitting[:1]:
            self._last_scale = scale.row.id
            scale.marked.emit(scale.row.id, category)

    def _remember(self, scale: RatingScale) -> None:
        self._last_scale = scale.row.id

    def _rebuild(self, rows: Sequence[ScaleRow]) -> None:
        """Create new scale widgets; the focus stays on the same scale if it still exists."""
        focus = self.focusWidget()
        focused = next(
            (s for s in self.scales if focus is not None and (s is focus or s.isAncestorOf(focus))), None
        )
        discard(self._scales_column, *self.scales)
        self.scales = [scale_widget(row) for row in rows]
        self.show_hints(self._hints)
        for index, scale in enumerate(self.scales):
            scale.entered.connect(partial(self._remember, scale))
            scale.passed.connect(partial(self._go_on, scale))
            self.scale_added.emit(scale)
            reveal = partial(self._scales_scroll.ensureWidgetVisible, scale)
            scale.entered.connect(partial(QTimer.singleShot, 0, scale, reveal))  # after the pending layout
            self._scales_column.insertWidget(index + 1, scale)
        if focused is not None and self.scales:
            same = (s for s in self.scales if s.row.id == focused.row.id)
            successor = next(same, self.scales[0])
            successor.show()  # the layout would show it later, but a hidden widget cannot get the focus
            successor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        self.add_place(self.summary_panel.place)
        self.summary_panel.add_action(self.layout_button, self.source_button)
        self.summary_panel.add((self.columns, 1))
        self.columns.hide()
        self._scales_panel, self.progress_panel = Panel(tr("Scales")), Panel(tr("Progress"), hairline=False)
        self._scales_panel.add_action(self.edit_button)
        self._scales_panel.add((self._scales_area(), 1))
        self.progress_panel.add_action(self.details_button)
        self.progress_panel.add((self.progress, 1))
        right = QWidget()
        self._right = vbox((self._scales_panel, 3), self.progress_panel, parent=right, spacing=MEDIUM)
        self._show_details(are_shown=False)
        self._panels: tuple[QWidget, ...] = (self.source_panel, self.summary_panel, right)
        self.add(*zip(self._panels, (40, 36, 30), strict=True), self.empty)
        self.empty.hide()
        self.add_notice(self.notice)

    def _scales_area(self) -> QScrollArea:
        inner = QWidget()
        self._scales_column = vbox(parent=inner, margins=(HAIR, SMALL, HAIR, MEDIUM), spacing=TIGHT)
        self._no_scales.setContentsMargins(_SCALE_PADDING, 0, _SCALE_PADDING, SMALL)
        self.name_field.setPlaceholderText(tr("Name of the scale"))
        self.name_field.setAccessibleName(tr("Name of the scale"))
        self.add_button.setAccessibleName(tr("Add scale"))
        self.add_button.setToolTip(tr("Add a scale with this name, from 1 to 5"))
        naming = hbox((self.name_field, 1), margins=(_SCALE_PADDING, SMALL, _SCALE_PADDING, 0), spacing=SMALL)
        naming.addWidget(self.add_button)
        extend(self._scales_column, self._no_scales, naming)
        self.published.setContentsMargins(0, MEDIUM, 0, 0)
        extend(self._scales_column, self.published, Stretch(1))
        self._scales_scroll = scrolled(inner)
        return self._scales_scroll

    @Slot(bool)
    def _show_details(self, are_shown: bool) -> None:
        """Show the progress by topic, or only the line with its sum."""
        self.progress.setVisible(are_shown)
        icons.set_icon(
            self.details_button, "chevron-down" if are_shown else "chevron-up", "muted", icons.ROW_PX
        )
        self._right.setStretchFactor(self.progress_panel, 2 if are_shown else 0)
        if self.hasFocus():  # by the click; digits are those of the scale
            self.focus_scale(self._last_scale)

    @Slot()
    def _add_scale(self) -> None:
        if name := self.name_field.text().strip():
            self.name_field.clear()
            self.scale_named.emit(name)
        else:
            self.name_field.setFocus(Qt.FocusReason.OtherFocusReason)


def _has_turn(scale: RatingScale) -> bool:
    """Return whether a digit may lead to a scale; an optional text would take the keys of commands."""
    return scale.row.is_required or scale.row.kind is not ScaleKind.TEXT
