"""`pyramidion comparisons`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cli.console import print_json, print_message, print_table
from cli.errors import require_writable
from cli.opening import editor_id
from core.annotation.comparison_plans import draw_plan
from core.annotation.team_progress import comparison_progress
from core.comparison.preferences import PlanResult, answered_plan, plan_named, plan_result
from core.domain.preferences import ComparisonKind, ComparisonPlan
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.ports import Study
from storage.study_file import open_study

_RESULT = {
    "system": "System",
    "comparisons": "Comparisons",
    "best": "Best",
    "worst": "Worst",
    "ties": "Ties",
    "count": "Count",
    "strength": "Bradley–Terry",
}


@dataclass(frozen=True, slots=True)
class NewPlan:
    """Settings of a plan to draw; see `core.annotation.comparison_plans.draw_plan`."""

    kind: ComparisonKind
    question: str
    size: int
    per_summary: int
    overlap: float
    seed: int
    annotators: Sequence[str]


def add_plan(path: StudyAddress, name: str, new: NewPlan, editor: str, *, as_json: bool) -> None:
    """Draw the comparisons of a new plan and store them. Raises InputError for invalid settings."""
    with open_study(path) as study:
        require_writable(study)
        plan, items = draw_plan(
            study,
            name,
            new.kind,
            question=new.question,
            size=new.size,
            per_summary=new.per_summary,
            overlap=new.overlap,
            seed=new.seed,
            annotators=new.annotators,
        )
        study.comparisons.add_plan(plan, items, editor_id(study, editor)).result()
        if as_json:
            print_json({"study": str(path), "plans": [_about(study, plan)]})
        else:
            print_message(f"{path}: {pluralize(len(items), 'comparison')} in {plan.name}.")


def remove_plan(path: StudyAddress, name: str, editor: str) -> None:
    """Remove a plan without answers. Raises InputError for an unknown plan and one with answers."""
    with open_study(path) as study:
        require_writable(study)
        study.comparisons.remove_plan(plan_named(study, name).id, editor_id(study, editor)).result()
    print_message(f"{path}: {name} removed.")


def list_plans(path: StudyAddress, *, as_json: bool) -> None:
    """List the plans with their comparisons and the progress of their annotators."""
    with open_study(path) as study:
        rows = [_about(study, plan) for plan in study.comparisons.plans()]
    if as_json:
        print_json({"study": str(path), "plans": rows})
        return
    if not rows:
        print_message("The study has no comparisons. Plan some with --new, or in the window.")
        return
    cells = [
        {
            "name": row["name"],
            "kind": row["kind"],
            "comparisons": f"{row['comparisons']:,}",
            "progress": ", ".join(
                f"{one['annotator']} {one['done']}/{one['total']}" for one in row["progress"]
            ),
            "question": row["question"],
        }
        for row in rows
    ]
    heads = {
        "name": "Name",
        "kind": "Kind",
        "comparisons": "Comparisons",
        "progress": "Answers",
        "question": "Question",
    }
    print_table(cells, heads, right=("comparisons",))


def show_results(path: StudyAddress, name: str, annotators: Sequence[str], *, as_json: bool) -> None:
    """Print the result of each system. Raises InputError for unknown plans and annotators."""
    with open_study(path) as study:
        plan = plan_named(study, name)
        answered = answered_plan(study, plan, annotators)
        result = plan_result(study, answered)
    if as_json:
        print_json({"study": str(path), "plan": plan.name, "signature": plan.signature, **_as_json(result)})
        return
    if not result.systems:
        print_message("Nobody has answered yet.")
        return
    cells = [
        {
            **{key: f"{value:,}" for key, value in asdict(one).items() if isinstance(value, int)},
            "system": one.system,
            "count": f"{one.count:.3f}",
            "strength": "" if math.isnan(one.strength) else f"{one.strength:.3f}",
        }
        for one in result.systems
    ]
    print_table(cells, _RESULT, right=tuple(_RESULT)[1:])
    print_message(f"{pluralize(len(answered.answers), 'answer')} by {', '.join(answered.annotators)}.")
    if result.unidentified:
        print_message(f"No Bradley–Terry strengths: {result.unidentified}.")


def _about(study: Study, plan: ComparisonPlan) -> dict[str, Any]:
    progress = comparison_progress(study, [plan])
    return {
        "name": plan.name,
        "kind": plan.kind.value,
        "question": plan.question,
        "size": plan.size,
        "per_summary": plan.per_summary,
        "overlap": plan.overlap,
        "seed": plan.seed,
        "signature": plan.signature,
        "comparisons": len(study.comparisons.items(plan.id)),
        "progress": [
            {"annotator": name, "done": progress.of(name).done, "total": progress.of(name).total}
            for name in sorted(progress.names)
        ],
    }


def _as_json(result: PlanResult) -> dict[str, Any]:
    systems = [
        {**asdict(one), "strength": None if math.isnan(one.strength) else one.strength}
        for one in result.systems
    ]
    return {"systems": systems, "tie": result.tie, "no_strengths_because": str(result.unidentified)}
