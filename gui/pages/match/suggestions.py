"""Suggestions on the Match page: text for the selected SCU, unmatched SCUs, and uncovered text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.annotation.blind_mode import completed_summaries
from core.domain import pyramid
from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.study import Span, Text
from core.suggestions.candidate_spans import COVERED_SHARE, overlap_share
from core.suggestions.encoding import EncodedTexts, texts_to_encode
from core.suggestions.matches import SummaryMatching
from core.suggestions.stored import StoredProposal, open_matches
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, SuggestionKind
from gui.annotation.study_modes import blind_mode_of
from gui.annotation.suggestions.suggestion_controller import ARE_OFF, SuggestionController, SuggestionQuery
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionNote,
    SuggestionRow,
    SuggestionSection,
    fact_of,
    suggestion_key,
    words_in_context,
)
from gui.pages.match.rows import EditName, MatchLocation
from gui.pages.match.view import MatchView
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr
from gui.style.theme import weight_step

OFF = SuggestionNote(
    "bulb",
    tr("Suggestions are off"),
    tr("Shows SCUs that this summary may express, with the text. Nothing is matched until you accept it."),
    tr("Suggest matches"),
)
OUTSIDE = tr("Not in the pyramid")


class MatchSuggestions:
    """Host of the suggestions on the Match page."""

    off, are_off = OFF, ARE_OFF

    def __init__(
        self, view: MatchView, context: Context, location: MatchLocation, is_active: Callable[[], bool]
    ) -> None:
        self._view, self._context, self._location = view, context, location
        self._is_page_active, self._me = is_active, context.annotator.id
        self._session, self._blindness = annotation_session(context), blind_mode_of(context)
        self.suggesting = SuggestionController(view.suggestions, context, self)
        view.shown.connect(self.suggesting.refresh)
        self.suggesting.bind_commands("matches")
        context.commands.bind("suggest.ask", self.ask, "matches")

    def ask(self) -> None:
        self._view.side.show_tab("suggestions")
        self.suggesting.ask()

    def is_in_front(self) -> bool:
        return self._is_page_active() and self._summary is not None

    def lock(self) -> SuggestionNote | None:
        """Lock suggestions of a blind study until all summaries of the topic are done.

        Summaries of a topic are similar, so suggestions for one would influence the others.
        """
        summaries = [text.id for text in self._session.topic.summaries]
        done = completed_summaries(self._session.annotation, summaries, self._me)
        return _locked(done, len(summaries)) if self._blindness.is_on and done < len(summaries) else None

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        topic, annotation, summary = self._session.topic, self._session.annotation, self._summary
        if summary is None:
            raise LookupError("no summary is displayed")
        scu_id = self._location.scu_id if self._scu(self._location.scu_id) is not None else ""
        me = self._me

        def answer(encoded: EncodedTexts) -> tuple[SuggestionSection, ...]:
            matching = SummaryMatching(topic, annotation, summary, me, encoded, dismissed)
            return find(matching, scu_id)

        def undecided(proposal: StoredProposal) -> tuple[Suggestion, ...]:
            return open_matches(proposal, annotation, summary.id, me, dismissed)

        return SuggestionQuery(texts_to_encode(topic, annotation, [summary]), answer, undecided)

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        scu = self._scu(suggestion.scu_id)
        content = self._summary.content if self._summary is not None else ""
        places = tuple(words_in_context(content, place.span) for place in suggestion.places)
        fact = fact_of(suggestion)
        if scu is None:
            nearest = tr("nearest SCU: {fact}", fact=fact) if fact else tr("the pyramid has no SCU")
            nearest = fact if suggestion.by else nearest
            return SuggestionRow(suggestion_key(suggestion), places, nearest, OUTSIDE)
        step = weight_step(scu.weight, len(self._session.topic.references))
        return SuggestionRow(suggestion_key(suggestion), places, fact, scu.label, scu.weight, step)

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        content = self._summary.content if self._summary is not None else ""
        return [content[slice(*place.span)] for place in suggestion.places]

    def accept(self, suggestions: Sequence[Suggestion], details: str) -> bool:
        is_unit = suggestions[0].kind is SuggestionKind.UNIT
        verb = EditName.ACCEPT_UNIT if is_unit else EditName.ACCEPT_MATCH

        def add(annotation: TopicAnnotation) -> TopicAnnotation:
            for one in suggestions:
                spans = [place.span for place in one.places]
                annotation = pyramid.add_match(
                    annotation, one.places[0].text_id, self._me, one.scu_id or None, spans
                )
            return annotation

        return self._session.edit(add, verb if len(suggestions) == 1 else EditName.ACCEPT_ALL, details)

    def begin_change(self, suggestion: Suggestion) -> None:
        """Ask for another SCU for the unit that was accepted."""
        spans = {place.span for place in suggestion.places}
        unit = next(
            (
                unit
                for unit in self._session.annotation.matches_of(self._location.summary_id, self._me)
                if (unit.scu_id or "") == suggestion.scu_id and spans & {part.span for part in unit.parts}
            ),
            None,
        )
        if unit is not None:
            self._view.unit_chosen.emit(unit.id)
            self._context.commands.action("match.reassign").trigger()

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        self._view.left.show_proposed(self._location.summary_id, spans.get(self._location.summary_id, ()))

    @property
    def _summary(self) -> Text | None:
        summaries = self._session.topic.summaries
        return next((text for text in summaries if text.id == self._location.summary_id), None)

    def _scu(self, scu_id: str) -> Scu | None:
        return next((scu for scu in self._session.annotation.pyramid.scus if scu.id == scu_id), None)


def find(matching: SummaryMatching, scu_id: str) -> tuple[SuggestionSection, ...]:
    """Return suggestions for the selected SCU (empty: none), for unmatched SCUs, and for uncovered text."""
    selected = matching.spans_for(scu_id) if scu_id else ()
    unmatched = tuple(s for s in matching.unmatched() if s.scu_id != scu_id)
    others = (*selected, *unmatched)
    uncovered = tuple(s for s in matching.uncovered() if not any(_is_same(s, other) for other in others))
    none_left = tr("No other SCU seems to be expressed.")
    return (
        _selected_section(matching, scu_id, selected),
        SuggestionSection(tr("Unmatched SCUs"), tr("Match with this text"), none_left, unmatched),
        SuggestionSection(
            tr("Unmatched text"), tr("Add this unit"), tr("All other clauses are matched."), uncovered
        ),
    )


def _selected_section(
    matching: SummaryMatching, scu_id: str, suggestions: tuple[Suggestion, ...]
) -> SuggestionSection:
    if not scu_id:
        return SuggestionSection(
            tr("For the selected SCU"), "", tr("No SCU is selected. Click one in the list.")
        )
    title = tr("For “{label}”", label=matching.annotation.scu(scu_id).label)
    none_here = tr("No similar text in the summary.")
    return SuggestionSection(title, tr("Match this text"), none_here, suggestions, names_scu=True)


def _is_same(suggestion: Suggestion, other: Suggestion) -> bool:
    return (
        suggestion.scu_id == other.scu_id
        and overlap_share(suggestion.places[0].span, other.places[0].span) >= COVERED_SHARE
    )


def _locked(done: int, total: int) -> SuggestionNote:
    return SuggestionNote(
        "lock",
        tr("Suggestions are locked"),
        tr(
            "Blind study: mark all {total} summaries of the topic done to see suggestions. Done "
            "so far: {done}.",
            total=total,
            done=done,
        ),
    )
