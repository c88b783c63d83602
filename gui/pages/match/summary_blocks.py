"""Blocks of all summaries of a topic, cached so that an edit recomputes only its own block."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.pyramid import Match, Scu, SummaryState, TopicAnnotation
from gui.pages.match.live_score import MatchScores
from gui.pages.match.rows import MatchRows
from gui.pages.match.values import SummaryBlock, score_text


@dataclass(frozen=True, slots=True)
class _CachedBlock:
    """A block, with and without the name of its system, and its inputs."""

    matches: tuple[Match, ...]
    state: SummaryState | None
    named: SummaryBlock
    anonymous: SummaryBlock


class SummaryBlocks:
    """Blocks of one topic's summaries, in the annotator's order."""

    def __init__(self, rows: MatchRows, scores: MatchScores, order: Sequence[str], annotator_id: str) -> None:
        self._rows, self._scores = rows, scores
        self._order, self._annotator_id = order, annotator_id
        self._cache: dict[str, _CachedBlock] = {}
        self._scus: tuple[Scu, ...] = ()

    def blocks(self, annotation: TopicAnnotation, *, shows_names: bool) -> tuple[SummaryBlock, ...]:
        """Return the blocks of all summaries."""
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._cache.clear()
        matches = self.matches(annotation)
        states = {s.summary_id: s for s in annotation.states if s.annotator_id == self._annotator_id}
        blocks = []
        for index, summary_id in enumerate(self._order):
            own, state = matches[summary_id], states.get(summary_id)
            cached = self._cache.get(summary_id)
            if cached is None or cached.matches != own or cached.state != state:
                block = self._block(annotation, index, own, state)
                anonymous = replace(block, system="")
                cached = self._cache[summary_id] = _CachedBlock(own, state, block, anonymous)
            blocks.append(cached.named if shows_names else cached.anonymous)
        return tuple(blocks)

    def notes(self, annotation: TopicAnnotation) -> dict[str, str]:
        """Return a note per SCU id on how many summaries express it, e.g. ``2 of 4``."""
        counts = Counter(
            scu_id
            for own in self.matches(annotation).values()
            for scu_id in {match.scu_id for match in own if match.scu_id is not None}
        )
        return {scu_id: f"{count} of {len(self._order)}" for scu_id, count in counts.items()}

    def matches(self, annotation: TopicAnnotation) -> Mapping[str, tuple[Match, ...]]:
        """Return the annotator's units by summary id."""
        grouped: dict[str, list[Match]] = defaultdict(list)
        for match in annotation.matches:
            if match.annotator_id == self._annotator_id:
                grouped[match.summary_id].append(match)
        return {summary_id: tuple(grouped[summary_id]) for summary_id in self._order}

    def _block(
        self, annotation: TopicAnnotation, index: int, matches: tuple[Match, ...], state: SummaryState | None
    ) -> SummaryBlock:
        text = self._rows.text(self._order[index])
        return SummaryBlock(
            text.id,
            index + 1,
            text.content,
            text.name,
            self._rows.marks(annotation, matches),
            frozenset(match.scu_id for match in matches if match.scu_id is not None),
            score_text(self._scores.modified(annotation.pyramid, matches)),
            state is not None and state.is_done,
            state is not None and state.is_flagged,
            text.language,
        )
