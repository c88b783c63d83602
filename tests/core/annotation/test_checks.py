"""Checks of annotations; every case is worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.checks import clip_part, find_problems
from core.annotation.finding import FindingKind as Kind
from core.annotation.word_coverage import words
from core.domain import pyramid as p
from core.domain.pyramid import Contributor, Part, Scu
from core.domain.study import Text, TopicTexts

A = "The ferry ran aground in fog. Nobody was hurt."
B = "A ferry got stuck on sand."
TOPIC = TopicTexts(
    "t",
    "D1",
    references=(Text("a", "A", A), Text("b", "B", B)),
    summaries=(Text("s", "lead", "The ferry was stuck."),),
)


def span(content: str, part: str) -> tuple[int, int]:
    start = content.index(part)
    return start, start + len(part)


def annotation(*scus: Scu, is_done: bool = False, matches: tuple[p.Match, ...] = ()) -> p.TopicAnnotation:
    return p.TopicAnnotation(p.Pyramid("p", "t", "KO", scus, is_done), matches)


def scu(label: str, *held: tuple[str, tuple[int, int]], scu_id: str = "") -> Scu:
    """Return an SCU with one contributor of one part for each (reference, span)."""
    contributors = (Contributor(p.new_id(), ref, (Part(p.new_id(), *place),)) for ref, place in held)
    return Scu(scu_id or p.new_id(), label, tuple(contributors))


def whole(label: str = "Everything") -> Scu:
    """Return an SCU that covers every sentence of A."""
    return scu(label, ("a", (0, len(A))))


def kinds(a: p.TopicAnnotation) -> list[Kind]:
    return [finding.kind for finding in find_problems(a, TOPIC)]


def test_a_valid_pyramid_has_no_findings():
    assert find_problems(annotation(whole(), is_done=False), TOPIC) == ()
    assert find_problems(annotation(), TOPIC) == ()


class TestMisplacedParts:
    @pytest.mark.parametrize(
        ("place", "sentence", "snapped"),
        [
            ((4, 12), "cuts a word: “ferry ra”", "ferry ran"),
            ((5, 13), "cuts a word: “erry ran”", "ferry ran"),
            ((3, 9), "begins or ends with white space: “ ferry”", "ferry"),
            ((30, 99), "is outside the text (30 to 99 of 46 characters)", "Nobody was hurt."),
        ],
    )
    def test_a_part_is_named_and_snapped_to_words(self, place, sentence, snapped):
        a = annotation(whole(), scu("Aground", ("a", place)))
        (finding,) = find_problems(a, TOPIC)
        assert finding.kind is Kind.MISPLACED_PART
        assert finding.sentence == f"A part of “Aground” in reference A {sentence}."
        after = finding.repair.edit(a)
        (part,) = after.scu(finding.place.scu_id).contributors[0].parts
        assert A[part.start : part.end] == snapped
        assert part.id == finding.place.part_id
        assert find_problems(after, TOPIC) == ()

    def test_a_part_without_words_is_removed_with_its_contributor(self):
        a = annotation(whole(), scu("Aground", ("a", (50, 60)), ("b", (0, 7))))
        (finding,) = (f for f in find_problems(a, TOPIC) if f.kind is Kind.MISPLACED_PART)
        assert finding.repair.label == "Remove the part"
        assert [c.reference_id for c in finding.repair.edit(a).scu(finding.place.scu_id).contributors] == [
            "b"
        ]

    def test_punctuation_at_an_end_is_no_finding(self):
        assert kinds(annotation(scu("All", ("a", (0, len(A)))))) == []

    def test_scripts_without_spaces_can_be_split_anywhere(self):
        topic = TopicTexts("t", "D", references=(Text("a", "A", "渡轮在雾中搁浅。"),))
        a = annotation(scu("搁浅", ("a", (2, 5)), ("a", (0, 2))))
        assert [f.kind for f in find_problems(a, topic)] == [Kind.SAME_REFERENCE]

    def test_a_part_never_splits_combining_marks_or_joined_characters(self):
        content = "Cafe\u0301s 👩‍🚀 reopened"
        assert clip_part(content, (0, 4)) == span(content, "Cafe\u0301s")
        rocket = content.index("👩")
        assert clip_part(content, (rocket, rocket + 1)) == (rocket, rocket + 3)

    @given(
        st.text(alphabet="ab \u0301é-.搁\u200d🌉", max_size=20),
        st.tuples(st.integers(-3, 25), st.integers(-3, 25)),
    )
    def test_clipping_a_part_is_idempotent_and_strips_outer_spaces(self, content, place):
        fit = clip_part(content, place)
        if fit is None:
            assert not content[max(place[0], 0) : max(place[1], 0)].strip()
        else:
            assert 0 <= fit[0] < fit[1] <= len(content)
            assert content[fit[0] : fit[1]] == content[fit[0] : fit[1]].strip()
            assert clip_part(content, fit) == fit

    def test_whole_words_are_unchanged(self):
        assert all(clip_part(A, word) == word for word in words(A))


def test_matched_words_outside_their_summary_are_snapped_or_removed():
    unit = whole("Aground")
    far, cut = Part("far", 90, 95), Part("cut", 4, 7)
    match = p.Match("m", "s", "LM", unit.id, (cut, far))
    outside = p.Match("o", "s", "LM", None, (Part("gone", 70, 71),))
    a = annotation(unit, matches=(match, outside))
    findings = find_problems(a, TOPIC)
    assert [f.kind for f in findings] == [Kind.MISPLACED_MATCH] * 3
    assert all("lead" not in f.sentence for f in findings)  # whose summary it is stays hidden
    for finding in findings:
        a = finding.repair.edit(a)
    assert [(m.id, [x.span for x in m.parts]) for m in a.matches] == [("m", [(4, 9)])]


def test_an_unmatched_scu_without_contributors_is_removed():
    lonely, matched = Scu("x", "Lonely"), Scu("y", "Matched")
    a = annotation(lonely, matched, matches=(p.Match("m", "s", "KO", "y"), p.Match("n", "s", "LM", "y")))
    first, second = find_problems(a, TOPIC)
    assert (first.kind, first.repair) == (Kind.MATCHED_WITHOUT_CONTRIBUTORS, None)
    assert "matched 2 times" in first.sentence
    assert [s.id for s in second.repair.edit(a).pyramid.scus] == ["y"]


def test_contributors_of_one_reference_are_merged_with_their_parts_and_comments():
    unit = scu("Aground", ("a", (4, 13)), ("b", (0, 7)), ("a", (10, 21)), ("a", (30, 46)))
    noted = Scu("x", unit.label, (unit.contributors[0], *(c for c in unit.contributors[1:])))
    (finding,) = (
        f for f in find_problems(annotation(noted, whole()), TOPIC) if f.kind is Kind.SAME_REFERENCE
    )
    assert finding.sentence == "“Aground” has 3 contributors from reference A."
    joined = finding.repair.edit(annotation(noted, whole())).scu("x")
    assert joined.weight == noted.weight == 2
    spans = {c.reference_id: sorted(part.span for part in c.parts) for c in joined.contributors}
    assert spans == {"a": [(4, 21), (30, 46)], "b": [(0, 7)]}


def test_overlapping_parts_are_merged_and_others_unchanged():
    parts = (Part("1", 0, 9), Part("2", 4, 13), Part("3", 30, 36))
    unit = Scu("x", "Aground", (Contributor("c", "a", parts),))
    a = annotation(unit, whole())
    (finding,) = find_problems(a, TOPIC)
    assert finding.sentence == "Two parts of “Aground” in reference A share “ferry”."
    (contributor,) = finding.repair.edit(a).scu("x").contributors
    assert sorted(part.span for part in contributor.parts) == [(0, 13), (30, 36)]
    assert parts[2] in contributor.parts


def test_an_empty_label_is_filled_from_the_first_contributor():
    unit = scu(" ", ("a", span(A, "ran aground")), scu_id="x")
    a = annotation(unit, whole())
    (finding,) = find_problems(a, TOPIC)
    assert finding.kind is Kind.EMPTY_LABEL
    assert finding.repair.edit(a).scu("x").label == "ran aground"


class TestSimilarLabels:
    @pytest.mark.parametrize(
        ("one", "other", "are_alike"),
        [
            ("The ferry was stuck", "Ferry was stuck", True),
            ("Ferry stuck on sand", "on sand: ferry stuck", True),
            ("Crossings to Sorley stopped", "Crossings to Sorley stoped", True),
            ("Ferry", "The night ferry ran aground in fog off Brennick", False),
            ("Nobody was hurt", "The island has no food", False),
            ("214 people reached land", "213 people reached land", False),
            ("", "", False),
        ],
    )
    def test_near_duplicates_are_distinguished_from_labels_that_share_a_word(self, one, other, are_alike):
        a = annotation(scu(one, ("a", (0, 46))), scu(other, ("a", (0, 46))))
        assert (Kind.SIMILAR_LABELS in kinds(a)) is are_alike

    def test_merging_keeps_the_scu_with_the_higher_weight_and_moves_matches(self):
        light, heavy = (
            scu("Ferry was stuck", ("a", (0, 46))),
            scu("The ferry was stuck", ("a", (0, 9)), ("b", (0, 7))),
        )
        a = annotation(light, heavy, matches=(p.Match("m", "s", "LM", light.id),))
        finding = next(f for f in find_problems(a, TOPIC) if f.kind is Kind.SIMILAR_LABELS)
        after = finding.repair.edit(a)
        assert [s.id for s in after.pyramid.scus] == [heavy.id]
        assert after.matches[0].scu_id == heavy.id


class TestUncoveredSentences:
    def test_a_sentence_without_a_marked_word_is_proposed_as_an_scu(self):
        a = annotation(scu("Aground", ("a", span(A, "ran aground")), ("b", (0, 7))), is_done=True)
        (finding,) = find_problems(a, TOPIC)
        assert finding.sentence == "“Nobody was hurt” in reference A is in no SCU."
        made = finding.repair.edit(a).pyramid.scus[-1]
        assert (made.label, made.contributors[0].parts[0].span) == (
            "Nobody was hurt",
            span(A, "Nobody was hurt"),
        )

    def test_uncovered_sentences_are_not_reported_until_the_pyramid_is_done(self):
        begun = scu("Everything but its end", ("a", span(A, "The ferry")))
        assert kinds(annotation(begun)) == []
        begun = scu("Everything", ("a", (0, 46)))
        assert kinds(annotation(begun, is_done=True)) == [Kind.UNCOVERED_SENTENCE]

    def test_one_marked_word_covers_a_sentence(self):
        a = annotation(scu("x", ("a", (0, 3)), ("a", span(A, "hurt")), ("b", (0, 3))), is_done=True)
        assert Kind.UNCOVERED_SENTENCE not in kinds(a)

    def test_imported_sentence_boundaries_are_used(self):
        text = Text("a", "A", "One fact\nanother fact", ((0, 8), (9, 21)))
        topic = TopicTexts("t", "D", references=(text,))
        (finding,) = find_problems(annotation(scu("x", ("a", (0, 3))), is_done=True), topic)
        assert finding.place.span == (9, 21)


def test_findings_are_sorted_by_severity_then_position():
    a = annotation(
        scu("Late", ("a", (30, len(A) + 5))), Scu("x", "Empty"), scu("Early", ("a", (1, 9))), is_done=True
    )
    findings = find_problems(a, TOPIC)
    assert [f.kind for f in findings] == sorted((f.kind for f in findings), key=lambda kind: kind.rank)
    assert ["Early" in f.sentence for f in findings[:2]] == [True, False]


def test_a_finding_has_a_stable_and_unique_key():
    unit = scu("Aground", ("a", (1, 9)), ("a", (5, 13)), scu_id="x")
    before = find_problems(annotation(unit), TOPIC)
    after = find_problems(p.set_label(annotation(unit), "x", "Another label"), TOPIC)
    assert [f.key for f in before] == [f.key for f in after]
    assert len({f.key for f in before}) == len(before) > 2


SPANS = st.tuples(st.integers(0, 50), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
CONTRIBUTORS = st.tuples(st.sampled_from("ab"), st.lists(SPANS, min_size=1, max_size=3))
LABELS = st.sampled_from(["", "Ferry was stuck", "The ferry was stuck", "Nobody was hurt", "Fog"])
SCUS = st.tuples(LABELS, st.lists(CONTRIBUTORS, max_size=3))


def made(label: str, contributors: list[tuple[str, list[tuple[int, int]]]]) -> Scu:
    held = (Contributor(p.new_id(), ref, p.parts_of(spans)) for ref, spans in contributors)
    return Scu(p.new_id(), label, tuple(held))


def stays(finding, after: p.TopicAnnotation) -> bool:
    """Return whether a finding of the same kind and position remains."""

    def where(place):
        span = place.span if finding.kind is Kind.UNCOVERED_SENTENCE else None
        return place.scu_id, place.other_id, place.contributor_id, place.part_id, place.text_id, span

    return any(
        other.kind is finding.kind and where(other.place) == where(finding.place)
        for other in find_problems(after, TOPIC)
    )


@given(scus=st.lists(SCUS, max_size=4), is_done=st.booleans())
def test_a_fix_removes_its_finding_and_no_match_is_lost(scus, is_done):
    held = tuple(made(*scu) for scu in scus)
    matches = tuple(p.Match(p.new_id(), "s", "LM", scu.id) for scu in held if scu.contributors)
    a = annotation(*held, is_done=is_done, matches=matches)
    for finding in find_problems(a, TOPIC):
        if finding.repair is not None:
            after = finding.repair.edit(a)
            assert not stays(finding, after)
            assert len(after.matches) == len(a.matches)
            assert {match.scu_id for match in after.matches} <= {scu.id for scu in after.pyramid.scus}


def nuggets(*scus: Scu, is_done: bool = False) -> p.TopicAnnotation:
    pyramid = p.Pyramid("p", "t", "KO", scus, is_done, p.UnitKind.NUGGET)
    return p.TopicAnnotation(pyramid)


def test_a_nugget_may_occur_twice_in_a_reference_and_leave_sentences_uncovered():
    ferry, sand = span(A, "ferry"), span(A, "fog")
    assert kinds(nuggets(scu("ferry", ("a", ferry), ("a", sand)), is_done=True)) == []


def test_unconfirmed_occurrences_are_reported_when_the_nuggets_are_done_and_confirmed_by_the_fix():
    contributor = Contributor("c", "a", (Part("q", *span(A, "ferry")),), is_confirmed=False)
    value = nuggets(Scu("n", "ferry", (contributor,)), is_done=True)
    (finding,) = find_problems(value, TOPIC)
    assert (finding.kind, finding.sentence) == (Kind.UNCONFIRMED, "“ferry” has 1 occurrence to confirm.")
    assert finding.repair.edit(value).scu("n").contributors[0].is_confirmed
    assert kinds(nuggets(Scu("n", "ferry", (contributor,)))) == []


def test_findings_name_nuggets_but_keep_the_words_of_labels():
    value = nuggets(Scu("n", "SCU of the pyramid"), scu("fog", ("a", span(A, "fog"))))
    (finding,) = find_problems(value, TOPIC)
    assert finding.sentence == "“SCU of the pyramid” has no occurrence."
    assert finding.repair.effect.startswith("The nugget is removed")
