"""Texts of suggestions in the list."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.annotation.word_coverage import words
from core.domain.study import Span
from core.suggestions.suggestion import Suggestion
from gui.style.language import tr


@dataclass(frozen=True, slots=True)
class WordsInContext:
    """A suggested text with its context, including whitespace.

    letter: its reference; empty = the open summary.
    """

    letter: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """A suggestion in the list.

    key: identifies it.
    fact: its similarity, in words and as a number.
    title: label of the SCU it would extend or create; empty = the selected SCU.
    weight, step: of that SCU; 0 = a new SCU.
    """

    key: str
    places: tuple[WordsInContext, ...]
    fact: str
    title: str = ""
    weight: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class SuggestionNote:
    """Message shown instead of suggestions.

    verb: text of its button; empty = no button.
    """

    icon: str
    title: str
    sentence: str
    verb: str = ""


CONTEXT_WORDS = 4
_WHITESPACE = re.compile(r"\s+")
_SIMILARITY_WORDS = ((0.75, tr("very close")), (0.6, tr("close")), (0.45, tr("somewhat close")))
"""On the sample study, nine of ten 'very close' suggestions are right, half of the 'close' ones and one in
eight of the 'somewhat close' ones."""


@dataclass(frozen=True, slots=True)
class SuggestionSection:
    """Suggestions of one kind, best first.

    title: the heading.
    verb: what accepting one does.
    when_none: message if there are no suggestions.
    names_scu: the heading names their SCU, so rows don't repeat it.
    lines: the rows as shown in the list.
    """

    title: str
    verb: str
    when_none: str
    suggestions: tuple[Suggestion, ...] = ()
    names_scu: bool = False
    lines: tuple[SuggestionRow, ...] = ()

    def without(self, removed: Sequence[Suggestion]) -> SuggestionSection:
        gone = {suggestion_key(one) for one in removed}
        others = tuple(one for one in self.suggestions if suggestion_key(one) not in gone)
        return replace(self, suggestions=others)

    def listed(self, lines: Sequence[SuggestionRow]) -> SuggestionSection:
        """Return the section with its rows."""
        rows = [replace(line, title="", weight=0, step=0) for line in lines] if self.names_scu else lines
        return replace(self, lines=tuple(rows))


def suggestion_key(suggestion: Suggestion) -> str:
    """Return a key that identifies a suggestion within its topic."""
    places = " ".join(f"{p.text_id}:{p.span[0]}-{p.span[1]}" for p in suggestion.places)
    return f"{suggestion.kind} {suggestion.scu_id} {places or suggestion.label} {suggestion.by}"


def proposal_sections(
    proposals: Sequence[tuple[str, tuple[Suggestion, ...]]],
) -> tuple[SuggestionSection, ...]:
    """Return a section of each machine annotator's proposals. proposals: its name, and what is undecided."""
    none_left = tr("Nothing is left to decide here.")
    return tuple(
        SuggestionSection(tr("Proposed by {name}", name=name), tr("Accept"), none_left, suggestions)
        for name, suggestions in proposals
    )


def fact_of(suggestion: Suggestion, otherwise: str = "") -> str:
    """Describe who proposed a suggestion, else its similarity; `otherwise` if nothing was compared."""
    if suggestion.by:
        return tr("proposed by {name}", name=suggestion.by)
    return similarity_text(suggestion.similarity) or otherwise


def similarity_text(similarity: float) -> str:
    """Describe a cosine similarity in words and as a number; NaN (nothing compared) gives an empty text."""
    if math.isnan(similarity):
        return ""
    word = next((word for least, word in _SIMILARITY_WORDS if similarity >= least), tr("loosely related"))
    return f"{word} · {similarity:.2f}"


def words_in_context(content: str, span: Span, letter: str = "") -> WordsInContext:
    """Return a span of a text with up to four words of context on each side."""
    all_words = words(content)
    start, end = span
    earlier = [word for word in all_words if word[1] <= start][-CONTEXT_WORDS:]
    later = [word for word in all_words if word[0] >= end][:CONTEXT_WORDS]
    left, right = earlier[0][0] if earlier else start, later[-1][1] if later else end
    before, after = _collapse_spaces(content[left:start]), _collapse_spaces(content[end:right])
    return WordsInContext(
        letter,
        f"… {before}" if content[:left].strip() else before,
        _collapse_spaces(content[start:end]),
        f"{after} …" if len(content[right:].strip()) > 1 else after,  # not for a full stop alone
    )


def _collapse_spaces(text: str) -> str:
    """Return the text with each run of whitespace replaced by one space."""
    return _WHITESPACE.sub(" ", text)
