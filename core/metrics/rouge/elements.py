"""Basic elements (Hovy et al. 2006): a head, or a head with a dependent and their relation.

They are read from a file with one ``head|modifier|relation`` per line, or extracted from a dependency parse:
prepositions are collapsed into relations, multi-word names form one element, and function words are
skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from core.domain.study import Span
from core.errors import InputError
from core.models.nlp.noun_phrases import phrases_of
from core.models.nlp.parser import Token
from core.text.scripts import has_word
from core.text.stemming import irregular_forms, porter_stem

NIL = "nil"
"""Placeholder for an absent modifier or relation."""

MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_PREPOSITION = re.compile(
    r"\s+(?P<word>of|in|on|at|for|from|by|with|against|between|under|over|to|about|near|after|before)"
    r"\s+(?:(?:a|an|the|this|that|these|those|its|their|his|her|our|my)\s+)?",
    re.IGNORECASE,
)
"""What may stand between two noun phrases of which the second modifies the first."""

_FUNCTION_RELATIONS = frozenset(
    {"det", "predet", "punct", "space", "aux", "auxpass", "cop", "cc", "preconj", "mark", "case", "expl"}
    | {"fixed", "meta"}
)
"""Relations of function words in ClearNLP and Universal Dependencies."""

_PREPOSITIONS = frozenset({"prep", "agent"})
_OBJECTS = frozenset({"pobj", "pcomp"})
_NAME_RELATIONS = frozenset({"compound", "flat"})
_HEAD_TAGS = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", ""})
"""Parts of speech of words that head a phrase; empty if the parser provides none."""


@dataclass(frozen=True, slots=True)
class Element:
    """A basic element in lower case. places: spans of its head and modifier."""

    head: str
    modifier: str = NIL
    relation: str = NIL
    places: tuple[Span, ...] = ()

    def key(self, mode: str, stem: bool) -> str | None:
        """Return the key compared in a mode of ROUGE-1.5.5, or None if the mode ignores the element."""
        normalize = stemmed if stem else str
        head, modifier = normalize(self.head), normalize(self.modifier)
        has_modifier, has_relation = self.modifier != NIL, self.relation != NIL
        counts = {"H": not has_modifier, "HM": has_modifier, "HMR": has_relation, "HMR1": has_modifier}
        if not counts.get(mode, True):
            return None
        parts = {"H": (head,), "HM": (head, modifier), "HM1": (head, modifier)}
        return "|".join(parts.get(mode, (head, modifier, self.relation)))


@cache
def stemmed(words: str) -> str:
    """Stem words as ROUGE-1.5.5 stems heads and modifiers: words of up to three letters are unchanged."""
    if len(words) <= 3:
        return words
    return " ".join(map(_stem, re.split(r"\s+", words.rstrip())))


def _stem(word: str) -> str:
    if not re.search("[a-z0-9]", word):
        return word
    return irregular_forms().get(word) or (porter_stem(word) if len(word) > 2 else word)


def read_elements(content: str, where: str, *, are_placed: bool = False) -> tuple[Element, ...]:
    """Parse elements, one per line; blank lines are skipped.

    where: name of the file for messages. are_placed: return the spans of the lines.
    Raises InputError with the number of an invalid line.
    """
    elements, start = [], 0
    for number, line in enumerate(content.split("\n"), start=1):
        parts = line.rstrip("\r").lower().split("|")
        if line.strip():
            if len(parts) != 3 or not all(parts):
                raise InputError(
                    f"{where}, line {number}: {line.strip()!r} is not a basic element. Write "
                    "head|modifier|relation, with NIL for an absent part."
                )
            places = ((start, start + len(line)),) if are_placed else ()
            elements.append(Element(parts[0], parts[1], parts[2], places))
        start += len(line) + 1
    return tuple(elements)


def elements_of(tokens: Sequence[Token]) -> tuple[Element, ...]:
    """Return the elements of a parsed text in order: each head alone, then with its governor."""
    return tuple(_Parse(tokens).elements())


def elements_by_rules(content: str, sentences: Sequence[Span]) -> tuple[Element, ...]:
    """Return elements of noun phrases that are found by rules for English, without a parser.

    The last word of a phrase is its head and the others are its modifiers; a phrase that follows another
    after a single preposition modifies it. Verbs and their arguments are not found.
    """
    elements: list[Element] = []
    before: tuple[Span, str] | None = None
    for start, end in phrases_of(content, sentences):
        words = [(start + word.start(), start + word.end()) for word in _WORD.finditer(content[start:end])]
        if not words:
            continue
        (*modifiers, head) = words
        name = content[slice(*head)].lower()
        elements.append(Element(name, places=(head,)))
        elements += [
            Element(name, content[slice(*modifier)].lower(), "mod", (head, modifier))
            for modifier in modifiers
        ]
        if before is not None and (between := _PREPOSITION.fullmatch(content, before[0][1], start)):
            elements.append(Element(before[1], name, between["word"].lower(), (before[0], head)))
        before = head, name
    return tuple(elements)


class _Parse:
    """Extracts the elements of a parsed text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._dependents: list[list[int]] = [[] for _ in tokens]
        for at, token in enumerate(tokens):
            if token.head != at:
                self._dependents[token.head].append(at)

    def elements(self) -> Iterator[Element]:
        for at, token in enumerate(self._tokens):
            if self._is_function_word(at) or self._is_preposition(at) or self._is_part_of_name(at):
                continue
            word, places = self._phrase(at)
            if token.part_of_speech in _HEAD_TAGS:
                yield Element(word, places=places)
            if (governor := self._governor(at)) is not None:
                head, head_places = self._phrase(governor)
                yield Element(head, word, self._relation(at), (*head_places, *places))

    def _is_function_word(self, at: int) -> bool:
        token = self._tokens[at]
        is_sign = token.part_of_speech in ("PUNCT", "SPACE") or not has_word(token.word)
        is_word_of_relation = token.relation in _PREPOSITIONS or self._belongs_to_preposition(at)
        return is_sign or is_word_of_relation or _plain(token.relation) in _FUNCTION_RELATIONS

    def _is_preposition(self, at: int) -> bool:
        """Return whether a word is a preposition with an object."""
        token = self._tokens[at]
        could_be = token.relation in _PREPOSITIONS or token.part_of_speech == "ADP"
        return could_be and any(
            self._tokens[below].relation in (_OBJECTS | _PREPOSITIONS) for below in self._dependents[at]
        )

    def _belongs_to_preposition(self, at: int) -> bool:
        """Return whether a word is the second part of a preposition, as *of* in *because of*."""
        token = self._tokens[at]
        return token.relation == "pcomp" and token.part_of_speech == "ADP" and not self._is_preposition(at)

    def _is_part_of_name(self, at: int) -> bool:
        """Return whether a word belongs to the name that its governor heads."""
        token, head = self._tokens[at], self._tokens[self._tokens[at].head]
        both = {token.part_of_speech, head.part_of_speech}
        return token.head != at and _plain(token.relation) in _NAME_RELATIONS and both == {"PROPN"}

    def _phrase(self, at: int) -> tuple[str, tuple[Span, ...]]:
        """Return a word with the other words of its name, and their places."""
        words = [self._tokens[i] for i in sorted(self._name(at))]
        return " ".join(token.word.lower() for token in words), tuple(token.span for token in words)

    def _name(self, at: int) -> Iterator[int]:
        yield at
        for below in self._dependents[at]:
            if self._is_part_of_name(below):
                yield from self._name(below)

    def _governor(self, at: int) -> int | None:
        """Return the governor of a word, skipping prepositions and parts of names; None for a root."""
        below, above = at, self._tokens[at].head
        while above != below and (self._is_preposition(above) or self._is_part_of_name(above)):
            below, above = above, self._tokens[above].head
        return None if above == below else above

    def _relation(self, at: int) -> str:
        """Return the prepositions between a word and its governor, otherwise the parser's relation."""
        between: list[str] = []
        above = self._tokens[at].head
        while self._is_preposition(above) and self._tokens[above].head != above:
            second_parts = filter(self._belongs_to_preposition, self._dependents[above])
            between[:0] = [self._tokens[i].word.lower() for i in sorted([above, *second_parts])]
            above = self._tokens[above].head
        return " ".join(between or self._cases(at)) or self._tokens[at].relation.lower() or NIL

    def _cases(self, at: int) -> list[str]:
        """Return the prepositions that depend on a word, as in Universal Dependencies."""
        return [
            self._tokens[below].word.lower()
            for below in self._dependents[at]
            if _plain(self._tokens[below].relation) == "case" and self._tokens[below].part_of_speech == "ADP"
        ]


def _plain(relation: str) -> str:
    """Return a Universal Dependencies relation without its subtype, in lower case."""
    return relation.partition(":")[0].lower()
