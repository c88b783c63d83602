"""Kernels give the same results interpreted and compiled."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import time

import numba
import numpy as np
import pytest

from core import jit
from core.jit import Kernel
from core.metrics.kernels import f_measure, lcs, lcs_lengths, ngrams, skip_bigrams
from core.metrics.registry import parse
from core.scoring.study_resources import StudyResources
from core.systems import topic_sum
from core.text import mteval
from tests.core.metrics.conftest import topic_of

KERNELS = [
    (ngrams, "_match"),
    (ngrams, "_number"),
    (skip_bigrams, "_match"),
    (lcs, "_mark_all"),
    (lcs, "_mark_all_weighted"),
    (lcs, "_clip"),
    (lcs, "_cut_runs"),
    (lcs, "_sum"),
    (f_measure, "_fill"),
]


def doubled(numbers, results):
    for i in range(len(numbers)):
        results[i] = times_two(numbers[i])


def times_two(number):
    return 2 * number


def test_a_loop_is_compiled_when_there_is_much_to_do_and_stays_so(monkeypatch):
    monkeypatch.setattr(jit, "COMPILE_THRESHOLD", 10)
    monkeypatch.setattr(Kernel, "interpreted_steps", 0)
    loop = Kernel(doubled, times_two)
    compiled = []
    monkeypatch.setattr(loop, "_compile", lambda: compiled.append(1) or doubled)
    numbers, results = np.arange(4), np.zeros(4, dtype=np.int64)
    for _ in range(2):
        loop(numbers, results, steps=5)
    assert compiled == []
    for _ in range(2):
        loop(numbers, results, steps=5)
    assert compiled == [1]
    assert results.tolist() == [0, 2, 4, 6]


def test_a_loop_that_is_on_the_disk_is_taken_from_there_sooner(monkeypatch):
    monkeypatch.setattr(jit, "COMPILE_THRESHOLD", 100)
    monkeypatch.setattr(Kernel, "interpreted_steps", 0)
    for is_cached, compiles in ((False, 0), (True, 1)):
        monkeypatch.setattr(Kernel, "_is_cached", is_cached)
        loop, compiled = Kernel(doubled, times_two), []
        monkeypatch.setattr(loop, "_compile", lambda compiled=compiled: compiled.append(1) or doubled)
        loop(np.arange(20), np.zeros(20, dtype=np.int64), steps=20)
        assert len(compiled) == compiles


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_as_before_once_a_loop_is_compiled(collects, monkeypatch):
    monkeypatch.setattr(jit, "COMPILE_THRESHOLD", -1)
    loop, meanwhile = Kernel(doubled, times_two), []
    monkeypatch.setattr(loop, "_compile", lambda: meanwhile.append(gc.isenabled()) or doubled)
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        loop(np.arange(4), np.zeros(4, dtype=np.int64), steps=4)
        assert (meanwhile, gc.isenabled()) == ([False], collects)
    finally:
        (gc.enable if before else gc.disable)()


def test_compiled_kernels_are_cached_on_disk(tmp_path, monkeypatch):
    source = tmp_path / "loops.py"
    source.write_text("def loop(results):\n    results[0] = 7\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(jit, "COMPILE_THRESHOLD", -1)
    module = importlib.import_module("loops")
    assert not Kernel(module.loop)._is_cached
    results = np.zeros(1, dtype=np.int64)
    Kernel(module.loop)(results, steps=1)
    assert results[0] == 7
    assert Kernel(module.loop)._is_cached
    later = time.time() + 60
    os.utime(source, (later, later))
    assert Kernel(module.loop)._is_cached  # as by a checkout: nothing but its time is another one
    source.write_text("def loop(results):\n    results[0] = 8\n", encoding="utf-8")
    os.utime(source, (later, later))
    assert not Kernel(module.loop)._is_cached


def test_a_kernel_is_compiled_if_it_cannot_be_cached(monkeypatch):
    def no_place(**options):
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda loop: loop

    monkeypatch.setattr(numba, "njit", no_place)
    monkeypatch.setattr(jit, "COMPILE_THRESHOLD", -1)
    results = np.zeros(3, dtype=np.int64)
    Kernel(doubled, times_two)(np.arange(3), results, steps=3)
    assert results.tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    "spec",
    ["rouge-n:n=1", "rouge-n:n=3", "rouge-l", "rouge-w:weight=1.2", "rouge-s:gap=-1", "rouge-su:gap=2"],
)
def test_statistics_and_values_are_equal_to_the_last_bit(spec, monkeypatch):
    topic = random_topic(np.random.default_rng(7))
    metric, resources = parse(spec), StudyResources(None)
    prepared = metric.prepare(topic, resources)
    for patience in (10**9, -1):
        monkeypatch.setattr(Kernel, "interpreted_steps", 0)
        monkeypatch.setattr(jit, "COMPILE_THRESHOLD", patience)
        for module, name in KERNELS:
            old = getattr(module, name)
            monkeypatch.setattr(module, name, Kernel(old._loop, *old._called))
        scores = metric.score(prepared)
        if patience > 0:
            interpreted = scores
    assert np.array_equal(interpreted.stats, scores.stats)
    assert np.array_equal(interpreted.values, scores.values)
    assert interpreted.stats.any()


def test_numba_is_loaded_without_linear_algebra_which_other_loops_still_have():
    code = (
        "import sys; import numpy as np; from core.jit import Kernel; Kernel.always_compile()\n"
        "from core.metrics.kernels.f_measure import with_f; one = np.ones(2)\n"
        "print(with_f(one, one, 0.5, is_rounded=True).tolist(), 'scipy.linalg' in sys.modules)\n"
        "import numba; print(numba.njit(lambda a: (np.dot(a, a), np.cov(a)))(2 * np.eye(2))[0].tolist())"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.splitlines() == [
        "[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] False",
        "[[4.0, 0.0], [0.0, 4.0]]",
    ]


@pytest.mark.parametrize("letters", ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("weight", [0.5, 1.0, 1.2])
def test_words_that_only_one_sentence_has_change_no_match(letters, weight):
    """They are left out of the tables of subsequences, and how ties are resolved depends on all words."""
    random, weights = np.random.default_rng(11), np.arange(30.0) ** weight
    for _ in range(60):
        mine, theirs = (
            "".join(random.choice(list(letters), random.integers(0, 25))) for _ in ("reference", "summary")
        )
        topic = topic_of({"R": " ".join(mine)}, {"s": " ".join(theirs)})
        prepared = parse("rouge-l").prepare(topic, StudyResources())
        texts = lcs.lcs_input(*[prepared.summaries, prepared.references] * 2)
        expected = partners_in_whole_table(mine, theirs, weights)
        found = lcs.weighted_partners(texts.references, texts.summaries, weights)
        assert found.tolist() == [expected]
        if weight == 1:
            assert lcs.lcs_partners(texts.references, texts.summaries).tolist() == [expected]


def partners_in_whole_table(mine, theirs, weights):
    """Return the index of the letter with which each of mine is matched, -1 = none."""
    table, runs = (np.zeros((len(mine) + 1, len(theirs) + 1)) for _ in range(2))
    for i, letter in enumerate(mine, 1):
        for j, other in enumerate(theirs, 1):
            table[i, j] = max(table[i - 1, j], table[i, j - 1])
            if letter == other:
                run = int(runs[i - 1, j - 1])
                table[i, j] = table[i - 1, j - 1] + weights[run + 1] - weights[run]
                runs[i, j] = run + 1
    partners, i, j = [-1] * len(mine), len(mine), len(theirs)
    while i and j:
        if mine[i - 1] == theirs[j - 1]:
            i, j = i - 1, j - 1
            partners[i] = j
        elif table[i - 1, j] >= table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return partners


def compiled_and_interpreted(kernel, monkeypatch, *arrays):
    """Return what both fill into a copy of the last array."""
    results = []
    for threshold in (-1, 10**9):
        monkeypatch.setattr(Kernel, "interpreted_steps", 0)
        monkeypatch.setattr(jit, "COMPILE_THRESHOLD", threshold)
        loop, filled = Kernel(kernel._loop, *kernel._called), arrays[-1].copy()
        monkeypatch.setattr(loop, "_is_cached", False, raising=False)
        loop(*(array.copy() for array in arrays[:-1]), filled, steps=1)
        assert loop.is_ready == (threshold < 0)
        results.append(filled)
    return results


def test_compiled_lengths_of_common_subsequences_are_those_of_the_interpreter(monkeypatch):
    random = np.random.default_rng(3)
    mine, theirs = random.integers(0, 4, 40), random.integers(0, 4, 30)
    my_ends, their_ends = np.array([0, 0, 9, 25, 40]), np.array([0, 12, 12, 30])
    table, lengths = np.zeros(19, dtype=np.int64), np.full(12, -1)
    compiled, interpreted = compiled_and_interpreted(
        lcs_lengths._measure, monkeypatch, mine, my_ends, theirs, their_ends, table, lengths
    )
    assert compiled.tolist() == interpreted.tolist()
    assert interpreted.max() > 5
    assert interpreted.min() == 0


def test_compiled_words_of_mteval_are_those_of_the_interpreter(monkeypatch):
    letters = np.array([ord(letter) for letter in "ab5 .,-'\n(\u2013\u00a0\u0665"], dtype=np.int32)
    codes = np.concatenate([[10], np.random.default_rng(6).choice(letters, 4000), [10]]).astype(np.int32)
    kinds = mteval._kinds_13a()[np.minimum(codes, mteval._LAST_SPACE + 1)]
    table, found = np.zeros(2**13 + 2, dtype=np.int64), np.zeros(2 * len(codes), dtype=np.int64)
    table[-1] = 31
    compiled, interpreted = compiled_and_interpreted(
        mteval._find_words, monkeypatch, codes, kinds, table, found
    )
    assert compiled.tolist() == interpreted.tolist()
    assert 100 < interpreted[: len(codes)].max() < np.count_nonzero(interpreted[: len(codes)])


def test_compiled_draws_of_topic_sum_are_those_of_the_interpreter(monkeypatch):
    random, sizes = np.random.default_rng(5), np.array([12, 20, 30, 40, 3, 9])
    columns = [random.integers(0, sizes[at], 400) for at in (0, 1, 2, 3, 4, 5)]
    mix, each = np.array([10.0, 15.0, 2.0]), np.array([0.1, 0.1, 0.2])
    origins = np.arange(400) % 3
    compiled, interpreted = compiled_and_interpreted(
        topic_sum._PASS, monkeypatch, *columns, sizes, mix, each, random.random(400), origins
    )
    assert compiled.tolist() == interpreted.tolist()
    assert set(interpreted.tolist()) == {0, 1, 2}
    assert compiled.tolist() != origins.tolist()


def test_a_small_study_is_scored_without_a_compiler():
    code = (
        "import sys; from core.metrics.registry import parse; from core.scoring.study_resources import "
        "StudyResources; from core.domain.study import Text, TopicTexts;"
        "reference, summary = Text('A', 'A', 'a b c\\nd e'), Text('s', 's', 'a c\\nd e f');"
        "topic = TopicTexts('T', 'T', references=(reference,), summaries=(summary,));"
        "specs = ['rouge-n', 'rouge-l', 'rouge-w', 'rouge-s', 'rouge-su'];"
        "metrics = [parse(spec) for spec in specs];"
        "[m.score(m.prepare(topic, StudyResources(None))) for m in metrics];"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def random_topic(random):
    """Four references and five summaries of some sentences, over few words."""

    def text():
        return [
            " ".join(random.choice(list("abcdefghij"), random.integers(0, 12)))
            for _ in range(random.integers(0, 5))
        ]

    return topic_of({str(i): text() for i in range(4)}, {str(i): text() for i in range(5)})


def test_texts_to_compare_are_numbered_again_only_where_they_differ():
    """Metrics of a topic share the arrays; other texts, also if only counted, have their own."""
    resources, metric = StudyResources(), parse("rouge-l")
    one, other = (
        metric.prepare(topic_of({"R1": "a cat sat", "R2": "birds sang"}, {"s": summary}), resources)
        for summary in ("the cat sat", "the dog ran off")
    )
    groups = [
        (prepared.summaries, prepared.references, prepared.counted_summaries, prepared.counted_references)
        for prepared in (one, other, one)
    ]
    first, second, again = (lcs.lcs_input(*texts) for texts in groups)
    assert again is first
    assert (len(first.summaries.ids), len(second.summaries.ids)) == (3, 4)
    fewer = lcs.lcs_input(*groups[0][:2], groups[1][2], groups[0][3])
    assert (len(first.counted_summaries.ids), len(fewer.counted_summaries.ids)) == (3, 4)
    assert fewer.summaries.ids.tolist() == first.summaries.ids.tolist()
