"""Commands on the work of annotators: progress, plans, proposals, adjudication, control topics, flags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import completing, one_of
from cli.console import print_json, print_message, print_table
from cli.opening import editor_id
from cli.options import Device, Editor, Json, Study
from core.domain.assignment import ASSIGNED, PlanOptions, Role, Work
from core.domain.decisions import DEFAULT_RESULT, ProposalKind
from core.errors import InputError
from core.formatting.numbers import pluralize
from core.formatting.tables import Table
from core.names import resolve_name
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core import ports
    from core.annotation.control_topics import ControlAccuracy, KnownUse
    from core.annotation.flag_list import FlaggedItem
    from core.domain.assignment import PlanProgress


SCHEMA_VERSION = 1
"""Version of the JSON document; raised when a key changes its meaning."""

NOBODY = "none"
"""Name in --set and role in --role that removes."""

_DIFFERENCES = {
    "topic": "Topic",
    "items": "Items",
    "open": "To decide",
    "later": "Later",
    "agreed": "Not merged",
}

_FLAGS = {
    "kind": "Kind",
    "topic": "Topic",
    "system": "System",
    "about": "About",
    "annotator": "Annotator",
    "text": "Text",
}


def progress(path: Study, as_json: Json = False) -> None:
    """Show what each annotator has done, and how long it took."""
    from core.annotation.annotator_progress import progress_table, team_progress
    from storage.study_file import open_study

    with open_study(path) as study:
        people = run_with_progress(team_progress(study), "counting", "Nothing was printed.")
    if as_json:
        print_json({"study": str(path), "annotators": [asdict(one) for one in people]})
        return
    if not people:
        print_message("Nobody has annotated anything in this study yet.")
        return
    _print_cells(progress_table(people))


def _print_cells(table: Table) -> None:
    rows = [
        {column.key: text for column, text in zip(table.columns, texts, strict=True)}
        for texts in table.texts()
    ]
    numbers = tuple(column.key for column in table.columns if column.is_number)
    print_table(rows, {column.key: column.title for column in table.columns}, right=numbers)
    if table.note:
        print_message(table.note)


def assign(
    path: Study,
    work: Annotated[
        Work,
        typer.Option(
            "--what",
            metavar="KIND",
            help="Kind of annotation: pyramids, matches, nuggets, hits or ratings.",
            **one_of(Work),
        ),
    ] = Work.RATINGS,
    proposed: Annotated[bool, typer.Option("--propose", help="Replace the plan by a balanced one.")] = False,
    per_topic: Annotated[
        int, typer.Option(metavar="N", help="Annotators of a topic that several annotate.")
    ] = 2,
    overlap: Annotated[
        float, typer.Option(metavar="SHARE", help="Share of topics that several annotate, 0 to 1.")
    ] = 1.0,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the proposal.")] = 0,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Annotator or group of the proposal. Can be repeated. Default: all."
        ),
    ] = None,
    assigned: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="TOPIC=NAMES", help="Annotators of one topic, separated by commas, or none."
        ),
    ] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=ROLE", help="Role of an annotator: manager, annotator, adjudicator or none."
        ),
    ] = None,
    shared: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Let everyone match against the pyramids of this annotator, or look for their nuggets (with "
            "--what hits); those marked done are locked. none = whom they choose.",
            show_default=False,
        ),
    ] = "",
    only_done: Annotated[
        bool, typer.Option("--only-done", help="With --shared: only pyramids or nuggets marked done.")
    ] = False,
    added: Annotated[
        list[str] | None, typer.Option("--add", metavar="NAME", help="Add an annotator. Can be repeated.")
    ] = None,
    removed: Annotated[
        list[str] | None,
        typer.Option(
            "--remove", metavar="NAME", help="Remove an annotator; one who annotated becomes inactive."
        ),
    ] = None,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Show or change which annotator works on which topic, with their progress."""
    from core.annotation import assignment
    from core.annotation.annotators import add_annotator
    from core.annotation.shared_pyramid import share_pyramids, shared_owner, sharing_problem
    from core.domain.pyramid import UnitKind
    from core.ports import require_writable
    from storage.study_file import open_study

    if work not in ASSIGNED:
        raise InputError(
            "Comparisons are divided among annotators by their plan. Use `pyramidion comparisons` instead."
        )
    with open_study(path) as study:
        if proposed or only_done or shared or any((annotator, assigned, role, added, removed)):
            require_writable(study)
        author = editor_id(study, editor)
        kind = UnitKind.NUGGET if work in (Work.NUGGETS, Work.HITS) else UnitKind.SCU
        if shared:
            owner = "" if shared == NOBODY else resolve_name("annotator", shared, _names(study))
            share_pyramids(study, kind, owner, author, only_done=only_done).result()
        for name in added or ():
            add_annotator(study, name, author).result()
        for name in removed or ():
            _remove(study, name, author)
        for change in role or ():
            assignment.set_role(study, *_role_change(study, change), author).result()
        if proposed or assigned:
            options = PlanOptions(per_topic, overlap, seed) if proposed else None
            plan = _changed_plan(study, work, options, annotator or (), assigned or ())
            assignment.assign(study, work, plan, author).result()
        steps = assignment.plan_progress(study, work)
        found = run_with_progress(steps, "reading", "Nothing was printed.")
        roles, owner = assignment.roles_of(study), shared_owner(study, kind)
        problem = sharing_problem(study, kind)
    if as_json:
        print_json({**_plan_json(found, roles), "shared": owner or None})
        return
    _print_plan(found, roles)
    if owner:
        what = "nuggets" if kind is UnitKind.NUGGET else "pyramids"
        print_message(f"Everyone matches against the {what} of {owner}; those marked done are locked.")
        if problem:
            print_message(problem)


def _remove(study: ports.Study, name: str, editor: str | None) -> None:
    from core.annotation.annotators import annotators_of, has_work, remove_annotator

    name = resolve_name("annotator", name, [person.name for person in annotators_of(study)])
    remove_annotator(study, name, editor).result()
    if has_work(study, name):
        print_message(f"{name} has annotated, so their work stays: they are inactive and get no more topics.")


def _changed_plan(
    study: ports.Study,
    work: Work,
    options: PlanOptions | None,
    annotators: Sequence[str],
    assigned: Sequence[str],
) -> dict[str, tuple[str, ...]]:
    """Return the plan of some work after changes.

    options: of a proposal among annotators (names or groups, empty = all), None = none.
    assigned: ``TOPIC=NAME,NAME``.
    """
    from core.annotation import assignment
    from core.annotation.annotators import workers
    from core.domain.annotator_filter import resolve_annotators

    topics = {topic.name: topic.summaries for topic in study.texts.topics()}
    people = study.annotators.all()
    plan = assignment.assignees_of(study, work)
    if options is not None:
        chosen = resolve_annotators(annotators, people)
        names = [person.name for person in people if chosen is None or person.name in chosen]
        plan = assignment.propose(topics, names if annotators else workers(study, names), options)
    for change in assigned:
        topic, separator, listed = change.rpartition("=")
        if not separator:
            raise InputError(f"{change!r} is not an assignment. Write it as TOPIC=NAME,NAME.")
        everybody = [person.name for person in people]
        names = [name.strip() for name in listed.split(",") if name.strip() not in ("", NOBODY)]
        chosen_names = {resolve_name("annotator", name, everybody) for name in names}
        plan[resolve_name("topic", topic, topics)] = tuple(sorted(chosen_names))
    return plan


def _role_change(study: ports.Study, change: str) -> tuple[str, Role | None]:
    name, separator, role = change.rpartition("=")
    if not separator or role not in (*Role, NOBODY):
        raise InputError(f"{change!r} is not a role. Write NAME=manager, annotator, adjudicator or {NOBODY}.")
    name = resolve_name("annotator", name, _names(study))
    return name, None if role == NOBODY else Role(role)


def _names(study: ports.Study) -> list[str]:
    return [person.name for person in study.annotators.all()]


def _plan_json(progress: PlanProgress, roles: dict[str, Role]) -> dict[str, object]:
    return {
        "work": progress.work.value,
        "annotators": [
            {
                "annotator": one.name,
                "role": roles[one.name].value if one.name in roles else None,
                "topics": one.topics,
                "done": one.topics_done,
                "seconds": one.seconds,
            }
            for one in progress.people
        ],
        "topics": [
            {
                "topic": topic,
                "annotators": list(progress.assignees.get(topic, ())),
                "progress": {
                    name: {"done": cell.done, "total": cell.total}
                    for (of, name), cell in progress.cells.items()
                    if of == topic
                },
            }
            for topic in progress.topics
        ],
    }


def _print_plan(progress: PlanProgress, roles: dict[str, Role]) -> None:
    names = [one.name for one in progress.people]
    if not names:
        print_message("Nobody is assigned and nobody has begun. Propose a plan with --propose.")
        return
    rows = []
    for topic in progress.topics:
        row = {"topic": topic}
        for name in names:
            cell = progress.cells.get((topic, name))
            is_assigned = name in progress.assignees.get(topic, ())
            done = f"{cell.done}/{cell.total}" if cell is not None else ""
            row[name] = (
                done if is_assigned else f"({done})" if done and cell is not None and cell.is_begun else ""
            )
        rows.append(row)
    print_table(rows, {"topic": "Topic", **{name: name for name in names}}, right=tuple(names))
    for one in progress.people:
        role = f", {roles[one.name]}" if one.name in roles else ""
        print_message(
            f"{one.name}{role}: {one.topics_done} of {one.topics} topics done, {one.seconds / 60:.0f} min."
        )


def adjudicate(
    path: Study,
    what: Annotated[
        Work,
        typer.Option(
            metavar="KIND",
            help="Kind of annotation: ratings, matches, pyramids, nuggets, hits or comparisons.",
            **one_of(Work),
        ),
    ] = Work.RATINGS,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Annotator or group to compare. Can be repeated. Default: all annotators."
        ),
    ] = None,
    result: Annotated[
        str, typer.Option(metavar="NAME", help="Name under which the result is stored.")
    ] = DEFAULT_RESULT,
    merge_as: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Merge what the annotators agree on, as this annotator, who can undo it.",
            show_default=False,
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """Show where annotators differ, and merge what they agree on.

    Differences are decided in the window on Team › Differences.
    """
    from core.adjudication.topics import AdjudicationSelection, merge_all_agreements, survey
    from core.ports import require_writable
    from storage.study_file import open_study

    selection = AdjudicationSelection(what, tuple(annotator or ()), result)
    merged = 0
    with open_study(path) as study:
        if merge_as:
            require_writable(study)
            people = {person.name: person for person in study.annotators.all()}
            person = people[resolve_name("annotator", merge_as, people)]
            work = merge_all_agreements(study, selection, person)
            merged = run_with_progress(work, "merging", "Topics that were finished stay merged.")
        steps = survey(study, selection, (what,))
        topics = run_with_progress(steps, "comparing", "Nothing was printed.").of(selection)
    if as_json:
        rows = [asdict(topic) for topic in topics]
        print_json({"schema_version": SCHEMA_VERSION, "merged": merged, "topics": rows})
        return
    if merge_as:
        print_message(f"Merged {pluralize(merged, 'agreement')} into {result}.")
    if not topics:
        print_message("No two of the annotators have made the same annotations.")
        return
    cells = [{key: str(value) for key, value in asdict(topic).items()} for topic in topics]
    print_table(cells, _DIFFERENCES, right=tuple(_DIFFERENCES)[1:])
    to_decide = sum(topic.to_decide for topic in topics)
    if to_decide:
        print_message(f"{pluralize(to_decide, 'item')} to decide in the window on Team › Differences.")


def control(
    path: Study,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="TOPIC=NAME",
            help="Check a topic against the annotation of this annotator, or of nobody (none).",
        ),
    ] = None,
    training: Annotated[
        list[str] | None,
        typer.Option(
            "--train",
            metavar="TOPIC=NAME",
            help="Show annotators of a topic the annotation of this annotator after their own, or of nobody "
            "(none).",
        ),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Share of a scale's range by which a rating may differ, 0 to 1."),
    ] = 0.25,
    editor: Editor = "",
    as_json: Json = False,
) -> None:
    """Check every annotator on control and training topics, whose right annotation is known.

    Annotators do not see which topics are control topics. On training topics they see the known annotation
    after their own.
    """
    from core.annotation.control_topics import (
        KnownUse,
        control_accuracy,
        known_annotators,
        set_known_annotators,
    )
    from core.ports import require_writable
    from storage.study_file import open_study

    if not 0 <= tolerance <= 1:
        raise InputError(f"The tolerance {tolerance:g} is not a share. Use a number from 0 to 1.")
    asked = {KnownUse.CONTROL: changes, KnownUse.TRAINING: training}
    found: dict[KnownUse, list[ControlAccuracy]] = {}
    with open_study(path) as study:
        changed = {use: _changed_topics(study, use, of) for use, of in asked.items() if of}
        if changed:
            require_writable(study)
            author = editor_id(study, editor)
            for use, known in changed.items():
                set_known_annotators(study, use, known, author).result()
        topics = {use: known_annotators(study, use) for use in KnownUse}
        for use in KnownUse:
            steps = control_accuracy(study, tolerance, use)
            found[use] = run_with_progress(steps, "checking", "Nothing was printed.")
    if as_json:
        rows = {use: [_accuracy_row(one) for one in found[use]] for use in KnownUse}
        print_json(
            {
                "topics": topics[KnownUse.CONTROL],
                "tolerance": tolerance,
                "annotators": rows[KnownUse.CONTROL],
                "training": {"topics": topics[KnownUse.TRAINING], "annotators": rows[KnownUse.TRAINING]},
            }
        )
        return
    if not any(topics.values()):
        print_message("There are no control topics. Name the known annotation of one: --set TOPIC=NAME.")
    for use, known in topics.items():
        if known:
            _print_accuracy(use, known, found[use])


def _print_accuracy(use: KnownUse, known: Mapping[str, str], found: Sequence[ControlAccuracy]) -> None:
    from core.annotation.control_topics import accuracy_table

    listed = ", ".join(f"{topic} (as {name})" for topic, name in known.items())
    print_message(f"{use.capitalize()} topics: {listed}")
    if not found:
        print_message("Nobody else has annotated them yet.")
        return
    _print_cells(accuracy_table({use: found}))


def _changed_topics(study: ports.Study, use: KnownUse, changes: Sequence[str]) -> dict[str, str]:
    from core.annotation.control_topics import known_annotators

    known = known_annotators(study, use)
    topics = [topic.name for topic in study.texts.topics()]
    people = _names(study)
    for change in changes:
        topic, separator, name = change.rpartition("=")
        if not separator:
            raise InputError(f"{change!r} is not a {use} topic. Write it as TOPIC=NAME.")
        topic = resolve_name("topic", topic, topics)
        known.pop(topic, None)
        if name != NOBODY:
            known[topic] = resolve_name("annotator", name, people)
    return known


def _accuracy_row(one: ControlAccuracy) -> dict[str, Any]:
    from core.annotation.control_topics import wilson_interval

    return {**asdict(one), "interval": wilson_interval(one.right, one.total) if one.total else None}


def flags(
    path: Study,
    all_comments: Annotated[bool, typer.Option("--all", help="List resolved comments too.")] = False,
    as_json: Json = False,
) -> None:
    """List what annotators flagged, noted or commented on in the whole study."""
    from core.annotation.flag_list import flag_list
    from storage.study_file import open_study

    with open_study(path) as study:
        found = run_with_progress(flag_list(study), "reading", "Nothing was printed.")
    items = [item for item in found if all_comments or item.is_open]
    if as_json:
        print_json({"study": str(path), "items": [_flag_json(item) for item in items]})
        return
    if not items:
        print_message("Nothing is flagged, noted or commented on.")
        return
    cells = [{key: str(value) for key, value in _flag_json(item).items()} for item in items]
    print_table(cells, _FLAGS)


def _flag_json(item: FlaggedItem) -> dict[str, object]:
    values = asdict(item)
    del values["subject"]
    return {**values, "kind": item.kind.value}


def propose(
    path: Study,
    kind: Annotated[
        ProposalKind,
        typer.Option(
            metavar="KIND",
            help="What is proposed: pyramids (with matches), nuggets (with hits) or ratings.",
            **one_of(ProposalKind),
        ),
    ] = ProposalKind.PYRAMIDS,
    config: Annotated[
        str,
        typer.Option(
            "--metric",
            "-m",
            metavar="METRIC",
            help="What proposes it, with settings: auto-pyramid:least=0.6, auto-nugget:lm=FOLDER, "
            "judge:lm=FOLDER,rubric=FILE. Default: the one of the kind.",
            autocompletion=completing(lambda: ("auto-pyramid", "auto-nugget", "judge")),
            show_default=False,
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Name of the machine annotator who gets the proposals. Default: that of the metric.",
            show_default=False,
        ),
    ] = "",
    topic: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this topic; repeatable.", show_default=False),
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what a language model would be asked; propose nothing.")
    ] = False,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Propose pyramids and matches, nuggets and hits, or ratings, as the work of a machine annotator.

    Work of a machine counts in no judgement unless it is named (--annotator NAME). A person accepts it in the
    window under Suggestions, or compares it with their own on Team › Differences. Proposals of an earlier run
    are replaced.
    """
    from core.models.runtime.devices import check_name
    from core.operations import propose as operation
    from core.operations.score import requests_row, requests_text
    from core.ports import require_writable
    from storage.study_file import open_study

    metric = operation.proposing_metric(config, kind)
    check_name(device)
    with open_study(path) as study:
        heads = {head.name: head.id for head in study.texts.topics()}
        ids = [heads[resolve_name("topic", each, heads)] for each in topic] if topic else list(heads.values())
        if plan:
            asked = run_with_progress(operation.planned_requests(study, metric, ids, device), "Reading")
            row = requests_row(metric, asked)
            if as_json:
                print_json({"study": str(path), **(row or {"requests": 0})})
            else:
                print_message(f"{requests_text(row) or 'No language model would be asked'}.")
            return
        require_writable(study)
        steps = operation.propose(study, metric, name or metric.name, ids, device)
        made = run_with_progress(steps, "Proposing", "What is proposed for finished topics is stored.")
    name = name or metric.name
    if as_json:
        counts = {"topics": made.topics, **made.counts, "failures": made.failures, "without": made.without}
        print_json({"study": str(path), "annotator": name, **counts})
        return
    print_message(f"{path}: {made.sentence(name)}")
