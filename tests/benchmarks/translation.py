"""CPU time of METEOR, chrF, BLEU and CIDEr over SummEval, beside METEOR's jar, sacrebleu and pycocoevalcap.

1,600 summaries with eleven references each, from texts to scores, each program in a separate process. Ours
loads its compiled loops before; METEOR's jar starts its Java and reads its table, ours reads the numbers of
the table that an earlier run has stored. Values are compared.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Text, TopicTexts
from core.jit import Kernel
from core.models.catalogue.digests import digest_cache
from tests.benchmarks import apart, sized
from tests.benchmarks.made_studies import is_there
from tests.benchmarks.rouge import read_topics

Topics = list[TopicTexts]
Scores = NDArray[np.float64]


def main() -> None:
    if not is_there():
        return
    print("SummEval, 11 references             ours       peer   times as slow   largest difference")
    for name, (spec, peer) in pairs().items():
        if "jar" in name and not jar_is_there():
            print(f"  {name:<30} needs java and pycocoevalcap")
            continue
        if "paraphrases" in spec:
            if sized(False, True):
                continue  # reading the table takes longer than all else
            apart(measure, "ours", spec)
        (mine, seconds), (theirs, others) = apart(measure, "ours", spec), apart(measure, peer, spec)
        difference = np.abs(mine - theirs).max()
        print(f"  {name:<30} {seconds:7.2f} s {others:8.2f} s {others / seconds:11.1f} {difference:17.1e}")


def pairs() -> dict[str, tuple[str, str]]:
    """Return our metric and the function of a peer by the name of a row."""
    folder = jar().parent
    tables = f"synonyms={folder / 'meteor-1.5.jar'},paraphrases={folder / 'data' / 'paraphrase-en.gz'}"
    return {
        "METEOR, exact and stem (jar)": ("meteor:tok=norm,synonyms=none", "score_by_jar"),
        "METEOR, all modules (jar)": (f"meteor:tok=norm,{tables}", "score_by_jar"),
        "chrF (sacrebleu)": ("chrf", "score_by_chrf"),
        "BLEU (sacrebleu)": ("bleu", "score_by_bleu"),
        "CIDEr-D (pycocoevalcap)": ("cider", "score_by_cider"),
    }


def jar() -> Path:
    package = find_spec("pycocoevalcap")
    places = package.submodule_search_locations if package else None
    return Path(next(iter(places or ["."]))) / "meteor" / "meteor-1.5.jar"


def jar_is_there() -> bool:
    return shutil.which("java") is not None and jar().exists()


def measure(who: str, spec: str) -> tuple[Scores, float]:
    """Return scores and seconds."""
    score: Callable[[Topics, str], Scores] = globals().get(who, score_by_ours)
    topics = [collapsed(topic) for topic in read_topics()]
    if score is score_by_ours:
        digest_cache().use_folder(Path(tempfile.gettempdir()) / "pyramidion-benchmark")
        Kernel.always_compile()
        score(topics[:2], spec.partition(",paraphrases")[0])
    whose = resource.RUSAGE_CHILDREN if who == "score_by_jar" else None
    before = _children() if whose else time.process_time()
    scores = score(topics, spec)
    after = _children() if whose else time.process_time()
    return scores.ravel(), after - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def collapsed(topic: TopicTexts) -> TopicTexts:
    """Return a topic whose texts are one line each, as the jar reads them."""

    def lines(texts: tuple[Text, ...]) -> tuple[Text, ...]:
        return tuple(Text(text.id, text.name, " ".join(text.content.split())) for text in texts)

    return TopicTexts(
        topic.id, topic.name, references=lines(topic.references), summaries=lines(topic.summaries)
    )


def score_by_ours(topics: Topics, spec: str) -> Scores:
    from core.files.allowed_names import allowed_names
    from core.metrics.registry import parse
    from core.scoring.memory_study import MemoryStudy
    from core.scoring.study_resources import StudyResources

    allowed_names().named(spec)
    resources, metric = StudyResources(MemoryStudy(topics, "en")), parse(spec)
    return np.array([metric.score(metric.prepare(topic, resources)).values[:, 0] for topic in topics])


def score_by_jar(topics: Topics, spec: str) -> Scores:
    options = ["-a", str(jar().parent / "data" / "paraphrase-en.gz")] if "paraphrases" in spec else []
    options += [] if "paraphrases" in spec else ["-m", "exact stem"]
    with tempfile.TemporaryDirectory() as folder:
        here, there = Path(folder, "summaries"), Path(folder, "references")
        rows = [(summary, topic.references) for topic in topics for summary in topic.summaries]
        here.write_text("".join(f"{summary.content}\n" for summary, _ in rows), encoding="utf-8")
        there.write_text(
            "".join(f"{text.content}\n" for _, texts in rows for text in texts), encoding="utf-8"
        )
        command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar()), str(here), str(there)]
        command += ["-r", str(len(topics[0].references)), "-l", "en", "-norm", *options]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return np.array([float(line.split(":")[1]) for line in output.splitlines() if line.startswith("Segment")])


def score_by_chrf(topics: Topics, spec: str) -> Scores:
    from sacrebleu import CHRF

    best = []
    for topic in topics:
        peers = [CHRF(references=[[text.content]]) for text in topic.references]  # each reads its text once
        for text in topic.summaries:
            best.append(max(peer.corpus_score([text.content], None).score for peer in peers))
    return np.array(best)


def score_by_bleu(topics: Topics, spec: str) -> Scores:
    from sacrebleu import BLEU

    scores = []
    for topic in topics:
        references = [[text.content] for text in topic.references]
        peer = BLEU(effective_order=True, references=references)
        scores += [peer.corpus_score([text.content], None).score for text in topic.summaries]
    return np.array(scores)


def score_by_cider(topics: Topics, spec: str) -> Scores:
    from pycocoevalcap.cider.cider import Cider

    from core.text.stemming import snowball_stem

    def cut(text: Text) -> str:
        return " ".join(map(snowball_stem, re.findall(r"\w+", text.content.lower())))

    references = {topic.id: list(map(cut, topic.references)) for topic in topics}
    by_system = [
        Cider().compute_score(references, {topic.id: [cut(topic.summaries[place])] for topic in topics})[1]
        for place in range(len(topics[0].summaries))
    ]
    return np.transpose(by_system)


if __name__ == "__main__":
    main()
