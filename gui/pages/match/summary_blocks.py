"""All summaries of a topic as blocks; what an edit leaves alone is made once."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.domain.pyramid import Match, Scu, SummaryState, TopicAnnotation
from gui.pages.match.live_score import MatchScores
from gui.pages.match.rows import MatchRows
from gui.pages.match.score_arithmetic_values import score_text
from gui.pages.match.summary_block import SummaryBlock


@dataclass(frozen=True, slots=True)
class _Made:
    """A block, with its system's name and without, and what it was made from."""

    matches: tuple[Match, ...]
    state: SummaryState | None
    named: SummaryBlock
    blind: SummaryBlock


class SummaryBlocks:
    """The blocks of one topic's summaries in the annotator's order."""

    def __init__(
        self, lines: MatchRows, scores: MatchScores, order: Sequence[str], annotator_id: str
    ) -> None:
        self._lines, self._scores = lines, scores
        self._order, self._annotator_id = order, annotator_id
        self._made: dict[str, _Made] = {}
        self._scus: tuple[Scu, ...] = ()

    def blocks(self, annotation: TopicAnnotation, *, shows_names: bool) -> tuple[SummaryBlock, ...]:
        """Every summary as it is now."""
        if annotation.pyramid.scus is not self._scus:
            self._scus = annotation.pyramid.scus
            self._made.clear()
        matches = self.matches(annotation)
        states = {s.summary_id: s for s in annotation.states if s.annotator_id == self._annotator_id}
        found = []
        for place, summary_id in enumerate(self._order):
            mine, state = matches[summary_id], states.get(summary_id)
            known = self._made.get(summary_id)
            if known is None or known.matches != mine or known.state != state:
                block = self._block(annotation, place, mine, state)
                known = self._made[summary_id] = _Made(mine, state, block, replace(block, system=""))
            found.append(known.named if shows_names else known.blind)
        return tuple(found)

    def notes(self, annotation: TopicAnnotation) -> dict[str, str]:
        """Per SCU how many of the summaries express it, in words."""
        found = Counter(
            scu_id
            for mine in self.matches(annotation).values()
            for scu_id in {match.scu_id for match in mine if match.scu_id is not None}
        )
        return {scu_id: f"{count} of {len(self._order)}" for scu_id, count in found.items()}

    def matches(self, annotation: TopicAnnotation) -> Mapping[str, tuple[Match, ...]]:
        """The annotator's units by summary."""
        grouped: dict[str, list[Match]] = defaultdict(list)
        for match in annotation.matches:
            if match.annotator_id == self._annotator_id:
                grouped[match.summary_id].append(match)
        return {summary_id: tuple(grouped[summary_id]) for summary_id in self._order}

    def _block(
        self, annotation: TopicAnnotation, place: int, matches: tuple[Match, ...], state: SummaryState | None
    ) -> SummaryBlock:
        text = self._lines.text(self._order[place])
        return SummaryBlock(
            text.id,
            place + 1,
            text.content,
            text.name,
            self._lines.marks(annotation, matches),
            frozenset(match.scu_id for match in matches if match.scu_id is not None),
            score_text(self._scores.modified(annotation.pyramid, matches)),
            state is not None and state.is_done,
            state is not None and state.is_flagged,
        )
