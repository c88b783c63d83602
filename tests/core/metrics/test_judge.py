"""The metric `judge`: a random causal model, a server on this machine, rubrics, answers, refusals."""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import numpy as np
import pytest

from core.comparison.explanations.explain_score import explain
from core.comparison.judges.alignment import (
    JudgedRatings,
    JudgeOptions,
    JudgeReason,
    position_biases,
    reason_of,
)
from core.comparison.measures import matrix, measures
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.errors import BadSetting, InputError, MissingResource
from core.files.allowed_names import NotAllowed, allowed_names
from core.metrics.base.model_requests import NO_REQUESTS
from core.metrics.judge.answers import expected_value, parsed_value, stored_answers
from core.metrics.judge.judge import Judge
from core.metrics.judge.rubric import find_rubric, packaged_rubrics, read_rubric
from core.models.chat import ChatRequest, check_address
from core.models.chat_accounts import chat_accounts
from core.models.chat_server import ChatServer
from core.operations.score import plan_rows, requests_text
from core.progress import Cancelled, cancellable
from core.scoring.engine import parse_config
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from storage.formats.export_registry import find
from storage.study_file import new_study
from tests.causal import RUBRIC, causal_model
from tests.scoring import score_all

SCALE = {str(value): float(value) for value in range(1, 6)}

BAD = {
    "deep": b"[" * 100_000,
    "no text": b"\xff",
    "huge": b'{"choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "1", "logprob": 1'
    + b"0" * 400
    + b"}]}]}}]}",
    "not a number": b'{"choices": [{"logprobs": {"content": [{"top_logprobs": [{"token": "1", "logprob":'
    b" NaN}]}]}}]}",
    "surrogate": b'{"choices": [{"message": {"content": "3 \\ud800"}}]}',
}
"""Answers of a server that are none, by mode."""


class Api(BaseHTTPRequestHandler):
    """OpenAI's API, as a judge that reads the number in the summary, or a letter that comes first."""

    requests: ClassVar[list[dict]] = []
    models = ("tiny", "m-sk-\u200bsecret123", "<x>", "", "long" * 100)
    mode = "probabilities"
    wait: ClassVar[threading.Event] = threading.Event()

    def do_GET(self) -> None:
        if self.mode == "no list":
            self._send({"data": 5})
        elif self.mode == "half an error":
            self.send_response(500)
            self.send_header("Content-Length", "9")
            self.end_headers()
            self.wfile.write(b"half")
            self.wfile.flush()
            self.wait.wait(5)
        elif self.mode == "slow":
            self.send_response(200)
            self.end_headers()
            while not self.wait.wait(0.02):
                self.wfile.write(b" ")
        else:
            self._send({"data": [{"id": one} for one in self.models]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        prompt = body["messages"][0]["content"]
        if self.mode == "refused":
            self._send({"error": "no such model"}, 404)
            return
        if self.mode == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://192.0.2.1/")
            self.end_headers()
            return
        if self.mode == "silent":
            self.wait.wait(5)
            return
        if self.mode in BAD:
            self._send_bytes(BAD[self.mode])
            return
        number = next((word[1:] for word in prompt.split() if word.startswith("#")), "?")
        if body.get("logprobs"):
            label = "A" if "Summary B" in prompt else number
            top = [(label, 0.75), (f" {label}", 0.15), ("The", 0.1)]
            listed = [{"token": token, "logprob": math.log(p)} for token, p in top]
            content = [{"token": label, "logprob": math.log(0.75), "top_logprobs": listed}]
            choice = {"message": {"content": label}, "logprobs": {"content": content}}
            if self.mode == "without":
                choice["logprobs"] = None
            self._send({"choices": [choice]})
            return
        if self.mode == "one":
            self._send({"choices": [{"message": {"content": str(body["seed"])}}]})
            return
        texts = [f"Rating: {number}", "I cannot say."] * body.get("n", 1)
        self._send({"choices": [{"message": {"content": text}} for text in texts[: body.get("n", 1)]]})

    def _send(self, value: object, status: int = 200) -> None:
        self._send_bytes(json.dumps(value).encode(), status)

    def _send_bytes(self, content: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server():
    """The address of a server on this machine, allowed as if the user had typed it."""
    Api.requests.clear()
    Api.wait.clear()
    Api.mode = "probabilities"
    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{made.server_address[1]}/v1"
        allowed_names().named(url)
        yield url
        made.shutdown()
        thread.join()


@pytest.fixture
def study(tmp_path):
    topics = [
        NewTopic(
            f"T{n}",
            documents={"news": NewText("The court ruled.")},
            summaries={
                system: NewText(f"{system} #{1 + (n + place) % 5} .") for place, system in enumerate("abc")
            },
        )
        for n in range(2)
    ]
    with new_study(tmp_path / "s.pyramidion") as made:
        made.import_data(ImportContent("made", topics=topics))
        yield made


@pytest.fixture(scope="module")
def causal(tmp_path_factory):
    return causal_model(tmp_path_factory.mktemp("causal"))


@pytest.fixture
def rubric(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(RUBRIC)
    return path


def scores(study, measure):
    ref = next(one for one in measures(study, check_stale=False) if one.measure == measure)
    return matrix(study, ref).values, ref


class TestRequests:
    def test_they_are_counted_before_a_run_and_none_is_left_after_it(self, study, server):
        """Two topics of three summaries, four criteria."""
        resources = StudyResources(study, "cpu")
        chosen = Judge(server=server, lm="tiny")
        topics = list(study.texts.load())
        asked = sum((chosen.requests(topic, resources) for topic in topics), NO_REQUESTS)
        letters = [len("".join(one.prompt)) for t in topics for one in chosen._questions(t, chosen._rubric)]
        assert (asked.requests, asked.tokens_out) == (24, 24)
        assert asked.tokens_in == sum(math.ceil(count / 4) for count in letters)
        drawn = replace(chosen, samples=4).requests(topics[0], resources)
        assert (drawn.requests, drawn.tokens_out) == (12, 12 * 4 * 16)
        chat_accounts().change(server, price_in=2.0, price_out=1e6)
        (row,) = plan_rows(plan(study, [parse_config(chosen.spec, resources)], resources))
        assert (row["requests"], row["answer_tokens"]) == (24, 24)
        assert row["cost"] == pytest.approx(24 + 2 * asked.tokens_in / 1e6, abs=1e-4)
        assert "24 requests" in requests_text(row)
        score_all(study, chosen.spec)
        assert not chosen.requests(topics[0], resources)
        (row,) = plan_rows(plan(study, [parse_config(chosen.spec, resources)], resources))
        assert requests_text(row) == ""


class TestLocalModel:
    def test_the_value_is_expected_over_the_models_own_probabilities(self, study, causal, rubric):
        import torch
        import transformers

        score_all(study, f"judge:lm={causal},rubric={rubric},least=0")
        values, ref = scores(study, "judge.coherence")
        model = transformers.AutoModelForCausalLM.from_pretrained(causal)
        tokenizer = transformers.AutoTokenizer.from_pretrained(causal)
        for column in range(2):
            for row, system in enumerate("abc"):
                summary = f"{system} #{1 + (column + row) % 5} ."
                prompt = f"court the The court ruled. was {summary} : void . :"
                ids = torch.tensor([tokenizer(prompt)["input_ids"]])
                with torch.inference_mode():
                    p = model(ids).logits[0, -1].softmax(-1)
                mine = [float(p[tokenizer.convert_tokens_to_ids(str(v))]) for v in range(1, 6)]
                wanted = sum(v * x for v, x in enumerate(mine, 1)) / sum(mine)
                assert values[row, column] == pytest.approx(wanted, rel=1e-5)
        for part in ("rubric_hash:", "rubric_version:1", "template:1", "hash:"):
            assert part in ref.signature

    def test_drawn_answers_repeat_with_their_seed(self, study, causal, rubric):
        spec = f"judge:lm={causal},rubric={rubric},samples=6,failures=zero,tokens=2"
        score_all(study, f"{spec},seed=1", f"{spec},seed=2")
        first, second = (
            [one for _, signature, found in stored_answers(study.settings) for one in found
             if f"|seed:{seed}|" in signature]
            for seed in (1, 2)
        )  # fmt: skip
        assert len(first) == len(second) == 6
        assert [one.texts for one in first] != [one.texts for one in second]
        assert {len(one.texts) for one in first} == {6}
        request = ChatRequest(samples=6, seed=1, tokens=2)
        prompt = find_rubric(str(rubric)).filled(
            find_rubric(str(rubric)).criteria[0], {"document": "The court ruled.", "summary": "a #1 ."}
        )
        chat = StudyResources(study, "cpu").chat(str(causal))
        (answer,) = chat.answers([prompt], request)
        assert answer.texts in {one.texts for one in first}

    def test_too_little_probability_is_no_value(self, study, causal, rubric):
        report = score_all(study, f"judge:lm={causal},rubric={rubric},least=0.99")
        values, ref = scores(study, "judge.coherence")
        assert np.isnan(values).all()
        assert any(block.notes.get("no_value") == 3 for block in study.scores.blocks(ref.signature)), report
        tree = explain(study, ref, study.texts.topics()[0].id, "a", StudyResources(study, "cpu"))
        assert math.isnan(tree.evaluate())
        assert "no value of the scale" in tree.label

    def test_a_missing_model_and_one_of_another_kind_are_refused(self, tmp_path, study):
        resources = StudyResources(study, "cpu")
        with pytest.raises(MissingResource, match="needs a language model"):
            Judge().check(resources)
        (tmp_path / "config.json").write_text('{"architectures": ["BertModel"]}')
        with pytest.raises((InputError, MissingResource)):
            Judge(lm=str(tmp_path)).check(resources)

    def test_a_long_document_is_cut_at_its_end_and_counted(self, tmp_path, causal, rubric):
        with new_study(tmp_path / "long.pyramidion") as made:
            long = NewText(" ".join(["the court ruled ."] * 100))
            topic = NewTopic("T", documents={"d": long}, summaries={"a": NewText("a #1 ."), "b": NewText("")})
            made.import_data(ImportContent("made", topics=[topic]))
            score_all(made, f"judge:lm={causal},rubric={rubric},least=0")
            values, ref = scores(made, "judge.coherence")
            assert made.scores.blocks(ref.signature)[0].notes["truncated"] >= 1
            assert 1 <= values[0, 0] <= 5


class TestServer:
    def test_probabilities_of_a_label_are_summed_over_its_tokens(self, server):
        chat = ChatServer(server, "tiny")
        assert chat.models()[0] == "tiny"
        (answer,) = chat.answers([("", "", "rate #4 now")], ChatRequest(labels=tuple(SCALE)))
        assert answer.probabilities == pytest.approx((0, 0, 0, 0.9, 0))
        assert answer.texts == ("4",)
        (body,) = Api.requests
        assert (body["model"], body["max_tokens"], body["top_logprobs"]) == ("tiny", 1, 20)

    def test_a_study_is_scored_explained_exported_and_not_asked_again(self, study, server):
        spec = f"judge:server={server},lm=tiny"
        score_all(study, spec)
        values, ref = scores(study, "judge.fluency")
        assert values == pytest.approx(np.array([[1, 2], [2, 3], [3, 4]]))
        assert len(Api.requests) == 2 * 3 * 4
        assert f"|server:{server}|" in ref.signature
        assert "|lm:tiny|" in ref.signature
        tree = explain(study, ref, study.texts.topics()[1].id, "c", StudyResources(study, "cpu"))
        assert tree.evaluate() == pytest.approx(4)
        assert tree.label == "fluency"
        assert len(Api.requests) == 2 * 3 * 4  # what is stored is not asked again
        none = np.zeros((0, 0))
        data = JudgedRatings(
            "judge", ref.label, ref.signature, "rating.fluency", None, (), (), (), none, none[None]
        )
        assert study.edits.history(limit=1)[0].what == "Set answers of a judge"
        reason = reason_of(study, data, study.texts.topics()[1].id, "c")
        assert "fluency: Is each sentence well formed" in reason.question
        assert reason.answer == "“4”\n1: 0.000, 2: 0.000, 3: 0.000, 4: 0.900, 5: 0.000"
        assert reason_of(study, replace(data, signature="bleu|x:1"), "T0", "c") == JudgeReason()
        rows = list(find("answers", "csv").records(study))
        assert len(rows) == 24
        fluency = [row for row in rows if row["criterion"] == "fluency"]
        assert {(row["topic"], row["system"], row["answer"]) for row in fluency} == {
            (f"T{n}", system, str(1 + (n + place) % 5))
            for n in range(2)
            for place, system in enumerate("abc")
        }

    def test_a_changed_summary_alone_is_asked_again(self, study, server):
        spec = f"judge:server={server},lm=tiny"
        score_all(study, spec)
        Api.requests.clear()
        topic = study.texts.topic(study.texts.topics()[0].id)
        study.import_data(
            ImportContent("more", topics=[NewTopic(topic.name, summaries={"d": NewText("d #5 .")})])
        )
        score_all(study, spec)
        assert len(Api.requests) == 4
        values, _ = scores(study, "judge.coherence")
        assert values[3, 0] == 5

    @pytest.mark.parametrize(
        "change",
        [
            {"probabilities": [1.0]},
            {"value": 99.0},
            {"criterion": "other"},
            {"probabilities": [math.nan] * 5},
            {"value": 10**400},
            {"failures": math.inf},
        ],
    )
    def test_stored_answers_that_cannot_be_its_own_are_asked_again(self, study, server, change):
        score_all(study, f"judge:server={server},lm=tiny")
        _, ref = scores(study, "judge.fluency")
        (key, *_) = study.settings.keys("answers.")
        stored = json.loads(study.settings.get(key))
        for row in stored["answers"]:
            row.update(change)
        study.settings.save(key, json.dumps(stored)).result()
        Api.requests.clear()
        tree = explain(study, ref, key.rpartition(".")[2], "a", StudyResources(study, "cpu"))
        assert tree.evaluate() in (pytest.approx(1), pytest.approx(2))
        assert len(Api.requests) == 4

    def test_drawn_answers_without_a_value_are_counted_never_guessed(self, study, server):
        score_all(
            study,
            f"judge:server={server},lm=tiny,samples=4",
            f"judge:server={server},lm=tiny,samples=4,failures=zero",
        )
        refs = [one for one in measures(study, check_stale=False) if one.measure == "judge.fluency"]
        missing, zero = (matrix(study, ref).values for ref in refs)
        assert missing.tolist() == [[1, 2], [2, 3], [3, 4]]
        assert zero.tolist() == [[0.5, 1], [1, 1.5], [1.5, 2]]
        tree = explain(study, refs[0], study.texts.topics()[0].id, "a", StudyResources(study, "cpu"))
        assert tree.label == "fluency (without a value: “I cannot say.”, “I cannot say.”)"
        assert [child.label for child in tree.children] == ["answer “Rating: 1”"] * 2
        notes = [study.scores.blocks(ref.signature)[0].notes for ref in refs]
        assert notes == [{"no_value": 24}, {"failed_as_zero": 24}]

    def test_a_judge_that_prefers_the_first_place_is_found_out(self, study, server):
        score_all(study, f"judge:server={server},lm=tiny,rubric=pairwise")
        for measure, value in (("wins", 0.5), ("first", 1.0), ("consistent", 0.0)):
            values, ref = scores(study, f"judge.{measure}")
            assert values.tolist() == [[value] * 2] * 3
        (bias,) = position_biases(study, ["T0", "T1"], JudgeOptions(draws=0))
        assert (bias.first.value, bias.consistent.value, bias.first.items) == (1.0, 0.0, 6)
        with pytest.raises(InputError, match="compared this summary with all others"):
            explain(study, ref, study.texts.topics()[0].id, "a", StudyResources(study, "cpu"))

    def test_a_server_that_gives_one_answer_at_a_time_is_asked_until_all_are_there(self, server):
        Api.mode = "one"
        (answer,) = ChatServer(server, "tiny").answers([("", "", "#1")], ChatRequest(samples=3, seed=7))
        assert answer.texts == ("7", "8", "9")
        assert [body["n"] for body in Api.requests] == [3, 2, 1]

    @pytest.mark.parametrize(
        ("mode", "error", "words"),
        [
            ("without", InputError, "gives no probabilities"),
            ("refused", InputError, "no such model"),
            ("redirect", InputError, "refused the request"),
            ("deep", InputError, "it is no JSON"),
            ("no text", InputError, "it is no JSON"),
            ("huge", InputError, "gives no probabilities"),
            ("not a number", InputError, "gives no probabilities"),
        ],
    )
    def test_what_a_server_may_do_wrong_is_said(self, server, mode, error, words):
        Api.mode = mode
        with pytest.raises(error, match=words):
            list(ChatServer(server, "tiny").answers([("", "", "#1")], ChatRequest(labels=tuple(SCALE))))

    def test_an_unknown_model_is_answered_with_those_of_the_server(self, server, monkeypatch):
        Api.mode = "refused"
        monkeypatch.setenv("MY_KEY", "sk-secret123")
        chat_accounts().change(server, key="MY_KEY")
        with pytest.raises(InputError, match=r"refused the request: .*no such model.*models are") as raised:
            list(ChatServer(server, "large").answers([("", "", "#1")], ChatRequest(samples=1)))
        chat_accounts().forget(server)
        assert str(raised.value).endswith(f"tiny, m-…, {'long' * 20}.")

    def test_an_answer_that_is_no_unicode_is_stored(self, study, server):
        Api.mode = "surrogate"
        score_all(study, f"judge:server={server},lm=tiny,samples=1")
        ((_, _, answers), *_) = stored_answers(study.settings)
        assert {one.texts for one in answers} == {("3 ?",)}

    @pytest.mark.parametrize(
        ("mode", "error", "words"),
        [
            ("no list", InputError, "no list of models"),
            ("half an error", InputError, "refused the request"),
            ("slow", MissingResource, "did not answer in time"),
        ],
    )
    def test_a_wrong_or_slow_list_of_models_is_said(self, server, monkeypatch, mode, error, words):
        monkeypatch.setattr("core.models.chat_server._LISTING_SECONDS", 0.2)
        Api.mode = mode
        with pytest.raises(error, match=words):
            ChatServer(server, "tiny").models()
        Api.wait.set()

    def test_nothing_waits_for_a_silent_server_once_the_run_is_cancelled(self, server):
        Api.mode = "silent"
        with cancellable(lambda: bool(Api.requests)), pytest.raises(Cancelled):
            list(ChatServer(server, "tiny").answers([("", "", "#1")], ChatRequest(samples=1)))
        asking = [one for one in threading.enumerate() if "run" in one.name]  # of ChatServer
        assert asking
        assert all(one.daemon for one in asking)
        Api.wait.set()

    def test_a_server_that_nobody_named_or_that_is_gone_is_not_asked(self, server):
        allowed_names().named("http://127.0.0.1:9/v1")
        with pytest.raises(MissingResource, match="does not answer"):
            ChatServer("http://127.0.0.1:9/v1", "tiny").models()
        allowed_names().__init__()
        with pytest.raises(NotAllowed, match="named only in the study"):
            ChatServer(server, "tiny").models()
        assert Api.requests == []


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "127.0.0.1:80",
            "ftp://h/v1",
            "http://",
            "http://me:pw@h/v1",
            "http://h/v1?key=1",
            "http://h:x/",
        ),
        *("http://h/vé", "http://h/v 1", "http://h..x/v1", f"http://{70 * 'h'}/v1"),
    ],
)
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InputError, match="is no address of a server"):
        check_address(url)
    if url:
        with pytest.raises(BadSetting):
            Judge(server=url)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4), (" 4/5", 4), ("Rating: 3", 3), ("4.5 of 5", 4.5), ("3 because of 2 errors", 3),
        ("I rate 1 to 5: 4", math.nan), ("10", math.nan), ("0", math.nan), ("", math.nan), ("none", math.nan),
        ("-3", math.nan), ("v2", math.nan),
    ],
)  # fmt: skip
def test_numbers_in_answers(text, value):
    assert parsed_value(text, SCALE) == pytest.approx(value, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A", 1),
        ("B.", 0),
        ("Summary B", 0),
        ("A, as B is a copy", 1),
        ("both A and B", math.nan),
        ("a", math.nan),
    ],
)
def test_letters_in_answers(text, value):
    assert parsed_value(text, {"A": 1.0, "B": 0.0}) == pytest.approx(value, nan_ok=True)


def test_expected_values_by_hand():
    assert expected_value((0.2, 0.6), (1, 5), 0.5) == pytest.approx((0.2 + 3) / 0.8)
    assert math.isnan(expected_value((0.2, 0.2), (1, 5), 0.5))
    assert math.isnan(expected_value((0.0, 0.0), (1, 5), 0.0))


class TestRubrics:
    @pytest.mark.parametrize("name", packaged_rubrics())
    def test_those_of_the_program_are_read_and_described(self, name):
        rubric = find_rubric(name)
        assert rubric.title
        assert rubric.about
        assert all(one.question for one in rubric.criteria)
        prompt = rubric.filled(
            rubric.criteria[0], {"document": "DOC {summary}", "summary": "SUM {name}", "other": "OTHER"}
        )
        assert prompt[1] == "DOC {summary}"
        assert "SUM {name}" in "".join(prompt)  # braces of texts are no places
        assert "{question}" not in "".join(prompt)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (("title", "titel"), "unknown key 'titel'"),
            (('mode = "rating"', 'mode = "stars"'), "mode 'stars'"),
            (("{summary}", ""), "contains {summary}"),
            (('mode = "rating"', 'mode = "pairwise"'), "contains {other}"),
            (("[[criteria]]", "[other]"), "unknown key 'other'"),
            (('name = "coherence"', 'name = "x.y"'), "the name 'x.y'"),
            (('name = "coherence"', 'name = "c"\nlow = 5\nhigh = 1'), "from 5 to 1"),
            (("title", "= title"), "is no TOML"),
            (("title", f"version = {'1' * 5000}\ntitle"), "is no TOML"),
            (("title", f"about = {'[' * 20_000}\ntitle"), "is no TOML"),
            (("title", f"version = 0x{'F' * 9000}\ntitle"), "beyond 2"),
            (('name = "coherence"', f'name = "c"\nlow = 0x{"F" * 9000}'), "beyond 2"),
        ],
    )
    def test_what_is_wrong_in_a_file_is_said(self, change, words):
        with pytest.raises(InputError, match=words.replace("{", r"\{")):
            read_rubric(RUBRIC.replace(*change), "small.toml")

    def test_an_unknown_name_and_a_missing_file_are_refused(self, tmp_path):
        with pytest.raises(InputError, match="sumeval"):
            find_rubric("sumeval")
        with pytest.raises(InputError, match="cannot be read"):
            find_rubric(str(tmp_path / "none.toml"))
