"""Rows of WIDAR's tables under the names of Jain et al. 2022."""

from __future__ import annotations

from core.experiments.inputs.measure_inputs import MeasureSpec

OTHERS = (
    MeasureSpec("ROUGE-1", "rouge-n:n=1,stem=yes", "rouge-1.f"),
    MeasureSpec("ROUGE-2", "rouge-n:n=2,stem=yes", "rouge-2.f"),
    MeasureSpec("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    MeasureSpec("BLEU", "bleu:case=lc"),
    MeasureSpec("METEOR", "meteor"),
    MeasureSpec("CHRF", "chrf"),
    MeasureSpec("CIDEr", "cider"),
    MeasureSpec("MoverScore", "moverscore:mode=v1", own="moverscore:mode=v1,encoder=bert-base-mnli"),
    MeasureSpec("SMS", "sms:mode=sms", own="sms:mode=sms,vectors=glove-840b"),
    MeasureSpec(
        "ROUGE-WE", "rouge-we:mode=s3,n=3", "rouge-we-3-s3.f", own="rouge-we:mode=s3,n=3,vectors=deps.words"
    ),
    MeasureSpec("BERTScore", "bertscore", own="bertscore:encoder=bert-base-uncased,layer=8,idf=yes"),
    MeasureSpec("S3", "s3", learned="s3-best"),
    MeasureSpec("BLANC", "blanc-tune"),
    MeasureSpec("SUPERT", "supert", own="supert:encoder=bert-large-nli-stsb"),
    MeasureSpec("SummaQA", "summaqa:mode=toolkit"),
)
"""Other metrics of Table 3, the F variant of those that have several."""

WIDARS = (
    MeasureSpec("WIDAR-1", "widar:variant=1"),
    MeasureSpec("WIDAR-2", "widar:variant=2"),
    MeasureSpec("WIDAR-L", "widar"),
)
ABLATION = (
    MeasureSpec("WIDAR-L", "widar"),
    MeasureSpec("ROUGE-L weighted", "widar:part=weighted"),
    MeasureSpec("without redundancy", "widar:part=coverage"),
    MeasureSpec("without coverage", "widar:part=redundancy"),
    MeasureSpec("ROUGE-L by sentence", "widar:part=sentences"),
    MeasureSpec("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    MeasureSpec("IDSS", "idss"),
)
SIMILARITIES = tuple(
    MeasureSpec(f"ROUGE-{n}-{letter}", f"idss:similarity=rouge-{n.lower()}.{part}")
    for n in ("1", "2", "L")
    for letter, part in (("R", "recall"), ("F", "f"))
)
TIMED = ("BLANC", "SUPERT", "MoverScore", "BERTScore", "SummaQA")
"""Metrics in the order of Table 4."""
