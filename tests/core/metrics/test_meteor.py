"""METEOR: cases by hand, comparison with the authors' program, and its parts."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from core import jit
from core.domain.study import Text
from core.errors import InputError, MissingResource
from core.metrics import registry
from core.metrics.kernels import alignment
from core.metrics.translation.meteor_alignment import WEIGHTS, prepare_text
from core.metrics.translation.paraphrases import PhraseTable
from core.metrics.translation.wordnet import WordNet, find_wordnet
from core.scoring.study_resources import StudyResources

PLAIN = "meteor:synonyms=none"
JAVA_HASHES_ALIKE = {"n't", "let"}
"""METEOR 1.5 compares words by 32-bit hashes, and these two have the same: it takes one for the other."""


def scored(spec, topic, resources):
    metric = registry.parse(spec)
    return metric.score(metric.prepare(topic, resources))


def test_a_hand_worked_pair(make_topic, resources):
    topic = make_topic({"A": "the old dog barked loudly"}, {"s": "loudly the dog barks"})
    # the, loudly and dog by form, barks by stem at .6; "the" is a function word: .25 to others' .75
    matched = 0.75 + 0.25 + 0.75 + 0.6 * 0.75
    precision, recall = matched / 2.5, matched / 3.25
    f = precision * recall / (0.85 * precision + 0.15 * recall)
    chunks = 3  # the | dog barks | loudly
    assert scored(PLAIN, topic, resources).values[0, 0] == pytest.approx(f * (1 - 0.6 * (chunks / 4) ** 0.2))


def test_a_copy_has_no_penalty_and_a_stranger_nothing(make_topic, resources):
    topic = make_topic(
        {"A": "Courts ruled on the ban ."}, {"copy": "courts ruled on the ban .", "other": "xyz"}
    )
    assert scored(PLAIN, topic, resources).values[:, 0].tolist() == pytest.approx([1.0, 0.0])


def test_the_best_reference_counts_and_every_subset_can_be_had(make_topic, resources):
    topic = make_topic({"A": "a ferry sank", "B": "the ban was lifted"}, {"s": "the ban was lifted today"})
    metric = registry.parse(PLAIN)
    scores = metric.score(metric.prepare(topic, resources))
    alone = [metric.combine(scores.stats, np.array(mask))[0, 0] for mask in ((True, False), (False, True))]
    assert alone[0] == 0.0
    assert scores.values[0, 0] == alone[1] == max(alone)


@pytest.mark.data
def test_scores_are_those_of_meteor_1_5_with_the_same_modules(summeval, tmp_path, make_topic, resources):
    package = find_spec("pycocoevalcap")
    if shutil.which("java") is None or package is None or not package.submodule_search_locations:
        pytest.skip("needs java and pycocoevalcap: apt-get install default-jre-headless; make setup")
    jar = Path(next(iter(package.submodule_search_locations))) / "meteor" / "meteor-1.5.jar"
    pairs = _tokenized_pairs(summeval)
    theirs = _run(jar, pairs, tmp_path)
    ours = [
        scored("meteor:tok=none,synonyms=none", make_topic({"A": there}, {"s": here}), resources).values[0, 0]
        for here, there in pairs
    ]
    assert len(theirs) == len(pairs) > 150
    assert ours == pytest.approx(theirs, abs=1e-6)


def _tokenized_pairs(topics):
    cut = Tokenizer13a()
    pairs = [
        (cut(topic.summaries[at % len(topic.summaries)].content.lower()), cut(reference.content.lower()))
        for at, topic in enumerate(topics.values())
        for reference in topic.references[at % 5 :: 5]
    ]
    return [pair for pair in pairs if not set(" ".join(pair).split()) >= JAVA_HASHES_ALIKE]


def _run(jar, pairs, folder):
    here, there = folder / "summaries", folder / "references"
    here.write_text("".join(f"{text}\n" for text, _ in pairs), encoding="utf-8")
    there.write_text("".join(f"{text}\n" for _, text in pairs), encoding="utf-8")
    command = [
        "java",
        "-Dfile.encoding=UTF-8",
        "-jar",
        str(jar),
        str(here),
        str(there),
        "-l",
        "en",
        "-m",
        "exact stem",
    ]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [float(line.split(":")[1]) for line in output.splitlines() if line.startswith("Segment")]


def test_a_compiled_search_finds_what_an_interpreted_one_does(make_topic, monkeypatch, resources):
    words = "the cat and the dog and the bird saw the cat and the fish"
    turned = " ".join(words.split()[5:] + words.split()[:5])
    topic = make_topic({"A": " ".join(words.split()[::-1])}, {"s": words, "t": turned})
    compiled = scored(PLAIN, topic, resources).values
    fresh = jit.Kernel(alignment._beam_search, *alignment._search._called)
    monkeypatch.setattr(alignment, "_search", fresh)
    assert np.array_equal(scored(PLAIN, topic, resources).values, compiled)


@pytest.mark.parametrize(
    ("here", "there", "score"),
    [("the " * 2000, "the " * 1999, 0.8687182), ("a b " * 750, "b a " * 750, 0.8403610)],
    ids=["one word", "two words"],
)
def test_repeated_words_are_aligned_as_ever(here, there, score, make_topic, resources):
    topic = make_topic({"A": there}, {"s": here})
    assert scored(PLAIN, topic, resources).values[0, 0] == pytest.approx(score, abs=1e-7)


def test_an_alignment_has_few_successors_however_often_words_are_repeated():
    assert alignment.successors(most=2000, heaviest=2) == 6 * alignment.BEAM + 1
    assert alignment.successors(most=3, heaviest=2) == 4


WORDS = st.lists(st.sampled_from("ab"), min_size=6, max_size=12).map(" ".join)


@given(WORDS, WORDS, st.sampled_from([1, 2, 3]))
@settings(max_examples=30, deadline=None)
def test_successors_that_are_left_out_change_nothing(here, there, beam):
    pair = [prepare_text(Text(name, name, text), "none") for name, text in (("s", here), ("A", there))]
    found = registry.parse(PLAIN)._aligned(*pair, None).matches
    branch = alignment._branch

    def write_all(word, p, limit, *rest):
        return branch(word, p, len(found.there), *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "BEAM", beam)
        patch.setattr(alignment, "_search", lambda *arrays, steps: alignment._beam_search(*arrays))
        few = alignment.align(found, len(pair[0].words), WEIGHTS)
        patch.setattr(alignment, "successors", lambda most, heaviest: most + 1)
        patch.setattr(alignment, "_branch", write_all)
        assert np.array_equal(alignment.align(found, len(pair[0].words), WEIGHTS), few)


@pytest.fixture
def database(tmp_path) -> Path:
    """A WordNet of two sets, in its own layout."""
    index = {
        "noun": "car n 1 1 @ 1 0 00000001\nautomobile n 1 1 @ 1 0 00000001\nmouse n 1 0 1 0 00000002\n",
        "verb": "purchase v 1 0 1 0 00000009\nbuy v 1 0 1 0 00000009\n",
        "adj": "",
        "adv": "",
    }
    for part, lines in index.items():
        (tmp_path / f"index.{part}").write_text(f"  1 a licence\n{lines}", encoding="utf-8")
        (tmp_path / f"{part}.exc").write_text("", encoding="utf-8")
    (tmp_path / "noun.exc").write_text("mice mouse\n", encoding="utf-8")
    (tmp_path / "verb.exc").write_text("bought buy\n", encoding="utf-8")
    return tmp_path


def test_words_of_one_meaning_are_matched_where_a_wordnet_is_named(database, make_topic):
    resources = StudyResources(None)
    topic = make_topic({"A": "purchases cars"}, {"s": "bought automobiles"})
    spec = f"meteor:synonyms={database}"
    f = 0.8  # both words of both texts, in one chunk
    assert scored(spec, topic, resources).values[0, 0] == pytest.approx(f)
    assert scored(PLAIN, topic, resources).values[0, 0] == 0.0
    extras = registry.parse(spec).signature_extras(resources)
    assert extras["modules"] == "exact+stem+synonym"
    assert len(extras["wordnet"]) == 12


def test_a_curly_apostrophe_is_a_letter_to_the_stemmer(make_topic, resources):
    topic = make_topic({"A": "show"}, {"curly": "show’s", "plain": "show's"})
    values = scored("meteor:tok=none,synonyms=none", topic, resources).values[:, 0]
    assert values.tolist() == pytest.approx([0.0, 0.6])


def test_wordnets_morphology_finds_base_forms(database):
    words = WordNet(database)
    assert words.synsets("mice") == words.synsets("mouse") == {"00000002"}
    assert words.synsets("cars") == {"00000001"}
    assert words.synsets("glass") == frozenset()


def test_a_folder_without_wordnet_is_refused_with_what_it_lacks(tmp_path, resources):
    with pytest.raises(MissingResource, match=r"index\.noun"):
        find_wordnet(str(tmp_path))
    assert "index.noun" in registry.parse(f"meteor:synonyms={tmp_path}").unavailable(resources)


@pytest.mark.parametrize("name", ["table", "table.gz"])
def test_phrases_of_a_table_are_matched_in_both_directions(name, tmp_path, make_topic, resources):
    path = tmp_path / name
    lines = "0.5\ntook effect\ncame into force\n"
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith("gz") else lines.encode())
    spec = f"meteor:synonyms=none,paraphrases={path}"
    for here, there in (("took effect", "came into force"), ("came into force", "took effect")):
        topic = make_topic({"A": there}, {"s": here})
        assert scored(spec, topic, resources).values[0, 0] == pytest.approx(0.6)
    assert registry.parse(spec).signature_extras(resources)["modules"] == "exact+stem+paraphrase"


def test_a_torn_paraphrase_table_gives_a_sentence(tmp_path):
    torn, damaged = tmp_path / "torn", tmp_path / "damaged.gz"
    torn.write_text("0.5\none phrase\n", encoding="utf-8")
    damaged.write_bytes(gzip.compress(b"0.5\na\nb\n")[:-6])
    with pytest.raises(InputError, match="three lines"):
        PhraseTable(torn)
    with pytest.raises(MissingResource, match="cannot be read"):
        PhraseTable(damaged)
    with pytest.raises(MissingResource, match="cannot be read"):
        PhraseTable(tmp_path / "nowhere")


VOCABULARY = ("the", "a", "ban", "bans", "banned", "court", "courts", "ruled", "ruling", "today", ".")
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=14)


@given(WORDS, WORDS)
def test_the_explanation_evaluates_to_the_score_between_0_and_1(make_topic, resources, here, there):
    topic = make_topic({"A": " ".join(there)}, {"s": " ".join(here)})
    metric = registry.parse(PLAIN)
    prepared = metric.prepare(topic, resources)
    value = metric.score(prepared).values[0, 0]
    assert 0.0 <= value <= 1.0
    tree = metric.explain(prepared, 0)["meteor.score"]
    assert tree.evaluate() == pytest.approx(value)


def test_a_wrong_name_of_wordnet_lists_the_valid_ones(resources):
    with pytest.raises(MissingResource, match=r"synonyms=no: .* Write auto, none, or the folder"):
        registry.parse("meteor:synonyms=no").check(resources)
