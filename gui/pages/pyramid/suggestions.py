"""What the page of pyramids suggests: words like the selected SCU, and SCUs for uncovered text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.domain import pyramid
from core.domain.pyramid import TopicAnnotation
from core.domain.study import Span, TopicTexts
from core.suggestions.contributors import suggest_contributors
from core.suggestions.encoding import EncodedTexts, texts_to_encode
from core.suggestions.new_scus import suggest_scus
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, SuggestionKind
from gui.annotation.blind_mode import blindness
from gui.annotation.scu_rows import letters_of
from gui.annotation.suggestion_controller import SuggestionController, SuggestionQuery
from gui.annotation.suggestion_rows import SuggestionSection, in_context, key_of, likeness
from gui.annotation.suggestion_values import SuggestionNote, SuggestionRow
from gui.session.annotation_session import annotation_session
from gui.session.context import Context

if TYPE_CHECKING:
    from gui.pages.pyramid.view import PyramidView

OFF = SuggestionNote(
    "bulb",
    "Suggestions are off",
    "Similar words in the other references, ranked, and SCUs for text that none covers. "
    "Nothing is added until you take it.",
    "Suggest spans",
)
LOCKED = SuggestionNote(
    "lock",
    "Suggestions are locked",
    "Blind study: suggestions open once you have marked this topic's pyramid done.",
)
LONGEST_LABEL = 120
"""A longer proposal is cut; a label of one's own may be as long as it likes."""


class PyramidSuggestions:
    """The page of pyramids as suggesting sees it."""

    off = OFF

    def __init__(self, view: PyramidView, context: Context) -> None:
        self._view, self._context = view, context
        self._front, self._blindness = annotation_session(context), blindness(context)
        self.suggesting = SuggestionController(view.suggestions, context, self)
        view.shown.connect(self.suggesting.refresh)
        context.commands.bind("suggest.ask", self.ask, "pyramids")

    def ask(self) -> None:
        """Bring the suggestions in sight and ask for them."""
        self._view.side.show_tab("suggestions")
        self.suggesting.ask()

    def is_in_front(self) -> bool:
        is_own = self._front.owner_id == self._context.annotator.id
        return self._view.isVisible() and bool(self._front.topic_id) and is_own

    def lock(self) -> SuggestionNote | None:
        is_locked = self._blindness.is_on and not self._front.annotation.pyramid.is_done
        return LOCKED if is_locked else None

    def question(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        topic, annotation, scu_id = self._front.topic, self._front.annotation, self._scu_id
        texts = texts_to_encode(topic, annotation)
        return SuggestionQuery(texts, lambda readings: find(topic, annotation, scu_id, readings, dismissed))

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        letters = dict(
            zip(
                (text.id for text in self._front.topic.references),
                letters_of(self._front.topic.references),
                strict=True,
            )
        )
        contents = self._contents
        places = tuple(in_context(contents[p.text_id], p.span, letters[p.text_id]) for p in suggestion.places)
        fact = likeness(suggestion.similarity) or "in one reference only"
        return SuggestionRow(key_of(suggestion), places, fact, suggestion.label[:LONGEST_LABEL])

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        return [self._contents[place.text_id][slice(*place.span)] for place in suggestion.places]

    def take(self, suggestion: Suggestion, details: str) -> bool:
        verb = "new SCU" if suggestion.kind is SuggestionKind.SCU else "add contributor"
        return self._front.edit(lambda a: taken(a, suggestion), f"take suggestion: {verb}", details)

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        self._view.references.show_proposed(spans)

    @property
    def _scu_id(self) -> str:
        chosen = self._context.selection.scu_id
        return chosen if any(scu.id == chosen for scu in self._front.annotation.pyramid.scus) else ""

    @property
    def _contents(self) -> dict[str, str]:
        return {text.id: text.content for text in self._front.topic.references}


def find(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    readings: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> tuple[SuggestionSection, ...]:
    """Contributors for the selected SCU (empty = none is), and new SCUs."""
    return (
        _like(topic, annotation, scu_id, readings, dismissed),
        SuggestionSection(
            "New SCUs for uncovered text",
            "Make this SCU",
            "No more suggestions.",
            suggest_scus(topic, annotation, readings, dismissed),
        ),
    )


def taken(annotation: TopicAnnotation, suggestion: Suggestion) -> TopicAnnotation:
    """What is suggested, done: a contributor more, or a new SCU with its contributors."""
    first, *others = suggestion.places
    if suggestion.kind is not SuggestionKind.SCU:
        return pyramid.add_contributor(annotation, suggestion.scu_id, first.text_id, [first.span])
    scu_id = pyramid.new_id()
    label = suggestion.label[:LONGEST_LABEL]
    after = pyramid.add_scu(annotation, label, first.text_id, [first.span], scu_id)
    for place in others:
        after = pyramid.add_contributor(after, scu_id, place.text_id, [place.span])
    return after


def _like(
    topic: TopicTexts,
    annotation: TopicAnnotation,
    scu_id: str,
    readings: EncodedTexts,
    dismissed: DismissedSuggestions,
) -> SuggestionSection:
    if not scu_id:
        return SuggestionSection(
            "Words like the selected SCU", "", "No SCU is selected. Click one in the list."
        )
    scu = annotation.scu(scu_id)
    is_everywhere = scu.weight == len(topic.references)
    return SuggestionSection(
        f"Like “{scu.label}”",
        "Add this contributor",
        "Every reference expresses it." if is_everywhere else "The other references have nothing like it.",
        suggest_contributors(topic, annotation, scu_id, readings, dismissed),
    )
