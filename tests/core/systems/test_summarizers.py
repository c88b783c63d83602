"""Each summarizer against a case worked by hand and a plain restatement of its paper on real texts."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from core.domain.study import Text, TopicTexts, join_sentences
from core.metrics import registry as metrics
from core.scoring.study_resources import StudyResources
from core.systems import registry
from core.systems.base import Summarizer
from core.systems.fragments import fragments
from core.systems.kl_sum import KlSum
from core.systems.lda import LdaSummarizer
from core.systems.lexrank import LexRank, stationary
from core.systems.lsa import LsaSummarizer
from core.systems.luhn import Luhn
from core.systems.mmr import MaximalMarginalRelevance
from core.systems.run import source_of
from core.systems.source import CollectionCounts, Source, count_collection
from core.systems.sumbasic import SumBasic
from core.systems.textrank import TextRank
from core.systems.topic_sum import TopicSum
from storage.study_file import open_study

PLAIN = {"stem": False, "stop_words": False}


def document(*sentences: str, name: str = "d") -> Text:
    content, spans = join_sentences(sentences)
    return Text(name, name, content, spans)


def source(summarizer: Summarizer, *documents: Sequence[str], **more: object) -> Source:
    texts = tuple(document(*sentences, name=f"d{place}") for place, sentences in enumerate(documents))
    topic = TopicTexts("t", "t", documents=texts, **more)
    return source_of(topic, summarizer, count_collection(texts, summarizer.analysis))


@pytest.fixture(scope="module")
def topic(sample_file) -> TopicTexts:
    with open_study(sample_file) as study:
        return study.texts.topic(study.texts.topics()[0].id)


@pytest.fixture
def read(topic):
    """Return what a summarizer reads of the sample's first topic."""

    def of(summarizer: Summarizer) -> Source:
        return source_of(topic, summarizer, count_collection(topic.documents, summarizer.analysis))

    return of


def first(ranked: Iterable[int], count: int = 8) -> list[int]:
    return list(islice(ranked, count))


def test_lead_takes_documents_in_turn_or_one():
    texts = ["a1", "a2"], ["b1"], ["c1", "c2"]
    lead = registry.parse("lead:words=4")
    assert lead.summarize(source(lead, *texts)) == ("a1", "a2", "b1", "c1")
    last = registry.parse("lead:documents=last")
    assert last.summarize(source(last, *texts)) == ("c1", "c2")
    lead3 = registry.parse("lead-3")
    assert lead3.summarize(source(lead3, [f"s{n}" for n in range(5)])) == ("s0", "s1", "s2")


def test_random_is_a_permutation_that_depends_on_seed_and_topic(read):
    drawn = [
        first(registry.parse(f"random:seed={seed}").rank(read(registry.parse("random"))), 999)
        for seed in (0, 0, 1)
    ]
    assert drawn[0] == drawn[1] != drawn[2]
    assert sorted(drawn[0]) == list(range(len(drawn[0])))


class TestLuhn:
    def test_by_hand(self):
        """Significant: river, flood. Sentence 1 has both with two words between: 2² / 4."""
        luhn = Luhn(gap=2, **PLAIN)
        text = source(luhn, ["river a b flood", "river a b c flood", "x river flood y river", "river"])
        significant = [[word in ("river", "flood") for word in one.words] for one in text.sentences]
        assert [luhn._score(row) for row in significant] == [1.0, 0.0, 9 / 4, 0.0]

    def test_against_a_restatement(self, read):
        luhn = Luhn(frequency=3, gap=4)
        text = read(luhn)
        counts = Counter(word for one in text.sentences for word in one.terms)

        def score(words: Sequence[str | None]) -> float:
            is_frequent = [word is not None and counts[word] >= 3 for word in words]
            text = "".join("x" if frequent else "." for frequent in is_frequent)
            clusters = [found.group() for found in re.finditer(r"x(?:\.{0,4}x)+", text)]
            return max((cluster.count("x") ** 2 / len(cluster) for cluster in clusters), default=0.0)

        scores = [score(one.words) for one in text.sentences]
        assert list(luhn.rank(text)) == sorted(range(len(scores)), key=lambda place: (-scores[place], place))


class TestSumBasic:
    def test_by_hand(self):
        """x and y have 3 of 11 words each. By word: x, best in 2; by sentence: 3 has the highest mean."""
        texts = ["x a b", "x c d", "x e", "y y y"]
        basic = SumBasic(**PLAIN)
        assert list(basic.rank(source(basic, texts))) == [2, 3, 0, 1]
        free = SumBasic(choice="sentence", **PLAIN)
        assert list(free.rank(source(free, texts))) == [3, 2, 0, 1]

    @pytest.mark.parametrize("choice", ["word", "sentence"])
    def test_against_a_restatement(self, read, choice):
        basic = SumBasic(choice=choice)
        text = read(basic)
        sentences = [one.terms for one in text.sentences]
        counts = Counter(word for terms in sentences for word in terms)
        p = {word: count / counts.total() for word, count in counts.items()}
        left = [place for place, terms in enumerate(sentences) if terms]
        expected = []
        while left:
            candidates = left
            if choice == "word":
                present = [word for word in p if any(word in sentences[place] for place in left)]
                top = max(present, key=lambda word: p[word])
                candidates = [place for place in left if top in sentences[place]]
            mean = {at: sum(p[word] for word in sentences[at]) / len(sentences[at]) for at in candidates}
            best = max(candidates, key=lambda at: (round(mean[at], 12), -at))
            expected.append(best)
            left = [place for place in left if place != best]
            for word in set(sentences[best]):
                p[word] **= 2
        assert first(basic.rank(text), 20) == expected[:20]


class TestLexRank:
    def test_degrees_by_hand(self):
        """Sentence 1 shares a word with 0 and 2, which share none; each is linked to itself."""
        lexrank = LexRank(mode="degree", idf="none", redundancy=1.0, **PLAIN)
        text = source(lexrank, ["a b", "b c", "c d", "e"])
        assert list(lexrank.rank(text)) == [1, 0, 2, 3]

    def test_the_walk_is_stationary(self):
        weights = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.2], [0.0, 0.0, 0.0]])
        shares = stationary(weights, 0.15)
        walk = np.array([[2 / 3, 1 / 3, 0], [5 / 17, 10 / 17, 2 / 17], [1 / 3, 1 / 3, 1 / 3]])
        solved = np.linalg.solve(np.eye(3) - 0.85 * walk.T, np.full(3, 0.05))
        assert shares == pytest.approx(solved, abs=1e-10)
        assert shares.sum() == pytest.approx(1)

    @pytest.mark.parametrize("mode", ["degree", "lexrank", "continuous"])
    def test_against_a_restatement(self, read, mode):
        damping = 0.15 if mode == "degree" else 0.2
        lexrank = LexRank(mode=mode, damping=damping, idf="sentences", redundancy=0.6)
        text = read(lexrank)
        sentences = [Counter(one.terms) for one in text.sentences]
        count = len(sentences)
        df = Counter(word for words in sentences for word in words)
        idf = {word: math.log(count / number) for word, number in df.items()}

        def cosine(a: Counter[str], b: Counter[str]) -> float:
            norms = [math.sqrt(sum((tf * idf[w]) ** 2 for w, tf in one.items())) for one in (a, b)]
            return sum(a[w] * b[w] * idf[w] ** 2 for w in a) / (norms[0] * norms[1]) if all(norms) else 0.0

        similarity = [[cosine(a, b) for b in sentences] for a in sentences]
        if mode == "continuous":
            edges = similarity
        else:
            edges = [[1.0 if value > 0.1 else 0.0 for value in row] for row in similarity]
        scores = [sum(row) for row in edges]
        if mode != "degree":
            matrix = [[value / sum(row) if sum(row) else 1 / count for value in row] for row in edges]
            walk = np.eye(count) - 0.8 * np.array(matrix).T
            scores = list(np.linalg.solve(walk, np.full(count, 0.2 / count)))
        expected: list[int] = []
        for at in sorted(range(count), key=lambda place: (-round(scores[place], 9), place)):
            if all(similarity[at][other] <= 0.6 for other in expected):
                expected.append(at)
        assert first(lexrank.rank(text), 12) == expected[:12]


class TestTextRank:
    def test_weights_by_hand(self):
        """One common word, of two and three: 1 / (ln 2 + ln 3). Two sentences of one word have no edge."""
        from core.systems.textrank import overlaps

        textrank = TextRank(**PLAIN)
        weights = overlaps(source(textrank, ["a b", "b c d", "a", "a"]))
        assert weights[0, 1] == pytest.approx(1 / (math.log(2) + math.log(3)))
        assert weights[2, 3] == 0
        assert weights[0, 2] == pytest.approx(1 / math.log(2))
        assert not weights.diagonal().any()

    def test_against_a_restatement(self, read):
        textrank = TextRank()
        text = read(textrank)
        sentences = [one.terms for one in text.sentences]
        count = len(sentences)
        weights = np.zeros((count, count))
        for i in range(count):
            for j in range(count):
                logs = sum(math.log(len(sentences[k])) if sentences[k] else 0 for k in (i, j))
                if i != j and logs > 0:
                    weights[i, j] = len(set(sentences[i]) & set(sentences[j])) / logs
        shares = [row / row.sum() if row.any() else np.full(count, 1 / count) for row in weights]
        scores = np.ones(count)
        for _ in range(120):  # the paper's formula, which sums to the number of sentences
            scores = 0.15 + 0.85 * np.array(
                [sum(s[i] * v for s, v in zip(shares, scores, strict=True)) for i in range(count)]
            )
        expected = sorted(range(count), key=lambda place: (-round(scores[place], 8), place))
        assert first(textrank.rank(text), 12) == expected[:12]

    def test_fifty_words_is_the_default(self, read):
        assert sum(len(one.split()) for one in TextRank().summarize(read(TextRank()))) == 50


class TestLsa:
    @pytest.mark.parametrize("mode", ["gong-liu", "steinberger-jezek"])
    def test_against_numpys_svd(self, read, mode):
        lsa = LsaSummarizer(mode=mode, weight="tf-idf")
        text = read(lsa)
        count = len(text.sentences)
        matrix = np.zeros((len(text.vocabulary), count))
        df = Counter(word for one in text.sentences for word in set(one.terms))
        for place, one in enumerate(text.sentences):
            for word in one.terms:
                matrix[text.vocabulary[word], place] += math.log(count / df[word])
        _, values, topics = np.linalg.svd(matrix, full_matrices=False)
        if mode == "gong-liu":
            expected: list[int] = []
            for topic in np.abs(topics)[:10]:
                order = sorted(range(count), key=lambda at, row=topic: (-round(row[at], 9), at))
                expected.append(next(at for at in order if at not in expected))
        else:
            kept = values >= values[0] / 2
            lengths = np.sqrt(((topics[kept].T * values[kept]) ** 2).sum(axis=1))
            expected = sorted(range(count), key=lambda at: (-round(lengths[at], 9), at))[:10]
        assert first(lsa.rank(text), 10) == expected

    def test_two_topics_by_hand(self):
        """Two groups of sentences without common words: one of each is taken, the larger group first."""
        lsa = LsaSummarizer(mode="gong-liu", **PLAIN)
        assert first(lsa.rank(source(lsa, ["c", "a b", "a b a b"])), 2) == [2, 0]


class TestMmr:
    def test_a_repetition_comes_last(self):
        mmr = MaximalMarginalRelevance(relevance=0.5, idf="none", **PLAIN)
        assert list(mmr.rank(source(mmr, ["a b", "a b c", "c d"]))) == [1, 2, 0]

    def test_the_query_and_the_earlier_set(self, topic):
        mmr = registry.parse("mmr:to=query,relevance=1.0")
        text = source(mmr, ["Dams break.", "Cows moo loudly.", "Birds sing."], query="Why do cows moo?")
        assert next(iter(mmr.rank(text))) == 1
        update = registry.parse("mmr:relevance=0.0")
        early = TopicTexts("e", "e", documents=(document("Dams break.", "Cows moo loudly."),))
        later = TopicTexts("u", "u", documents=(document("Dams break.", "Birds sing."),))
        known = count_collection(later.documents, update.analysis)
        assert next(iter(update.rank(source_of(later, update, known, early)))) == 1

    def test_against_a_restatement(self, read):
        mmr = MaximalMarginalRelevance(relevance=0.6, idf="none")
        text = read(mmr)
        rows = [Counter(one.terms) for one in text.sentences]
        whole = sum(rows, Counter())

        def cosine(a: Counter[str], b: Counter[str]) -> float:
            norms = [math.sqrt(sum(value**2 for value in one.values())) for one in (a, b)]
            return sum(a[word] * b[word] for word in a) / (norms[0] * norms[1]) if all(norms) else 0.0

        expected: list[int] = []
        while len(expected) < 10:
            values = {
                at: 0.6 * cosine(rows[at], whole)
                - 0.4 * max((cosine(rows[at], rows[other]) for other in expected), default=0.0)
                for at in range(len(rows))
                if at not in expected
            }
            expected.append(max(values, key=lambda at: (round(values[at], 9), -at)))
        assert first(mmr.rank(text), 10) == expected


def divergences(sentences: Sequence[Sequence[str]], target: dict[str, float], share: float) -> list[int]:
    """Return the first sentences of a greedy search for the lowest KL(target ‖ mixture), in plain loops."""
    chosen: list[int] = []
    while len(chosen) < 8:
        values = {}
        for at, terms in enumerate(sentences):
            if at in chosen or not terms:
                continue
            counts = Counter(word for place in (*chosen, at) for word in sentences[place])
            total = counts.total()
            values[at] = sum(
                p * math.log(p / ((1 - share) * counts[word] / total + share * p))
                for word, p in target.items()
                if p > 0
            )
        chosen.append(min(values, key=lambda at: (round(values[at], 9), at)))
    return chosen


class TestKlSum:
    def test_by_hand(self):
        """Half the words are a: "a b" has the distribution of the documents, KL = 0."""
        kl = KlSum(**PLAIN)
        assert next(iter(kl.rank(source(kl, ["a a a", "b b b", "a b"])))) == 2

    def test_against_a_restatement(self, read):
        kl = KlSum(smoothing=0.2)
        text = read(kl)
        counts = Counter(word for one in text.sentences for word in one.terms)
        target = {word: count / counts.total() for word, count in counts.items()}
        assert first(kl.rank(text)) == divergences([one.terms for one in text.sentences], target, 0.2)


class TestTopicModels:
    def test_lda_finds_the_words_of_its_topics(self, read):
        lda = LdaSummarizer(topics=3, iterations=5)
        text = read(lda)
        model = lda.content_model(text)
        assert model.sum() == pytest.approx(1)
        target = dict(zip(text.vocabulary, model, strict=True))
        assert first(lda.rank(text)) == divergences([one.terms for one in text.sentences], target, 0.1)

    def test_topic_sum_leaves_general_and_single_documents_words_out(self):
        model = TopicSum(samples=60, **PLAIN)
        flood, vote, goat = (f"{word} " * 20 + "said " * 20 for word in ("flood", "vote", "goat"))
        study = study_of(model, a=[[flood], [flood], [flood, goat]], b=[[vote], [vote], [vote]])
        found = model.content_frequencies(study)["a"]
        assert found["flood"] > 25
        assert max(found["said"], found["goat"]) < 10

    def test_topic_sum_depends_on_all_topics_and_not_on_which_are_summarized(self):
        model = TopicSum(samples=20, sentences=1, **PLAIN)
        study = study_of(
            model,
            a=[["it rained", "a dam broke"], ["it rained", "the dam broke"]],
            b=[["it rained", "they voted"], ["it rained", "a vote"]],
        )
        whole = [one.sentences for one in model.summarize_all(iter(study))]
        assert [model.summarize(topic) for topic in study] == whole
        assert [one.sentences for one in model.summarize_all(iter(study[1:]))] == whole[1:]
        alone = model.content_frequencies(study[:1])["a"]
        assert alone != model.content_frequencies(study)["a"]

    def test_the_sampler_against_a_restatement(self):
        model = TopicSum(samples=5, seed=4, **PLAIN)
        study = study_of(
            model,
            a=[["we saw a dam", "a dam broke"], ["a goat saw a dam"]],
            b=[["we saw a vote"], ["a vote saw", "we lost a vote"]],
        )
        words = [
            (term, (topic.name, place), topic.name, (topic.name, one.document))
            for topic in study
            for place, one in enumerate(topic.sentences)
            for term in one.terms
        ]
        size, drawn = len({term for term, *_ in words}), np.random.RandomState(4)
        kinds = [at % 3 for at in range(len(words))]
        found: Counter[tuple[str, str]] = Counter()
        for sample in range(5):
            points = drawn.random_sample(len(words))
            for at, (term, sentence, topic, document) in enumerate(words):
                rest = [(*words[other], kinds[other]) for other in range(len(words)) if other != at]
                mix = [sum(s == sentence and k == kind for _, s, _, _, k in rest) for kind in range(3)]
                general = [t for t, _, _, _, k in rest if k == 0]
                content = [t for t, _, o, _, k in rest if k == 1 and o == topic]
                single = [t for t, _, _, d, k in rest if k == 2 and d == document]
                weights = [
                    (mix[0] + 10.0) * (general.count(term) + 1.0) / (len(general) + 1.0 * size),
                    (mix[1] + 1.0) * (content.count(term) + 0.1) / (len(content) + 0.1 * size),
                    (mix[2] + 5.0) * (single.count(term) + 1.0) / (len(single) + 1.0 * size),
                ]
                point = points[at] * sum(weights)
                kinds[at] = 0 if point < weights[0] else 1 if point < weights[0] + weights[1] else 2
            if sample >= 2:
                found.update((word[2], word[0]) for word, kind in zip(words, kinds, strict=True) if kind == 1)
        for name, frequencies in model.content_frequencies(study).items():
            assert frequencies == pytest.approx({term: found[name, term] / 3 for term in frequencies})


def study_of(model: Summarizer, **topics: Sequence[Sequence[str]]) -> list[Source]:
    """Return what a summarizer reads of a study's topics, each a list of documents."""
    study: list[Source] = []
    for name, documents in topics.items():
        study.append(replace(source(model, *documents), name=name, topics=lambda: study))
    return study


class TestOracles:
    def test_fragments_by_hand(self):
        article = [*"abcdefaghaijk"]
        summary = [*"deagjkabz"]
        found = [article[start : start + length] for start, length in fragments(article, summary)]
        assert ["".join(words) for words in found] == ["de", "ag", "jk", "ab"]

    def test_fragments_are_written_as_in_the_documents_and_end_with_them(self):
        oracle = registry.parse("fragments")
        references = (Text("r", "r", "Yes, THE dam broke today, cows fled."),)
        text = source(oracle, ["The dam broke."], ["Today cows — fled far."], references=references)
        assert oracle.summarize(text) == ("The dam broke Today cows — fled",)
        assert registry.parse("fragments:words=2").summarize(text) == ("The dam",)

    def test_the_oracle_takes_what_raises_the_measure_most(self, topic):
        oracle = registry.parse("oracle:words=0,sentences=2,metric=rouge-n:n=1;stem=yes,measure=recall")
        few = TopicTexts("x", "x", documents=topic.documents[:2], references=topic.references)
        text = source_of(few, oracle, CollectionCounts({}, 0, {}))

        def recall(places: Sequence[int]) -> float:
            content, spans = join_sentences([text.sentences[place].text for place in sorted(places)])
            one = TopicTexts(
                "x", "x", references=topic.references, summaries=(Text("s", "s", content, spans),)
            )
            metric, resources = metrics.parse("rouge-n:n=1,stem=yes"), StudyResources()
            names = [name.rpartition(".")[2] for name in metric.measures()]
            return float(metric.score(metric.prepare(one, resources)).values[0, names.index("recall")])

        every = range(len(text.sentences))
        best = max(every, key=lambda place: recall([place]))
        second = max((place for place in every if place != best), key=lambda place: recall([best, place]))
        assert first(oracle.rank(text), 2) == [best, second]

    def test_oracles_say_so_and_others_see_no_references(self, topic):
        readers = [cls.name for cls in registry.summarizers() if cls.is_oracle]
        assert readers == ["fragments", "oracle"]
        assert not source_of(topic, registry.parse("lead"), CollectionCounts({}, 0, {})).references


class TestLimits:
    def test_words_are_cut_and_the_cut_sentence_is_last(self):
        lead = registry.parse("lead:words=5,documents=first")
        assert lead.summarize(source(lead, ["a b c", "d e f g"])) == ("a b c", "d e")
        assert lead.limited(source(lead, ["a b c", "d e f g"]).sentences, [1, 0]) == ("d e f g", "a")
        whole = registry.parse("lead:words=5,cut=sentence")
        assert whole.summarize(source(whole, ["a b c", "d e f g"])) == ("a b c",)
        assert whole.summarize(source(whole, ["a b c d e f", "g"])) == ("a b c d e",)

    def test_characters_count_the_line_breaks_between_sentences(self):
        lead = registry.parse("lead:words=0,characters=9,cut=sentence")
        assert lead.summarize(source(lead, ["abcd", "efgh", "i"])) == ("abcd", "efgh")
        short = registry.parse("lead:words=0,characters=8,cut=sentence")
        assert short.summarize(source(short, ["abcd", "efgh", "i"])) == ("abcd",)

    def test_equal_sentences_are_taken_once(self):
        lead = registry.parse("lead:words=0")
        assert lead.summarize(source(lead, ["A b.", "C d."], ["a b", "E f."])) == ("A b.", "C d.", "E f.")


EVERY = [cls.name for cls in registry.summarizers() if cls.name not in ("command", "model")]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize(
    "documents",
    [
        [],
        [[""]],
        [["The of and."]],
        [["One."]],
        [["Same words here."] * 4],
        [["今日は雨です。", "明日は晴れです。"], ["Дождь идёт.", "קר מאוד."]],
    ],
)
def test_unusual_documents_are_summarized_alike_each_time(name, documents):
    summarizer = registry.parse(name)
    references = (Text("r", "r", "One day the same words."),)
    text = source(summarizer, *documents, references=references)
    found = summarizer.summarize(text)
    assert found == summarizer.summarize(text)
    whole = " ".join(word for sentences in documents for one in sentences for word in one.split())
    assert all(word in whole for one in found for word in one.split())


@pytest.mark.parametrize("name", EVERY)
def test_the_signature_names_every_setting(name):
    summarizer = registry.parse(name)
    assert summarizer.signature.startswith(f"{name}|words:")
    assert summarizer.signature.endswith("|version:1")
    assert registry.parse(summarizer.spec) == summarizer
