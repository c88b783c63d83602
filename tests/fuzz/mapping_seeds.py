"""Excerpts of published files that mappings read: the same keys, with texts written for the tests.

The name is that of the format, followed by a word where there are several layouts.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

Files = dict[str, bytes]
A, B = "The bridge fell on Monday.", "Nobody was hurt."
STORY = "The bridge fell on Monday. Nobody was hurt. The court ruled."


def table(*rows: dict[str, Any]) -> bytes:
    """Return rows as CSV."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def jsonl(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _hallucination(kind: str, words: str, start: int, end: int, worker: int = 0) -> dict[str, Any]:
    about = {"bbcid": "1", "system": "PtGen", "summary": A, "hallucination_type": kind}
    places = {"hallucinated_span_start": start, "hallucinated_span_end": end, "worker_id": f"wid_{worker}"}
    return {**about, "hallucinated_span": words, **places}


def _factual(answer: str, worker: int, system: str = "PtGen") -> dict[str, Any]:
    about = {"bbcid": "1", "system": system, "summary": A if system == "PtGen" else B}
    return about | {"is_factual": answer, "worker_id": f"wid_{worker}"}


def _sentence(number: int, text: str, answer: str, why: str = "", kind: str = "") -> dict[str, Any]:
    about = {"doc_id": "N-1", "annotation_id": 1, "topic": "Bridges", "model_name": "model_A"}
    return about | {"sent_idx": number, "summ_sent": text, "sent_label": answer, "exp": why, "type": kind}


def _aggrefact(system: str, text: str, label: int) -> dict[str, Any]:
    about = {"dataset": "CLIFF", "origin": "xsum", "id": "7", "doc": STORY, "summary": text}
    return about | {"model_name": system, "label": label, "cut": "val", "DAE_score": 0.25, "DAE_label": 1}


def _assignment(worker: str, status: str, rating: int) -> dict[str, Any]:
    about = {"HITId": "h1", "Reward": "$0.04", "WorkerId": worker, "AssignmentStatus": status}
    items = {"Input.article": STORY, "Input.system_1": "lead", "Input.summary_1": A, "Input.summary_2": B}
    answers = {
        "Answer.coherence_1": rating,
        "Answer.coherence_2": rating + 1,
        "Answer.reason_2": "It is short.",
    }
    return about | items | answers


def _review(worker: int, rating: int) -> dict[str, Any]:
    ratings = {f"{name}-rating": rating + n for n, name in enumerate(("correctness", "selection", "overall"))}
    return {"annotations": [], "system": "bart", "worker_id": worker, **ratings, "overall-rank": 1}


_COMPARISON = {
    "info": {"id": "t1", "post": STORY, "title": "A bridge", "subreddit": "news"},
    "summaries": [{"text": A, "policy": "sup4", "note": "n"}, {"text": B, "policy": "sup4", "note": "m"}],
    "choice": 1,
    "worker": "w1",
    "batch": "b1",
    "split": "valid",
    "extra": 3,
}
_AXES = {
    "info": {"id": "t1", "article": STORY, "title": None},
    "summary": {"text": A, "policy": "ref", "axes": {"overall": 7, "accuracy": 6, "coverage": 5}},
    "worker": "w2",
}
_PAIR = {
    "article_id": "a1",
    "writer_id": "w1",
    "evaluator_id": "e1",
    "article_text": STORY,
    "writer_summary": A,
    "text-davinci-002_summary": B,
    "overall_writer_better": False,
    "informative_writer_better": "Equally Good",
}
_JUDGED = {
    "dataset": "d",
    "expert_annotator": "true",
    "annotations": [
        {"metric": "Fluency", "category": "graded", "prompt": "p", "worst": 1, "best": 6},
        {"metric": "Safe", "category": "categorical", "prompt": "p", "labels_list": ["No", "Yes"]},
    ],
    "instances": [
        {
            "id": 4,
            "instance": f"### Generated Summary\n\n{A}\n\n### Source Article\n\n{STORY}",
            "annotations": {
                "Fluency": {"mean_human": 4.5, "individual_human_scores": [4, 5]},
                "Safe": {"majority_human": "Yes", "individual_human_scores": ["Yes"]},
            },
        }
    ],
}
_BETTER = {
    "dataset": "d",
    "annotations": [{"metric": "quality", "labels_list": ["model_a", "model_b"]}],
    "instances": [
        {
            "id": "n0",
            "instance": {"input": STORY, "output_a": A, "output_b": B},
            "annotations": {"quality": {"individual_human_scores": ["model_b"]}},
        }
    ],
}
_STORY = {
    "metadata": {"passage_id": "50", "uid": "u", "license": ""},
    "document": f"<p>{A}</p><p>{B}</p>",
    "questions": [
        {
            "question_text": "What fell?",
            "question_number": 1,
            "responses": [{"worker_id": "6", "uid": "r", "response_text": A}],
        }
    ],
}
_STATE = {
    "instance": {
        "id": "id1",
        "input": {"text": STORY},
        "references": [{"output": {"text": A}, "tags": ["correct"]}],
    },
    "result": {"completions": [{"text": B}]},
}
_STATS = [{"name": {"name": "rouge_2", "split": "test"}, "mean": 0.25}]
_BART = {"response": A, "reviews": [_review(3, 10), _review(4, 50)]}
_REVIEWS = {"passage-id": "50", "questions": {"0": {"bart": _BART}}}

FOLDERS = {"lines", "lines by folder", "system-folders", "helm"}
"""Names of excerpts that are folders."""

EXCERPTS: dict[str, Files] = {
    "xsum-hallucinations": {
        "hallucination_annotations_xsum_summaries.csv": table(
            _hallucination("extrinsic", "bridge fell", 5, 16),
            _hallucination("intrinsic", "on Monday", 16, 26),
            _hallucination("NULL", "NULL", -1, -1, worker=1),
        )
    },
    "xsum-hallucinations factuality": {
        "factuality_annotations_xsum_summaries.csv": table(
            _factual("no", 0), _factual("yes", 1), _factual("NULL", 2), _factual("yes", 0, "BERTS2S")
        )
    },
    "xsum-hallucinations scores": {
        "eval_scores_xsum_summaries.csv": table(
            {"system_bbcid": "bert_nockpt_1", "R1": 0.5, "R2": 0.25, "BERTScore": 0.75, "Entailment": 0.1}
        )
    },
    "tofueval": {
        "mediasum_factual_eval_dev.csv": table(
            _sentence(1, A, "yes"),
            _sentence(2, B, "no", "It does not say so.", "Reasoning Error, Contradiction"),
        )
    },
    "tofueval key points": {
        "mediasum_completeness_final.csv": table(
            {"doc_id": "N-1", "annotation_id": 1, "topic": "Bridges", "key_points": str([A, f'2. "{B}"'])}
        )
    },
    "aggrefact": {
        "aggre_fact_final.csv": table(
            _aggrefact("BART", A, 1), _aggrefact("BART", B, 0), _aggrefact("BART", A, 1)
        )
    },
    "squality": {"dev.jsonl": jsonl(_STORY)},
    "squality reviews": {"all-responses.jsonl": jsonl(_REVIEWS)},
    "scitldr": {
        "dev.jsonl": jsonl(
            {
                "source": [A, B],
                "source_labels": [0, 1],
                "rouge_scores": [0.1, 0.2],
                "paper_id": "p1",
                "target": ["It fell.", "A bridge fell."],
                "title": "A bridge",
            }
        )
    },
    "longeval": {
        "beam_3.jsonl": jsonl(
            {"article": STORY, "human": f" summary{A}", "section_names": "X", "longt5": f"<pad> {B}</s>"}
        )
    },
    "feedback": {"batch3.jsonl": jsonl(_COMPARISON, {**_COMPARISON, "choice": 0, "worker": "w3"})},
    "feedback axes": {"axis.jsonl": jsonl(_AXES)},
    "feedback pairs": {"pairwise_evaluation_results.json": json.dumps([_PAIR]).encode()},
    "judge-bench": {"newsroom.json": json.dumps(_JUDGED, indent=2).encode()},
    "judge-bench pairs": {"data-natural.json": json.dumps(_BETTER, indent=2).encode()},
    "mturk": {"batch_results.csv": table(_assignment("w1", "Approved", 3), _assignment("w2", "Rejected", 1))},
    "tidy": {
        "texts.csv": table(
            *(
                {"topic": "t1", "kind": kind, "who": who, "text": text}
                for kind, who, text in (
                    ("source", "", STORY),
                    ("reference", "Kim", A),
                    ("summary", "lead", B),
                )
            )
        )
    },
    "lines": {name: f"{A}\n{B}\n".encode() for name in ("ref.txt", "out.txt", "src.txt")},
    "lines by folder": {
        name: f"{A}\n{B}\n".encode() for name in ("refs.txt", "A/out.txt", "B/out.txt", "ids.txt")
    },
    "system-folders": {
        name: STORY.encode() for name in ("reference/t1.txt", "lead/t1.txt", "tail/t1.txt", "source/t1.txt")
    },
    "lm-eval": {
        "samples_xsum_2026.jsonl": jsonl(
            {
                "doc_id": 3,
                "target": A,
                "arguments": [[f"Summarize: {STORY}", {}]],
                "filtered_resps": [B],
                "filter": "none",
                "metrics": ["rouge1", "bleu"],
                "doc_hash": "h",
                "rouge1": 0.5,
                "bleu": 12.5,
            }
        )
    },
    "helm": {
        "xsum:model=m1/scenario_state.json": json.dumps({"request_states": [_STATE]}).encode(),
        "xsum:model=m1/per_instance_stats.json": json.dumps(
            [{"instance_id": "id1", "stats": _STATS}]
        ).encode(),
    },
    "ragas": {
        "gpt.csv": table(
            {
                "user_input": "What fell?",
                "retrieved_contexts": str([A, STORY]),
                "response": B,
                "reference": A,
                "faithfulness": 0.75,
                "answer_relevancy": "",
            }
        )
    },
    "deepeval": {
        "run.json": json.dumps(
            {
                "testCases": [
                    {
                        "name": "case1",
                        "input": "What fell?",
                        "actualOutput": A,
                        "expectedOutput": B,
                        "retrievalContext": [STORY, B],
                        "metricsData": [{"name": "Faithfulness", "score": 0.75}],
                    }
                ]
            },
            indent=1,
        ).encode()
    },
    "g-eval": {
        "gpt4_coh_detailed.json": json.dumps(
            [
                {
                    "doc_id": "d1",
                    "system_id": "M1",
                    "source": STORY,
                    "reference": A,
                    "system_output": B,
                    "scores": {"coherence": 1.5},
                    "all_responses": ["4", " 5", "Rating: 3", "none"],
                }
            ]
        ).encode()
    },
}
