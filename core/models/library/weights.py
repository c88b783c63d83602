"""Check of the weights of a model that is added: every tensor that is used, of its shape, with finite values.

Networks are loaded as when they are used first, in the type in which they are stored: that maps files, and
takes as long as reading them once. Not checked, for it would take their own programs or minutes: word vectors
(rows that are not finite are left out when they are read), pipelines of spaCy, and the Universal Sentence
Encoder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.catalogue.conversion import read_layer_file
from core.models.catalogue.entries import Role
from core.models.catalogue.model_folder import Model, read_model
from core.models.heads.nli_labels import is_generative
from core.models.runtime.heads import Head, generation_head, load_parts

_HEADS = {
    Role.MASKED_LM: Head.MASKED_LM,
    Role.QA: Head.ANSWERS,
    Role.ALIGNMENT: Head.ENTAILMENT,
    Role.RATER: Head.ENTAILMENT,
    Role.COMET: Head.COMET,
}


def check_weights(place: Path, roles: Sequence[Role]) -> None:
    """Raise InputError if the weights of a model are incomplete, or not finite, for one of its roles."""
    if Role.SUMMAC in roles:
        read_layer_file(place)
    elif Role.INFERSENT in roles:
        from core.models.encoders.infersent import read_weights

        for file in [place] if place.is_file() else sorted(place.glob("infersent[12].pkl")):
            read_weights(file)
    elif Role.ELMO in roles:
        from core.models.encoders.elmo_network import load_network, read_options

        options = read_options(next(place.glob("*options.json")))
        load_network(options, next(place.glob("*weights.hdf5")), "cpu")
    elif place.is_dir() and (place / "config.json").is_file():
        _check_transformer(read_model(place.name, place), roles)


def _check_transformer(model: Model, roles: Sequence[Role]) -> None:
    for head in dict.fromkeys(_heads(model, roles)) or (None,):
        try:
            _check_network(model, head)
        except InputError as error:
            if head is None or not _is_encoder(model):
                raise
            raise InputError(f"{error} Its encoder is whole: --role encoder adds that alone.") from error
    if Role.SENTENCE_ENCODER in roles:
        import torch

        from core.models.encoders.pooling import pool, read_pooling

        pool(read_pooling(model), torch.zeros(1, model.dimension), torch.tensor([False]))


def _check_network(model: Model, head: Head | None) -> None:
    """Load a network, and let it read a short text."""
    import torch

    module: Any
    module, tokenizer = load_parts(model, head)
    if head is Head.COMET:
        from core.models.heads.comet import Comet

        Comet(model, module, tokenizer, "cpu", 1)
    ids = torch.tensor([tokenizer("the")["input_ids"]])
    given = {"decoder_input_ids": ids[:, :1]} if module.config.is_encoder_decoder else {}
    try:
        with torch.inference_mode():
            try:
                module(input_ids=ids, **given)
            except (InputError, RuntimeError):
                if module.dtype is torch.float32:
                    raise
                module.float()(input_ids=ids, **given)  # as it is used unless another dtype is chosen
    except (RuntimeError, TypeError, ValueError, LookupError, ImportError) as error:
        raise InputError(
            f"The network of {model.name} in {model.folder} cannot be run ({error}). Copy the model's folder "
            "again, or choose another model."
        ) from error


def _is_encoder(model: Model) -> bool:
    try:
        _check_network(model, None)
    except InputError:
        return False
    return True


def _heads(model: Model, roles: Sequence[Role]) -> Iterator[Head]:
    for role in roles:
        if role is Role.NLI:
            yield Head.SEQUENCE if is_generative(model) else Head.ENTAILMENT
        elif role is Role.LANGUAGE_MODEL:
            yield generation_head(model)
        elif role in _HEADS:
            yield _HEADS[role]
