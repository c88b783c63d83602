"""A tiny random causal model, and a small rubric for it."""

from __future__ import annotations

from pathlib import Path

WORDS = [
    *("the", "court", "ruled", "was", "void", ".", ":", "#", ",", "a", "b", "c", "1", "2", "3", "4", "5"),
    *("[PAD]", "[UNK]", "[EOS]"),
]
RUBRIC = """
title = "Small"
mode = "rating"
prompt = "the {document} was {summary} : {question}"
[[criteria]]
name = "coherence"
question = "void ."
"""


def causal_model(folder: Path) -> Path:
    """Write a random causal model with a chat template, whose words include the numbers of a scale."""
    import torch
    import transformers
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    vocabulary = {word: place for place, word in enumerate(WORDS)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "eos_token": "[EOS]"}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **marks)
    fast.chat_template = "{% for m in messages %}court {{ m['content'] }} :{% endfor %}"
    torch.manual_seed(5)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS),
        n_embd=16,
        n_layer=2,
        n_head=2,
        n_positions=256,
        pad_token_id=vocabulary["[PAD]"],
        eos_token_id=vocabulary["[EOS]"],
        bos_token_id=None,
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder
