"""An index on a server, over real HTTP: same rankings as the local index, and every failure is reported."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from elasticsearch import ApiError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import InputError, MissingResource
from core.models.catalogue.user_models import user_models
from core.progress import run_to_completion
from core.retrieval.analysis import Analysis
from core.retrieval.array_index import ArrayIndex
from core.retrieval.builder import build_index
from core.retrieval.index_store import IndexRequest
from core.retrieval.protocols import Smoothing, SourceDocument
from storage.indexes import elastic_connection, elastic_upload, elasticsearch
from storage.indexes.elastic_connection import Address, address_of
from storage.indexes.elastic_format import IndexMetadata, mappings
from storage.indexes.elastic_format import settings as settings_of
from storage.indexes.elastic_versions import UploadedIndex, current_version
from storage.indexes.elasticsearch import open_index
from storage.indexes.index_folder import IndexFolder
from tests.storage.indexes import elastic_server
from tests.storage.indexes.elastic_server import Server, lossy, serving

LONG = "x" * 9000
TEXTS = [
    "The court lifted the ban on the bridge. The bridge reopened.",
    "A storm closed the harbour and the bridge; two ships waited outside the harbour.",
    "Sheep graze on the hills near the harbour.",
    "",
    "The the of and.",
    "Das Gericht in München hob das Verbot der Brücke auf. 橋は再開した。",
    f"One word has {LONG} letters.",
    " ".join(f"number{at} bridge" for at in range(60)),
    "The court lifted the ban on the bridge. The bridge reopened.",
]


@pytest.fixture(autouse=True)
def _nobody_elses_settings(tmp_path, monkeypatch):
    user_models().use_folder(tmp_path / "settings")
    for name in ("PYRAMIDION_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(elastic_connection, "FIRST_WAIT_S", 0.001)
    for name in ("API_KEY", "USER", "PASSWORD", "HOST", "CERTIFICATE", "FINGERPRINT"):
        monkeypatch.delenv(getattr(elastic_connection, name), raising=False)


@pytest.fixture
def server():
    with serving() as made:
        yield made


def _index(texts: list[str], analysis: Analysis | None = None) -> ArrayIndex:
    analysis = analysis or Analysis()
    documents = (SourceDocument(f"d{at}", f"Title {at}" if at % 2 else "", t) for at, t in enumerate(texts))
    made = run_to_completion(build_index(documents, analysis))
    return ArrayIndex("here", analysis, made.fingerprint, made.arrays)


def _at(server: Server, name: str = "small") -> Address:
    return Address(server.address, name)


def _sent(index: ArrayIndex, server: Server, mu: float = 2000.0) -> elasticsearch.ElasticIndex:
    run_to_completion(elastic_upload.upload(index, _at(server), mu))
    return open_index(_at(server))


# The same ranking


@pytest.mark.parametrize("analysis", [Analysis(), Analysis("english"), Analysis("none", False)], ids=str)
@pytest.mark.parametrize("mu", [2000.0, 5.0])
def test_a_server_and_the_disk_rank_alike(server, analysis, mu):
    here = _index(TEXTS, analysis)
    there = _sent(here, server, mu)
    queries = [analysis.words(text) for text in (*TEXTS, "bridge bridge bridge harbour", "absent")]
    assert there.rank(queries, 5, Smoothing(mu)) == here.rank(queries, 5, Smoothing(mu))
    there.close()


def test_documents_that_match_but_score_nothing_are_hits_in_their_order(server):
    here = _index(["a b b b b b b b"] * 3 + ["a"], Analysis("none", drop_stop_words=False))
    there = _sent(here, server, 1.0)
    ((*hits,),) = there.rank([["a"]], 9, Smoothing(1.0))
    assert [hit.document for hit in hits] == ["d3", "d0", "d1", "d2"]
    assert [hit.score for hit in hits[1:]] == [0.0, 0.0, 0.0]
    assert [tuple(hits)] == here.rank([["a"]], 9, Smoothing(1.0))
    there.close()


@given(
    texts=st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12).map(" ".join), min_size=1, max_size=6),
    query=st.lists(st.sampled_from("abcdefghx"), max_size=14),
    limit=st.integers(0, 7),
)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_query_in_parts_ranks_as_in_one(server, monkeypatch, texts, query, limit):
    """Three words at most to a request, so that every longer query is summed from parts."""
    here, server.indexes, server.aliases = _index(texts, Analysis("none", drop_stop_words=False)), {}, {}
    there = _sent(here, server, 3.0)
    monkeypatch.setattr(elasticsearch, "MOST_CLAUSES", 3)
    (found,), (meant,) = (index.rank([query], limit, Smoothing(3.0)) for index in (there, here))
    there.close()
    assert len(found) == len(meant)
    np.testing.assert_allclose([h.score for h in found], [h.score for h in meant], rtol=1e-6, atol=1e-6)


def test_more_words_than_a_server_takes_at_once_are_asked_in_parts(server):
    many = " ".join(f"w{at}" for at in range(2500))
    here = _index(["w1 w1 w7", many, "w2 w2400 w2400", "w9"], Analysis("none", drop_stop_words=False))
    there = _sent(here, server)
    query = many.split()
    (found,), (meant,) = there.rank([query], 3, Smoothing()), here.rank([query], 3, Smoothing())
    assert [hit.document for hit in found] == [hit.document for hit in meant]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in meant], rel=1e-6)
    there.close()


def test_statistics_are_those_of_the_index_here(server):
    here = _index(TEXTS)
    there = _sent(here, server)
    words = ["bridg", "harbour", "none", "bridg", LONG]
    phrases = [
        ("court", "lift"),
        ("lift", "ban"),
        ("bridg",),
        (),
        ("two", "ship"),
        ("ship", "wait", "outsid"),
    ]
    assert there.document_frequencies(words).tolist() == here.document_frequencies(words).tolist()
    assert there.phrase_frequencies(phrases).tolist() == here.phrase_frequencies(phrases).tolist()
    assert here.phrase_frequencies(phrases).tolist()[:2] == [2, 0]  # "lifted the ban" has a gap
    assert (there.documents, there.tokens) == (here.documents, here.tokens)
    assert there.mean_idf() == here.mean_idf()
    assert there.fingerprint == here.fingerprint
    assert there.titles(["d1", "d0", "d1"]) == here.titles(["d1", "d0", "d1"])
    there.close()


def test_lengths_are_lost_as_in_lucene():
    known = {39: 39, 41: 40, 57: 56, 100: 96, 333: 312, 1000: 984, 2500: 2328, 5000: 4632}
    assert {length: lossy(length) for length in known} == known  # by Lucene 8.7 itself


def test_what_a_server_cannot_do_is_said(server):
    there = _sent(_index(TEXTS), server, 500.0)
    assert there.missing_requirements(Smoothing(500.0)) == ""
    assert "--mu 2000" in there.missing_requirements(Smoothing(2000.0))
    assert "norms=lucene7" in there.missing_requirements(Smoothing(500.0, "lucene4"))
    with pytest.raises(InputError, match="mu=500"):
        there.rank([["bridg"]], 3, Smoothing())
    there.close()


# Sending


def test_an_index_is_in_one_shard_that_nobody_can_write_to(server):
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    made = server.named("small")
    assert made.settings["index"]["blocks.write"] is True
    assert made.merged == 1
    assert made.documents["1"] == {"place": 1, "id": "d1", "title": "Title 1"}


def test_a_stopped_upload_goes_on_where_it_was(server, monkeypatch):
    monkeypatch.setattr(elastic_upload, "MOST_DOCUMENTS", 2)
    steps = elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)
    assert [next(steps).done for _ in range(3)] == [0, 2, 4]
    steps.close()
    with pytest.raises(MissingResource, match=r"9 documents\) to .* is not finished. Resume it"):
        open_index(_at(server))
    again = [step.done for step in elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)]
    assert again[0] == 4
    open_index(_at(server)).close()


def test_an_upload_whose_connection_breaks_loses_nothing_and_doubles_nothing(server, monkeypatch):
    monkeypatch.setattr(elastic_upload, "MOST_DOCUMENTS", 2)
    server.breaks = {"_bulk": 2}
    with pytest.raises(MissingResource, match="broke the connection off"):
        run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    (begun,) = server.indexes.values()
    del begun.documents["1"], begun.words["1"]  # as after a crash there
    server.breaks = {}
    here = _index(TEXTS)
    there = _sent(here, server)
    queries = [here.analysis.words(text) for text in TEXTS]
    assert there.rank(queries, 5, Smoothing()) == here.rank(queries, 5, Smoothing())
    there.close()


def test_a_complete_index_is_not_sent_twice(server):
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    before = sum("_bulk" in path for _, path, _ in server.asked)
    assert run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)) == len(TEXTS)
    assert sum("_bulk" in path for _, path, _ in server.asked) == before


@pytest.mark.parametrize("how", ["documents", "mu"])
def test_another_index_of_the_name_is_never_overwritten(server, how):
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    index, mu = (_index(TEXTS[:2]), 2000.0) if how == "documents" else (_index(TEXTS), 7.0)
    with pytest.raises(InputError, match="another index named small"):
        run_to_completion(elastic_upload.upload(index, _at(server), mu))


def test_an_index_of_somebody_else_is_neither_read_nor_deleted(server):
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    server.named("small").mappings["_meta"] = {}
    for ask in (open_index, elastic_upload.delete):
        with pytest.raises(InputError, match="was not uploaded by Pyramidion"):
            ask(_at(server))
    assert "small" in server.aliases
    assert len(server.indexes) == 1


def test_the_folder_sends_opens_and_removes_by_address(server, tmp_path):
    (tmp_path / "a.txt").write_text("The court met.")
    folder = IndexFolder(tmp_path / "indexes")
    run_to_completion(folder.build(IndexRequest("mine", (tmp_path / "a.txt",))))
    address = f"elasticsearch:{server.address}/theirs"
    assert run_to_completion(folder.uploading("mine", f"{server.address}/theirs")) == address
    assert (
        run_to_completion(folder.uploading("mine", server.address)) == f"elasticsearch:{server.address}/mine"
    )
    opened = folder.open(address)
    assert (opened.name, opened.fingerprint) == (address, folder.open("mine").fingerprint)
    opened.close()
    folder.remove(address)
    assert set(server.aliases) == {"mine"}
    assert len(server.indexes) == 1


# Versions


def _made_before_versions(index: ArrayIndex, server: Server, documents: int, mu: float = 2000.0) -> None:
    """Put some documents of an index under its plain name, as an upload without versions did."""
    client = elastic_connection.connect(server.address)
    label = IndexMetadata.of(index, mu)
    client.indices.create(index="small", settings=settings_of(label), mappings=mappings(label))
    for some in elastic_upload._requests(index.arrays, 0):
        if some[:documents]:
            elastic_upload._send(client, _at(server), some[:documents])
    if documents == len(TEXTS):
        elastic_upload._finish(client, _at(server), label)
    client.close()


def test_an_alias_names_a_complete_version(server):
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    ((own,),) = server.aliases.values()
    assert list(server.aliases) == ["small"]
    assert re.fullmatch(r"small-\d{20}-[0-9a-f]{8}", own)


def test_an_index_is_searched_until_its_successor_is_complete(server, monkeypatch):
    monkeypatch.setattr(elastic_upload, "MOST_DOCUMENTS", 2)
    first, second = _index(TEXTS[:3]), _index(TEXTS)
    run_to_completion(elastic_upload.upload(first, _at(server), 2000.0))
    for step in elastic_upload.upload(second, _at(server), 2000.0, replaces=True):
        opened = open_index(_at(server))
        assert opened.fingerprint == first.fingerprint, step
        assert opened.documents == len(opened.rank([["bridg", "harbour"]], 9, Smoothing())[0]) == 3
        opened.close()
    there = open_index(_at(server))
    assert there.fingerprint == second.fingerprint
    assert there.rank([["bridg"]], 5, Smoothing()) == second.rank([["bridg"]], 5, Smoothing())
    assert len(server.indexes) == 1
    there.close()


def test_unfinished_uploads_are_listed_with_their_size_until_they_are_finished_or_removed(
    server, monkeypatch
):
    monkeypatch.setattr(elastic_upload, "MOST_DOCUMENTS", 2)
    run_to_completion(elastic_upload.upload(_index(TEXTS[:3]), _at(server, "whole-1"), 5.0))
    steps = elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)
    for _ in range(3):
        next(steps)
    steps.close()
    whole = UploadedIndex("whole-1", 3, 3, 5.0, True)
    begun = UploadedIndex("small", 4, len(TEXTS), 2000.0, False)
    assert elastic_upload.list_uploaded(server.address) == [begun, whole]
    elastic_upload.delete(_at(server, "whole-1"))
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    finished = replace(begun, documents=len(TEXTS), is_complete=True)
    assert elastic_upload.list_uploaded(server.address) == [finished]
    elastic_upload.delete(_at(server))
    assert elastic_upload.list_uploaded(server.address) == []


def test_an_index_that_is_replaced_while_open_is_reported(server):
    there = _sent(_index(TEXTS[:3]), server)
    run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0, replaces=True))
    with pytest.raises(InputError, match="was replaced or removed while it was in use"):
        there.rank([["bridg"]], 3, Smoothing())
    there.close()


def test_an_upload_that_stopped_before_the_switch_only_switches(server):
    server.breaks = {"_aliases": 0}
    with pytest.raises(MissingResource, match="cannot be reached"):
        run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    assert server.aliases == {}
    server.breaks = {}
    sent = sum("_bulk" in path for _, path, _ in server.asked)
    _sent(_index(TEXTS), server).close()
    assert sum("_bulk" in path for _, path, _ in server.asked) == sent


def test_unfinished_uploads_are_resumed_by_content_and_removed_after_the_switch(server, monkeypatch):
    monkeypatch.setattr(elastic_upload, "MOST_DOCUMENTS", 2)
    for texts in (TEXTS[:4], TEXTS):
        steps = elastic_upload.upload(_index(texts), _at(server), 2000.0)
        assert [next(steps).done for _ in range(2)] == [0, 2]
        steps.close()
    assert (len(server.indexes), server.aliases) == (2, {})
    again = [step.done for step in elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)]
    assert again[0] == 2
    assert len(server.indexes) == 1
    open_index(_at(server)).close()


def test_indexes_with_similar_names_are_left_alone(server):
    others = [
        Address(server.address, name) for name in ("small-2020", "small-20200101000000-abcd", "smaller")
    ]
    for other in others:
        run_to_completion(elastic_upload.upload(_index(TEXTS[:2]), other, 2000.0))
    _sent(_index(TEXTS), server).close()
    run_to_completion(elastic_upload.upload(_index(TEXTS[:1]), _at(server), 2000.0, replaces=True))
    elastic_upload.delete(_at(server))
    assert set(server.aliases) == {other.name for other in others}
    for other in others:
        open_index(other).close()


def test_unfinished_uploads_can_be_removed(server):
    steps = elastic_upload.upload(_index(TEXTS), _at(server), 2000.0)
    next(steps)
    steps.close()
    elastic_upload.delete(_at(server))
    assert server.indexes == {}
    with pytest.raises(MissingResource, match="no index named small"):
        elastic_upload.delete(_at(server))


def test_an_index_from_before_versions_is_read_completed_replaced_and_removed(server):
    here = _index(TEXTS)
    _made_before_versions(here, server, 4)
    with pytest.raises(InputError, match="4 of the 9 documents"):
        open_index(_at(server))
    assert next(elastic_upload.upload(here, _at(server), 2000.0)).done == 4
    there = _sent(here, server)
    assert there.rank([["bridg"]], 5, Smoothing()) == here.rank([["bridg"]], 5, Smoothing())
    there.close()
    assert (list(server.indexes), server.aliases) == (["small"], {})
    before = len(server.requests)
    run_to_completion(elastic_upload.upload(here, _at(server), 2000.0))
    assert not {one.api for one in server.requests[before:]} & {"create", "bulk", "update_aliases"}
    run_to_completion(elastic_upload.upload(_index(TEXTS[:2]), _at(server), 2000.0, replaces=True))
    assert list(server.aliases) == ["small"]
    assert len(server.indexes) == 1
    elastic_upload.delete(_at(server))
    _made_before_versions(here, server, len(TEXTS))
    open_index(_at(server)).close()
    elastic_upload.delete(_at(server))
    assert server.indexes == {}


def test_an_alias_of_several_indexes_is_reported(server):
    _sent(_index(TEXTS), server).close()
    server.indexes["other"] = server.named("small")
    server.aliases["small"].add("other")
    with pytest.raises(InputError, match="alias of several indexes"):
        open_index(_at(server))


def test_names_are_unique_among_indexes_and_aliases_as_on_a_real_server(server):
    client = elastic_connection.connect(server.address)
    label = IndexMetadata.of(_index(TEXTS), 2000.0)
    definition = {"settings": settings_of(label), "mappings": mappings(label)}
    client.indices.create(index="own", **definition)
    client.indices.update_aliases(actions=[{"add": {"index": "own", "alias": "shown"}}])
    for call, says in [
        (lambda: client.indices.create(index="shown", **definition), "already exists as alias"),
        (lambda: client.indices.create(index="own", **definition), "resource_already_exists"),
        (lambda: client.indices.delete(index="shown"), "matches an alias"),
        (
            lambda: client.indices.update_aliases(actions=[{"add": {"index": "own", "alias": "own"}}]),
            "invalid_alias_name",
        ),
        (
            lambda: client.indices.update_aliases(
                actions=[
                    {"remove": {"index": "own", "alias": "shown"}},
                    {"add": {"index": "absent", "alias": "shown"}},
                ]
            ),
            "index_not_found",
        ),
    ]:
        with pytest.raises(ApiError, match=says):
            call()
    assert (list(server.indexes), server.aliases) == (["own"], {"shown": {"own"}})
    assert client.indices.get_mapping(index="absent-*").body == {}
    client.close()


# What goes wrong


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("elasticsearch:localhost:9200/a", "is not the address of a server"),
        ("elasticsearch:ftp://host/a", "is not the address of a server"),
        ("elasticsearch:http:///a", "is not the address of a server"),
        ("elasticsearch:http://host:9200/Big", "is not a valid index name"),
        ("elasticsearch:http://host:9200/_all", "is not a valid index name"),
        ("elasticsearch:http://host:9200/", "is not the address of a server"),
        ("elasticsearch:https://me:secret@host:9200/a", "would be stored"),
        ("elasticsearch:https://host:9200?key=secret/a", "would be stored"),
    ],
)
def test_an_address_that_is_none_is_refused(address, says):
    with pytest.raises(InputError, match=says) as refused:
        address_of(address)
    assert "secret" not in str(refused.value)


def test_offline_no_server_is_asked(server, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_OFFLINE", "1")
    with pytest.raises(InputError, match="PYRAMIDION_OFFLINE is set"):
        open_index(_at(server))
    assert server.asked == []


def test_an_index_that_is_not_there_explains_how_to_send_one(server):
    with pytest.raises(MissingResource, match="pyramidion index upload INDEX"):
        open_index(_at(server, "absent"))


def test_a_server_that_does_not_answer_is_reported():
    with serving() as gone:
        pass
    with pytest.raises(MissingResource, match="cannot be reached \\(it refuses the connection\\)"):
        open_index(_at(gone))


@pytest.mark.parametrize("version", ["7.17.2", "10.1.0"])
def test_a_server_of_an_unsupported_version_is_reported(version):
    with serving(version=version) as server, pytest.raises(InputError, match=r"only 8 to 9 are supported"):
        open_index(_at(server))


@pytest.mark.parametrize("version", ["8.0.1", "9.2.0"])
def test_servers_of_both_ages_are_spoken_with(version):
    with serving(version=version) as server:
        assert _sent(_index(TEXTS), server).documents == len(TEXTS)


def test_another_program_that_answers_is_reported():
    with serving(product="") as server, pytest.raises(InputError, match="is not Elasticsearch"):
        open_index(_at(server))


def test_credentials_come_from_the_environment_and_are_never_shown(monkeypatch):
    with serving(key="c2VjcmV0") as server:
        with pytest.raises(InputError, match="PYRAMIDION_ELASTICSEARCH_API_KEY"):
            open_index(_at(server))
        monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_API_KEY", "c2VjcmV0")
        there = _sent(_index(TEXTS), server)
        assert "c2VjcmV0" not in repr(there) + there.name + str(server.indexes)
        there.close()


def test_a_name_and_a_password_work_too(server, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_USER", "me")
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_PASSWORD", "hush")
    with pytest.raises(MissingResource):
        open_index(_at(server))
    assert {authorization for _, _, authorization in server.asked} == {"Basic bWU6aHVzaA=="}


@pytest.mark.parametrize(
    ("host", "server", "is_sent"),
    [
        ("", "http://localhost:9200", True),
        ("", "https://[::1]:9200", True),
        ("", "https://es.example.org:9200", False),
        ("es.example.org", "https://es.example.org:9200", True),
        ("ES.example.org.", "https://es.example.org", True),
        ("es.example.org:9200", "https://es.example.org:9200", True),
        ("https://es.example.org", "https://es.example.org:9200", True),
        ("es.example.org:9200", "https://es.example.org:9243", False),
        ("es.example.org", "https://es.example.org.attacker.net", False),
        ("es.example.org", "https://attacker.net/es.example.org", False),
        ("es.example.org", "http://localhost:9200", False),
        ("https://localhost", "http://localhost:9200", False),
    ],
)
def test_credentials_are_for_one_host(monkeypatch, host, server, is_sent):
    monkeypatch.setenv(elastic_connection.API_KEY, "c2VjcmV0")
    monkeypatch.setenv(elastic_connection.HOST, host)
    found = elastic_connection.credentials_for(server)
    assert found == ({"api_key": "c2VjcmV0"} if is_sent else {})


@pytest.mark.parametrize("name", ["API_KEY", "USER"])
def test_credentials_never_travel_unencrypted(monkeypatch, name):
    monkeypatch.setenv(getattr(elastic_connection, name), "secret")
    monkeypatch.setenv(elastic_connection.HOST, "es.example.org")
    with pytest.raises(InputError, match="unencrypted"):
        elastic_connection.credentials_for("http://es.example.org:9200")


def test_a_server_gets_no_credentials_of_another_one(server, monkeypatch):
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_USER", "me")
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_HOST", "es.example.org")
    with pytest.raises(MissingResource):
        open_index(_at(server))
    assert {authorization for _, _, authorization in server.asked} <= {None, ""}


def test_a_certificate_that_is_no_file_is_reported(monkeypatch):
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_CA", str(Path("/nowhere/http_ca.crt")))
    with pytest.raises(InputError, match="which is not a file"):
        open_index(Address("https://127.0.0.1:1", "a"))


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (403, "does not permit this"),
        (429, "is overloaded"),
        (413, "takes no requests of this size"),
        (503, "is overloaded"),
        (400, "rejected a request"),
    ],
)
def test_what_a_server_refuses_is_a_sentence(server, status, says):
    server.spoils = {"_mapping": status}
    with pytest.raises(InputError, match=says):
        open_index(_at(server))


def test_every_request_is_one_of_the_specification_of_8_19_and_9_2(server):
    """The test server refuses parameters, methods, media types and keys that the specification lacks."""
    there = _sent(_index(TEXTS), server)
    there.rank([["bridg", "harbour"]], 3, Smoothing())
    there.phrase_frequencies([("bridg", "reopen")])
    there.titles(["d1"])
    with pytest.raises(InputError, match="already has another index"):
        run_to_completion(elastic_upload.upload(_index(TEXTS[:2]), _at(server), 2000.0))
    elastic_upload.delete(_at(server))
    assert {one.api for one in server.requests} == {
        *("info", "create", "bulk", "refresh", "count", "forcemerge", "put_mapping", "put_settings"),
        *("get_mapping", "msearch", "delete", "update_aliases"),
    }


@pytest.mark.parametrize(
    ("method", "path", "query", "media", "body", "status"),
    [
        ("GET", "/small", (), "", b"", 405),
        ("POST", "/small/_refresh", ("force",), "", b"", 400),
        ("POST", "/small/_bulk", (), "application/json", b'{"create": {}}\n{}\n', 406),
        ("POST", "/small/_bulk", (), "application/x-ndjson", b'{"create": {}}\n{}', 400),
        ("POST", "/small/_bulk", (), "application/x-ndjson", b'{"create": {"_type": "a"}}\n{}\n', 400),
        ("POST", "/small/_search", (), "application/json", b'{"querry": {}}', 400),
        ("PUT", "/small/_settings", (), "application/json", b'{"index": {"block": {}}}', 400),
        ("POST", "/_aliases", (), "application/json", b'{"actions": [{"put": {"index": "a"}}]}', 400),
        ("POST", "/_aliases", (), "application/json", b'{"actions": [{"add": {"name": "a"}}]}', 400),
        ("POST", "/_msearch", (), "application/x-ndjson", b'{}\n{"query": {"bool": {"shoud": []}}}\n', 400),
    ],
)
def test_the_test_server_refuses_what_a_real_one_would(method, path, query, media, body, status):
    with pytest.raises(elastic_server.Refused) as refused:
        elastic_server.checked(elastic_server.Asked(method, path, query, media, body))
    assert refused.value.status == status


def test_an_overloaded_server_is_asked_again(server):
    index = _index(TEXTS)
    server.busy = {"_bulk": 2, "_mapping": 1, "_msearch": 3, "_count": 1}
    server.busy_documents = 5
    there = _sent(index, server)
    assert len(server.named("small").documents) == len(TEXTS)
    words = [["bridg", "harbour"]]
    assert there.rank(words, 3, Smoothing()) == index.rank(words, 3, Smoothing())
    assert not any(server.busy.values())


def test_a_server_that_stays_overloaded_is_reported_and_the_upload_resumes(server):
    server.busy_documents = 1000
    with pytest.raises(InputError, match="Upload the index again to resume"):
        run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    server.busy_documents = 0
    assert _sent(_index(TEXTS), server).documents == len(TEXTS)


def test_searches_that_a_full_queue_rejects_are_asked_again_fewer_at_once(server):
    index = _index(TEXTS)
    there = _sent(index, server)
    queries = [["bridg"], ["harbour"], ["court", "ban"]] * 5
    server.busy_searches = 25
    assert there.rank(queries, 3, Smoothing()) == index.rank(queries, 3, Smoothing())
    server.busy_searches = 10**6
    with pytest.raises(InputError, match="is overloaded"):
        there.rank(queries, 3, Smoothing())


def test_requests_are_as_small_as_the_server_takes_them(server):
    server.most_bytes = 12_000
    texts = [f"bridge number{n} " + "harbour " * 500 for n in range(9)]
    index = _index(texts)
    there = _sent(index, server)
    assert there.rank([["bridg"]], 9, Smoothing()) == index.rank([["bridg"]], 9, Smoothing())
    assert max(len(one.body) for one in server.requests if one.api == "bulk") > server.most_bytes
    longer = _index([*texts, "harbour " * 2000])
    with pytest.raises(InputError, match="The document 'd9' does not fit into one request"):
        run_to_completion(elastic_upload.upload(longer, _at(server, "other"), 2000.0))


def test_an_index_that_lost_a_document_is_repaired_by_the_command_that_is_named(server):
    index = _index(TEXTS)
    _sent(index, server).close()
    there = server.named("small")
    del there.documents["3"], there.words["3"]
    with pytest.raises(InputError, match="Upload it again: pyramidion index upload"):
        open_index(_at(server))
    _sent(index, server).close()
    assert len(server.named("small").documents) == len(TEXTS)
    assert len(server.indexes) == 1


def test_a_server_that_starts_again_is_waited_for(server, monkeypatch):
    index = _index(TEXTS)
    there = _sent(index, server)
    waits = []

    def pause(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            server.breaks = {}

    monkeypatch.setattr(elastic_connection, "pause", pause)
    server.breaks = {"_msearch": 0}
    assert there.rank([["bridg"]], 3, Smoothing()) == index.rank([["bridg"]], 3, Smoothing())
    assert len(waits) == 3


def test_an_index_that_does_not_start_is_removed_and_reported(server):
    server.starts = False
    with pytest.raises(InputError, match="as where its disk is nearly full"):
        _sent(_index(TEXTS), server)
    assert server.indexes == {}


def test_a_login_that_is_refused_is_told_from_none(monkeypatch):
    with serving(key="right") as server:
        for name, value, says in (
            ("USER", "ann", "refuses the login for user ann"),
            ("API_KEY", "wrong", "refuses the login by API key"),
        ):
            monkeypatch.setenv(f"PYRAMIDION_ELASTICSEARCH_{name}", value)
            with pytest.raises(InputError, match=says):
                open_index(_at(server))


def test_a_server_without_https_is_told_from_one_with_a_false_certificate(server):
    with pytest.raises(InputError, match=r"does not speak https\. Write its address with http://"):
        open_index(Address(server.address.replace("http:", "https:"), "small"))


def test_a_closed_index_is_named(server):
    there = _sent(_index(TEXTS), server)
    server.closed = set(server.indexes)
    with pytest.raises(InputError, match="is closed"):
        there.rank([["bridg"]], 3, Smoothing())


@pytest.mark.parametrize(
    "body",
    [
        "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>",
        {
            "error": {
                "type": "some_exception",
                "reason": "a reason",
                "root_cause": [{"type": "a", "reason": "b"}],
            }
        },
        {"error": "a reason"},
        {"error": {"reason": "a reason", "root_cause": None}},
        {"error": None},
        {},
        [],
        "",
        None,
    ],
)
def test_messages_quote_no_page_and_no_structure(body):
    said = elastic_connection.reason_of(body, "http://localhost:9200")
    assert said
    assert not set("<>{}[]") & set(said)


@pytest.mark.parametrize("items", [1, 2])
@pytest.mark.parametrize("answers", [[], 3 * [{}]])
def test_a_wrong_number_of_answers_is_reported(items, answers):
    with pytest.raises(InputError, match="cannot be read"):
        elastic_connection.answers_to("http://h", "one", range(items), lambda _: answers)


@pytest.mark.parametrize(("asked", "seconds"), [("7", 7), ("86400", 30), (400 * "9", 30), ("soon", 0)])
def test_no_server_is_waited_for_longer_than_half_a_minute(asked, seconds):
    assert elastic_connection.refusal("http://localhost:9200", "one", 429, "", asked).seconds == seconds


def test_a_wait_ends_where_the_job_is_cancelled(monkeypatch):
    monkeypatch.setattr(elastic_connection, "raise_if_cancelled", lambda: (_ for _ in ()).throw(KeyError))
    with pytest.raises(KeyError):
        elastic_connection.pause(60.0)


@pytest.mark.parametrize("whole", [True, False])
def test_a_full_disk_is_named_with_its_remedy(server, monkeypatch, whole):
    reason = (
        "index [small] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index "
        "has read-only-allow-delete block];"
    )

    def full(self, index, lines):
        if whole:
            raise elastic_server.Refused(429, "cluster_block_exception", reason)
        error = {"type": "cluster_block_exception", "reason": reason}
        items = [{"create": {"_id": a["create"]["_id"], "status": 429, "error": error}} for a in lines[::2]]
        return {"errors": True, "items": items}

    monkeypatch.setattr(Server, "_bulk", full)
    with pytest.raises(InputError, match="disk is nearly full"):
        run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))
    assert sum("_bulk" in path for _, path, _ in server.asked) == 1


def test_a_fingerprint_is_checked_and_passed_to_the_client(monkeypatch):
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_FINGERPRINT", "AB:CD")
    with pytest.raises(InputError, match="not a SHA-256 fingerprint"):
        open_index(Address("https://127.0.0.1:1", "a"))
    monkeypatch.setenv("PYRAMIDION_ELASTICSEARCH_FINGERPRINT", ":".join(["AB"] * 32))
    made = {}
    monkeypatch.setattr(
        "elasticsearch.Elasticsearch", lambda server, **options: made.update(options) or 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        open_index(Address("https://127.0.0.1:1", "a"))
    assert made["ssl_assert_fingerprint"] == "ab" * 32


def test_a_document_that_is_not_taken_is_named(server, monkeypatch):
    monkeypatch.setattr("tests.storage.indexes.elastic_server.Index.create", lambda *_: 400)
    with pytest.raises(InputError, match="rejected the document 'd0'"):
        run_to_completion(elastic_upload.upload(_index(TEXTS), _at(server), 2000.0))


def test_the_client_is_not_imported_before_a_server_is_asked():
    import subprocess
    import sys

    script = (
        "import sys; from pathlib import Path; from storage.indexes.index_folder import IndexFolder;"
        "IndexFolder(Path('/nowhere')).list_indexes(); sys.exit('elasticsearch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("found", [{"version": 1}, [], {"mappings": 1}, {"mappings": {"_meta": "x"}}])
def test_an_answer_without_a_mapping_is_reported(found):
    response = SimpleNamespace(body={"small": found}, items={"small": found}.items)
    client = SimpleNamespace(indices=SimpleNamespace(get_mapping=lambda index: response))
    with pytest.raises(InputError, match="was not uploaded by Pyramidion"):
        current_version(client, Address("http://127.0.0.1:1", "small"))
