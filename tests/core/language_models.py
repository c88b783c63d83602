"""Tiny random language models for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = (
    *("the", "court", "ruled", "on", "monday", "that", "a", "ban", "is", "void", ",", "and", "old", "bridge"),
    *("Yes", "No", "question:", "Is", "this", "coherent", "summary", "to", "document:", "claim:", "fluent"),
    *("paragraph:", "relevant", "reference:", "In", "short", ":", "Tl;dr", "."),
    *("new", "dog", "ran", "cat", "sat", "mat"),
)
SPECIAL = ["[PAD]", "[UNK]", "[BOS]", "</s>"]
SIZES = {"sequence": 24, "causal": 40, "t5": 0}
"""Positions of each model; 0 = any."""


def make_language_model(folder: Path, kind: str, seed: int = 3, words: int = 0) -> Path:
    """Save a random model and its tokenizer of words. kind: sequence (BART), causal (GPT-2) or t5.

    words: fewest of its vocabulary; the same in capitals and others are added.
    """
    import torch
    import transformers
    from tokenizers import Regex, Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Split
    from tokenizers.processors import TemplateProcessing

    known = [*SPECIAL, *dict.fromkeys(WORDS)]
    known += [word.upper() for word in dict.fromkeys(WORDS) if words and word.upper() not in known]
    listed = [*known, *(f"word{n}" for n in range(words))][: max(words, len(known))]
    vocabulary = {word: at for at, word in enumerate(dict.fromkeys(listed))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Split(Regex(r"\s+"), "removed")
    ends = {"sequence": "[BOS] $A </s>", "causal": "$A", "t5": "$A </s>"}[kind]
    tokenizer.post_processor = TemplateProcessing(
        single=ends, special_tokens=[(mark, vocabulary[mark]) for mark in ("[BOS]", "</s>")]
    )
    ids = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3}
    size = len(vocabulary)
    torch.manual_seed(seed)
    model: Any
    if kind == "sequence":
        model = transformers.BartForConditionalGeneration(
            transformers.BartConfig(
                vocab_size=size, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
                decoder_attention_heads=2, encoder_ffn_dim=16, decoder_ffn_dim=16, init_std=0.5,
                max_position_embeddings=SIZES[kind], decoder_start_token_id=3, forced_eos_token_id=3, **ids,
            )
        )  # fmt: skip
    elif kind == "causal":
        model = transformers.GPT2LMHeadModel(
            transformers.GPT2Config(
                vocab_size=size, n_embd=16, n_layer=1, n_head=2, n_positions=SIZES[kind],
                initializer_range=0.5, **ids,
            )
        )  # fmt: skip
    else:
        model = transformers.T5ForConditionalGeneration(
            transformers.T5Config(
                vocab_size=size, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2,
                decoder_start_token_id=0, pad_token_id=0, eos_token_id=3, tie_word_embeddings=not words,
            )
        )  # fmt: skip
    model.save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", bos_token="[BOS]", eos_token="</s>"
    ).save_pretrained(folder)
    return folder
