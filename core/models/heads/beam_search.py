"""Beam search of a sequence-to-sequence model in which finished texts keep their place among the beams.

That of transformers sets finished texts aside and goes on with others, which may find another text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from core.models.runtime.margins import is_near_tie
from core.progress import raise_if_cancelled


def search(
    module: Any, inputs: Mapping[str, torch.Tensor], beams: int, tokens: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the most likely tokens for each input, and whether rounding could change any choice.

    inputs: of the encoder, shape (rows, pieces). tokens: most of a text; after its end, the end is repeated.
    A text's probability is the product over its tokens, whatever their number.
    """
    config, mask = module.config, inputs["attention_mask"]
    rows = len(mask)
    encoded = module.get_encoder()(**inputs).last_hidden_state
    last = torch.full((rows, 1), config.decoder_start_token_id, device=mask.device)
    cache: Any = None
    totals = torch.zeros((rows, 1), device=mask.device)
    written = torch.zeros((rows, 1, 0), dtype=torch.long, device=mask.device)
    is_near = torch.zeros(rows, dtype=torch.bool, device=mask.device)
    for _ in range(tokens):
        raise_if_cancelled()
        out = module(
            encoder_outputs=(encoded,),
            attention_mask=mask,
            decoder_input_ids=last,
            past_key_values=cache,
            use_cache=True,
        )
        cache = out.past_key_values
        found = out.logits[:, -1].float().log_softmax(dim=-1).reshape(rows, totals.shape[1], -1)
        # a text may begin with the end mark, as the released BARTs do
        is_over = (last == config.eos_token_id).reshape(rows, -1, 1) & (written.shape[2] > 0)
        after = torch.full_like(found[:1, :1], -torch.inf)
        after[..., config.eos_token_id] = 0.0
        sums = (torch.where(is_over, after, found) + totals.unsqueeze(2)).flatten(1)
        is_near |= is_near_tie(sums.topk(beams + 1).values[:, -2:])
        totals, places = sums.topk(beams)
        parents = places // found.shape[2]
        kept = written.gather(1, parents.unsqueeze(2).expand(-1, -1, written.shape[2]))
        written = torch.cat([kept, (places % found.shape[2]).unsqueeze(2)], dim=2)
        if bool((written[..., -1] == config.eos_token_id).all()):
            break
        if len(mask) == rows and beams > 1:
            encoded, mask = (one.repeat_interleave(beams, dim=0) for one in (encoded, mask))
        first = torch.arange(rows, device=mask.device).unsqueeze(1) * found.shape[1]
        cache.reorder_cache((first + parents).flatten())
        last = written[..., -1].reshape(-1, 1)
    return written[:, 0], is_near | is_near_tie(totals)
