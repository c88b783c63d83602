"""The measurement of keys: its replay builds the pyramid that it says, and counts what it presses."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.pyramid import Scu
from tests.benchmarks import keys

SCUS = 6
"""Some of the 20: enough for discontinuous contributors in every reference."""


def content(scus: Sequence[Scu]):
    return [
        (scu.label, [(c.reference_id, sorted(p.span for p in c.parts)) for c in scu.contributors])
        for scu in scus
    ]


def test_the_replay_builds_the_authors_pyramid_by_keys_alone(qapp, qtbot, tmp_path):
    desk, window = keys.open_as_newcomer(qapp, tmp_path / "sample.pyramidion")
    qtbot.addWidget(window)
    counted, built = keys.replay(desk, window, SCUS)
    study = desk.context.study
    topic = next(head for head in study.texts.topics() if head.name == keys.TOPIC)
    authors = next(person for person in study.annotators.all() if person.name == keys.AUTHORS)
    wanted = study.pyramids.annotation(topic.id, authors.id).pyramid.scus
    desk.close()
    assert len(wanted) == 20
    wanted = wanted[:SCUS]
    assert content(built.scus) == content(wanted)
    parts = sum(len(c.parts) for scu in wanted for c in scu.contributors)
    assert counted[keys.COMMANDS] == SCUS + parts
    assert counted[keys.LETTERS] == sum(len(scu.label) for scu in wanted)


def test_the_table_of_operations_is_summed_by_hand_on_a_small_pyramid():
    from core.domain import pyramid as p

    a = p.add_scu(p.empty("t", "KO"), "one", "A", [(0, 2), (4, 6)], "one")
    a = p.add_scu(p.add_contributor(a, "one", "B", [(0, 2)]), "two", "B", [(4, 6)])
    table = keys.by_table(a.pyramid)
    assert [times for times, _ in table] == [2, 2, 1, 1]
    assert sum(times * operation.drags for times, operation in table) == 4
