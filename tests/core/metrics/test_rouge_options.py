"""ROUGE-W, -S and -SU, length limits and the best reference: by hand and against published values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.metrics.base import Pool
from core.metrics.registry import parse
from core.text.truncation import TextLimit
from tests.core.metrics.scored import of_pair as both
from tests.core.metrics.scored import values

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=9)


# ROUGE-S and -SU ------------------------------------------------------------------------------------------


def test_lins_example_of_skip_bigrams(make_topic, resources):
    # Lin 2004, §5: three, one and two of the six pairs of "police killed the gunman".
    written = ["police kill the gunman", "the gunman kill police", "the gunman police killed"]
    topic = make_topic({"A": "police killed the gunman"}, dict(zip("123", written, strict=True)))
    assert values("rouge-s:gap=-1", topic, resources)[:, 2].tolist() == [0.5, 0.16667, 0.33333]


def test_lins_example_of_a_reversed_sentence(make_topic, resources):
    # Lin 2004, §5.2: no pair is left in order; with single words there is something to count.
    pair = ("police killed the gunman", "gunman the killed police")
    assert both("rouge-s:gap=-1", *pair, make_topic, resources) == [0.0, 0.0, 0.0]
    # gunman, the, killed of the summary; police, killed, the of the reference: two are shared, of 9 units.
    assert both("rouge-su:gap=-1", *pair, make_topic, resources) == [0.22222, 0.22222, 0.22222]


@pytest.mark.parametrize(("gap", "recall"), [(0, 0.33333), (1, 0.4), (2, 0.5), (-1, 0.5)])
def test_a_gap_is_the_maximum_number_of_words_between(gap, recall, make_topic, resources):
    # a b c d has 3, 5, 6 pairs with gaps of 0, 1, 2; the other text has (c, d), then (a, c), then (a, d) too.
    assert both(f"rouge-s:gap={gap}", "a b c d", "a x c d", make_topic, resources)[0] == recall


def test_one_word_has_no_unit_even_against_itself(make_topic, resources):
    assert both("rouge-su", "word", "word", make_topic, resources) == [0.0, 0.0, 0.0]


def test_skip_bigrams_cross_sentences(make_topic, resources):
    assert both("rouge-s:gap=0", ["a b", "c d"], ["b c"], make_topic, resources) == [0.33333, 1.0, 0.5]


@pytest.mark.parametrize(
    ("spec", "measure"),
    [("rouge-s:gap=-1", "rouge-s*"), ("rouge-su:gap=9", "rouge-su9"), ("rouge-w:weight=1.2", "rouge-w-1.2")],
)
def test_a_measure_is_called_as_rouge_155_prints_it(spec, measure):
    assert parse(spec).measures()[0] == f"{measure}.recall"


@given(WORDS, WORDS, st.integers(0, 9))
def test_a_gap_as_wide_as_the_text_is_unlimited(make_topic, resources, one, other, more):
    wide = max(len(one), len(other)) + more
    pair = (" ".join(one), " ".join(other))
    assert both(f"rouge-s:gap={wide}", *pair, make_topic, resources) == both(
        "rouge-s:gap=-1", *pair, make_topic, resources
    )


@given(WORDS, WORDS)
def test_pairs_without_a_gap_are_bigrams(make_topic, resources, one, other):
    pair = (" ".join(one), " ".join(other))
    bigrams = both("rouge-n:n=2", *pair, make_topic, resources)
    assert both("rouge-s:gap=0", *pair, make_topic, resources) == bigrams


# ROUGE-W --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reference", "precision"), [("a b c d h i k", 0.57143), ("a h b k c i d", 0.28571)])
def test_lins_example_of_unbroken_runs(reference, precision, make_topic, resources):
    # Lin 2004, §4: seven words with a run of four, 0.571, and with four runs of one, 0.286; ROUGE-L cannot
    # tell them apart. The script looks for runs in the reference.
    assert both("rouge-w:weight=2", reference, "a b c d e f g", make_topic, resources)[1] == precision
    assert both("rouge-l", reference, "a b c d e f g", make_topic, resources)[1] == 0.57143


def test_recall_is_weighed_twice(make_topic, resources):
    # Ten words against themselves: R = 10^-0.2, and F of R and 1.
    ten = "a b c d e f g h i j"
    assert both("rouge-w:weight=1.2", ten, ten, make_topic, resources) == [0.63096, 1.0, 0.77373]


def test_a_run_whose_last_word_is_clipped_continues_in_the_next(make_topic, resources):
    # "b" is used up by the first sentence, so "a" does not end its run there: 1 + 2² of (1 + 4²)², 3².
    actual = both("rouge-w:weight=2", ["b", "a b q c"], ["a b c"], make_topic, resources)
    assert actual[:2] == [round((5 / 17**2) ** 0.5, 5), round((5 / 9) ** 0.5, 5)]


def test_a_run_that_is_open_at_the_end_of_its_sentence_is_lost(make_topic, resources):
    actual = both("rouge-w:weight=2", ["b", "a b q"], ["a b"], make_topic, resources)
    assert actual[:2] == [round((1 / 10**2) ** 0.5, 5), round((1 / 4) ** 0.5, 5)]


@given(WORDS, WORDS)
def test_where_runs_do_not_matter_and_sentences_are_one_w_is_l(make_topic, resources, one, other):
    pair = (" ".join(one), " ".join(other))
    weighed = both("rouge-w:weight=1", *pair, make_topic, resources)
    assert weighed == both("rouge-l", *pair, make_topic, resources)


# Limits ---------------------------------------------------------------------------------------------------


def test_a_word_limit_counts_words_separated_by_spaces(make_topic, resources):
    # Two words by blanks are "well-known" and "cat."; the third, "sat", is cut off.
    assert both("rouge-n:n=1,words=2", "well-known cat. sat", "sat", make_topic, resources)[0] == 0.0
    assert both("rouge-n:n=1,words=3", "well-known cat. sat", "sat", make_topic, resources)[0] == 0.25


@pytest.mark.parametrize(
    ("sentences", "limit", "remaining"),
    [
        (["a b", "c d e"], 4, ["a b", "c d"]),
        (["a b", "c d e"], 5, ["a b", "c d e"]),
        (["a b", " c d"], 3, ["a b", ""]),  # the blank in front makes an empty word
        (["a b", "", "c"], 3, ["a b", "", "c"]),
        (["a\xa0b c"], 1, ["a\xa0b"]),  # bytes of UTF-8 are no blank to Perl
    ],
)
def test_words_are_counted_across_sentences(sentences, limit, remaining):
    assert limited(sentences, TextLimit(words=limit)) == remaining


@pytest.mark.parametrize(
    ("sentences", "limit", "remaining"),
    [
        (["aaa", "bbb"], 5, ["aaa", "bb"]),
        (["aaa", "bbb"], 6, ["aaa", "bbb"]),
        (["aaa", "bbb", "c"], 6, ["aaa", "bbb"]),
        (["naïve"], 3, ["na"]),  # the limit lies within a letter
        (["naïve"], 4, ["naï"]),
    ],
)
def test_bytes_are_counted_without_spaces_between_sentences(sentences, limit, remaining):
    assert limited(sentences, TextLimit(bytes=limit)) == remaining


def test_sequences_are_sought_beyond_a_byte_limit(make_topic, resources):
    # 8 bytes are the first sentence and one letter, three words; all six words are looked at for sequences.
    text = ["aaa bbb", "ccc ddd", "eee fff"]
    assert both("rouge-l:bytes=8", text, text, make_topic, resources) == [0.33333, 0.66667, 0.44444]
    assert both("rouge-n:n=1,bytes=8", text, text, make_topic, resources) == [1.0, 1.0, 1.0]


def test_two_limits_are_refused():
    with pytest.raises(BadSetting, match="both limit"):
        parse("rouge-l:words=10,bytes=10")


@given(st.text("ab é.\n", max_size=40), st.integers(1, 30))
def test_a_limit_keeps_a_beginning_of_the_text(resources, make_topic, content, limit):
    text = make_topic({}, {"s": content}).summaries[0]
    for extent in (TextLimit(words=limit), TextLimit(bytes=limit)):
        spans = extent.limit(content, ((0, len(content)),))
        remaining = "".join(content[a:b] for a, b in spans)
        assert content.startswith(remaining)
        assert len(remaining.split()) <= limit if extent.words else len(remaining.encode()) <= limit
    assert text.content == content


def limited(sentences, extent):
    content = "\n".join(sentences)
    ends = np.cumsum([len(sentence) + 1 for sentence in sentences]).tolist()
    spans = [(end - len(sentence) - 1, end - 1) for sentence, end in zip(sentences, ends, strict=True)]
    return [content[start:end] for start, end in extent.limit(content, spans)]


# References -----------------------------------------------------------------------------------------------


def test_the_best_reference_is_the_one_with_the_highest_recall(make_topic, resources):
    # Recall 2/4 and 1/1: the second counts, though the first has the higher precision.
    topic = make_topic({"A": "a b c d", "B": "a"}, {"s": "a b x"})
    assert values("rouge-n:n=1,pooling=best", topic, resources)[0].tolist() == [1.0, 0.33333, 0.5]
    assert parse("rouge-n:pooling=best").pool is Pool.MAX
    assert parse("rouge-n").pool is Pool.SUM


def test_of_equally_good_references_the_first_counts(make_topic, resources):
    topic = make_topic({"A": "a b", "B": "a b c d"}, {"s": "a c"})
    assert values("rouge-n:n=1,pooling=best", topic, resources)[0].tolist() == [0.5, 0.5, 0.5]
    swapped = make_topic({"A": "a b c d", "B": "a b"}, {"s": "a c"})
    assert values("rouge-n:n=1,pooling=best", swapped, resources)[0].tolist() == [0.5, 1.0, 0.66667]
