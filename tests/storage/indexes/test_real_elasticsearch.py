"""The contract of a search index, on a real server of Elasticsearch where ELASTICSEARCH_URL names one.

Credentials come from the program's own variables, such as PYRAMIDION_ELASTICSEARCH_API_KEY.
"""

from __future__ import annotations

import os
import uuid

import pytest

from core.errors import InputError
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.protocols import Smoothing, SourceDocument
from storage.indexes import elastic_upload
from storage.indexes.elastic_connection import Address
from storage.indexes.elasticsearch import open_index

URL = os.environ.get("ELASTICSEARCH_URL", "")
QUERIES = [
    ["bridg"],
    ["harbour", "bridg", "bridg"],
    ["court", "sheep", "unknown"],
    [],
    [f"number{n}" for n in range(50)],
]
TEXTS = [
    "The court lifted the ban on the bridge. The bridge reopened.",
    "A storm closed the harbour and the bridge; two ships waited outside the harbour.",
    "Sheep graze on the hills near the harbour.",
    "",
    " ".join(f"number{at} bridge" for at in range(60)),
    "The court lifted the ban on the bridge. The bridge reopened.",
]


@pytest.mark.skipif(not URL, reason="needs a server: set ELASTICSEARCH_URL, e.g. http://localhost:9200")
def test_a_server_ranks_counts_and_names_as_the_index_here():
    analysis = Analysis()
    documents = [SourceDocument(f"d{at}", f"Title {at}", text) for at, text in enumerate(TEXTS)]
    made = run_to_completion(build_index(documents, analysis))
    here = ArrayIndex("here", analysis, made.fingerprint, made.arrays)
    address = Address(URL.rstrip("/"), f"pyramidion-test-{uuid.uuid4().hex}")
    try:
        run_to_completion(elastic_upload.upload(here, address, 2000.0))
        there = open_index(address)
        assert there.rank(QUERIES, 5, Smoothing()) == here.rank(QUERIES, 5, Smoothing())
        words, phrases = ["bridg", "unknown"], [("lift", "ban"), ("bridg", "reopen"), ("ban", "bridg")]
        assert list(there.document_frequencies(words)) == list(here.document_frequencies(words))
        assert list(there.phrase_frequencies(phrases)) == list(here.phrase_frequencies(phrases))
        assert there.titles(["d1", "d4"]) == here.titles(["d1", "d4"])
        assert (there.documents, there.tokens) == (here.documents, here.tokens)
        few = run_to_completion(build_index(documents[:2], analysis))
        small = ArrayIndex("few", analysis, few.fingerprint, few.arrays)
        with pytest.raises(InputError, match="already has another index"):
            run_to_completion(elastic_upload.upload(small, address, 2000.0))
        run_to_completion(elastic_upload.upload(small, address, 2000.0, replaces=True))
        with pytest.raises(InputError, match="was replaced or removed"):
            there.rank(QUERIES, 5, Smoothing())
        assert open_index(address).rank(QUERIES, 5, Smoothing()) == small.rank(QUERIES, 5, Smoothing())
    finally:
        elastic_upload.delete(address)
