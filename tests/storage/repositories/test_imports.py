"""Imports: what they add, what they leave, what stops them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain import pyramid
from core.domain.annotator_filter import is_own_work, resolve_annotators
from core.domain.decisions import MACHINE_GROUP
from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText, NewTopic
from core.domain.study import SystemKind
from core.errors import BadImport, Problem, grouped, grouped_differences
from core.ports import ChangeKind
from core.text.empty_texts import empty_texts
from tests.conftest import small

RATED = ImportContent(
    "ratings.csv",
    annotators={"Ann": "expert", "c-1": "crowd"},
    dimensions={"coherence": (1.0, 5.0)},
    ratings=[
        NewRating("D1", "good", "coherence", "Ann", 4.0),
        NewRating("D1", "good", "coherence", "c-1", 2.5),
        NewRating("D2", "bad", "coherence", "Ann", 1.0),
    ],
)


def named(study, name):
    return next(head for head in study.texts.topics() if head.name == name)


def contents(study):
    return (
        list(study.texts.load()),
        list(study.edits.history()),
        study.texts.systems(),
        study.annotators.all(),
        study.ratings.dimensions(),
    )


def test_everything_comes_back_as_it_came_in(study):
    court, storm = study.texts.load()
    assert (court.title, court.query, court.set) == ("Bridge ban", "What did the court decide?", "initial")
    assert [text.name for text in court.documents] == ["D1-1"]
    assert [text.name for text in storm.references] == ["A", "B"]
    assert storm.references[1].stored_sentences() == ("Ships waited.", "The harbour was shut.")
    assert storm.references[0].stored_sentences() is None
    assert court.references[1].content.startswith("A judge lifted the ban. 🌉 Cafe\u0301s near")
    assert [text.name for text in court.summaries] == ["bad", "good", "lead"]
    assert [(head.name, head.references, head.summaries) for head in study.texts.topics()] == [
        ("D1", 2, 3),
        ("D2", 2, 3),
    ]
    assert [text.content for texts in study.texts.reference_sets() for text in texts] == [
        text.content for topic in (court, storm) for text in topic.references
    ]
    assert list(study.texts.load([storm.id])) == [storm]
    assert study.texts.reference_authors() == ["A", "B"]


def test_sets_filled_into_topics_are_counted(study):
    study.import_data(ImportContent("texts", topics=[NewTopic("D8"), NewTopic("D9", set="initial")]))
    table = ImportContent("sets.csv", topics=[NewTopic("D8", set="update"), NewTopic("D9", set="initial")])
    previewed = study.import_data(table, dry_run=True)
    assert named(study, "D8").set == ""
    counts = study.import_data(table)
    assert counts == previewed
    assert (dict(counts.added), dict(counts.equal)) == ({"topic sets": 1}, {"topics": 1})
    assert named(study, "D8").set == "update"


def test_sets_of_topics_are_replaced_where_that_is_requested(study):
    table = ImportContent("sets.csv", topics=[NewTopic("D1", set="update")])
    assert study.import_data(table).different
    assert named(study, "D1").set == "initial"
    counts = study.import_data(replace(table, is_update=True))
    assert (dict(counts.added), list(counts.different)) == ({"topic sets": 1}, [])
    assert named(study, "D1").set == "update"
    assert named(study, "D1").title == "Bridge ban"


def test_a_dry_run_states_the_same_and_writes_nothing(study):
    before = contents(study)
    result = study.import_data(RATED, dry_run=True)
    assert contents(study) == before
    assert study.import_data(RATED) == result
    assert result.added == {"annotators": 1, "dimensions": 1, "ratings": 3}
    assert result.equal == {"annotators": 1}


def test_the_same_again_adds_nothing_and_leaves_no_trace(study):
    before = contents(study)
    result = study.import_data(small())
    assert (result.added, result.different) == ({}, ())
    assert result.equal["references"] == 4
    assert contents(study) == before


def test_a_changed_text_is_reported_and_left_as_it_is(study):
    topic = small().topics[0]
    changed = replace(topic, references={"A": NewText("Something else."), "C": NewText("A third one.")})
    result = study.import_data(ImportContent("again", topics=[changed]))
    assert result.different == (
        "The text of reference A of topic D1 differs from the study's, which stays as it is.",
    )
    assert result.added == {"references": 1}
    assert [text.content[:9] for text in next(study.texts.load()).references] == [
        "The court",
        "A judge l",
        "A third o",
    ]


def test_the_same_words_with_other_sentences_are_another_text(study):
    topic = NewTopic("D2", references={"B": NewText("Ships waited.\nThe harbour was shut.")})
    assert len(study.import_data(ImportContent("again", topics=[topic])).different) == 1


def test_blank_titles_are_filled_and_others_stay(study):
    result = study.import_data(
        ImportContent("more", topics=[NewTopic("D1", title="Other"), NewTopic("D2", query="Why?")])
    )
    (title,) = result.different
    assert title.startswith("The title of topic D1 differs from the study's, which stays as it is. “Update” ")
    assert study.texts.topic(named(study, "D2").id).query == "Why?"
    assert study.texts.topic(named(study, "D1").id).title == "Bridge ban"


def test_kinds_and_groups_that_differ_are_reported(study):
    study.import_data(ImportContent("a", systems={"base": SystemKind.BASELINE}))
    result = study.import_data(
        ImportContent("b", systems={"base": SystemKind.HUMAN}, annotators={"Ann": "crowd"})
    )
    assert len(result.different) == 2
    assert {system.name: system.kind for system in study.texts.systems()}["base"] is SystemKind.BASELINE


def test_an_import_makes_nobody_a_machine(study):
    study.annotators.get_or_create("Eve")
    groups = {"Dan": MACHINE_GROUP, "Eve": f" {MACHINE_GROUP}", "Cem": "experts"}
    result = study.import_data(replace(RATED, annotators=groups))
    people = study.annotators.all()
    assert all(map(is_own_work, people))
    assert groups.keys() <= {one.name for one in people}
    assert {one.group for one in people if one.name in ("Dan", "Eve")} == {"machine (imported)"}
    said = "The group of Dan, Eve is imported as machine (imported)."
    assert said in [notice.what for notice in result.notices]
    assert resolve_annotators((), people) is None, "all count"


def test_documents_keep_the_order_in_which_they_came(study):
    documents = {name: NewText(name) for name in ("z", "a", "m")}
    study.import_data(ImportContent("more", topics=[NewTopic("D9", documents=documents)]))
    study.import_data(ImportContent("later", topics=[NewTopic("D9", documents={"b": NewText("b")})]))
    assert [text.name for text in study.texts.topic(named(study, "D9").id).documents] == ["z", "a", "m", "b"]


def test_topics_and_systems_are_in_natural_order(study):
    names = ["D10", "d2", "D11", "D3"]
    topics = [NewTopic(name, summaries={"M10": NewText("x"), "M2": NewText("y")}) for name in names]
    study.import_data(ImportContent("more", topics=topics))
    assert [head.name for head in study.texts.topics()] == ["D1", "D2", "d2", "D3", "D10", "D11"]
    assert [text.name for text in study.texts.topic(named(study, "D3").id).summaries] == ["M2", "M10"]


def test_external_ids_are_kept(study):
    topic = NewTopic("D7", references={"A": NewText("x", external_id="duc/7/A")})
    study.import_data(ImportContent("more", topics=[topic]))
    assert study.texts.topic(named(study, "D7").id).references[0].external_id == "duc/7/A"


def test_ratings_already_there_are_equal_or_reported(study):
    study.import_data(RATED)
    other = [replace(RATED.ratings[0], value=5.0), RATED.ratings[1]]
    result = study.import_data(replace(RATED, ratings=other))
    assert result.equal["ratings"] == 1
    (report,) = result.different
    assert report.startswith(
        "The rating of coherence by Ann (topic D1, system good) differs from the study's"
    )


def test_a_rating_that_was_taken_back_comes_in_again(study):
    study.import_data(RATED)
    ann, scale = study.annotators.get_or_create("Ann"), study.ratings.dimensions()[0]
    topic = study.texts.topic(named(study, "D2").id)
    study.ratings.rate(topic.summaries[0].id, scale.id, ann.id, None).result()
    assert study.ratings.of_topic(topic.id) == []
    assert study.import_data(RATED).added == {"ratings": 1}
    assert [rating.value for rating in study.ratings.of_topic(topic.id)] == [1.0]


def test_it_is_one_line_of_the_history_and_one_notice(study):
    heard = []
    study.subscribe(heard.append)
    study.import_data(RATED)
    study.flush()
    assert study.edits.history()[0].verb == "import"
    assert [set(changes.kinds) for changes in heard] == [{ChangeKind.PEOPLE, ChangeKind.RATINGS}]


def test_every_problem_is_reported_and_nothing_is_written(study):
    before = contents(study)
    bad = replace(
        RATED,
        topics=[
            NewTopic("D5", references={"A": NewText("half \ud83c pair"), "B": NewText("nul\0")}),
            NewTopic("D6", references={"A": NewText("short", ((0, 9),))}),
        ],
        ratings=[
            *RATED.ratings,
            NewRating("D1", "nobody", "coherence", "Ann", 3.0),
            NewRating("D1", "good", "beauty", "Ann", 3.0),
            NewRating("D1", "lead", "coherence", "Ann", 6.0),
            NewRating("D1", "bad", "coherence", "Ann", float("nan")),
            NewRating("D1", "good", "coherence", "Ann", 3.0),
        ],
        scores=[
            NewScore("D1", "nobody", "m", 0.1),
            NewScore("D1", "good", "m", float("inf")),
            NewScore("D1", "lead", "m", 0.1),
            NewScore("D1", "lead", "m", 0.2),
        ],
    )
    for dry_run in (True, False):
        with pytest.raises(BadImport) as caught:
            study.import_data(bad, dry_run=dry_run)
        assert [problem.what for problem in caught.value.problems] == [
            "Character 5 is half of a surrogate pair.",
            "Character 3 is a null.",
            "The sentence from 0 to 9 lies outside the text or its order.",
            "The study has no summary of this system for this topic.",
            "The study has no such scale.",
            "6 is outside the scale coherence (1 to 5).",
            "nan is outside the scale coherence (1 to 5).",
            "Ann rates coherence twice, 4 and 3.",
            "The study has no summary of this system for this topic.",
            "The score is infinite.",
            "Two different scores: 0.1 and 0.2.",
        ]
    assert contents(study) == before


def test_measures_of_nearly_one_name_stay_apart(study):
    names = ("a|b", "a/b", "a%7Cb")
    scores = [NewScore("D1", "good", name, value) for value, name in enumerate(names)]
    study.import_data(ImportContent("s.jsonl", scores=scores))
    blocks = {config.measures: study.scores.blocks(config.signature) for config in study.scores.configs()}
    found = {measure: block.values.tolist() for (measure,), (block,) in blocks.items()}
    assert found == {"a|b": [[0.0]], "a/b": [[1.0]], "a%7Cb": [[2.0]]}


def test_scores_computed_elsewhere_become_a_configuration_per_measure(study):
    incoming = ImportContent(
        "perl.jsonl",
        scores=[
            NewScore("D1", "good", "rouge-1.f", 0.5),
            NewScore("D1", "bad", "rouge-1.f", float("nan")),
            NewScore("D2", "good", "rouge-1.f", 0.25),
            NewScore("D2", "good", "rouge-2.f", 0.125),
        ],
    )
    assert study.import_data(incoming).added == {"scores": 4}
    one, two = study.scores.configs()
    assert (one.signature, one.family) == ("imported|measure:rouge-1.f|source:perl.jsonl", "Imported")
    assert two.measures == ("rouge-2.f",)
    first, second = study.scores.blocks(one.signature)
    assert first.systems == ("bad", "good")
    assert str(first.values.tolist()) == "[[nan], [0.5]]"
    assert second.values.tolist() == [[0.25]]
    assert study.import_data(incoming).equal == {"scores": 4}
    other = replace(incoming, scores=[replace(incoming.scores[0], value=0.75)])
    assert len(study.import_data(other).different) == 1


def test_texts_of_an_annotated_topic_never_change(study):
    topic = study.texts.topic(named(study, "D1").id)
    ann = study.annotators.get_or_create("Ann")
    before = study.pyramids.annotation(topic.id, ann.id)
    after = pyramid.add_scu(before, "x", topic.references[0].id, [(0, 9)])
    study.pyramids.commit(before, after, "new SCU", ann.id).result()
    study.import_data(ImportContent("again", topics=[NewTopic("D1", references={"A": NewText("No.")})]))
    (scu,) = study.pyramids.annotation(topic.id, ann.id).pyramid.scus
    start, end = scu.contributors[0].parts[0].span
    assert study.texts.topic(topic.id).references[0].content[start:end] == "The court"


def test_empty_texts_come_in_and_each_is_noticed(study):
    texts = {"good": NewText(" \n"), "bad": NewText("A text."), "worse": NewText("")}
    empty = ImportContent("t.csv", topics=[NewTopic("D9", references={"A": NewText("")}, summaries=texts)])
    counts = study.import_data(empty, dry_run=True)
    assert [str(notice).partition(" It is imported")[0] for notice in counts.notices] == [
        "t.csv: 3 texts are empty. They are listed below.",
        "t.csv, topic D9, reference A: The text is empty.",
        "t.csv, topic D9, summary of good: The text is empty.",
        "t.csv, topic D9, summary of worse: The text is empty.",
    ]
    assert study.import_data(empty).notices == counts.notices
    topic = next(topic for topic in study.texts.load() if topic.name == "D9")
    assert [str(one) for one in empty_texts([topic])] == [
        "Topic D9: the reference by A is empty.",
        "Topic D9: the summary by good is empty.",
        "Topic D9: the summary by worse is empty.",
    ]
    assert study.import_data(empty).notices == ()


class TestCorrectedRatings:
    """Ratings that differ replace the study's where that is requested, as one edit."""

    @pytest.fixture
    def rated(self, study):
        study.import_data(RATED)
        return study

    def corrected(self, value: float | None = 5.0, **marks):
        return replace(RATED, ratings=[NewRating("D1", "good", "coherence", "Ann", value, **marks)])

    def values(self, study):
        cube = study.ratings.cube("coherence")
        place = cube.annotators.index("Ann"), cube.systems.index("good"), cube.topics.index("D1")
        return cube.values[place]

    def test_a_differing_rating_stays_and_the_remedy_is_named(self, rated):
        (sentence,) = rated.import_data(self.corrected()).different
        assert "--update" in sentence
        assert self.values(rated) == 4

    @pytest.mark.parametrize("value", [5.0, 1.0])
    def test_it_is_replaced_undone_and_redone_as_one_edit(self, rated, value):
        ann = next(person.id for person in rated.annotators.all() if person.name == "Ann")
        new = replace(self.corrected(value), is_update=True)
        assert rated.import_data(new, dry_run=True).added == {"replaced ratings": 1}
        assert rated.import_data(new, annotator_id=ann).added == {"replaced ratings": 1}
        assert self.values(rated) == value
        assert rated.edits.history(limit=1)[0].verb == "replace 1 rating by an import"
        rated.edits.undo(ann).result()
        assert self.values(rated) == 4
        rated.edits.redo(ann).result()
        assert self.values(rated) == value
        assert rated.import_data(new, annotator_id=ann).added == {}

    def test_zero_replaces_a_value_on_a_scale_from_zero(self, study):
        content = replace(RATED, dimensions={"coherence": (0.0, 5.0)})
        study.import_data(content)
        study.import_data(replace(content, ratings=self.corrected(0.0).ratings, is_update=True))
        assert self.values(study) == 0

    def test_a_note_that_the_file_does_not_have_stays(self, rated):
        rated.import_data(replace(self.corrected(4.0, note="odd", is_flagged=True), is_update=True))
        rated.import_data(replace(self.corrected(2.0), is_update=True))
        (note,) = rated.ratings.notes()
        assert (note.note, note.is_flagged, self.values(rated)) == ("odd", True, 2)

    def test_equal_differences_are_one_sentence(self):
        many = [f"The rating of fluency by Ann (topic D{n}) differs from the study's, so." for n in range(9)]
        (sentence,) = grouped_differences(many)
        assert sentence.startswith("9 times (The rating of fluency by Ann (topic D0); ")

    def test_equal_problems_are_one_with_their_places(self):
        problems = [Problem("f.csv", f"line {n}", "x", "Bad.", "Fix it.") for n in range(1, 2000)]
        problems.insert(2, Problem("f.csv", "line 5", "y", "Bad.", "Fix it."))
        first, second = grouped(problems)
        assert first.sentence == "f.csv, 1,999 places (lines 1\N{EN DASH}1999), x: Bad. Fix it."
        assert second == problems[2]


def test_what_is_read_is_added_unchanged_or_left_out(study):
    study.import_data(RATED)
    changed = [
        replace(RATED.ratings[0], value=1.0),
        *RATED.ratings[1:],
        NewRating("D2", "good", "coherence", "Ann", 2),
    ]
    unused = Problem("ratings.csv", "", "", "Not used: colour.", "")
    row = Problem("ratings.csv", "line 9", "value", "It is empty.", "Fill it.")
    counts = study.import_data(replace(RATED, ratings=changed, notices=[unused], skipped=[row]))
    (ratings,) = (one for one in counts.kinds if one.kind == "ratings")
    assert (ratings.read, ratings.added, ratings.unchanged, ratings.left_out) == (4, 1, 2, 1)
    first, second, third = counts.left_out
    assert (first, second) == ("ratings.csv: Not used: colour.", str(row))
    assert third.startswith("The rating of coherence by Ann (topic D1, system good) differs")
    assert not counts.remarks
