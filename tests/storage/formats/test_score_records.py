"""Ratings and scores in the study file."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import InputError
from core.ports import ChangeKind, MetricConfig, ScoreBlock

CONFIG = MetricConfig("m|n:1|version:1", "m", "Family", "m:n=1", ("m-1.recall", "m-1.f"), ("A",))


def block(topic_id, seed=0, inputs="hash", stats=True):
    random = np.random.default_rng(seed)
    values = random.normal(size=(3, 2))
    values[0, 0] = np.nan
    table = random.normal(size=(3, 2, 4)) if stats else None
    return ScoreBlock(
        topic_id, ("bad", "good", "lead"), ("A", "B"), values, table, inputs, 0.5, {"truncated": 3}
    )


def same(one, other):
    assert one.values.tobytes() == other.values.tobytes()
    assert (one.stats is None) == (other.stats is None)
    if one.stats is not None:
        assert one.stats.tobytes() == other.stats.tobytes()
        assert one.stats.shape == other.stats.shape
    for name in ("topic_id", "systems", "references", "inputs_hash", "seconds", "notes"):
        assert getattr(one, name) == getattr(other, name)


class TestScores:
    def test_blocks_come_back_to_the_last_bit_topics_in_order(self, study):
        first, second = (head.id for head in study.texts.topics())
        kept = [block(second, 1, stats=False), block(first, 2)]
        for one in kept:
            study.scores.save(CONFIG, one)
        study.flush()
        for one, other in zip(study.scores.blocks(CONFIG.signature), reversed(kept), strict=True):
            same(one, other)
        assert study.scores.configs() == [CONFIG]
        assert study.scores.input_hashes(CONFIG.signature) == {first: "hash", second: "hash"}

    def test_blocks_read_may_be_changed_and_the_study_stays(self, study):
        topic_id = study.texts.topics()[0].id
        study.scores.save(CONFIG, block(topic_id)).result()
        (read,) = study.scores.blocks(CONFIG.signature)
        read.values[:] = 0
        same(study.scores.blocks(CONFIG.signature)[0], block(topic_id))

    def test_a_newer_block_replaces_the_older_one(self, study):
        topic_id = study.texts.topics()[0].id
        study.scores.save(CONFIG, block(topic_id, 1, "old"))
        receipt = study.scores.save(CONFIG, block(topic_id, 2, "new")).result()
        same(study.scores.blocks(CONFIG.signature)[0], block(topic_id, 2, "new"))
        assert receipt.changes.kinds == {ChangeKind.SCORES}

    def test_configurations_are_in_the_order_of_their_first_run(self, study):
        topic_id = study.texts.topics()[0].id
        signatures = ["z", "a", "m"]
        for signature in (*signatures, "z"):
            study.scores.save(MetricConfig(signature, "m", "F", "m", ("x", "y")), block(topic_id)).result()
        assert [config.signature for config in study.scores.configs()] == signatures

    def test_removed_scores_are_gone_with_their_configuration(self, study):
        study.scores.save(CONFIG, block(study.texts.topics()[0].id)).result()
        study.scores.remove(CONFIG.signature).result()
        assert (study.scores.configs(), study.scores.blocks(CONFIG.signature)) == ([], [])
        assert study.scores.remove("never there").result().verb == "remove scores"

    def test_a_block_of_another_shape_is_refused_whole(self, study):
        wrong = MetricConfig("other", "m", "F", "m", ("one",))
        with pytest.raises(ValueError, match="values of shape"):
            study.scores.save(wrong, block(study.texts.topics()[0].id)).result()
        assert study.scores.configs() == []


class TestRatings:
    def test_a_rating_is_set_changed_and_taken_back(self, study):
        scale, ann = study.ratings.add_dimension("coherence", 1, 7), study.annotators.get_or_create("Ann")
        topic = study.texts.topic(study.texts.topics()[0].id)
        for value in (3, 6.5, None):
            study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, value).result()
            assert [r.value for r in study.ratings.of_topic(topic.id)] == ([] if value is None else [value])
        assert study.edits.undo(ann.id).result().verb == "rate coherence"
        assert [r.value for r in study.ratings.of_topic(topic.id)] == [6.5]
        study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, 2).result()
        assert [r.value for r in study.ratings.of_topic(topic.id)] == [2]

    def test_the_same_rating_again_is_no_edit(self, study):
        scale, ann = study.ratings.add_dimension("coherence"), study.annotators.get_or_create("Ann")
        topic = study.texts.topic(study.texts.topics()[0].id)
        study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, 3).result()
        assert study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, 3.0).result().edit_id == ""
        assert study.ratings.rate(topic.summaries[1].id, scale.id, ann.id, None).result().edit_id == ""

    def test_one_off_its_scale_is_refused(self, study):
        scale, ann = study.ratings.add_dimension("coherence"), study.annotators.get_or_create("Ann")
        summary = study.texts.topic(study.texts.topics()[0].id).summaries[0]
        for value in (0.5, 6, float("nan")):
            with pytest.raises(InputError, match=r"outside the scale coherence \(1 to 5\)"):
                study.ratings.rate(summary.id, scale.id, ann.id, value).result()

    def test_the_cube_has_a_cell_per_annotator_system_and_topic(self, study):
        scale, ann, ben = (
            study.ratings.add_dimension("coherence"),
            study.annotators.get_or_create("Ann"),
            study.annotators.get_or_create("Ben"),
        )
        study.annotators.get_or_create("Never rated")
        court, storm = study.texts.load()
        study.ratings.rate(court.summaries[1].id, scale.id, ben.id, 4)
        study.ratings.rate(storm.summaries[2].id, scale.id, ann.id, 2)
        study.flush()
        cube = study.ratings.cube("coherence")
        assert (cube.annotators, cube.groups) == (("Ann", "Ben"), ("expert", "expert"))
        assert (cube.systems, cube.topics) == (("bad", "good", "lead"), ("D1", "D2"))
        assert np.argwhere(~np.isnan(cube.values)).tolist() == [[0, 2, 1], [1, 1, 0]]
        assert cube.values[1, 1, 0] == 4

    def test_an_unknown_scale_is_named_with_those_known(self, study):
        study.ratings.add_dimension("coherence")
        with pytest.raises(InputError, match=r"No scale is named 'beauty'. Choose one of: coherence\."):
            study.ratings.cube("beauty")

    def test_scales_and_people_are_made_once(self, study):
        assert study.ratings.add_dimension("fluency", 1, 3) == study.ratings.add_dimension("fluency", 0, 9)
        assert study.annotators.get_or_create(" Ann ") == study.annotators.all()[0]
        assert [scale.name for scale in study.ratings.dimensions()] == ["fluency"]
        with pytest.raises(InputError, match="needs a name"):
            study.annotators.get_or_create("  ")
        with pytest.raises(InputError, match="end must be greater"):
            study.ratings.add_dimension("odd", 5, 1)
