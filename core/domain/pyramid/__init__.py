"""Pyramids of summary content units, and their matches in summaries (Nenkova & Passonneau 2004).

All values are immutable; an edit is a pure function that returns a new `TopicAnnotation`.
An edit is stored as the difference of two values, so undo needs no code of its own.
"""

from core.domain.pyramid.match_edits import (
    add_match,
    hand_over,
    remove_match,
    remove_match_part,
    set_summary_state,
    unmatch,
)
from core.domain.pyramid.model import (
    Contributor,
    Edit,
    Match,
    Part,
    Pyramid,
    Scu,
    SummaryState,
    TopicAnnotation,
    UnitKind,
    completed_summaries,
    empty,
    new_id,
    parts_of,
)
from core.domain.pyramid.part_edits import replace_match_part, replace_part
from core.domain.pyramid.scu_edits import (
    add_contributor,
    add_scu,
    mark_pyramid_done,
    merge_contributors,
    merge_parts,
    merge_scus,
    remove_contributor,
    remove_part,
    remove_scu,
    set_comment,
    set_contributor_comment,
    set_label,
)

__all__ = [
    "Contributor",
    "Edit",
    "Match",
    "Part",
    "Pyramid",
    "Scu",
    "SummaryState",
    "TopicAnnotation",
    "UnitKind",
    "add_contributor",
    "add_match",
    "add_scu",
    "completed_summaries",
    "empty",
    "hand_over",
    "mark_pyramid_done",
    "merge_contributors",
    "merge_parts",
    "merge_scus",
    "new_id",
    "parts_of",
    "remove_contributor",
    "remove_match",
    "remove_match_part",
    "remove_part",
    "remove_scu",
    "replace_match_part",
    "replace_part",
    "set_comment",
    "set_contributor_comment",
    "set_label",
    "set_summary_state",
    "unmatch",
]
