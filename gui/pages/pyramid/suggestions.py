"""Suggestions on the Pyramid page: contributors for the selected SCU, and SCUs for uncovered text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from core.domain import pyramid
from core.domain.pyramid import TopicAnnotation, UnitKind
from core.domain.pyramid.nugget_edits import OKAY, VITAL
from core.domain.study import Span, TopicTexts
from core.suggestions.encoding import EncodedTexts, texts_to_encode
from core.suggestions.new_scus import suggest_scus
from core.suggestions.ranking import suggest_contributors
from core.suggestions.stored import StoredProposal, accept_nugget, open_nuggets, open_scus
from core.suggestions.suggestion import DismissedSuggestions, Suggestion, SuggestionKind
from gui.annotation.scus.scu_values import reference_letters
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


NUGGETS_OFF = SuggestionNote(
    "bulb",
    tr("Proposals are off"),
    tr("Shows nuggets that a language model proposed. None counts until you accept it, with its hits."),
    tr("Show proposals"),
)
NO_NUGGETS = SuggestionSection(
    tr("No proposals"), "", tr("Annotate › Propose annotations… lets a language model propose nuggets.")
)
NUGGETS_LOCKED = SuggestionNote(
    "lock", tr("Proposals are locked"), tr("Blind study: mark this topic's nuggets done to see proposals.")
)


class _UnitSuggestions:
    """What the hosts of suggestions have in common where content units are built.

    locked: shown while a blind study withholds suggestions.
    """

    locked = LOCKED

    def __init__(self, view: PyramidView, context: Context, kind: UnitKind) -> None:
        self._view, self._context = view, context
        self._session, self._blindness = annotation_session(context, kind), blind_mode_of(context)

    def start(self, suggesting: SuggestionController, page: str, command: str) -> None:
        """Show suggestions with the page. command: that asks for them."""
        self.suggesting = suggesting
        self._view.shown.connect(suggesting.refresh)
        suggesting.bind_commands(page)
        self._context.commands.bind(command, self.ask, page)

    def ask(self) -> None:
        self._view.side.show_tab("suggestions")
        self.suggesting.ask()

    def is_in_front(self) -> bool:
        is_own = self._session.owner_id == self._context.annotator.id
        return self._view.isVisible() and bool(self._session.topic_id) and is_own

    def lock(self) -> SuggestionNote | None:
        is_locked = self._blindness.is_on and not self._session.annotation.pyramid.is_done
        return self.locked if is_locked else None

    def _edit_label(self) -> None:
        """Edit the label of the unit that was accepted."""
        self._context.selection.select(scu_id=self._session.annotation.pyramid.scus[-1].id)
        self._context.commands.action("pyramid.label").trigger()


class PyramidSuggestions(_UnitSuggestions):
    """Host of the suggestions on the Pyramid page."""

    off, are_off = OFF, ARE_OFF

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view, context, UnitKind.SCU)
        self.start(SuggestionController(view.suggestions, context, self), "pyramids", "suggest.ask")

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        topic, annotation, scu_id = self._session.topic, self._session.annotation, self._scu_id
        texts = texts_to_encode(topic, annotation)
        return SuggestionQuery(
            texts,
            lambda encoded: find(topic, annotation, scu_id, encoded, dismissed),
            lambda proposal: open_scus(proposal, annotation, dismissed),
        )

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
        fact = fact_of(suggestion, tr("in one reference only"))
        return SuggestionRow(suggestion_key(suggestion), places, fact, suggestion.label[:MAX_LABEL_CHARS])

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        return [self._contents[place.text_id][slice(*place.span)] for place in suggestion.places]

    def accept(self, suggestions: Sequence[Suggestion], details: str) -> bool:
        what = "new SCU" if suggestions[0].kind is SuggestionKind.SCU else "add contributor"
        verb = f"take suggestion: {what}" if len(suggestions) == 1 else "take proposed SCUs"
        return self._session.edit(lambda a: reduce(apply_suggestion, suggestions, a), verb, details)

    def begin_change(self, suggestion: Suggestion) -> None:
        """Edit the label of the SCU that was accepted, or go to the words of the contributor."""
        if suggestion.kind is not SuggestionKind.SCU:
            place = suggestion.places[0]
            self._context.selection.select(scu_id=suggestion.scu_id)
            self._context.selection.pointed.emit(place.text_id, *place.span)
            return
        self._edit_label()

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        self._view.references.show_proposed(spans)

    @property
    def _scu_id(self) -> str:
        chosen = self._context.selection.scu_id
        return chosen if any(scu.id == chosen for scu in self._session.annotation.pyramid.scus) else ""

    @property
    def _contents(self) -> dict[str, str]:
        return {text.id: text.content for text in self._session.topic.references}


class NuggetProposals(_UnitSuggestions):
    """Host of what machine annotators propose on the page of nuggets."""

    off, are_off = NUGGETS_OFF, tr("Proposals are turned off. Turn them on with {nugget.proposals}.")
    locked = NUGGETS_LOCKED

    def __init__(self, view: PyramidView, context: Context) -> None:
        super().__init__(view, context, UnitKind.NUGGET)
        self._proposals: dict[str, StoredProposal] = {}  # by name, as read last
        suggesting = SuggestionController(view.suggestions, context, self, UnitKind.NUGGET)
        self.start(suggesting, "nuggets", "nugget.proposals")

    def query(self, dismissed: DismissedSuggestions) -> SuggestionQuery:
        own = self._session.annotation
        stored = self._proposals

        def undecided(proposal: StoredProposal) -> tuple[Suggestion, ...]:
            stored[proposal.by] = proposal
            return open_nuggets(proposal, own, dismissed)

        def without(encoded: EncodedTexts) -> tuple[SuggestionSection, ...]:
            is_any = any(one.annotation.pyramid.topic_id == own.pyramid.topic_id for one in stored.values())
            return () if is_any else (NO_NUGGETS,)

        return SuggestionQuery((), without, undecided)

    def line(self, suggestion: Suggestion) -> SuggestionRow:
        nuggets = self._proposals[suggestion.by].annotation.pyramid.scus
        level = next((one.importance for one in nuggets if one.label == suggestion.label), "")
        title = {VITAL: tr("vital"), OKAY: tr("okay")}.get(level, "")
        fact = f"{title} · {fact_of(suggestion)}" if title else fact_of(suggestion)
        return SuggestionRow(suggestion_key(suggestion), (), fact, suggestion.label)

    def words(self, suggestion: Suggestion) -> Sequence[str]:
        return ()

    def accept(self, suggestions: Sequence[Suggestion], details: str) -> bool:
        proposals, me = self._proposals, self._context.annotator.id

        def add(annotation: TopicAnnotation) -> TopicAnnotation:
            for one in suggestions:
                annotation = accept_nugget(annotation, proposals[one.by], one.label, me)
            return annotation

        verb = "take suggestion: new nugget" if len(suggestions) == 1 else "take proposed nuggets"
        return self._session.edit(add, verb, details)

    def begin_change(self, suggestion: Suggestion) -> None:
        """Edit the label of the nugget that was accepted."""
        self._edit_label()

    def show_proposed(self, spans: Mapping[str, Sequence[Span]]) -> None:
        """Highlight nothing, as a nugget has no words of its own."""


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
