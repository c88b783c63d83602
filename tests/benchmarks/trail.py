"""Time of the checks, and of the history in a study with many edits.

Run: .venv/bin/python -m tests.benchmarks trail
Checks of 20 SCUs on 4 references of 100 words and of 300 SCUs on 10 of 1,000; then 20,000 random edits of the
larger pyramid (created in a minute or two), whose history is read and restored. Ten repetitions each.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from core.annotation.checks import find_problems
from core.annotation.word_coverage import words
from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import TopicAnnotation
from core.domain.study import TopicTexts
from core.ports import Study
from storage.study_file import new_study
from tests.benchmarks import sized
from tests.benchmarks.edit_latency import LARGE, VOCABULARY

EDITS, REPEATS, AT_ONCE = sized((20_000, 10, 500), (40, 1, 20))


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, new_study(Path(folder) / "study.pyramidion") as study:
        study.import_data(
            ImportContent("benchmark", topics=[_topic("small", 4, 100), _topic("large", 10, 1000)])
        )
        ann = study.annotators.get_or_create("benchmark").id
        for head, scus in zip(study.texts.topics(), (LARGE, 20), strict=True):  # large stands before small
            topic = study.texts.topic(head.id)
            _annotate(study, topic, ann, scus)
            annotation = study.pyramids.annotation(topic.id, ann)
            _report(f"findings of {scus} SCUs", lambda a=annotation, t=topic: find_problems(a, t))
        large = study.texts.topic(study.texts.topics()[0].id)
        edits = _edit(study, large, ann)
        pyramid_id, scu = _ids(study, large.id, ann)
        _report("100 newest of a pyramid", lambda: study.edits.history(large.id, 100, pyramid_id=pyramid_id))
        _report("all of one SCU", lambda: study.edits.history(large.id, 100, scu_id=scu))
        for back in (10, sized(1_000, 20), EDITS - 1):
            edit_id = edits[-1 - back]
            _report(
                f"as it was {back:,} edits ago",
                lambda e=edit_id: study.pyramids.annotation_at(large.id, ann, e),
            )


def _topic(name: str, references: int, length: int) -> NewTopic:
    """Return a topic of sentences of ten words each."""
    chance = random.Random(name)

    def text() -> NewText:
        sentences = (" ".join(chance.choices(VOCABULARY, k=10)) for _ in range(length // 10))
        return NewText(" ".join(f"{sentence.capitalize()}." for sentence in sentences))

    return NewTopic(name, references={f"ref-{i}": text() for i in range(references)})


def _annotate(study: Study, topic: TopicTexts, annotator_id: str, scus: int) -> None:
    """Add SCUs of one to all references to a topic in one edit."""
    chance = random.Random(scus)
    before = after = study.pyramids.annotation(topic.id, annotator_id)
    for _ in range(scus):
        scu_id, label = pyramid.new_id(), " ".join(chance.choices(VOCABULARY, k=6))
        holders = chance.sample(topic.references, chance.randint(1, len(topic.references)))
        for reference in holders:
            known = words(reference.content)
            at = chance.randrange(len(known) - 4)
            spans = [(known[at][0], known[at + 3][1])]
            if reference is holders[0]:
                after = pyramid.add_scu(after, label, reference.id, spans, scu_id)
            else:
                after = pyramid.add_contributor(after, scu_id, reference.id, spans)
    study.pyramids.commit(before, after, "annotate", annotator_id).result()


def _ids(study: Study, topic_id: str, annotator_id: str) -> tuple[str, str]:
    """Return the ids of a pyramid and of its first SCU."""
    stored = study.pyramids.annotation(topic_id, annotator_id).pyramid
    return stored.id, stored.scus[0].id


def _edit(study: Study, topic: TopicTexts, annotator_id: str) -> list[str]:
    """Make random edits and return their ids in order."""
    chance = random.Random(11)
    state, ids, waiting = study.pyramids.annotation(topic.id, annotator_id), [], []
    for number in range(EDITS):
        after = _changed(state, topic, chance, number)
        waiting.append(study.pyramids.commit(state, after, "edit", annotator_id))
        state = after
        if len(waiting) == AT_ONCE or number == EDITS - 1:
            ids += [receipt.edit_id for future in waiting if (receipt := future.result()).edit_id]
            waiting.clear()
    return ids


def _changed(a: TopicAnnotation, topic: TopicTexts, chance: random.Random, number: int) -> TopicAnnotation:
    scu, reference = chance.choice(a.pyramid.scus), chance.choice(topic.references)
    at = chance.randrange(len(reference.content) - 30)
    match number % 5:
        case 0:
            return pyramid.set_label(a, scu.id, f"label {number}")
        case 1 | 2:
            return pyramid.add_contributor(a, scu.id, reference.id, [(at, at + 20)])
        case 3:
            return pyramid.remove_scu(a, scu.id)
    return pyramid.add_scu(a, f"unit {number}", reference.id, [(at, at + 20)])


def _report(what: str, do: Callable[[], object]) -> None:
    taken = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        do()
        taken.append(1000 * (time.perf_counter() - began))
    print(f"{what:28} median {median(taken):7.1f}  max {max(taken):7.1f} ms")


if __name__ == "__main__":
    main()
