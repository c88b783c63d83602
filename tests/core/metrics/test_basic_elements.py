"""Basic Elements: by hand, by the Perl script, from parses with given heads, through a trained pipeline."""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc
from spacy.training import Example

from core.comparison.stand_ins import stand_in_of
from core.domain.study import Text, TopicTexts
from core.errors import InputError, MissingResource
from core.metrics.base import Need
from core.metrics.registry import parse
from core.metrics.rouge.basic_elements import Element, elements_by_rules, elements_of, read_elements, stemmed
from core.models.nlp.parser import Token, find_pipeline, load_parser, tokens_of
from core.ports import MetricConfig
from core.scoring.study_resources import StudyResources
from tests import perl_rouge

MODES = ["H", "HM", "HMR", "HM1", "HMR1", "HMR2"]
WORDS = ["ban", "bridge", "the court", "puerto rico", "rulings", "Mice", "held", "u.s.", "NIL", "said so"]
FIELDS = st.sampled_from(WORDS)
TRIPLES = st.tuples(FIELDS, FIELDS, st.sampled_from(["subj", "of", "NIL"])).map("|".join)
FILES = st.lists(TRIPLES, min_size=1, max_size=8).map("\n".join)


def values(settings, references, summary, make_topic):
    metric = parse(f"be:elements=text,{settings}")
    named = {str(i): text for i, text in enumerate(references)}
    return (
        metric.score(metric.prepare(make_topic(named, {"s": summary}), StudyResources(None)))
        .values[0]
        .tolist()
    )


def drawn(words, heads, relations, tags):
    """Elements of a sentence with given heads, as people write them."""
    document = Doc(spacy.blank("en").vocab, words, heads=heads, deps=relations, pos=tags)
    return written(elements_of(list(tokens_of(document))))


def written(elements):
    return ["|".join((e.head, e.modifier, e.relation)) for e in elements]


def pairs(elements):
    return [element for element in elements if "|nil|" not in element]


# Matching -------------------------------------------------------------------------------------------------


def test_a_pair_counts_as_often_as_both_hold_it(make_topic):
    # court|ruled twice and ban|old once in the reference, court|ruled three times in the summary.
    reference = "court|ruled|subj\ncourt|ruled|subj\nban|old|mod\nban|NIL|NIL"
    summary = "court|ruled|subj\ncourt|ruled|obj\ncourt|ruled|subj"
    assert values("mode=HM", [reference], summary, make_topic) == [0.66667, 0.66667, 0.66667]
    assert values("mode=HMR", [reference], summary, make_topic)[0] == 0.66667
    assert values("mode=HM1", [reference], summary, make_topic)[0] == 0.5
    assert values("mode=H", [reference], summary, make_topic) == [0.0, 0.0, 0.0]


def test_several_references_are_added_or_the_best_is_taken(make_topic):
    references = ["a|b|r\nc|d|r\ne|f|r", "a|b|r"]
    assert values("stem=no", references, "a|b|r", make_topic)[0] == 0.5
    assert values("stem=no,pooling=best", references, "a|b|r", make_topic)[0] == 1.0


def test_heads_and_modifiers_are_stemmed_word_by_word_where_they_are_longer_than_three_letters(make_topic):
    assert stemmed("rulings") == "rule"
    assert stemmed("united states") == "unit state"
    assert stemmed("was") == "was"
    assert stemmed("was held") == "be hold"  # irregular forms, a short word in a long head too
    assert values("mode=HM", ["rulings|courts|of"], "ruling|court|by", make_topic)[0] == 1.0
    assert values("mode=HM,stem=no", ["rulings|courts|of"], "ruling|court|by", make_topic)[0] == 0.0


def test_an_invalid_line_is_reported_with_its_number():
    with pytest.raises(InputError, match=r"D1\.A\.be, line 3: 'ban\|old' is not a basic element"):
        read_elements("ban|old|mod\n\nban|old\n", "D1.A.be")


def test_evidence_covers_the_matched_lines(make_topic):
    metric = parse("be:elements=text,stem=no")
    topic = make_topic({"A": "ban|old|mod\ncourt|ruled|subj"}, {"s": "Court|ruled|subj"})
    tree = metric.explain(metric.prepare(topic, StudyResources(None)), 0)["be-hm.recall"]
    evidence = tree.children[0].children[0].children[0].evidence
    assert [(e.role, e.span) for e in evidence] == [("reference", (12, 28)), ("summary", (0, 16))]


@pytest.mark.parametrize("mode", MODES)
@given(references=st.lists(FILES, min_size=1, max_size=3), summary=FILES, stem=st.booleans())
def test_every_explanation_evaluates_to_its_score_and_subsets_combine(
    make_topic, mode, references, summary, stem
):
    metric = parse(f"be:elements=text,mode={mode},stem={'yes' if stem else 'no'}")
    resources = StudyResources(None)
    topic = make_topic({str(i): text for i, text in enumerate(references)}, {"s": summary})
    prepared = metric.prepare(topic, resources)
    scores = metric.score(prepared)
    assert [tree.evaluate() for tree in metric.explain(prepared, 0).values()] == scores.values[0].tolist()
    alone = metric.score(metric.prepare(make_topic({"0": references[0]}, {"s": summary}), resources))
    first = np.arange(len(references)) == 0
    assert np.array_equal(metric.combine(scores.stats, first), alone.values)


def test_scores_are_those_of_the_perl_script(tmp_path, make_topic):
    if reason := perl_rouge.missing_requirements():
        pytest.skip(reason)
    release = perl_rouge.unpack(tmp_path)
    chance = np.random.default_rng(3)
    files = [
        "\n".join(
            "|".join([*chance.choice(WORDS, 2).tolist(), str(chance.choice(["of", "NIL"]))])
            for _ in range(12)
        )
        for _ in range(12)
    ]
    groups = [files[i : i + 3] for i in range(0, len(files), 3)]
    listed = tmp_path / "list"
    for i, file in enumerate(files):
        (tmp_path / f"{i}.be").write_text(file + "\n", encoding="ascii")
    lines = (" ".join(str(tmp_path / f"{3 * g + i}.be") for i in range(3)) for g in range(len(groups)))
    listed.write_text("\n".join(lines) + "\n", encoding="ascii")
    for mode in MODES:
        for options, settings in (["-m"], "stem=yes"), ([], "stem=no"), (["-m", "-f", "B"], "pooling=best"):
            perl_scores = _perl(release, ["-3", mode, *options, "-z", "SIMPLE", str(listed)])
            for group, numbers in zip(groups, perl_scores, strict=True):
                assert values(f"mode={mode},{settings}", group[1:], group[0], make_topic) == numbers


def _perl(release, options):
    """Recall, precision and F of each line of a list."""
    script = ["perl", release / "ROUGE-1.5.5.pl", "-e", release / "data", "-a", "-x", "-d", *options]
    printed = subprocess.run(script, check=True, capture_output=True, text=True).stdout
    rows = re.findall(r"Eval (\d+)\.\S+ R:(\S+) P:(\S+) F:(\S+)", printed)
    return [list(map(float, row[1:])) for row in sorted(rows, key=lambda row: int(row[0]))]


# Files ----------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for kind, name, content in (
        ("references", "D1.A", "court|ruled|subj\nban|old|mod"),
        ("summaries", "D1.lead", "court|ruled|subj"),
    ):
        (tmp_path / kind).mkdir(exist_ok=True)
        (tmp_path / kind / f"{name}.be").write_text(content, encoding="utf-8")
    return tmp_path


def _topic(*authors):
    references = tuple(Text(name, name, "The court ruled.") for name in authors)
    return TopicTexts("id", "D1", references=references, summaries=(Text("1", "lead", "The court."),))


def test_be_files_are_read_by_topic_and_name_and_their_changes_noticed(folder):
    metric, resources = parse(f"be:elements={folder}"), StudyResources(None)
    topic = _topic("A")
    assert metric.missing_requirements(topic, resources) == metric.unavailable(resources) == ""
    assert metric.score(metric.prepare(topic, resources)).values[0].tolist() == [0.5, 1.0, 0.66667]
    before = metric.topic_hash(topic, resources)
    (folder / "summaries" / "D1.lead.be").write_text("ban|old|mod\n", encoding="utf-8")
    assert metric.topic_hash(topic, resources) != before


def test_a_reference_as_a_system_has_its_own_be_file(folder):
    from core.scoring.jackknife import score_jackknife

    (folder / "references" / "D1.B.be").write_text("ban|old|mod", encoding="utf-8")
    scores = score_jackknife(parse(f"be:elements={folder}"), _topic("A", "B"), StudyResources(None))
    assert scores.values[:, 0].tolist() == [0.25, 1.0, 0.5]  # lead by A 1/2 and by B 0; A by B; B by A


def test_topics_without_be_files_are_skipped_and_a_missing_folder_is_reported(folder):
    metric = parse(f"be:elements={folder}")
    assert "no BE file" in metric.missing_requirements(_topic("A", "Z"), StudyResources(None))
    assert "There is no folder" in parse("be:elements=/nowhere").unavailable(StudyResources(None))


def test_a_be_file_in_another_encoding_fails_its_topic_alone(folder):
    (folder / "summaries" / "D1.lead.be").write_bytes(b"caf\xe9|old|mod")
    metric, resources = parse(f"be:elements={folder}"), StudyResources(None)
    assert metric.topic_hash(_topic("A"), resources)
    with pytest.raises(InputError, match=r"D1\.lead\.be is not UTF-8 text"):
        metric.prepare(_topic("A"), resources)


def test_lists_of_elements_need_no_parser():
    assert Need.PARSER not in parse("be:elements=text").needs
    assert "parser" not in parse("be:elements=text").settings()


# Parses with given heads ----------------------------------------------------------------------------------


def test_prepositions_become_relations_and_determiners_go():
    # The court ruled on the ban in Puerto Rico .
    elements = drawn(
        ["The", "court", "ruled", "on", "the", "ban", "in", "Puerto", "Rico", "."],
        [1, 2, 2, 2, 5, 3, 5, 8, 6, 2],
        ["det", "nsubj", "ROOT", "prep", "det", "pobj", "prep", "compound", "pobj", "punct"],
        ["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "ADP", "PROPN", "PROPN", "PUNCT"],
    )
    assert elements == [
        "court|nil|nil",
        "ruled|court|nsubj",
        "ruled|nil|nil",
        "ban|nil|nil",
        "ruled|ban|on",
        "puerto rico|nil|nil",
        "ban|puerto rico|in",
    ]


def test_prepositions_in_a_row_are_one_relation_and_the_agent_is_by():
    # It came out of court , seen by judges
    elements = drawn(
        ["It", "came", "out", "of", "court", ",", "seen", "by", "judges"],
        [1, 1, 1, 2, 3, 1, 1, 6, 7],
        ["nsubj", "ROOT", "prep", "prep", "pobj", "punct", "advcl", "agent", "pobj"],
        ["PRON", "VERB", "ADP", "ADP", "NOUN", "PUNCT", "VERB", "ADP", "NOUN"],
    )
    assert pairs(elements) == ["came|it|nsubj", "came|court|out of", "came|seen|advcl", "seen|judges|by"]
    assert "it|nil|nil" not in elements  # no pronoun heads a phrase


def test_a_preposition_in_two_words_is_one_relation():
    # They fled because of winds
    heads, tags = [1, 1, 1, 2, 2], ["PRON", "VERB", "SCONJ", "ADP", "NOUN"]
    elements = drawn(
        ["They", "fled", "because", "of", "winds"], heads, ["nsubj", "ROOT", "prep", "pcomp", "pobj"], tags
    )
    assert pairs(elements) == ["fled|they|nsubj", "fled|winds|because of"]


def test_common_nouns_before_a_noun_are_separate_and_conjuncts_are_included():
    # Flood victims and nurses slept
    elements = drawn(
        ["Flood", "victims", "and", "nurses", "slept"],
        [1, 4, 1, 1, 4],
        ["compound", "nsubj", "cc", "conj", "ROOT"],
        ["NOUN", "NOUN", "CCONJ", "NOUN", "VERB"],
    )
    assert pairs(elements) == ["victims|flood|compound", "slept|victims|nsubj", "victims|nurses|conj"]


def test_a_word_that_depends_on_part_of_a_name_depends_on_the_name():
    # old New York slept
    elements = drawn(
        ["old", "New", "York", "slept"],
        [1, 2, 3, 3],
        ["amod", "compound", "nsubj", "ROOT"],
        ["ADJ", "PROPN", "PROPN", "VERB"],
    )
    assert pairs(elements) == ["new york|old|amod", "slept|new york|nsubj"]


def test_universal_dependencies_hang_prepositions_on_their_objects():
    # Judges ruled on bans
    elements = drawn(
        ["Judges", "ruled", "on", "bans"],
        [1, 1, 3, 1],
        ["nsubj", "root", "case", "obl"],
        ["NOUN", "VERB", "ADP", "NOUN"],
    )
    assert pairs(elements) == ["ruled|judges|nsubj", "ruled|bans|on"]


def test_an_objectless_preposition_gives_nothing_and_a_root_in_front_no_governor():
    assert drawn(["In", "court"], [0, 0], ["ROOT", "pobj"], ["ADP", "NOUN"]) == ["court|nil|nil"]
    assert drawn(["ruled", "on"], [0, 0], ["ROOT", "prep"], ["VERB", "ADP"]) == ["ruled|nil|nil"]


RELATIONS = ["prep", "pobj", "pcomp", "compound", "nsubj", "conj", "case", "det", "agent", "obl", "punct"]
NODES = st.tuples(
    st.integers(0, 99), st.sampled_from(RELATIONS), st.sampled_from(["ADP", "PROPN", "VERB", ""])
)


@given(st.lists(NODES, min_size=1, max_size=12), st.randoms())
def test_any_tree_gives_elements_whose_words_occur_in_the_text(nodes, chance):
    order = list(range(len(nodes)))
    chance.shuffle(order)  # a word may stand before or behind what it depends on
    heads = {order[i]: order[nodes[i][0] % i] if i else order[0] for i in range(len(nodes))}
    tokens = [Token(f"W{at}", (3 * at, 3 * at + 2), heads[at], *nodes[at][1:]) for at in range(len(nodes))]
    for element in elements_of(tokens):
        words = {tokens[start // 3].word.lower() for start, _ in element.places}
        assert words == {word for word in f"{element.head} {element.modifier}".split() if word != "nil"}
        assert element.modifier == "nil" or element.relation != "nil"


def test_keys_follow_the_modes():
    element = Element("rulings", "courts", "of")
    assert [element.key(mode, True) for mode in MODES] == [
        None, "rule|court", "rule|court|of", "rule|court", "rule|court|of", "rule|court|of",
    ]  # fmt: skip


# A pipeline -----------------------------------------------------------------------------------------------

SENTENCES = [
    ("The court lifted the ban .", [1, 2, 2, 4, 2, 2], ["det", "nsubj", "ROOT", "det", "dobj", "punct"]),
    ("A judge closed the bridge .", [1, 2, 2, 4, 2, 2], ["det", "nsubj", "ROOT", "det", "dobj", "punct"]),
    ("The mayor met a judge .", [1, 2, 2, 4, 2, 2], ["det", "nsubj", "ROOT", "det", "dobj", "punct"]),
]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory):
    """A parser trained on a few sentences, in a folder."""
    made = spacy.blank("en")
    made.add_pipe("parser", config={"min_action_freq": 1})
    examples = [
        Example.from_dict(made.make_doc(text), {"heads": heads, "deps": relations})
        for text, heads, relations in SENTENCES
    ]
    spacy.util.fix_random_seed(1)
    optimizer = made.initialize(lambda: examples)
    for _ in range(25):
        made.update(examples, sgd=optimizer)
    folder = tmp_path_factory.mktemp("pipelines") / "tiny"
    made.to_disk(folder)
    return folder


def test_a_trained_pipeline_is_loaded_and_its_elements_lie_in_the_text(pipeline):
    text = Text("1", "s", "The court lifted the ban .\nA judge closed the bridge .", ((0, 26), (27, 54)))
    elements = elements_of(load_parser(str(pipeline)).parse([text])[0])
    assert pairs(written(elements)) == [
        "lifted|court|nsubj", "lifted|ban|dobj", "closed|judge|nsubj", "closed|bridge|dobj",
    ]  # fmt: skip
    for element in elements:
        words = {text.content[slice(*place)].lower() for place in element.places}
        assert words == {element.head, element.modifier} - {"nil"}


def test_texts_are_scored_through_a_pipeline_that_the_signature_names(pipeline, make_topic):
    metric, resources = parse(f"be:parser={pipeline}"), StudyResources(None)
    topic = make_topic({"A": "The court lifted the ban ."}, {"s": "The court lifted a ban ."})
    assert metric.score(metric.prepare(topic, resources)).values[0].tolist() == [1.0, 1.0, 1.0]
    assert re.search(
        r"\|pipeline:en_pipeline-0\.0\.0\|hash:[0-9a-f]{12}\|spacy:3\.", metric.signature(resources)
    )


def test_other_weights_make_another_signature(pipeline, tmp_path):
    import shutil

    other = tmp_path / "tiny"
    shutil.copytree(pipeline, other)
    weights = other / "parser" / "model"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    metrics = (parse(f"be:parser={folder}") for folder in (pipeline, other))
    assert len({metric.signature_extras(StudyResources(None))["hash"] for metric in metrics}) == 2


def test_a_missing_pipeline_error_explains_how_to_get_one():
    with pytest.raises(MissingResource, match="python -m spacy download en_core_web_sm"):
        find_pipeline("no_such_pipeline")
    assert "There is no parser" in parse("be:parser=no_such_pipeline").unavailable(StudyResources(None))


def test_a_pipeline_without_a_parser_and_a_damaged_one_are_refused(pipeline, tmp_path):
    import shutil

    blank = tmp_path / "blank"
    spacy.blank("en").to_disk(blank)
    with pytest.raises(InputError, match="has no dependency parser"):
        load_parser(str(blank))
    damaged = tmp_path / "damaged"
    shutil.copytree(pipeline, damaged)
    (damaged / "parser" / "model").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be loaded"):
        load_parser(str(damaged))


# Rules ----------------------------------------------------------------------------------------------------


def test_rules_find_heads_modifiers_and_prepositions_by_hand():
    content = "The federal court lifted the ban on the stone bridge. Rain fell."
    sentences = [(0, 53), (54, 64)]
    elements = elements_by_rules(content, sentences)
    assert {"court|federal|mod", "bridge|stone|mod", "ban|bridge|on"} <= set(pairs(written(elements)))
    assert all(content[start:end].lower() for one in elements for start, end in one.places)


def test_rules_need_no_parser_and_are_a_stand_in(make_topic):
    metric = parse("be:elements=rules")
    assert metric.needs == {Need.REFERENCES}
    texts = {"A": "The old bridge over the river was closed."}
    topic = make_topic(texts, {"same": texts["A"], "other": "Rain fell on the new stadium."})
    scores = metric.score(metric.prepare(topic, StudyResources(None)))
    assert scores.values[0].tolist() == [1.0, 1.0, 1.0]
    assert scores.values[1].tolist() == [0.0, 0.0, 0.0]
    config = MetricConfig(
        metric.signature(StudyResources(None)), "be", "overlap", "be:elements=rules", ("f",)
    )
    assert stand_in_of(config) == "stand-in: approximate English rules for a dependency parser"


def test_spans_of_rules_are_inside_any_text():
    @given(st.text(max_size=80))
    def check(content):
        for element in elements_by_rules(content, [(0, len(content))] if content else []):
            assert all(0 <= start < end <= len(content) for start, end in element.places)

    check()
