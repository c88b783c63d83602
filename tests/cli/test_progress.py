"""`pyramidion progress`: work and time of each annotator."""

from __future__ import annotations

import json

from cli.errors import DONE
from core.domain.pyramid import add_match, add_scu, mark_pyramid_done, set_summary_state
from tests.storage.conftest import open_editor


def test_work_and_time_of_each_annotator_are_counted(study, run) -> None:
    scale = study.ratings.add_dimension("quality")
    ann = open_editor(study)
    reference, (first, second, _) = ann.topic.references[0].id, ann.topic.summaries
    ann.apply(lambda a: add_scu(a, "ban", reference, [(0, 9)], "a" * 32), "new SCU", 70.0)
    ann.apply(lambda a: mark_pyramid_done(a, True), "done", 50.0)
    ben = open_editor(study, "Ben", "Ann")
    ben.apply(lambda a: add_match(a, first.id, ben.annotator_id, "a" * 32, [(0, 3)]))
    for summary, is_flagged in ((first, False), (second, True)):
        ben.apply(
            lambda a, s=summary.id, f=is_flagged: set_summary_state(
                a, s, ben.annotator_id, is_done=True, is_flagged=f
            )
        )
    study.ratings.rate(first.id, scale.id, ben.annotator_id, 4.0, 30.0).result()
    study.close()
    code, out, _ = run("progress", study.path, "--json")
    assert code == DONE
    people = {one["name"]: one for one in json.loads(out)["annotators"]}
    assert (people["Ann"]["pyramids"], people["Ann"]["pyramids_done"], people["Ann"]["seconds"]) == (
        1,
        1,
        120,
    )
    assert (people["Ben"]["matched"], people["Ben"]["flagged"], people["Ben"]["ratings"]) == (2, 1, 1)
    assert people["Ben"]["seconds"] == 30
    _, out, err = run("progress", study.path)
    assert "2 min" in out
    assert "Imported work has none" in err


def test_a_study_without_annotations_says_so(study, run) -> None:
    study.close()
    assert run("progress", study.path) == (0, "", "Nobody has annotated anything in this study yet.\n")
