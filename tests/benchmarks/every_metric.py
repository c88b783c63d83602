"""CPU time of every metric for 1,000 summaries, beside its peer where one is installed.

The sample's summaries, with their references, documents and pyramids, on one core. A metric scores one
summary before the clock starts, which loads its models and compiles its loops, and then topics until a few
seconds have passed; the time is scaled. Of a peer that is another program, starting it does not count. What
needs a model that the program does not contain gets one with random weights and MiniLM's size (6 layers of
width 384) and tokenizer: a published one takes longer by the ratio of their parameters. Prints a table in
Markdown; ``python -m tests.benchmarks.every_metric NAME…`` only some rows.
"""

from __future__ import annotations

import json
import pickle
import resource
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.study import TopicTexts
from core.files.allowed_names import NameKind, allowed_names
from core.jit import Kernel
from core.metrics import registry
from core.models.catalogue.alignscore import LABELS
from core.models.catalogue.comet import ARCHITECTURE, DOCUMENT, HEAD, REFERENCE, SUMMARY
from core.models.catalogue.lookup import find_model
from core.progress import run_to_completion
from core.scoring.study_resources import StudyResources
from storage.sample_study import create_sample
from tests.benchmarks import sized
from tests.benchmarks.rouge import score_by_rouge
from tests.benchmarks.translation import (
    jar_is_there,
    score_by_bleu,
    score_by_chrf,
    score_by_cider,
    score_by_jar,
)
from tests.perl_rouge import missing_requirements

Topics = Sequence[TopicTexts]

ENOUGH = sized(3.0, 0.0)
"""Seconds after which no further topic is scored."""

LAYERS, WIDTH, HEADS = sized((6, 384, 12), (1, 8, 1))
NLI = {0: "entailment", 1: "neutral", 2: "contradiction"}
PROGRAMS = ("ROUGE-1.5.5", "ROUGE-1.5.5 (with L)", "METEOR 1.5")
UNMEASURED = {"auto-nugget": "as its model answers", "external": "as its program"}
MINILM, RANDOM = "MiniLM", "random, of MiniLM's size"


def main(*names: str) -> None:
    allowed_names().allow(NameKind.PLACE, tempfile.gettempdir())
    with (
        tempfile.TemporaryDirectory() as folder,
        run_to_completion(create_sample(Path(folder) / "sample.pyramidion")) as study,
    ):
        _one_core()
        topics = [
            replace(topic, summaries=topic.summaries[: sized(None, 1)])
            for topic in list(study.texts.load())[: sized(None, 2)]
        ]
        every = specs(Path(folder))
        print("| metric | model | seconds per 1,000 summaries | peer |\n| --- | --- | --- | --- |")
        for kind in (one for one in registry.metrics() if not names or one.name in names):
            if kind.name in UNMEASURED:
                print(f"| `{kind.name}` | | {UNMEASURED[kind.name]} | |")
                continue
            spec, model = every.get(kind.name, (kind.name, ""))
            mine = measured(registry.parse(spec), StudyResources(study, "cpu", encoding_cache=0), topics)
            peer = _peer(kind.name, topics)
            settings = spec.partition(":")[2] if "/" not in spec else ""
            label = f"`{kind.name}`" + (f", `{settings}`" if settings else "")
            print(f"| {label} | {model} | {_figure(mine)} | {peer} |", flush=True)


def measured(metric: Any, resources: StudyResources, topics: Topics) -> float:
    """Return the seconds of one core for 1,000 summaries."""
    metric.score(metric.prepare(replace(topics[0], summaries=topics[0].summaries[:1]), resources))
    count, began = 0, _used()
    for topic in topics[1:]:
        metric.score(metric.prepare(topic, resources))
        count += len(topic.summaries)
        if _used() - began > ENOUGH:
            break
    return 1000 * (_used() - began) / count


def _used() -> float:
    """Return the CPU seconds of this process and of programs that it ran."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def _one_core() -> None:
    import torch

    torch.set_num_threads(1)
    if sized(True, False):
        Kernel.always_compile()


def _figure(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < 1 else f"{seconds:,.3g}" if seconds < 100 else f"{seconds:,.0f}"


def _peer(name: str, topics: Topics) -> str:
    """Return the name and the seconds of what else computes a metric; empty = nothing is installed."""
    if name not in PEERS:
        return ""
    label, is_there, score = PEERS[name]
    if not is_there():
        return ""
    score(topics[:1])  # imports and loads what it needs
    began = _used()
    score(topics)
    seconds, count = _used() - began, sum(len(topic.summaries) for topic in topics)
    if label in PROGRAMS:  # the difference of one and four times as many topics
        began = _used()
        score([replace(topic, id=f"{topic.id}-{k}") for k in range(4) for topic in topics])
        seconds = max(_used() - began - seconds, 0.0) / 3
    return f"{label}: {_figure(1000 * seconds / count)}"


def _by_rouge_score(kind: str) -> Callable[[Topics], object]:
    def score(topics: Topics) -> None:
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer([kind])
        for topic in topics:
            references = [text.content for text in topic.references]
            for summary in topic.summaries:
                scorer.score_multi(references, summary.content)

    return score


def _by_perl(*options: str) -> Callable[[Topics], object]:
    return lambda topics: score_by_rouge(["-d", *options], list(topics))


@cache
def _bert_scorer() -> Any:
    import bert_score

    model = find_model("minilm")
    return bert_score.BERTScorer(model_type=str(model.folder), num_layers=model.layer(0), device="cpu")


def _by_bert_score(topics: Topics) -> None:
    scorer = _bert_scorer()
    pairs = [(text.content, topic) for topic in topics for text in topic.summaries]
    scorer.score(
        [text for text, _ in pairs], [[one.content for one in topic.references] for _, topic in pairs]
    )


def _has(package: str) -> Callable[[], bool]:
    return lambda: find_spec(package) is not None


def _perl() -> bool:
    return not missing_requirements()


PEERS: dict[str, tuple[str, Callable[[], bool], Callable[[Any], object]]] = {
    "rouge-n": ("rouge-score", _has("rouge_score"), _by_rouge_score("rouge2")),
    "rouge-l": ("rouge-score", _has("rouge_score"), _by_rouge_score("rougeLsum")),
    "rouge-w": ("ROUGE-1.5.5 (with L)", _perl, _by_perl("-w", "1.2")),
    "rouge-s": ("ROUGE-1.5.5", _perl, _by_perl("-x", "-2", "4")),
    "rouge-su": ("ROUGE-1.5.5", _perl, _by_perl("-x", "-2", "4", "-u")),
    "bleu": ("sacrebleu", _has("sacrebleu"), lambda topics: score_by_bleu(topics, "")),
    "chrf": ("sacrebleu", _has("sacrebleu"), lambda topics: score_by_chrf(topics, "")),
    "cider": ("pycocoevalcap", _has("pycocoevalcap"), lambda topics: score_by_cider(topics, "")),
    "meteor": ("METEOR 1.5", jar_is_there, lambda topics: score_by_jar(topics, "")),
    "bertscore": ("bert-score", _has("bert_score"), _by_bert_score),
}
"""By metric: a program's name, whether it is installed, and what scores topics by it."""


def specs(folder: Path) -> dict[str, tuple[str, str]]:
    """Return the configuration of metrics that are not measured by their defaults, and its model."""
    nli = _bert(folder / "nli", "ForSequenceClassification", id2label=NLI)
    aligned = _bert(folder / "aligned", "ForSequenceClassification", id2label=dict(enumerate(LABELS)))
    rater = _bert(folder / "rater", "ForSequenceClassification", id2label={0: "LABEL_0"})
    masked, answering = _bert(folder / "masked", "ForMaskedLM"), _bert(folder / "qa", "ForQuestionAnswering")
    t5, bart, gpt2 = _t5(folder / "t5"), _bart(folder / "bart"), _gpt2(folder / "gpt2")
    asking = _bart(folder / "asking", ("<m>", "</m>"))
    random = {
        "blanc-help": f"blanc-help:masked_lm={masked}",
        "blanc-tune": f"blanc-tune:masked_lm={masked}" + sized("", ",finetune_epochs=1"),
        "summaqa": f"summaqa:qa={answering},entities=rules",
        "questeval": f"questeval:qg={t5},qa={t5},encoder=minilm,phrases=rules",
        "qafacteval": f"qafacteval:qg={asking},qa={answering},rater={rater},phrases=rules",
        **{name: f"{name}:nli={nli}" for name in ("fact-precision", "factcc", "minicheck", "summac")},
        "bleurt": f"bleurt:rater={rater}",
        "comet": f"comet:rater={_comet(folder / 'comet')}",
        "alignscore": f"alignscore:nli={aligned}",
        "lite-pyramid": f"lite-pyramid:nli={nli}",
        "bartscore": f"bartscore:lm={bart}",
        "unieval": f"unieval:lm={t5}",
        "likelihood": f"likelihood:lm={gpt2}",
        "judge": f"judge:lm={gpt2},least=0",
    }
    encoders = (
        "ancr",
        "bertscore",
        "cosine",
        "cosine-tokens",
        "enc-avg",
        "moverscore",
        "supert",
        "auto-pyramid",
    )
    vectors = ("rouge-we", "cosine-words", "sms")
    return {
        "rouge-s": ("rouge-s:gap=4", ""),
        "rouge-su": ("rouge-su:gap=4", ""),
        "be": ("be:elements=rules", ""),
        "meteor": ("meteor:tok=norm,synonyms=none", ""),
        "s3": (f"s3:model={_s3(folder / 's3')}", "random, 3,000 support vectors"),
        **{name: (spec, RANDOM) for name, spec in random.items()},
        **{name: (name, MINILM) for name in encoders},
        **{name: (name, f"{MINILM}'s word vectors") for name in vectors},
    }


def _saved(folder: Path, model: Any, limit: int = 512, marks: tuple[str, ...] = ()) -> Path:
    """Save a model with MiniLM's tokenizer, which is given marks, also of a text's beginning and end."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(find_model("minilm").folder)
    tokenizer.model_max_length = limit
    tokenizer.add_tokens(list(marks))
    tokenizer.bos_token, tokenizer.eos_token = tokenizer.cls_token, tokenizer.sep_token
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _bert(folder: Path, head: str, **changed: Any) -> Path:
    import transformers

    config = transformers.BertConfig(
        hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS, intermediate_size=4 * WIDTH,
        **changed,
    )  # fmt: skip
    return _saved(folder, getattr(transformers, f"Bert{head}")(config))


_MARKS = {"pad_token_id": 0, "bos_token_id": 101, "eos_token_id": 102, "decoder_start_token_id": 102}
_WORDS = 30522
"""Word pieces of MiniLM."""


def _t5(folder: Path) -> Path:
    import transformers

    config = transformers.T5Config(
        vocab_size=_WORDS, d_model=WIDTH, d_kv=WIDTH // HEADS, d_ff=4 * WIDTH, num_layers=LAYERS,
        num_heads=HEADS, **_MARKS,
    )  # fmt: skip
    return _saved(folder, transformers.T5ForConditionalGeneration(config))


def _bart(folder: Path, marks: tuple[str, ...] = ()) -> Path:
    import transformers

    config = transformers.BartConfig(
        vocab_size=_WORDS + len(marks), d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS,
        encoder_attention_heads=HEADS, decoder_attention_heads=HEADS, encoder_ffn_dim=4 * WIDTH,
        decoder_ffn_dim=4 * WIDTH, **_MARKS,
    )  # fmt: skip
    made = transformers.BartForConditionalGeneration(config)
    return _saved(folder, made, config.max_position_embeddings, marks)


def _comet(folder: Path) -> Path:
    """Save a random checkpoint of COMET, with a feed-forward network of the usual width."""
    import torch
    import transformers
    from safetensors.torch import load_file, save_file

    config = transformers.XLMRobertaConfig(
        vocab_size=_WORDS, hidden_size=WIDTH, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        intermediate_size=4 * WIDTH, max_position_embeddings=514, type_vocab_size=1, **_MARKS,
    )  # fmt: skip
    _saved(folder, transformers.XLMRobertaModel(config))
    sizes = (6 * WIDTH, 3072, 1024, 1)
    head = {"layers": torch.zeros(LAYERS + 1), "gamma": torch.ones(1)}
    for place, (inputs, outputs) in enumerate(pairwise(sizes)):
        head[f"estimator.ff.{3 * place}.weight"] = torch.randn(outputs, inputs) / inputs**0.5
        head[f"estimator.ff.{3 * place}.bias"] = torch.zeros(outputs)
    file = folder / "model.safetensors"
    named = {f"{HEAD}.{name}": tensor for name, tensor in head.items()}
    save_file({**load_file(file), **named}, file, {"format": "pt"})
    reads = {
        "reads": [SUMMARY, REFERENCE, DOCUMENT],
        "is_joint": False,
        "is_sparse": True,
        "is_normed": False,
    }
    own = {**reads, "activation": "tanh", "final_activation": ""}
    written = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**written, "architectures": [ARCHITECTURE], HEAD: own}))
    return folder


def _gpt2(folder: Path) -> Path:
    import transformers

    marks = {name: place for name, place in _MARKS.items() if name != "decoder_start_token_id"}
    config = transformers.GPT2Config(
        vocab_size=_WORDS, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS, n_positions=2048, **marks
    )
    return _saved(folder, transformers.GPT2LMHeadModel(config), config.n_positions)


def _s3(folder: Path) -> Path:
    """Save regressors as large as those of S3."""
    from sklearn.svm import SVR

    folder.mkdir()
    draw = np.random.default_rng(4)
    for target in ("pyr_score", "responsiveness"):
        learner = SVR(kernel="rbf", gamma=1 / 6).fit(
            draw.random((sized(3600, 40), 6)), draw.random(sized(3600, 40))
        )
        (folder / f"svr.{target}.en.pkl").write_bytes(pickle.dumps(learner, protocol=2))
    return folder


if __name__ == "__main__":
    main(*sys.argv[1:])
