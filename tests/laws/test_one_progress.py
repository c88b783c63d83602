"""How far an annotator is, is counted once: rail, pages, Overview, plans, command line and API agree.

Tried to be broken by work against somebody else's pyramid, against an empty own one, against several of one
topic, by shared pyramids (all, or only those marked done) set after the work, by half-rated summaries with
optional scales, by answers to comparisons of others, by people who only opened the study, by a machine that
proposes everything, by flags of one summary on several pages, and by assigned topics that are no longer
there. The expected numbers are counted from the random script itself.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pyramidion
from cli.main import main
from core.annotation.annotator_progress import team_progress
from core.annotation.annotators import is_annotator
from core.annotation.assignment import assign, plan_progress
from core.annotation.comparison_plans import draw_plan
from core.annotation.shared_pyramid import share_pyramids
from core.domain.assignment import ASSIGNED, Work
from core.domain.decisions import MACHINE_GROUP
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind, add_match, add_scu, mark_pyramid_done, set_summary_state
from core.domain.ratings import Dimension
from core.ports import annotations_of
from core.progress import run_to_completion
from gui.annotation.progress.progress_grid import count_done
from gui.pages.match.progress import survey
from gui.pages.overview import presenter as overview
from gui.pages.ratings.presenter import rating_progress
from gui.session.topic_navigation import DONE, read_states
from gui.shell.progress_counts import count_progress
from storage.study_file import new_study, open_study
from tests.conftest import examples

NAMES = ("Ann", "Ben", "Cat")
WORKS = {UnitKind.SCU: (Work.PYRAMIDS, Work.MATCHES), UnitKind.NUGGET: (Work.NUGGETS, Work.HITS)}
KEYS = {
    Work.PYRAMIDS: "pyramids_done",
    Work.MATCHES: "matched",
    Work.NUGGETS: "nuggets_done",
    Work.HITS: "hits",
    Work.RATINGS: "rated",
    Work.COMPARISONS: "comparisons",
}
"""Key of each number in the JSON of `pyramidion progress`."""


FLAGS = "flags"
"""Kind of the units that somebody has flagged."""
Done = dict[tuple[str, str], set[str]]
"""Ids of finished units, by annotator and kind of work."""


def annotate(study, random: Random) -> Done:
    """Make random annotations; return what each annotator has done, counted from the script."""
    systems = [f"s{number}" for number in range(random.randint(2, 3))]
    text = NewText("The ban fell. Rain came.")
    topics = [
        NewTopic(f"D{n}", references={"A": text}, summaries=dict.fromkeys(systems, text)) for n in range(2)
    ]
    study.import_data(ImportContent("random", topics=topics))
    loaded = list(study.texts.load())
    people = {name: study.annotators.get_or_create(name).id for name in NAMES}
    done: Done = defaultdict(set)
    propose_all(study, loaded)
    for kind, (build, match) in WORKS.items():
        shared = random.choice(("", "", *NAMES))
        only_done = random.random() < 0.5
        finished: dict[str, dict[tuple[str, str], set[str]]] = {}  # by topic, by owner and matcher
        valid: dict[str, list[str]] = {}
        for topic, owner in itertools.product(loaded, NAMES):
            store = annotations_of(study, kind)
            before = after = store.annotation(topic.id, people[owner])
            if random.random() < 0.6:
                after = add_scu(after, "ban", topic.references[0].id, [(4, 7)])
            if random.random() < 0.5:
                after = mark_pyramid_done(after, True)
                done[owner, build].add(topic.id)
            for name in NAMES:
                for summary in topic.summaries:
                    if after.pyramid.scus and random.random() < 0.3:
                        scu = after.pyramid.scus[0].id
                        after = add_match(after, summary.id, people[name], scu, [(4, 7)])
                    if random.random() < 0.3:
                        after = set_summary_state(after, summary.id, people[name], is_done=True)
                        finished.setdefault(topic.id, {}).setdefault((owner, name), set()).add(summary.id)
                    if random.random() < 0.1:
                        after = set_summary_state(after, summary.id, people[name], is_flagged=True)
                        done[name, FLAGS].add(summary.id)
            if after.pyramid.scus or after.pyramid.is_done:
                done[owner, f"begun {build}"].add(topic.id)
            if owner == shared and after.pyramid.scus and (after.pyramid.is_done or not only_done):
                valid[topic.id] = [owner]
            store.commit(before, after, "annotate", people[owner])
        for topic, name in itertools.product(loaded, NAMES):
            owners = valid.get(topic.id, NAMES)
            each = finished.get(topic.id, {})
            done[name, match].update(*(each.get((owner, name), ()) for owner in owners))
        share_pyramids(study, kind, shared, None, only_done=only_done).result()
    scales = [
        Dimension("a" * 32, "a", is_required=random.random() < 0.7),
        Dimension("b" * 32, "b", is_required=random.random() < 0.7),
    ]
    study.ratings.edit_dimensions([], scales, None).result()
    needed = {scale.id for scale in scales if scale.is_required}
    for topic, name in itertools.product(loaded, NAMES):
        for summary in topic.summaries:
            rated = {scale.id for scale in scales if random.random() < 0.5}
            for scale_id in rated:
                is_flagged = random.random() < 0.1
                study.ratings.rate(summary.id, scale_id, people[name], 3.0, is_flagged=is_flagged)
                done[name, FLAGS].update({summary.id} if is_flagged else ())
            if needed <= rated if needed else rated:
                done[name, Work.RATINGS].add(summary.id)
    for number, overlap in enumerate(random.sample((0.0, 0.5, 1.0), random.randint(0, 2))):
        plan, items = draw_plan(
            study, f"plan {number}", ComparisonKind.PAIRWISE, overlap=overlap, annotators=NAMES
        )
        study.comparisons.add_plan(plan, items, None).result()
        for item, name in itertools.product(items, NAMES):
            if random.random() < 0.4:
                best, worst = random.choice((item.summary_ids, item.summary_ids[::-1], (None, None)))
                study.comparisons.answer(item.id, people[name], best, worst)
                done[name, Work.COMPARISONS].update({item.id} if item.is_for(people[name]) else ())
    robot = study.annotators.get_or_create("robot", MACHINE_GROUP).id
    for scale in study.ratings.dimensions():
        for summary in (text for topic in loaded for text in topic.summaries):
            study.ratings.rate(summary.id, scale.id, robot, 3.0)
    study.flush()
    return done


def propose_all(study, topics) -> None:
    """Build and match as a machine, whose work nobody has done."""
    robot = study.annotators.get_or_create("robot", MACHINE_GROUP).id
    for kind, topic in itertools.product(WORKS, topics):
        before = annotations_of(study, kind).annotation(topic.id, robot)
        after = mark_pyramid_done(add_scu(before, "ban", topic.references[0].id, [(4, 7)]), True)
        for summary in topic.summaries:
            after = set_summary_state(after, summary.id, robot, is_done=True)
        annotations_of(study, kind).commit(before, after, "propose", robot).result()


def page_counts(study, person) -> dict[Work, tuple[int, int]]:
    """Return what the pages show that show numbers, as done and total."""
    rows = run_to_completion(survey(study, person)).rows
    return {
        Work.MATCHES: count_done(rows),
        Work.RATINGS: count_done(run_to_completion(rating_progress(study, person))),
    }


@given(st.integers(0, 2**32))
@settings(max_examples=examples(5), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rail_pages_overview_plans_command_and_api_count_alike(tmp_path, seed) -> None:
    random = Random(seed)
    path = tmp_path / "random.pyramidion"
    shown: dict[tuple[str, Work], tuple[int, int]] = {}
    with new_study(path, overwrite=path.exists()) as study:
        done = annotate(study, random)
        study.annotators.get_or_create("opened it only")
        team = {one.name: one for one in run_to_completion(team_progress(study))}
        for person in study.annotators.all():
            rail = run_to_completion(count_progress(study, person))
            counts = run_to_completion(overview.count_study(study, person))
            steps = {step.page: (step.done, step.total) for step in overview.workflow_steps(counts)}
            if not is_annotator(study, person):
                assert not any(rail.values())
                continue
            for work in Work:
                expected = counts.shown(work).done, counts.shown(work).total
                shown[person.name, work] = expected
                assert expected[0] == len(done[person.name, work]), work
                everybody = set().union(*(done[name, work] for name in NAMES))
                assert counts.progress[work].of_all().done == len(everybody), work
                assert rail[work] in (f"{expected[0]}/{expected[1]}", ""), work
                assert rail[work] or not expected[0], work
                assert steps.get(work, expected) == expected, work
                assert getattr(team[person.name], KEYS[work]) == expected[0], work
            assert team[person.name].flagged == len(done[person.name, FLAGS])
            assert team[person.name].pyramids == len(done[person.name, f"begun {Work.PYRAMIDS}"])
            assert team[person.name].nuggets == len(done[person.name, f"begun {Work.NUGGETS}"])
            for work, on_page in page_counts(study, person).items():
                assert on_page == shown[person.name, work], work
            for work in (Work.PYRAMIDS, Work.NUGGETS):
                states = run_to_completion(read_states(study, work, person.name))
                assert sum(state == DONE for state in states.values()) == shown[person.name, work][0]
            for work in ASSIGNED:
                cells = run_to_completion(plan_progress(study, work)).cells
                own = sum(cell.done for (_, name), cell in cells.items() if name == person.name)
                assert own == shown[person.name, work][0], work
    with pyramidion.open(path) as opened:
        for row in opened.progress().itertuples():
            assert (row.done, row.total) == shown[row.annotator, Work(row.work)]
    with open_study(path) as study:
        assigned = {work: random.choice(("", "D0", "D1", "gone")) for work in ASSIGNED}
        for work, topic in assigned.items():
            assign(study, work, {topic: ("Ann",)} if topic else {}, None).result()
        ann = study.annotators.get_or_create("Ann")
        rail = run_to_completion(count_progress(study, ann))
        counts = run_to_completion(overview.count_study(study, ann))
        for work, topic in assigned.items():
            total = counts.shown(work).total
            is_one = topic in ("D0", "D1")
            assert total == shown["Ann", work][1] / (2 if is_one else 1), "both topics have as much to do"
            assert rail[work] in (f"{counts.shown(work).done}/{total}", ""), work
        expected = {work: (counts.shown(work).done, counts.shown(work).total) for work in Work}
    with pyramidion.open(path) as opened:
        for row in opened.progress().query("annotator == 'Ann'").itertuples():
            assert (row.done, row.total) == expected[Work(row.work)]


def test_the_command_prints_the_same_numbers(tmp_path, capsys) -> None:
    path = tmp_path / "one.pyramidion"
    with new_study(path) as study:
        done = annotate(study, Random(7))
    assert main(["progress", str(path), "--json"]) == 0
    listed = {one["name"]: one for one in json.loads(capsys.readouterr().out)["annotators"]}
    assert {(name, work): listed[name][KEYS[work]] for name in NAMES for work in Work} == {
        (name, work): len(done[name, work]) for name in NAMES for work in Work
    }
    assert any(done.values())
