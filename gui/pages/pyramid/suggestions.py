"""Suggestions on the Pyramid page: contributors for the selected SCU, and SCUs for uncovered text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain import pyramid
from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, TopicTexts
from core.suggestions.contributors import suggest_contributors
from core.suggestions.encoding import EncodedTexts, texts_to_encode
from core.suggestions.new_scus import suggest_scus
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, SuggestionKind
from gui.annotation.blind_mode import blind_mode_of
from gui.annotation.scus.scu_values import reference_letters
from gui.annotation.suggestions.suggestion_controller import SuggestionController, SuggestionQuery
from gui.annotation.suggestions.suggestion_rows import (
    SuggestionNote,
    SuggestionRow,
    SuggestionSection,
    similarity_text,
    suggestion_key,
    words_in_context,
)
from gui.pages.pyramid.view import PyramidView
from gui.session.annotation_session import annotation_session
from gui.session.context import Context
from gui.style.language import tr

OFF = SuggestionNote(
    "bulb",
    tr("Suggestions are off"),
    tr(
        "Shows text in other references that resembles the selected SCU, and new SCUs for "
        "uncovered text. Nothing is added until you accept it."
    ),
    tr("Suggest spans"),
)
LOCKED = SuggestionNote(
    "lock",
    tr("Suggestions are locked"),
    tr("Blind study: mark this topic's pyramid done to see suggestions."),
)
MAX_LABEL_CHARS = 120
"""Longer proposed labels are cut; labels that annotators type have no limit."""


class PyramidSuggestions:
    """Host of the suggestions on the Pyramid page."""

    off = OFF

    def __init__(self, view: PyramidView, context: Context) -> None:
        self._view, self._context = view, context
        self._session, self._blindness = annotation_session(context), blind_mode_of(context)
        self.suggesting = SuggestionController(view.suggestions, context, self)
        view.shown.connect(self.suggesting.refresh)
        context.commands.bind("suggest.ask", self.ask, "pyramids")

    def ask(self) -> None:
        """Show the Suggestions tab and request suggestions."""
        self._view.side.show_tab("suggestions")
        self.suggesting.ask()

    def is_in_front(self) -> bool:
        is_own = self._session.owner_id == self._context.annotator.id
        return self._view.isVisible() and bool(self._session.topic_id) and is_own

    def lock(self) -> SuggestionNote | None:
        is_locked = self._blindness.is_on and not self._session.annotation.pyramid.is_done
        return LOCKED if is_locked else None

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        topic, annotation, scu_id = self._session.topic, self._session.annotation, self._scu_id
        texts = texts_to_encode(topic, annotation)
        return SuggestionQuery(texts, lambda encoded: find(topic, annotation, scu_id, encoded, dismissed))

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        letters = dict(
            zip(
                (text.id for text in self._session.topic.references),
                reference_letters(self._session.topic.references),
                strict=True,
            )
        )
        contents = self._contents
        places = tuple(
            words_in_context(contents[p.text_id], p.span, letters[p.text_id]) for p in suggestion.places
        )
        fact = similarity_text(suggestion.similarity) or tr("in one reference only")
        return SuggestionRow(suggestion_key(suggestion), places, fact, suggestion.label[:MAX_LABEL_CHARS])

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        return [self._contents[place.text_id][slice(*place.span)] for place in suggestion.places]

    def accept(self, suggestion: Suggestion, details: str) -> bool:
        verb = "new SCU" if suggestion.kind is SuggestionKind.SCU else "add contributor"
        return self._session.edit(
            lambda a: apply_suggestion(a, suggestion), f"take suggestion: {verb}", details
        )

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        self._view.references.show_proposed(spans)

    @property
    def _scu_id(self) -> str:
        chosen = self._context.selection.scu_id
        return chosen if any(scu.id == chosen for scu in self._session.annotation.pyramid.scus) else ""

    @property
    def _contents(self) -> dict[str, str]:
        return {text.id: text.content for text in self._session.topic.references}


def find(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    encoded: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> tuple[SuggestionSection, ...]:
    """Return suggested contributors for the selected SCU (empty: none is selected), and new SCUs."""
    return (
        _contributor_section(topic, annotation, scu_id, encoded, dismissed),
        SuggestionSection(
            tr("New SCUs for uncovered text"),
            tr("Create this SCU"),
            tr("No more suggestions."),
            suggest_scus(topic, annotation, encoded, dismissed),
        ),
    )


def apply_suggestion(annotation: TopicAnnotation, suggestion: Suggestion) -> TopicAnnotation:
    """Return the annotation with the suggested contributor, or with the suggested SCU."""
    first, *others = suggestion.places
    if suggestion.kind is not SuggestionKind.SCU:
        return pyramid.add_contributor(annotation, suggestion.scu_id, first.text_id, [first.span])
    scu_id = pyramid.new_id()
    label = suggestion.label[:MAX_LABEL_CHARS]
    after = pyramid.add_scu(annotation, label, first.text_id, [first.span], scu_id)
    for place in others:
        after = pyramid.add_contributor(after, scu_id, place.text_id, [place.span])
    return after


def _contributor_section(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    encoded: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> SuggestionSection:
    if not scu_id:
        return SuggestionSection(
            tr("Similar to the selected SCU"), "", tr("No SCU is selected. Click one in the list.")
        )
    scu = annotation.scu(scu_id)
    is_in_all = scu.weight == len(topic.references)
    return SuggestionSection(
        tr("Similar to “{label}”", label=scu.label),
        tr("Add this contributor"),
        tr("All references already express it.")
        if is_in_all
        else tr("No similar text in the other references."),
        suggest_contributors(topic, annotation, scu_id, encoded, dismissed),
    )
