"""Differences between an annotation pack and the study that it is merged into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.domain.annotation_pack import AnnotationPack, PackedPlan, PackedScale, TopicWork
from core.domain.preferences import (
    ComparisonItem,
    ComparisonKind,
    ComparisonPlan,
    check_plan,
    check_preference,
)
from core.domain.ratings import Dimension, ScaleKind
from core.errors import InputError, Problem
from storage.database.schema import ReferenceRow, SummaryRow
from storage.repositories.annotation_packs.collect import StudyIds, digests_of, packed_plan

_REMEDY = "Merge it into a copy of the study that it was made from."


def differences(here: StudyIds, file: str, pack: AnnotationPack) -> Iterator[Problem]:
    """Yield what a pack was made on and the study does not have."""
    for topic in pack.references:
        place = f"topic {topic}"
        known = here.topics.get(topic)
        if known is None:
            yield Problem(file, place, "", "The study has no such topic.", _REMEDY)
            continue
        for what, row, ids, digests in (
            ("reference", ReferenceRow, known.references, pack.references[topic]),
            ("summary", SummaryRow, known.summaries, pack.summaries.get(topic, {})),
        ):
            present = digests_of(here.connection, row, ids)
            for name, digest in digests.items():
                if name not in present:
                    yield Problem(file, place, f"{what} {name}", "The study has no such text.", _REMEDY)
                elif present[name] != digest:
                    yield Problem(file, place, f"{what} {name}", "The text is another one here.", _REMEDY)
    for name, theirs in pack.scales.items():
        scale = here.scales.get(name)
        if scale is not None and scale.kind.value != theirs.kind:
            what = f"It asks for {theirs.kind}, here for {scale.kind.value}."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales.")
        elif scale is not None and scale.has_categories and scale.anchors != theirs.anchors:
            what = "It has other categories here."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales, or its categories.")
        elif scale is not None and (scale.low, scale.high) != (theirs.low, theirs.high):
            what = (
                f"It has the range {theirs.low:g} to {theirs.high:g}, here {scale.low:g} to {scale.high:g}."
            )
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales, or change its range.")
    for name, packed in pack.plans.items():
        yield from _plan_differences(here, file, name, packed)
    for work in pack.works:
        yield from _unknown_names(here, file, pack, work)


def differences_of_packs(
    file: str, pack: AnnotationPack, scales: Mapping[str, PackedScale], plans: Mapping[str, PackedPlan]
) -> Iterator[Problem]:
    """Yield scales and plans that are other ones in an earlier pack of the same merge."""
    for name, scale in pack.scales.items():
        other = scales.get(name, scale)
        has_categories = scale.kind in (ScaleKind.CATEGORIES, ScaleKind.SPANS)
        is_same = (scale.kind, scale.low, scale.high) == (other.kind, other.low, other.high)
        if not is_same or (has_categories and scale.anchors != other.anchors):
            what = "It is another scale in another of these files."
            yield Problem(file, "", f"scale {name}", what, "Rename one of the scales.")
    for name, plan in pack.plans.items():
        if plans.get(name, plan) != plan:
            what = "These are other comparisons in another of these files."
            yield Problem(file, "", f"comparisons {name}", what, "Merge copies of one study.")


def _plan_differences(here: StudyIds, file: str, name: str, packed: PackedPlan) -> Iterator[Problem]:
    """Yield why a plan of comparisons cannot be the one of the same name here, or cannot be added."""
    place = f"comparisons {name}"
    if name in here.plans:
        if packed_plan(here, here.plans[name]) != packed:
            what = "The study has other comparisons of this name."
            yield Problem(file, "", place, what, "Merge copies of one study, made after the comparisons.")
        return
    try:
        check_plan(plan_of(name, packed))
    except (InputError, ValueError) as error:
        yield Problem(file, "", place, str(error), _REMEDY)
    sizes = (2, 2) if packed.kind == ComparisonKind.PAIRWISE else (2, packed.size)
    if any(not sizes[0] <= len(item.systems) <= sizes[1] for item in packed.items):
        yield Problem(file, "", place, "A comparison has too many or too few systems.", _REMEDY)
    known = {topic.name: topic.summaries for topic in here.topics.values()}
    lost = [item for item in packed.items if not set(item.systems) <= set(known.get(item.topic, ()))]
    if lost:
        what = f"The study lacks a summary of {', '.join(lost[0].systems)} on topic {lost[0].topic}."
        yield Problem(file, "", place, what, _REMEDY)
    if len({item.id for item in packed.items}) < len(packed.items):
        yield Problem(file, "", place, "Two comparisons have the same id.", _REMEDY)


def _unknown_names(here: StudyIds, file: str, pack: AnnotationPack, work: TopicWork) -> Iterator[Problem]:
    """Yield names that a work uses although the pack does not list them; only a forged pack has them."""
    place = f"topic {work.topic}"
    authors, systems = pack.references.get(work.topic), pack.summaries.get(work.topic, {})
    if authors is None:
        yield Problem(file, place, "", "The pack does not list its texts.", _REMEDY)
        return
    content = work.content
    used = {one.reference for p in content.pyramids for unit in p.units for one in unit.contributors}
    summaries = {
        *(match.system for match in content.matches),
        *(state.system for state in content.states),
        *(rating.system for rating in content.ratings),
        *(decision.system for decision in content.decisions if decision.system),
        *(comment.system for comment in content.comments if comment.system),
    }
    people = {work.annotator, *content.owners}
    for what, names, known in (
        ("reference", used, authors),
        ("summary", summaries, systems),
        ("scale", content.scales, pack.scales),
        ("annotator", people, pack.groups),
        ("comparisons", {answer.plan for answer in content.preferences}, pack.plans),
    ):
        for name in sorted(names - set(known)):
            yield Problem(file, place, f"{what} {name}", "The pack uses it but does not list it.", _REMEDY)
    yield from _foreign_answers(file, pack, work)
    for rating in content.ratings:
        scale = pack.scales.get(rating.scale)
        if scale is None or rating.value is None:
            continue
        if problem := dimension_of("", rating.scale, scale).value_problem(rating.value):
            yield Problem(file, place, f"summary {rating.system}", problem, _REMEDY)


def _foreign_answers(file: str, pack: AnnotationPack, work: TopicWork) -> Iterator[Problem]:
    """Yield answers that their comparison does not allow; only a forged pack has them."""
    items = {(name, item.id): item for name, plan in pack.plans.items() for item in plan.items}
    for answer in work.content.preferences:
        item, plan = items.get((answer.plan, answer.item)), pack.plans.get(answer.plan)
        if plan is None:
            continue
        try:
            if item is None or item.topic != work.topic:
                raise InputError("The pack has no such comparison of this topic.")
            compared = ComparisonItem(item.id, "", item.systems)
            check_preference(plan_of(answer.plan, plan), compared, answer.best or None, answer.worst or None)
        except (InputError, ValueError) as error:
            yield Problem(file, f"topic {work.topic}", f"comparisons {answer.plan}", str(error), _REMEDY)


def plan_of(name: str, packed: PackedPlan) -> ComparisonPlan:
    kind = ComparisonKind(packed.kind)
    settings = packed.size, packed.per_summary, packed.overlap, packed.seed
    return ComparisonPlan(packed.id, name, kind, packed.question, *settings)


def dimension_of(scale_id: str, name: str, scale: PackedScale) -> Dimension:
    texts_of = scale.question, scale.description, scale.anchors
    return Dimension(scale_id, name, scale.low, scale.high, *texts_of, ScaleKind(scale.kind), scale.required)
