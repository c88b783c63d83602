"""METEOR: cases by hand, comparison with the authors' program, and its parts."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tracemalloc
from importlib.util import find_spec
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from zipfile import ZipFile

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
from core.metrics.translation.meteor_alignment import normalize, number_texts, prepare_text
from core.metrics.translation.paraphrases import PhraseTable
from core.metrics.translation.wordnet import Synonyms, find_wordnet
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


@pytest.fixture(scope="module")
def jar() -> Path:
    """METEOR 1.5, with its paraphrases beside it."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        pytest.skip("needs pycocoevalcap: make setup")
    return Path(next(iter(package.submodule_search_locations))) / "meteor" / "meteor-1.5.jar"


@pytest.mark.data
@pytest.mark.parametrize("modules", ["norm-exact-stem", "norm-exact-stem-synonym", "norm"])
def test_scores_of_raw_texts_are_those_of_meteor_1_5(modules, jar, shared_data, make_topic):
    folder = shared_data / "summeval"
    files = (folder / "meteor15.expected.jsonl", folder / "model_annotations.aligned.paired.jsonl")
    expected, texts = (
        list(map(json.loads, path.read_text(encoding="utf-8").splitlines()[:320])) for path in files
    )
    theirs = {(row["id"], row["model_id"]): row[modules] for row in expected}
    spec = f"meteor:tok=norm,synonyms={'none' if modules == 'norm-exact-stem' else jar}"
    if modules == "norm":
        spec += f",paraphrases={jar.parent / 'data' / 'paraphrase-en.gz'}"
    resources, found = StudyResources(None), {}
    for name, rows in groupby(texts, itemgetter("id")):
        group = list(rows)
        references = {f"r{i}": " ".join(text.split()) for i, text in enumerate(group[0]["references"])}
        written = {row["model_id"]: " ".join(row["decoded"].split()) for row in group}
        values = scored(spec, make_topic(references, written), resources).values[:, 0]
        found |= {(name, system): value for system, value in zip(written, values, strict=True)}
    assert found == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The U.S. court, founded in 1850...  ruled.", "The US court , founded in 1850 ... ruled ."),
        ("Dr. No paid $1,000.50 (No. 5) in the 1990's.", "Dr. No paid $ 1,000.50 ( No. 5 ) in the 1990 's ."),
        ("well-known -- \u201cit\u2019s\u201d Inc. said", 'well known - " it \'s " Inc. said'),
        ("they 'll, don't; a,b 1,2", "they ' ll , don 't ; a , b 1,2"),
        ("", ""),
    ],
)
def test_meteors_own_words(text, words):
    assert normalize(text) == words


@pytest.mark.data
def test_scores_are_those_of_meteor_1_5_with_the_same_modules(jar, summeval, tmp_path, make_topic, resources):
    if shutil.which("java") is None:
        pytest.skip("needs java: apt-get install default-jre-headless")
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
    found = []
    for threshold in (0, 10**9):  # steps up to which loops are interpreted
        fresh = jit.Kernel(alignment._fill_sums, *alignment._CALLED)
        monkeypatch.setattr(alignment, "_FILL_SUMS", fresh)
        monkeypatch.setattr(jit, "COMPILE_THRESHOLD", threshold)
        monkeypatch.setattr(jit.Kernel, "interpreted_steps", 0)
        found.append(scored(PLAIN, topic, resources).values)
        assert fresh.is_ready is (threshold == 0)
    assert np.array_equal(*found)


@pytest.mark.parametrize(
    ("here", "there", "score"),
    [("the " * 2000, "the " * 1999, 0.8687182), ("a b " * 750, "b a " * 750, 0.8403610)],
    ids=["one word", "two words"],
)
def test_repeated_words_are_aligned_as_ever(here, there, score, make_topic, resources):
    topic = make_topic({"A": there}, {"s": here})
    assert scored(PLAIN, topic, resources).values[0, 0] == pytest.approx(score, abs=1e-7)


WORDS = st.lists(st.sampled_from("ab"), min_size=6, max_size=12).map(" ".join)


@given(WORDS, WORDS, st.sampled_from([1, 2, 3]))
@settings(max_examples=30, deadline=None)
def test_successors_that_are_left_out_change_nothing(here, there, beam):
    pair = [prepare_text(Text(name, name, text), "none") for name, text in (("s", here), ("A", there))]
    texts = number_texts(pair, stems=True, synonyms=None, phrases=None)
    branch = alignment._branch

    def offer_all(*args):
        return branch(*args[:8], _NeverFull(args[8]), *args[9:])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "BEAM", beam)
        patch.setattr(alignment, "_FILL_MATCHES", lambda *arrays, steps: alignment._fill_matches(*arrays))
        few = texts.matches(0, 1)
        patch.setattr(alignment, "_branch", offer_all)
        assert np.array_equal(texts.matches(0, 1), few)


class _NeverFull(list):
    """Numbers of successors that stay below every limit."""

    def __getitem__(self, at):
        return -1


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


def test_synonyms_of_meteors_jar_are_matched(tmp_path, make_topic):
    path = tmp_path / "meteor-1.5.jar"
    with ZipFile(path, "w") as archive:
        archive.writestr("synonym/english.synsets", "car\n1 5\nautomobile\n5\nbuy\n9\npurchase\n9 2\n")
        archive.writestr("synonym/english.exceptions", "buy\nbought buyed\n")
    topic = make_topic({"A": "purchases cars"}, {"s": "bought automobiles"})
    spec, resources = f"meteor:synonyms={path}", StudyResources(None)
    assert scored(spec, topic, resources).values[0, 0] == pytest.approx(0.8)
    assert len(registry.parse(spec).signature_extras(resources)["wordnet"]) == 12
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(MissingResource, match=r"path of meteor-1\.5\.jar"):
        registry.parse(spec).check(resources)


def test_a_longer_phrase_is_preferred_only_from_a_pair_of_words_on(tmp_path, make_topic, resources):
    """The search counts half of the words of a phrase, rounded down: four and five words are alike."""
    path = tmp_path / "table"
    path.write_text("0.1\nit is going to\nwill\n0.1\nit is going to be\nwill\n", encoding="utf-8")
    topic = make_topic({"A": "ff will gg"}, {"s": "xx it is going to be yy"})
    metric = registry.parse(f"meteor:synonyms=none,paraphrases={path}")
    assert metric.prepare(topic, resources).aligned.matches(0, 1).tolist() == [[1, 1, 4, 1, 3]]


def test_a_curly_apostrophe_is_a_letter_to_the_stemmer(make_topic, resources):
    topic = make_topic({"A": "show"}, {"curly": "show’s", "plain": "show's"})
    values = scored("meteor:tok=none,synonyms=none", topic, resources).values[:, 0]
    assert values.tolist() == pytest.approx([0.0, 0.6])


def test_wordnets_morphology_finds_base_forms(database):
    words = Synonyms.of(database)
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


def test_a_paraphrase_table_is_read_from_the_cache_unless_that_is_damaged(tmp_path):
    path, stored = tmp_path / "table", tmp_path / "cache" / "table.npy"
    path.write_text("0.5\ntook effect\ncame into force\n", encoding="utf-8")
    texts = [["it", "took", "effect"], ["it", "came", "into", "force"]]
    found = [each.tolist() for each in PhraseTable(path, stored).pairs(texts)]
    path.write_text("0.5\na\nb\n", encoding="utf-8")  # not read again
    assert [each.tolist() for each in PhraseTable(path, stored).pairs(texts)] == found
    assert found != [each.tolist() for each in PhraseTable(path).pairs(texts)]
    whole = stored.read_bytes()
    for damaged in (whole[:-1], whole[:-9] + b"x" * 9, b"", b"\x93NUMPY"):
        stored.write_bytes(damaged)
        assert PhraseTable(path, stored).pairs([["a"], ["b"]])[1].tolist() == [0, 0]
        stored.unlink()


def test_a_phrase_that_is_longer_than_all_texts_costs_nothing(tmp_path):
    path = tmp_path / "table"
    path.write_text(f"0.5\n{'word ' * 200_000}\ntook effect\n", encoding="utf-8")
    table = PhraseTable(path)
    tracemalloc.start()
    try:
        assert not table.pairs([["it", "took", "effect"], ["word"]])[1].size
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()


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
    with pytest.raises(MissingResource, match=r"synonyms=no: .* Write auto, none, the folder"):
        registry.parse("meteor:synonyms=no").check(resources)
