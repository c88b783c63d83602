"""Full-text search in texts, pyramids, matches, comments and notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.text_search import SearchableText, TextKind, collect_texts, parse_query, search
from core.domain import pyramid
from core.progress import run_to_completion


def passage(text: str, kind: TextKind = TextKind.REFERENCE) -> SearchableText:
    return SearchableText(kind, text, "t", "D1")


def matches(query: str, *texts: str) -> list[str]:
    hits = run_to_completion(search([passage(text) for text in texts], query, 50)).hits
    return [hit.passage.text[slice(*hit.span)] for hit in hits]


def test_prefixes_match_in_any_case_and_infixes_do_not():
    assert matches("har", "The Harbour", "a share", "HARD") == ["Har", "HAR"]


def test_every_word_must_occur_and_the_first_is_displayed():
    assert matches("storm harb", "a harbour", "harbour in a storm", "stormy") == ["storm"]


def test_a_quoted_phrase_ends_at_a_word_and_crosses_line_ends():
    assert matches('"the harb"', "in the harbour") == []
    assert matches('"the harbour"', "in the\n harbour.") == ["the\n harbour"]
    assert matches('"the harb', "in the harbour") == ["the harb"], "the end is still being typed"


def test_pattern_characters_are_literal():
    assert matches("5%", "grew by 5% (a lot)") == ["5%"]
    assert matches("(a", "grew by 5% (a lot)") == ["(a"]
    assert matches(".*", "grew") == []


@pytest.mark.parametrize("query", ["", "  ", '"', '""', '" "'])
def test_blank_queries_and_empty_quotes_match_nothing(query):
    assert parse_query(query) == ()
    assert matches(query, "a") == []


@given(st.text(), st.text())
def test_no_query_fails_and_every_hit_is_within_its_text(query, text):
    for hit in run_to_completion(search([passage(text)], query, 5)).hits:
        start, end = hit.span
        assert 0 <= start < end <= len(text)


@given(st.lists(st.sampled_from(["storm", "ship", "Harbour", "éclair"]), min_size=1, max_size=6), st.data())
def test_a_prefix_of_any_word_finds_its_text(words, data):
    word = data.draw(st.sampled_from(words))
    length = data.draw(st.integers(1, len(word)))
    assert matches(word[:length].upper(), " ".join(words))


def test_all_hits_are_counted_and_listed_up_to_a_limit():
    texts = [passage("storm") for _ in range(7)] + [passage("storm", TextKind.NOTE)]
    hits = run_to_completion(search(texts, "storm", 3))
    assert hits.counts == {TextKind.REFERENCE: 7, TextKind.NOTE: 1}
    assert [hit.passage.kind for hit in hits.hits] == [TextKind.REFERENCE] * 3 + [TextKind.NOTE]


def annotated(study):
    """Ann's pyramid of D1 with an SCU of two parts, a comment, a match, a unit outside and a note."""
    ann = study.annotators.get_or_create("Ann")
    topic = study.texts.topic(study.texts.topics()[0].id)
    content = topic.references[0].content
    summary = next(s for s in topic.summaries if s.name == "good")
    parts = [(content.index(w), content.index(w) + len(w)) for w in ("The court", "was void")]
    before = study.pyramids.annotation(topic.id, ann.id)
    after = pyramid.add_scu(before, "Ban lifted", topic.references[0].id, parts, "scu")
    after = pyramid.set_comment(after, "scu", "vague wording")
    at = summary.content.index("cafés")
    after = pyramid.add_match(after, summary.id, ann.id, None, [(at, at + 14)])
    after = pyramid.set_summary_state(after, summary.id, ann.id, note="hard to decide")
    study.pyramids.commit(before, after, "new SCU", ann.id).result()
    return ann, topic, summary


@pytest.mark.parametrize(
    ("query", "kind", "title"),
    [
        ("bridge ban", TextKind.TOPIC, ""),
        ("rejected", TextKind.DOCUMENT, "D1-1"),
        ("cafe\u0301s", TextKind.REFERENCE, "Reference B"),
        ("lifted", TextKind.LABEL, ""),
        ("vague", TextKind.COMMENT, "Ban lifted"),
        ("decide", TextKind.NOTE, "Summary"),
        ("reopened", TextKind.UNIT, "Summary"),
    ],
)
def test_every_kind_of_text_in_a_study_is_searched(study, query, kind, title):
    ann, topic, _ = annotated(study)
    hits = [
        h
        for h in run_to_completion(search(run_to_completion(collect_texts(study, ann.id)), query, 50)).hits
        if h.passage.kind is kind
    ]
    assert len(hits) == 1
    assert hits[0].passage.topic_id == topic.id
    assert hits[0].passage.title.startswith(title)


def test_a_hit_in_a_part_has_its_position_in_the_text(study):
    ann, topic, _ = annotated(study)
    passages = run_to_completion(collect_texts(study, ann.id))
    hit = next(
        h
        for h in run_to_completion(search(passages, "void", 50)).hits
        if h.passage.kind is TextKind.CONTRIBUTOR
    )
    text = next(r for r in topic.references if r.id == hit.passage.text_id)
    start, end = hit.span
    assert text.content[hit.passage.start + start : hit.passage.start + end] == "void"
    assert hit.passage.scu_id == "scu"


def test_summaries_are_listed_by_blind_position_not_by_system(study):
    ann, topic, _ = annotated(study)
    systems = {text.name for text in topic.summaries}
    summaries = [p for p in run_to_completion(collect_texts(study, ann.id)) if p.kind is TextKind.SUMMARY]
    assert {p.title for p in summaries} == {"Summary 1", "Summary 2", "Summary 3"}
    assert not any(name in p.title for p in summaries for name in systems)
