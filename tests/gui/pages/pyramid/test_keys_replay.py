"""Keystroke benchmark: its replay builds the expected pyramid and counts the keys."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.domain.pyramid import Scu
from tests.benchmarks import keys

pytestmark = pytest.mark.slow

SCUS = 6
"""Of 20 SCUs: enough to include discontinuous contributors in every reference."""


def content(scus: Sequence[Scu]):
    return [
        (scu.label, [(c.reference_id, sorted(p.span for p in c.parts)) for c in scu.contributors])
        for scu in scus
    ]


def test_replay_builds_the_authors_pyramid_by_keys_only(qapp, qtbot, tmp_path):
    controller, window = keys.open_as_newcomer(qapp, tmp_path / "sample.pyramidion")
    qtbot.addWidget(window)
    counted, built = keys.replay(controller, window, SCUS)
    study = controller.context.study
    topic = next(head for head in study.texts.topics() if head.name == keys.TOPIC)
    authors = next(person for person in study.annotators.all() if person.name == keys.AUTHORS)
    expected = study.pyramids.annotation(topic.id, authors.id).pyramid.scus
    controller.close()
    assert len(expected) == 20
    expected = expected[:SCUS]
    assert content(built.scus) == content(expected)
    parts = sum(len(c.parts) for scu in expected for c in scu.contributors)
    assert counted[keys.COMMANDS] == SCUS + parts
    assert counted[keys.LETTERS] == sum(len(scu.label) for scu in expected)


def test_operations_of_a_small_pyramid_are_counted_as_by_hand():
    from core.domain import pyramid as p

    a = p.add_scu(p.empty("t", "KO"), "one", "A", [(0, 2), (4, 6)], "one")
    a = p.add_scu(p.add_contributor(a, "one", "B", [(0, 2)]), "two", "B", [(4, 6)])
    table = keys.by_table(a.pyramid)
    assert [times for times, _ in table] == [2, 2, 1, 1]
    assert sum(times * operation.drags for times, operation in table) == 4
