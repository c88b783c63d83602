"""Recall of suggestions compared with the annotators of the sample study, and their time.

Each contributor of the sample is removed in turn and searched in its reference. It is found if a suggested
span and its parts share at least half of the characters in either. Then every summary is matched again from
nothing.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
from scipy.stats import kendalltau, pearsonr

from core.domain import pyramid
from core.domain.pyramid import Contributor, Match, Part, Scu, TopicAnnotation
from core.domain.pyramid.scores import score_summary
from core.domain.study import Span, Text, TopicTexts
from core.domain.topic_sets import INITIAL
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from core.suggestions.candidate_spans import candidate_spans, clauses, overlap_share
from core.suggestions.encoding import EncodedTexts, TextEncoderCache, texts_to_encode
from core.suggestions.matches import SummaryMatching
from core.suggestions.new_scus import MIN_COSINE as LEAST_COSINE
from core.suggestions.new_scus import suggest_scus
from core.suggestions.proposal import propose_annotation
from core.suggestions.ranking import suggest_contributors
from core.suggestions.stored import counterpart
from core.suggestions.suggestion import DismissedSuggestions, SuggestedSpan, Suggestion, SuggestionKind
from core.text.sentences import sentence_spans_of
from storage.sample_study import ANNOTATOR, create_sample
from tests.benchmarks import sized

V = TypeVar("V")

LEAST_OVERLAP = 0.5
NOTHING = DismissedSuggestions()
REFERENCES, WORDS = sized((10, 1000), (2, 50))
"""Numbers of references and words of the timed topic."""


@dataclass(frozen=True)
class Case:
    """A topic of the sample with its authors' annotation and encoded texts."""

    topic: TopicTexts
    annotation: TopicAnnotation
    readings: EncodedTexts


def sample_cases(reader: TextEncoderCache) -> list[Case]:
    """Return every initial topic of the sample, to which the numbers of the manual refer."""
    with (
        TemporaryDirectory() as folder,
        run_to_completion(create_sample(Path(folder) / "sample.pyramidion")) as study,
    ):
        owner = study.annotators.get_or_create(ANNOTATOR).id
        topics = (topic for topic in study.texts.load() if topic.set == INITIAL)
        pairs = [(topic, study.pyramids.annotation(topic.id, owner)) for topic in topics]
    pairs = pairs[: sized(len(pairs), 1)]
    return [
        Case(*pair, run_to_completion(reader.reading(texts_to_encode(*pair, pair[0].summaries))))
        for pair in pairs
    ]


def overlap(one: Iterable[Span], other: Iterable[Span]) -> float:
    """Return the characters in both divided by the characters in either."""
    mine, theirs = ({at for span in spans for at in range(*span)} for spans in (one, other))
    return len(mine & theirs) / len(mine | theirs)


def finds(spans: Iterable[Span], parts: Sequence[Part]) -> bool:
    return any(overlap([span], [part.span for part in parts]) >= LEAST_OVERLAP for span in spans)


def hidden_contributors(case: Case) -> Iterator[tuple[Text, Scu, Contributor]]:
    """Yield every contributor of an SCU with several contributors."""
    texts = {text.id: text for text in case.topic.references}
    for scu in case.annotation.pyramid.scus:
        for contributor in scu.contributors if scu.weight > 1 else ():
            yield texts[contributor.reference_id], scu, contributor


def report_contributors(cases: Sequence[Case]) -> None:
    ranks: list[int] = []
    total = reachable = 0
    for case in cases:
        for text, scu, hidden in hidden_contributors(case):
            without = pyramid.remove_contributor(case.annotation, scu.id, hidden.id)
            holders = {c.reference_id for c in scu.contributors}
            known = tuple(t for t in case.topic.references if t.id in holders)
            topic = replace(case.topic, references=known)  # of these, only `text` lacks the SCU now
            pairs = suggest_contributors(topic, without, scu.id, case.readings, NOTHING)
            hits = [r for r, one in enumerate(pairs, 1) if finds([one.places[0].span], hidden.parts)]
            ranks += hits[:1]
            total += 1
            reachable += finds(candidate_spans(text), hidden.parts)
    print(
        f"  contributors hidden in turn: {total}; a candidate of this kind exists for {reachable / total:.1%}"
    )
    for k in (1, 3, 5):
        print(f"    found among the first {k}: {sum(rank <= k for rank in ranks) / total:.1%}")


def report_matches(cases: Sequence[Case]) -> None:
    pairs: list[tuple[Suggestion, list[Match]]] = []
    expressed = 0
    for case in cases:
        owner = case.annotation.pyramid.annotator_id
        bare = replace(case.annotation, matches=())
        for summary in case.topic.summaries:
            matches = case.annotation.matches_of(summary.id, owner)
            expressed += len({match.scu_id for match in matches} - {None})
            matching = SummaryMatching(case.topic, bare, summary, owner, case.readings, NOTHING)
            for one in matching.unmatched():
                pairs.append((one, [match for match in matches if match.scu_id == one.scu_id]))
    right = [pair for pair in pairs if pair[1]]
    exact = sum(any(finds([one.places[0].span], m.parts) for m in matches) for one, matches in right)
    print(f"  matches: {len(pairs)} suggested for {expressed} SCUs that summaries express")
    print(f"    right SCU {len(right) / len(pairs):.1%}, and right words {exact / len(pairs):.1%}")
    print(f"    of what is expressed, suggested {len(right) / expressed:.1%}")


def report_new_scus(cases: Sequence[Case]) -> None:
    proposed = [
        (case, one)
        for case in cases
        for one in suggest_scus(case.topic, _without_scus(case), case.readings, NOTHING)
        if len(one.places) > 1
    ]
    pure = sum(_is_one_scu(case, one) for case, one in proposed)
    print(f"  new SCUs of several references, from nothing: {len(proposed)}")
    print(f"    all of it in one SCU of the authors {pure / len(proposed):.1%}")


def report_pyramids(cases: Sequence[Case]) -> None:
    """Compare modified scores of proposed pyramids with those of the annotators."""
    human, proposed = [], []
    for case in cases:
        made = propose_annotation(case.topic, case.readings, LEAST_COSINE)
        references = [text.id for text in case.topic.references]
        texts = [text for text in case.topic.summaries if text.id not in case.topic.humans]
        for rows, one in ((human, case.annotation), (proposed, made)):
            owner = one.pyramid.annotator_id
            scored = (score_summary(one.pyramid, one.matches_of(s.id, owner), references) for s in texts)
            rows.append([score.modified for score in scored])
    taus = [kendalltau(*pair).statistic for pair in zip(human, proposed, strict=True)]
    r = pearsonr(np.ravel(human), np.ravel(proposed)).statistic
    print(f"  pyramids proposed as a whole, modified scores: r {r:.3f}, tau by topic {np.mean(taus):.3f}")


def report_decisions(cases: Sequence[Case]) -> None:
    """Count which proposed SCUs and matches an annotator would accept, and what they would have to add.

    A proposed SCU is right if all of its words are in one SCU of the annotator; an SCU of the annotator is
    found if a right one is in it. Matches are compared by summary and the annotator's SCU that shares the
    words of the proposed one, as the window lists them.
    """
    scus = right = found = own = shared = 0
    proposed_pairs: set[tuple[str, str]] = set()
    own_pairs: set[tuple[str, str]] = set()
    for case in cases:
        made = propose_annotation(case.topic, case.readings, LEAST_COSINE)
        theirs = case.annotation.pyramid.scus
        holders = [_holder(case, scu) for scu in made.pyramid.scus]
        scus, own = scus + len(holders), own + len(theirs)
        right += sum(holder is not None for holder in holders)
        held = {holder.id for holder in holders if holder is not None}
        found += len(held)
        shared += sum(scu.weight > 1 and scu.id in held for scu in theirs)
        targets = {scu.id: counterpart(scu, theirs) for scu in made.pyramid.scus}
        proposed_pairs |= {
            (match.summary_id, target.id)
            for match in made.matches
            if match.scu_id is not None and (target := targets[match.scu_id]) is not None
        }
        owner = case.annotation.pyramid.annotator_id
        summaries = {match.summary_id for match in made.matches} | {s.summary_id for s in made.states}
        own_pairs |= {
            (match.summary_id, match.scu_id)
            for match in case.annotation.matches
            if match.annotator_id == owner and match.scu_id is not None and match.summary_id in summaries
        }
    heavy = sum(scu.weight > 1 for case in cases for scu in case.annotation.pyramid.scus)
    both = len(proposed_pairs & own_pairs)
    precision, recall = both / len(proposed_pairs), both / len(own_pairs)
    print(f"  proposed SCUs: precision {right / scus:.1%} of {scus}, recall {found / own:.1%} of {own}")
    print(f"    of the {heavy} SCUs of several references, found {shared / heavy:.1%}")
    print(f"  proposed matches: precision {precision:.1%}, recall {recall:.1%} of {len(own_pairs)}")
    keys = len(proposed_pairs) + len(own_pairs) - both
    print(f"    one key each: {keys / len(cases):.0f} a topic, of which {both / len(cases):.0f} accept")


def _holder(case: Case, proposed: Scu) -> Scu | None:
    """Return the annotator's SCU that holds all words of a proposed one, None = none does."""
    one = Suggestion(
        SuggestionKind.SCU,
        tuple(SuggestedSpan(c.reference_id, part.span) for c in proposed.contributors for part in c.parts),
        math.nan,
    )
    return next((scu for scu in case.annotation.pyramid.scus if _holds(scu, one)), None)


def _without_scus(case: Case) -> TopicAnnotation:
    return replace(case.annotation, matches=(), pyramid=replace(case.annotation.pyramid, scus=()))


def _is_one_scu(case: Case, suggestion: Suggestion) -> bool:
    return any(_holds(scu, suggestion) for scu in case.annotation.pyramid.scus)


def _holds(scu: Scu, suggestion: Suggestion) -> bool:
    """Return whether an SCU has all words of a suggestion."""

    def has(place: SuggestedSpan) -> bool:
        own = (c for c in scu.contributors if c.reference_id == place.text_id)
        return any(overlap_share(place.span, part.span) >= LEAST_OVERLAP for c in own for part in c.parts)

    return all(map(has, suggestion.places))


def large_topic(cases: Sequence[Case]) -> TopicTexts:
    """Return ten references of a thousand words: the sample's sentences with shuffled words.

    No sentence occurs twice.
    """
    chance = random.Random(5)
    known = [
        text.content[start:end]
        for c in cases
        for text in c.topic.references
        for start, end in sentence_spans_of(text)
    ]
    references = []
    for number in range(REFERENCES):
        sentences: list[str] = []
        while sum(len(sentence.split()) for sentence in sentences) < WORDS:
            drawn = chance.choice(known).split()
            sentences.append(" ".join(chance.sample(drawn, len(drawn))))
        references.append(Text(f"r{number}", f"{number}", " ".join(sentences)))
    return TopicTexts("large", "large", references=tuple(references))


def report_times(cases: Sequence[Case], reader: TextEncoderCache) -> None:
    topic = large_topic(cases)
    annotation = pyramid.add_scu(
        pyramid.empty("large", "ann"), "first", "r0", clauses(topic.references[0])[:1]
    )
    scu_id = annotation.pyramid.scus[0].id
    seconds, readings = _timed(lambda: run_to_completion(reader.reading(texts_to_encode(topic, annotation))))
    print(f"  a topic of {REFERENCES} references of {WORDS} words, on the CPU")
    print(f"    reading it once: {seconds:.1f} s")
    seconds, _ = _timed(lambda: suggest_contributors(topic, annotation, scu_id, readings, NOTHING))
    print(f"    contributors of an SCU: {1000 * seconds:.0f} ms")
    seconds, _ = _timed(lambda: suggest_scus(topic, annotation, readings, NOTHING))
    print(f"    new SCUs: {1000 * seconds:.0f} ms")


def _timed(work: Callable[[], V]) -> tuple[float, V]:
    began = time.perf_counter()
    result = work()
    return time.perf_counter() - began, result


def main() -> None:
    """Print recall and time of the suggestions."""
    reader = TextEncoderCache(StudyResources(requested_device="cpu"))
    cases = sample_cases(reader)
    report_contributors(cases)
    report_matches(cases)
    report_new_scus(cases)
    report_pyramids(cases)
    report_decisions(cases)
    report_times(cases, reader)


if __name__ == "__main__":
    main()
