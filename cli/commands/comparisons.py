"""The command `comparisons`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import one_of
from cli.console import print_json, print_message, print_table
from cli.opening import editor_id
from cli.options import Editor, Json, Study
from core.domain.preferences import ComparisonKind
from core.formatting.numbers import pluralize

if TYPE_CHECKING:
    from core import ports
    from core.comparison.preferences import AnsweredPlan, PlanResult
    from core.domain.preferences import ComparisonPlan
    from core.files.study_address import StudyAddress


_RESULT = {
    "system": "System",
    "comparisons": "Comparisons",
    "best": "Best",
    "worst": "Worst",
    "ties": "Ties",
    "count": "Count",
    "strength": "Bradley–Terry",
}


def comparisons(
    path: Study,
    plan: Annotated[
        str, typer.Argument(metavar="[PLAN]", help="Plan whose results are printed.", show_default=False)
    ] = "",
    new: Annotated[bool, typer.Option("--new", help="Draw the comparisons of a new plan.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove a plan without answers.")] = False,
    kind: Annotated[
        ComparisonKind,
        typer.Option(
            metavar="KIND",
            help="pairwise (A, B or a tie) or best-worst (of several summaries).",
            **one_of(ComparisonKind),
        ),
    ] = ComparisonKind.PAIRWISE,
    question: Annotated[
        str, typer.Option(metavar="TEXT", help="Question to the annotators.", show_default=False)
    ] = "",
    size: Annotated[
        int, typer.Option(metavar="N", help="Summaries in a comparison of best-worst; 0 = 4.")
    ] = 0,
    per_summary: Annotated[
        int, typer.Option(metavar="N", help="Comparisons of each summary in its topic.")
    ] = 4,
    overlap: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of comparisons that everybody judges, 0 to 1.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the draw.")] = 0,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Annotator or group whose answers count; with --new, among whom comparisons are divided. "
            "Can be repeated. Default: all.",
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Plan comparisons of summaries, list plans with their progress, or print the results of one.

    Pairs are scored by the share won, best-worst by the share best minus the share worst, and both by
    Bradley–Terry strengths.
    """
    from core.annotation.comparison_plans import draw_plan
    from core.comparison.preferences import answered_plan, plan_named, plan_result
    from core.ports import require_writable
    from storage.study_file import open_study

    if new and remove:
        raise typer.BadParameter("--new and --remove exclude each other. Use one of them.")
    if (new or remove) and not plan:
        raise typer.BadParameter("Name the plan, after the study.")
    with open_study(path) as study:
        if new:
            require_writable(study)
            drawn, items = draw_plan(
                study,
                plan,
                kind,
                question=question,
                size=size,
                per_summary=per_summary,
                overlap=overlap,
                seed=seed,
                annotators=annotator or (),
            )
            study.comparisons.add_plan(drawn, items, editor_id(study, editor)).result()
            if as_json:
                print_json({"study": str(path), "plans": [_about(study, drawn)]})
            else:
                print_message(f"{path}: {pluralize(len(items), 'comparison')} in {drawn.name}.")
        elif remove:
            require_writable(study)
            study.comparisons.remove_plan(plan_named(study, plan).id, editor_id(study, editor)).result()
            print_message(f"{path}: {plan} removed.")
        elif plan:
            answered = answered_plan(study, plan_named(study, plan), annotator or ())
            _print_result(path, answered, plan_result(study, answered), as_json=as_json)
        else:
            _print_plans(path, [_about(study, one) for one in study.comparisons.plans()], as_json=as_json)


def _print_plans(path: StudyAddress, rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
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


def _print_result(path: StudyAddress, answered: AnsweredPlan, result: PlanResult, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "study": str(path),
                "plan": answered.plan.name,
                "signature": answered.plan.signature,
                **_as_json(result),
            }
        )
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


def _about(study: ports.Study, plan: ComparisonPlan) -> dict[str, Any]:
    from core.annotation.team_progress import comparison_progress

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
