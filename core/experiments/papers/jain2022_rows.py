"""The rows of WIDAR's tables: what Jain et al. 2022 compare, by what they call it."""

from __future__ import annotations

from core.experiments.inputs.measure_inputs import Wanted

OTHERS = (
    Wanted("ROUGE-1", "rouge-n:n=1,stem=yes", "rouge-1.f"),
    Wanted("ROUGE-2", "rouge-n:n=2,stem=yes", "rouge-2.f"),
    Wanted("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    Wanted("BLEU", "bleu:case=lc"),
    Wanted("METEOR", "meteor"),
    Wanted("CHRF", "chrf"),
    Wanted("CIDEr", "cider"),
    Wanted("MoverScore", "moverscore:mode=v1", own="moverscore:mode=v1,encoder=bert-base-mnli"),
    Wanted("SMS", "sms:mode=sms", own="sms:mode=sms,vectors=glove-840b"),
    Wanted(
        "ROUGE-WE", "rouge-we:mode=s3,n=3", "rouge-we-3-s3.f", own="rouge-we:mode=s3,n=3,vectors=deps.words"
    ),
    Wanted("BERTScore", "bertscore", own="bertscore:encoder=bert-base-uncased,layer=8,idf=yes"),
    Wanted("S3", "s3", learned="s3-best"),
    Wanted("BLANC", "blanc-tune"),
    Wanted("SUPERT", "supert", own="supert:encoder=bert-large-nli-stsb"),
    Wanted("SummaQA", "summaqa:mode=toolkit"),
)
"""Table 3's other metrics, of each the variant of an F-score where it has several."""

WIDARS = (
    Wanted("WIDAR-1", "widar:variant=1"),
    Wanted("WIDAR-2", "widar:variant=2"),
    Wanted("WIDAR-L", "widar"),
)
ABLATION = (
    Wanted("WIDAR-L", "widar"),
    Wanted("ROUGE-L weighted", "widar:part=weighted"),
    Wanted("without redundancy", "widar:part=coverage"),
    Wanted("without coverage", "widar:part=redundancy"),
    Wanted("ROUGE-L by sentence", "widar:part=sentences"),
    Wanted("ROUGE-L", "rouge-l:stem=yes", "rouge-l.f"),
    Wanted("IDSS", "idss"),
)
SIMILARITIES = tuple(
    Wanted(f"ROUGE-{n}-{letter}", f"idss:similarity=rouge-{n.lower()}.{part}")
    for n in ("1", "2", "L")
    for letter, part in (("R", "recall"), ("F", "f"))
)
TIMED = ("BLANC", "SUPERT", "MoverScore", "BERTScore", "SummaQA")
"""In the order of Table 4."""
