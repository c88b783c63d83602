"""Tokenizers of models against the tokenizer.json that was published with them, by class of transformers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import AutoTokenizer

from core.models.catalogue.model_folder import Model, has_own_rules
from core.models.runtime.network import load_tokenizer
from core.scoring.study_resources import StudyResources

ALPHABET = "aAbBéÉe\u0301ßﬁＡ２²Ⅳ\xa0\u3000\u200b\u00ad\ufeff 中…`'\",.-\t\n"
TEXTS = st.lists(st.sampled_from([*ALPHABET, " ab", "  ", "<mask>", "``"]), max_size=12).map("".join)
MARKS = ["<s>", "<pad>", "</s>", "<unk>", "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "<mask>"]


def _characters() -> list[str]:
    written = {*ALPHABET, *normalizers.NFKC().normalize_str(ALPHABET), *ALPHABET.lower(), *"eE▁#"}
    return sorted(written)


def _word_pieces() -> Tokenizer:
    pieces = [*MARKS, *_characters(), *(f"##{one}" for one in _characters()), "ab", "##ab"]
    made = Tokenizer(models.WordPiece({piece: at for at, piece in enumerate(pieces)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return _closed(made, "[CLS]", "[SEP]")


def _bytes() -> Tokenizer:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = {piece: at for at, piece in enumerate([*MARKS, *letters, "ab", "Ġab"])}
    made = Tokenizer(models.BPE(pieces, [("a", "b"), ("Ġ", "ab")]))
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return made


def _roberta() -> Tokenizer:
    made = _bytes()
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return made


def _unigram(begin: str, end: str, *rules: Any, is_split: bool = True) -> Callable[[], Tokenizer]:
    def make() -> Tokenizer:
        scored = [(piece, 0.0 if piece in MARKS else -3.0) for piece in [*MARKS, *_characters(), "▁ab", "ab"]]
        made = Tokenizer(models.Unigram(scored, unk_id=MARKS.index("<unk>")))
        made.normalizer = normalizers.Sequence(
            [*rules, normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]
        )
        space = pre_tokenizers.Metaspace(prepend_scheme="always")
        split = [pre_tokenizers.WhitespaceSplit()] if is_split else []
        made.pre_tokenizer = pre_tokenizers.Sequence([*split, space])
        made.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
        return _closed(made, begin, end)

    return make


def _closed(made: Tokenizer, begin: str, end: str) -> Tokenizer:
    made.post_processor = processors.TemplateProcessing(
        single=[mark for mark in (begin, "$A", end) if mark],
        pair=[mark for mark in (begin, "$A", end, "$B:1", end and f"{end}:1") if mark],
        special_tokens=[(mark, MARKS.index(mark)) for mark in (begin, end) if mark],
    )
    return made


_LOWER = (normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase())
PUBLISHED: dict[str, tuple[str, Callable[[], Tokenizer]]] = {
    "BertTokenizer": ("bert", _word_pieces),
    "DistilBertTokenizer": ("distilbert", _word_pieces),
    "ElectraTokenizer": ("electra", _word_pieces),
    "MPNetTokenizer": ("mpnet", _word_pieces),
    "RobertaTokenizer": ("roberta", _roberta),
    "BartTokenizer": ("bart", _roberta),
    "GPT2Tokenizer": ("gpt2", _bytes),
    "XLMRobertaTokenizer": ("xlm-roberta", _unigram("<s>", "</s>")),
    "CamembertTokenizer": ("camembert", _unigram("<s>", "</s>")),
    "AlbertTokenizer": ("albert", _unigram("[CLS]", "[SEP]", normalizers.Replace("``", '"'), *_LOWER)),
    "XLNetTokenizer": ("xlnet", _unigram("<s>", "</s>", *_LOWER)),
    "RemBertTokenizer": ("rembert", _unigram("[CLS]", "[SEP]")),
    "DebertaV2Tokenizer": ("deberta-v2", _unigram("[CLS]", "[SEP]", normalizers.Strip(), is_split=False)),
    "T5Tokenizer": ("t5", _unigram("", "</s>")),
    "PegasusTokenizer": ("pegasus", _unigram("", "</s>")),
    "LlamaTokenizer": ("llama", _unigram("<s>", "")),
}


def _published(folder: Path, kind: str, **settings: Any) -> Model:
    family, make = PUBLISHED[kind]
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"model_type": family}), encoding="utf-8")
    made = make()
    made.add_special_tokens([mark for mark in MARKS if made.token_to_id(mark) is not None])
    made.save(str(folder / "tokenizer.json"))
    content = {"tokenizer_class": kind, **settings}
    (folder / "tokenizer_config.json").write_text(json.dumps(content), encoding="utf-8")
    return Model(kind, folder, (), 1, 1, 1, 0)


@pytest.mark.parametrize("kind", PUBLISHED)
def test_pieces_and_their_places_are_those_of_the_published_file(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model = _published(tmp_path_factory.mktemp(kind), kind)
    published = Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    tokenizer = load_tokenizer(model, is_prefixed=False)

    @given(TEXTS)
    def check(text: str) -> None:
        cut = tokenizer(text, return_offsets_mapping=True)
        expected = published.encode(text)
        assert cut["input_ids"] == expected.ids, expected.tokens
        assert cut["offset_mapping"] == expected.offsets
        assert tokenizer([text], [text])["input_ids"] == [published.encode(text, text).ids]

    check()


@pytest.mark.parametrize("kind", ["RobertaTokenizer", "GPT2Tokenizer"])
def test_first_words_have_a_space_where_bert_score_has_it(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model = _published(tmp_path_factory.mktemp(kind), kind)
    published = Tokenizer.from_file(str(model.folder / "tokenizer.json"))
    tokenizer = load_tokenizer(model)

    @given(TEXTS.map(str.strip).filter(lambda text: text and "<" not in text))
    def check(text: str) -> None:
        assert tokenizer(text)["input_ids"] == published.encode(f" {text}").ids

    check()


@pytest.mark.parametrize("kind", ["BertTokenizer", "XLMRobertaTokenizer", "RobertaTokenizer"])
@pytest.mark.parametrize(
    "settings",
    [{}, {"do_lower_case": False}, {"do_lower_case": True}, {"tokenizer_class": "TokenizersBackend"}],
)
def test_rules_are_its_own_where_the_class_of_the_tokenizer_has_others(
    kind: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    model = _published(tmp_path / kind, kind, **settings)
    if kind == "RobertaTokenizer":  # published byte pairs have no normalizer
        file = model.folder / "tokenizer.json"
        file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "normalizer": None}))
    by_class = AutoTokenizer.from_pretrained(model.folder)
    by_file = load_tokenizer(model, is_prefixed=False)
    texts = ["A É", "ﬁ ２", "中 a"]
    assert has_own_rules(model) == (by_class(texts)["input_ids"] != by_file(texts)["input_ids"])


def test_scores_by_other_rules_are_not_mixed(make_model: Callable[..., Path]) -> None:
    folder = make_model()
    before = StudyResources().model_hash(str(folder))
    assert before == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    for name, change in (("tokenizer.json", {"lowercase": False}), ("tokenizer_config.json", {})):
        file = folder / name
        content = json.loads(file.read_text(encoding="utf-8"))
        changed = {"normalizer": {**content["normalizer"], **change}} if change else {"do_lower_case": False}
        file.write_text(json.dumps({**content, **changed}), encoding="utf-8")
        assert (StudyResources().model_hash(str(folder)) != before) == bool(change)
