"""Abstractive models: generation as transformers' own, prompts, limits, signature, what cannot be used."""

from __future__ import annotations

import pytest

from core.domain.study import Text, TopicTexts, join_sentences
from core.errors import BadSetting, InputError
from core.progress import run_to_completion
from core.systems import registry
from core.systems.abstractive import AbstractiveModel
from core.systems.run import SystemRequest, source_of, summarize_study
from core.systems.source import CollectionCounts, Source

WORDS = ["the", "court", "ban", "bridge", "on", "monday", "was", "void", "summarize", ":", ".", "and"]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A random sequence-to-sequence model and a random causal model with a chat template."""
    import torch
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[UNK]", "[BOS]", "[EOS]", *WORDS])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "bos_token": "[BOS]", "eos_token": "[EOS]"}
    ids = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    torch.manual_seed(3)
    bart = transformers.BartConfig(
        vocab_size=len(vocabulary), d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
        decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, max_position_embeddings=24,
        decoder_start_token_id=2, forced_eos_token_id=3, **ids,
    )  # fmt: skip
    gpt = transformers.GPT2Config(
        vocab_size=len(vocabulary), n_embd=16, n_layer=1, n_head=2, n_positions=48, **ids
    )
    folders = {}
    for name, model in (
        ("seq", transformers.BartForConditionalGeneration(bart)),
        ("causal", transformers.GPT2LMHeadModel(gpt)),
    ):
        folder = folders[name] = tmp_path_factory.mktemp(name)
        if name == "seq":
            tokenizer.post_processor = TemplateProcessing(
                single="[BOS] $A [EOS]", special_tokens=[("[BOS]", 2), ("[EOS]", 3)]
            )
        else:
            tokenizer.post_processor = None
        fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks)
        if name == "causal":
            fast.chat_template = "{% for m in messages %}court {{ m['content'] }} bridge{% endfor %}"
        model.save_pretrained(folder)
        fast.save_pretrained(folder)
    return folders


def source(*sentences: str, query: str = "") -> Source:
    content, spans = join_sentences(sentences)
    topic = TopicTexts("t", "t", query=query, documents=(Text("d", "d", content, spans),))
    return source_of(topic, AbstractiveModel(), CollectionCounts({}, 0, {}))


TEXT = "the court on monday was void ."


def generated(folder, text: str, **options: object) -> str:
    """Return what transformers itself generates."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    is_causal = "causal" in str(folder)
    kind = transformers.AutoModelForCausalLM if is_causal else transformers.AutoModelForSeq2SeqLM
    model = kind.from_pretrained(folder).eval()
    ids = tokenizer(text, return_tensors="pt", return_token_type_ids=False)
    found = model.generate(**ids, do_sample=False, **options)[0]
    found = found[ids["input_ids"].shape[1] :] if is_causal else found
    return " ".join(tokenizer.decode(found, skip_special_tokens=True).split())


@pytest.mark.parametrize("beams", [1, 3])
def test_a_sequence_model_generates_as_transformers_does(models, beams):
    model = AbstractiveModel(
        model=str(models["seq"]),
        prompt="summarize : {text}",
        tokens=9,
        beams=beams,
        no_repeat=2,
        least_tokens=4,
    )
    options = {"max_new_tokens": 9, "min_new_tokens": 4, "num_beams": beams, "no_repeat_ngram_size": 2}
    if beams > 1:
        options |= {"early_stopping": True, "length_penalty": 1.0}
    expected = generated(models["seq"], f"summarize : {TEXT}", **options)
    assert expected
    assert " ".join(model.summarize(source(TEXT))) == expected


@pytest.mark.parametrize("chat", [True, False])
def test_a_causal_model_continues_the_prompt(models, chat):
    model = AbstractiveModel(
        model=str(models["causal"]), tokens=8, beams=1, no_repeat=0, chat=chat, prompt="{query} {text}"
    )
    whole = f"and {TEXT}"
    expected = generated(
        models["causal"], f"court {whole} bridge" if chat else whole, max_new_tokens=8, num_beams=1
    )
    assert expected
    assert " ".join(model.summarize(source(TEXT, query="and"))) == expected


def test_a_long_document_is_cut_and_counted(models):
    model = AbstractiveModel(model=str(models["seq"]), tokens=5, prompt="summarize : {text} and")
    long = source(*[TEXT] * 9)
    (summary,) = model.summarize_all([long])
    assert summary.is_cut
    kept = " ".join(" ".join([TEXT] * 9).split()[:19])  # 24 positions, of which 2 marks and 3 of the prompt
    assert summary.sentences == model.summarize(source(kept))
    assert not next(iter(model.summarize_all([source(kept)]))).is_cut
    full = AbstractiveModel(model=str(models["causal"]), tokens=40, prompt=f"{'court ' * 40}{{text}}")
    with pytest.raises(InputError, match="does not fit in the 8 tokens"):
        full.summarize(source(TEXT))


def test_a_system_of_a_model_has_its_hash_and_reports_cut_documents(models, study):
    model = AbstractiveModel(model=str(models["seq"]), tokens=6, least_tokens=3)
    (report,) = run_to_completion(summarize_study(study, [SystemRequest("bart", model)], device="cpu"))
    assert "|hash:" in report.signature
    assert report.made + len(report.without) == 2
    again = run_to_completion(summarize_study(study, [SystemRequest("bart", model)], device="cpu"))[0]
    assert again.kept == report.made


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("", "Name the model"),
        ("./nowhere", "There is no model in"),
        ("no/such-model", "pyramidion models get"),
    ],
)
def test_a_missing_model_is_reported_with_the_remedy(model, message):
    assert message in AbstractiveModel(model=model).unavailable()


def test_a_model_without_a_language_head_is_refused(make_model):
    assert "generates no text" in AbstractiveModel(model=str(make_model())).unavailable()


def test_prompts_may_contain_commas_and_need_a_place_for_the_documents():
    text = "model|model:x|prompt:Summarize, please: {text}|words:50"
    ((name, found),) = registry.parse_list(text)
    assert found.prompt == "Summarize, please: {text}"
    assert registry.parse(name) == found
    assert registry.parse_list(f"mine={text}")[0][0] == "mine"
    with pytest.raises(BadSetting, match=r"has to contain \{text\} once"):
        AbstractiveModel(prompt="Summarize.")
