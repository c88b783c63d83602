"""A server on this machine that answers, over HTTP, the requests of Elasticsearch that the program makes.

It is not Elasticsearch. It analyses, filters, counts and scores by itself, in plain Python, from what Elastic
and Lucene document: whitespace tokens, a stop filter that leaves gaps, LMDirichlet with the lengths of Lucene
7 and later in single precision, the limit of clauses, write blocks, aliases, versions in media types.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import numpy as np

CLAUSES = 1024
SPECIFICATION = json.loads((Path(__file__).parent / "elasticsearch_requests.json").read_text("utf-8"))
"""What the requests may contain, by Elasticsearch's specification."""


class Refused(Exception):
    """An answer that is an error: its status and Elasticsearch's name for it."""

    def __init__(self, status: int, kind: str, reason: str = "") -> None:
        super().__init__(kind)
        self.status, self.body = status, {"error": _error(kind, reason or kind), "status": status}


@dataclass(frozen=True)
class Asked:
    """A request as it arrived. api: its name in the specification."""

    method: str
    path: str
    query: tuple[str, ...]
    media: str
    body: bytes
    api: str = ""


def checked(asked: Asked) -> Asked:
    """Return a request with the name of its API; refuse what a real server of 8.19 or 9.2 refuses."""
    for api, known in SPECIFICATION["requests"].items():
        for path, methods in known["paths"].items():
            pattern = re.sub(r"\{\w+\}", "[^/_][^/]*", path)
            if re.fullmatch(pattern, unquote(asked.path)) and asked.method in methods:
                _check_parameters(asked, known["query"])
                _check_media(asked, known["media"])
                _check_body(asked, api, known["body"])
                return replace(asked, api=api)
    raise Refused(405, "method_not_allowed", f"Incorrect HTTP method for uri [{asked.path}]: {asked.method}")


def _check_parameters(asked: Asked, known: Sequence[str]) -> None:
    if unknown := set(asked.query) - {*known, *SPECIFICATION["common_parameters"]}:
        name = sorted(unknown)[0]
        reason = f"request [{asked.path}] contains unrecognized parameter: [{name}]"
        raise Refused(400, "illegal_argument_exception", reason)


def _check_media(asked: Asked, kind: str | None) -> None:
    wanted = {"Json": "json", "Ndjson": "x-ndjson"}.get(kind or "")
    if asked.body and wanted and f"+{wanted}" not in asked.media and f"/{wanted}" not in asked.media:
        raise Refused(
            406, "media_type_header_exception", f"Content-Type header [{asked.media}] is not supported"
        )
    if wanted == "x-ndjson" and not asked.body.endswith(b"\n"):
        raise Refused(400, "illegal_argument_exception", "The request must be terminated by a newline [\\n]")


def _check_body(asked: Asked, api: str, known: Sequence[str] | None) -> None:
    if not asked.body:
        return
    searches = SPECIFICATION["requests"]["search"]["body"]
    if api == "bulk":
        for line in asked.body.splitlines()[::2]:
            ((_, action),) = json.loads(line).items()
            _check_keys(action, SPECIFICATION["bulk_action"])
    elif api == "msearch":
        lines = [json.loads(line) for line in asked.body.splitlines()]
        for header, search in zip(lines[::2], lines[1::2], strict=True):
            _check_keys(header, SPECIFICATION["msearch_header"])
            _check_keys(search, searches)
            _check_query(search.get("query", {}))
    else:
        body = json.loads(asked.body)
        flat = {key.partition(".")[0] for key in body.get("index", {})} if api == "put_settings" else ()
        _check_keys(body, ["index"] if api == "put_settings" else known or ())
        _check_keys(flat, SPECIFICATION["settings"])
        if api == "create":
            _check_keys(body["settings"], SPECIFICATION["settings"])
            _check_keys(body["settings"]["index"], SPECIFICATION["settings"])
            _check_keys(body["mappings"], SPECIFICATION["mappings"])
        for action in body.get("actions", ()):
            ((kind, about),) = action.items()
            _check_keys({kind}, list(SPECIFICATION["alias_actions"]))
            _check_keys(about, SPECIFICATION["alias_actions"][kind])
        _check_query(body.get("query", {}))


def _check_query(query: Mapping[str, Any]) -> None:
    for kind, about in query.items():
        if kind == "bool":
            _check_keys(about, SPECIFICATION["queries"]["bool"])
            for each in (*about.get("should", ()), *about.get("filter", ())):
                _check_query(each)
        elif kind == "term":
            _check_keys(next(iter(about.values())), SPECIFICATION["queries"]["term"])


def _check_keys(found: Iterable[str], known: Sequence[str]) -> None:
    if unknown := sorted(set(found) - set(known)):
        raise Refused(400, "x_content_parse_exception", f"unknown field [{unknown[0]}]")


def _error(kind: str, reason: str) -> dict[str, Any]:
    return {"type": kind, "reason": reason, "root_cause": [{"type": kind, "reason": reason}]}


@dataclass
class Index:
    """Documents by their ids, as words by their positions."""

    settings: dict[str, Any]
    mappings: dict[str, Any]
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    words: dict[str, dict[int, str]] = field(default_factory=dict)
    merged: int = 0

    def create(self, name: str, source: dict[str, Any]) -> int:
        if self.settings["index"].get("blocks.write"):
            return 403
        if set(source) - set(self.mappings["properties"]):
            return 400
        if name in self.documents:
            return 409
        (text,) = (f for f, about in self.mappings["properties"].items() if about["type"] == "text")
        self.words[name] = self.analysed(text, source[text])
        self.documents[name] = {f: v for f, v in source.items() if f != text}
        return 201

    def analysed(self, text: str, content: str) -> dict[int, str]:
        """Words by their positions, by the analyzer that the mapping names."""
        analysis = self.settings["analysis"]
        analyzer = analysis["analyzer"][self.mappings["properties"][text]["analyzer"]]
        tokenizer = analysis["tokenizer"][analyzer["tokenizer"]]
        assert tokenizer["type"] == "whitespace"
        stops = {word for name in analyzer["filter"] for word in analysis["filter"][name]["stopwords"]}
        most = tokenizer["max_token_length"]
        tokens = [t[at : at + most] for t in content.split() for at in range(0, len(t), most)]
        return {place: token for place, token in enumerate(tokens) if token not in stops}

    # Searching

    def search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        query = body.get("query", {"match_all": {}})
        if _clauses(query) > CLAUSES:
            raise Refused(400, "too_many_nested_clauses", "maxClauseCount is set to 1024")
        if body.get("size", 10) > self.settings["index"]["max_result_window"]:
            raise Refused(400, "illegal_argument_exception", "Result window is too large")
        found = {n: s for n in self.documents if (s := self.score(n, query)) is not None}
        order = sorted(found, key=lambda n: (-found[n], self.documents[n]["place"]))
        hits = [self._hit(n, found[n], body) for n in order[: body.get("size", 10)]]
        answer: dict[str, Any] = {"took": 1, "timed_out": False, "hits": {"hits": hits}}
        if body.get("track_total_hits"):
            answer["hits"]["total"] = {"value": len(found), "relation": "eq"}
        if "aggregations" in body:
            places = [self.documents[n]["place"] for n in found]
            answer["aggregations"] = {"last": {"value": float(max(places)) if places else None}}
        return answer

    def _hit(self, name: str, score: np.float32, body: Mapping[str, Any]) -> dict[str, Any]:
        source = {f: self.documents[name][f] for f in body.get("_source", ())}
        hit = {"_id": name, "_score": float(str(score)), "_source": source}
        if "sort" in body:
            assert body["sort"] == [{"_score": "desc"}, {"place": "asc"}]
            hit["sort"] = [hit["_score"], self.documents[name]["place"]]
        return hit

    def score(self, name: str, query: Mapping[str, Any]) -> np.float32 | None:
        """A document's score, None where it does not match."""
        ((kind, about),) = query.items()
        if kind == "match_all":
            return np.float32(1)
        if kind == "terms":
            ((f, values),) = about.items()
            return np.float32(1) if self.documents[name][f] in values else None
        if kind == "term":
            ((_, term),) = about.items()
            return self._term(name, term["value"], term.get("boost", 1.0))
        if kind == "match_phrase":
            ((f, text),) = about.items()
            return self._phrase(name, self.analysed(f, text))
        assert kind == "bool"
        if any(self.score(name, each) is None for each in about.get("filter", ())):
            return None
        scores = [s for each in about["should"] if (s := self.score(name, each)) is not None]
        least = about.get("minimum_should_match", 0 if "filter" in about else 1)
        return np.float32(sum(map(float, scores))) if len(scores) >= least else None

    def _term(self, name: str, term: str, boost: float) -> np.float32 | None:
        count = sum(word == term for word in self.words[name].values())
        if not count:
            return None
        (text,) = (a for a in self.mappings["properties"].values() if a["type"] == "text")
        similarity = self.settings["similarity"][text["similarity"]]
        assert similarity["type"] == "LMDirichlet"
        mu, every = similarity["mu"], [w for words in self.words.values() for w in words.values()]
        share = (every.count(term) + 1) / (len(every) + 1)
        length = lossy(len(self.words[name]))
        score = boost * (math.log(1 + count / (mu * share)) + math.log(mu / (length + mu)))
        return np.float32(max(score, 0.0))

    def _phrase(self, name: str, wanted: Mapping[int, str]) -> np.float32 | None:
        words = self.words[name]
        starts = (p for p in words if all(words.get(p + at) == word for at, word in wanted.items()))
        return np.float32(1) if wanted and next(starts, None) is not None else None


def lossy(length: int) -> int:
    """A length as one byte keeps it: exact below 40, then with four significant bits."""
    if length < 40:
        return length
    above = length - 24
    shift = above.bit_length() - 4
    return 24 + (above >> shift << shift)


def _clauses(query: Mapping[str, Any]) -> int:
    if "bool" not in query:
        return 1
    return sum(_clauses(each) for kind in ("should", "filter") for each in query["bool"].get(kind, ()))


@dataclass
class Server:
    """What the server has and how it behaves.

    indexes: by their own names. aliases: the indexes of each.
    version: that it says it is. product: what it says to be. key: without which nobody is let in.
    breaks: how many of the next requests it hangs up at, by a part of their paths. spoils: for parts of paths
    the status that it answers with. busy: how many requests it rejects with 429, by a part of their paths.
    busy_documents, busy_searches: how many documents and searches it rejects with 429, in an answer of 200.
    most_bytes: of a request; larger ones are refused as a proxy does, with a page. starts: whether new
    indexes start. closed: the names of closed indexes.
    asked: method, path and the authorization of every request. requests: all of them, checked by the
    specification.
    """

    version: str = "8.19.3"
    product: str = "Elasticsearch"
    key: str = ""
    indexes: dict[str, Index] = field(default_factory=dict)
    aliases: dict[str, set[str]] = field(default_factory=dict)
    breaks: dict[str, int] = field(default_factory=dict)
    spoils: dict[str, int] = field(default_factory=dict)
    busy: dict[str, int] = field(default_factory=dict)
    busy_documents: int = 0
    busy_searches: int = 0
    most_bytes: int = 2**30
    starts: bool = True
    closed: set[str] = field(default_factory=set)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    address: str = ""

    def answer(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> tuple[int, Any]:
        self._check(headers)
        for part, left in self.busy.items():
            if part in path and left:
                self.busy[part] -= 1
                raise Refused(429, "es_rejected_execution_exception", "queue is full")
        for part, status in self.spoils.items():
            if part in path:
                raise Refused(status, "some_exception", "requested")
        if len(body) > self.most_bytes:
            return 413, "<html><head><title>413 Request Entity Too Large</title></head></html>"
        if path == "/":
            return 200, {"version": {"number": self.version}, "tagline": "You Know, for Search"}
        if path == "/_aliases":
            self._update_aliases(json.loads(body)["actions"])
            return 200, {"acknowledged": True, "errors": False}
        name, _, verb = unquote(path).strip("/").partition("/")
        if method == "PUT" and not verb:
            return 200, self._create(name, json.loads(body))
        if method == "DELETE" and not verb:
            return 200, self._delete(name, ignores_missing="ignore_unavailable=true" in query)
        if verb == "_msearch":
            return 200, self._msearch(name, body)
        found = self.resolve(name)
        if verb == "_mapping" and method == "GET":
            return 200, {one: {"mappings": self.indexes[one].mappings} for one in found}
        return 200, self._of_index(self.named(name), verb, body)

    def resolve(self, name: str) -> list[str]:
        """The own names of the indexes that an expression names; refuses one that names none."""
        if "*" in name:
            found = {own for own in self.indexes if fnmatchcase(own, name)}
            return sorted(found.union(*(i for alias, i in self.aliases.items() if fnmatchcase(alias, name))))
        if name in self.aliases:
            return sorted(self.aliases[name])
        if name not in self.indexes:
            raise Refused(404, "index_not_found_exception", f"no such index [{name}]")
        return [name]

    def named(self, name: str) -> Index:
        """The only index of a name or an alias."""
        (own,) = self.resolve(name)
        if own in self.closed:
            raise Refused(400, "index_closed_exception", "closed")
        return self.indexes[own]

    def _create(self, name: str, definition: dict[str, Any]) -> dict[str, Any]:
        if name in self.aliases:
            reason = f"Invalid index name [{name}], already exists as alias"
            raise Refused(400, "invalid_index_name_exception", reason)
        if name in self.indexes:
            raise Refused(400, "resource_already_exists_exception", f"index [{name}] already exists")
        assert definition["settings"]["index"]["number_of_shards"] == 1
        assert definition["settings"]["index"]["number_of_replicas"] == 0
        self.indexes[name] = Index(definition["settings"], definition["mappings"])
        return {"acknowledged": True, "shards_acknowledged": self.starts, "index": name}

    def _delete(self, name: str, *, ignores_missing: bool) -> dict[str, Any]:
        self._refuse_alias(name)
        if name in self.indexes or not ignores_missing:
            self._drop(name, self.indexes, self.aliases)
        return {"acknowledged": True}

    def _refuse_alias(self, name: str) -> None:
        if name in self.aliases:
            reason = (
                f"The provided expression [{name}] matches an alias, specify the corresponding concrete "
                "indices instead."
            )
            raise Refused(400, "illegal_argument_exception", reason)

    @staticmethod
    def _drop(name: str, indexes: dict[str, Index], aliases: dict[str, set[str]]) -> None:
        """Delete an index, and each alias that names no other one."""
        if name not in indexes:
            raise Refused(404, "index_not_found_exception", f"no such index [{name}]")
        del indexes[name]
        for alias in list(aliases):
            aliases[alias] = aliases[alias] - {name}
            if not aliases[alias]:
                del aliases[alias]

    def _update_aliases(self, actions: Sequence[Mapping[str, Mapping[str, Any]]]) -> None:
        """Do all actions or, if one is refused, none. Indexes are deleted first, as Elasticsearch does."""
        indexes, aliases = dict(self.indexes), {alias: set(named) for alias, named in self.aliases.items()}
        for action in actions:
            if about := action.get("remove_index"):
                self._refuse_alias(about["index"])
                self._drop(about["index"], indexes, aliases)
        for action in actions:
            ((kind, about),) = action.items()
            if kind == "remove_index":
                continue
            if about["index"] not in indexes:
                raise Refused(404, "index_not_found_exception", f"no such index [{about['index']}]")
            alias, named = about["alias"], aliases.get(about["alias"], set())
            if kind == "remove":
                if about["index"] not in named:
                    raise Refused(404, "aliases_not_found_exception", f"aliases [{alias}] missing")
                aliases[alias] = named - {about["index"]}
                if not aliases[alias]:
                    del aliases[alias]
            elif alias in indexes:
                reason = (
                    f"Invalid alias name [{alias}]: an index or data stream exists with the same name as the "
                    "alias"
                )
                raise Refused(400, "invalid_alias_name_exception", reason)
            else:
                aliases[alias] = named | {about["index"]}
        self.indexes, self.aliases = indexes, aliases

    def _msearch(self, name: str, body: bytes) -> dict[str, Any]:
        """Answer every search; each has its own error."""
        searches = [json.loads(line) for line in body.splitlines()][1::2]
        try:
            index = self.named(name)
        except Refused as refused:
            return {"responses": [refused.body for _ in searches]}
        return {"responses": [self._busy_search() or _or_error(index, search) for search in searches]}

    def _busy_search(self) -> dict[str, Any] | None:
        """The error of a search that does not fit into the queue, None = it does."""
        if not self.busy_searches:
            return None
        self.busy_searches -= 1
        cause = {"type": "es_rejected_execution_exception", "reason": "rejected execution of a search"}
        error = {"type": "search_phase_execution_exception", "reason": "all shards failed"}
        return {"error": {**error, "root_cause": [cause]}, "status": 429}

    def _check(self, headers: Mapping[str, str]) -> None:
        wanted = re.search(r"compatible-with=(\d+)", headers.get("accept", ""))
        major = int(self.version.split(".")[0])
        if wanted and int(wanted[1]) not in (major, major - 1):
            raise Refused(400, "media_type_header_exception", "Accept version must be another")
        if self.key and headers.get("authorization") != f"ApiKey {self.key}":
            raise Refused(401, "security_exception", "missing authentication credentials")

    def _of_index(self, index: Index, verb: str, body: bytes) -> Any:
        if verb == "_mapping":
            index.mappings.update(json.loads(body))
        elif verb == "_settings":
            index.settings["index"].update(json.loads(body)["index"])
        elif verb == "_forcemerge":
            index.merged += 1
        elif verb == "_count":
            return {"count": len(index.documents)}
        elif verb == "_search":
            return index.search(json.loads(body))
        elif verb == "_bulk":
            return self._bulk(index, [json.loads(line) for line in body.splitlines()])
        return {"acknowledged": True}

    def _bulk(self, index: Index, lines: list[dict[str, Any]]) -> dict[str, Any]:
        items = []
        for action, source in zip(lines[::2], lines[1::2], strict=True):
            status = 429 if self.busy_documents else index.create(action["create"]["_id"], source)
            self.busy_documents -= status == 429
            error = {} if status < 300 else {"error": _error("document_exception", f"status {status}")}
            items.append({"create": {"_id": action["create"]["_id"], "status": status, **error}})
        return {"errors": any(i["create"]["status"] > 299 for i in items), "items": items}

    def hangs_up(self, path: str) -> bool:
        """Whether this request is one to hang up at; counts it."""
        for part in self.breaks:
            if part in path:
                self.breaks[part] -= 1
                return self.breaks[part] < 0
        return False


def _or_error(index: Index, search: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return index.search(search)
    except Refused as refused:
        return refused.body


@contextmanager
def serving(**behaviour: Any) -> Iterator[Server]:
    """A server without indexes."""
    server = Server(**behaviour)
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    server.address = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else each answer waits 40 ms for the one before

        def _serve(self) -> None:
            path = urlsplit(self.path).path
            headers = {key.lower(): value for key, value in self.headers.items()}
            server.asked.append((self.command, path, headers.get("authorization", "")))
            body = self.rfile.read(int(headers.get("content-length", 0)))
            if server.hangs_up(path):
                self.close_connection = True
                return
            try:
                names = tuple(
                    name for name, _ in parse_qsl(urlsplit(self.path).query, keep_blank_values=True)
                )
                media = headers.get("content-type", "")
                server.requests.append(checked(Asked(self.command, path, names, media, body)))
                status, response = server.answer(self.command, path, urlsplit(self.path).query, headers, body)
            except Refused as refused:
                status, response = refused.status, refused.body
            is_page = isinstance(response, str)
            content = response.encode() if is_page else json.dumps(response).encode()
            self.send_response(status)
            if server.product:
                self.send_header("X-Elastic-Product", server.product)
            kind = "text/html" if is_page else "application/vnd.elasticsearch+json;compatible-with=8"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _serve  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
