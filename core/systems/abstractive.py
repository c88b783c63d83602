"""Abstractive summaries by a model of the Hugging Face Hub or in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from core.errors import BadSetting, PyramidionError
from core.scoring.study_resources import StudyResources
from core.settings import setting
from core.systems.base import Summarizer, Summary
from core.systems.registry import register
from core.systems.source import Sentence, Source
from core.text.sentences import sentence_spans

if TYPE_CHECKING:
    from core.models.heads.generation import GenerationSettings

_TEXT, _QUERY, _EARLIER = "{text}", "{query}", "{earlier}"


@register
@dataclass(frozen=True)
class AbstractiveModel(Summarizer):
    """Summaries that a sequence-to-sequence or causal language model generates.

    The prompt is filled in with the documents, one after the other, whose end is left out where a model
    cannot read them whole. Beam search without chance, so that equal settings give equal summaries on one
    machine.

    Limits:
        May state what no document says. Another device may round differently and so write another word.
    """

    name: ClassVar[str] = "model"
    about: ClassVar[str] = "Summaries that a language model on this computer generates."
    sees_earlier: ClassVar[bool] = True

    model: str = setting("", "Folder of a model, or its name on the Hugging Face Hub.", title="Model")
    prompt: str = setting(
        _TEXT,
        "Prompt; {text} = the documents, {query} = the topic's query, {earlier} = the earlier set.",
        title="Prompt",
    )
    tokens: int = setting(256, "Most tokens of a summary.", low=1, high=100_000, title="Most tokens")
    least_tokens: int = setting(0, "Fewest tokens of a summary.", low=0, high=100_000, title="Fewest tokens")
    beams: int = setting(4, "Beams of the search, 1 = greedy search.", low=1, high=64, title="Beams")
    no_repeat: int = setting(
        3,
        "No sequence of this many tokens occurs twice, 0 = any may.",
        low=0,
        high=100,
        title="No repetition of",
    )
    length_penalty: float = setting(
        1.0, "Exponent of the length by which beams' scores are divided.", title="Length penalty"
    )
    chat: bool = setting(True, "Use the chat template of a causal model that has one.", title="Chat template")
    batch: int = setting(
        1, "Topics per pass; another size may round otherwise.", low=1, high=1024, title="Batch"
    )
    dtype: str = setting(
        "float32", "Number type of the weights.", choices=("float32", "float16", "bfloat16"), title="Numbers"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prompt.count(_TEXT) != 1:
            raise BadSetting(f"{self.name}: the prompt has to contain {_TEXT} once, where the documents go.")

    def unavailable(self) -> str:
        """Return why the model cannot be used, without loading it."""
        if not self.model:
            return "Name the model: model=FOLDER, or its name on the Hugging Face Hub."
        try:
            from core.models.catalogue.lookup import find_model
            from core.models.runtime.heads import generation_head

            generation_head(find_model(self.model))
        except PyramidionError as error:
            return str(error)
        return ""

    def signature_extras(self) -> dict[str, str]:
        """Return the beginning of the SHA-256 of the model's weights."""
        return {} if self.unavailable() else {"hash": StudyResources().model_hash(self.model)[:12]}

    def summarize_all(self, sources: Iterable[Source], device: str = "auto") -> Iterator[Summary]:
        """Yield the summary of each source, divided into sentences. Raises MissingResource, InputError."""
        from core.models.heads.generation import load_generator

        listed = list(sources)
        generator = load_generator(self.model, device=device, dtype=self.dtype)
        prompts = [self._filled(source) for source in listed]
        made = generator.generate(prompts, self._generation(), self.batch)
        for source, generated in zip(listed, made, strict=True):
            language = source.documents[0].language if source.documents else ""
            spans = sentence_spans(generated.text, language)
            sentences = [
                Sentence(0, place, generated.text[start:end], ()) for place, (start, end) in enumerate(spans)
            ]
            yield Summary(self.limited(sentences, range(len(sentences))), generated.is_cut)

    def summarize(self, source: Source) -> tuple[str, ...]:
        """Return the summary of one topic."""
        return next(iter(self.summarize_all([source]))).sentences

    def _filled(self, source: Source) -> tuple[str, str, str]:
        """Return the parts of the prompt before, of and after the documents."""
        earlier = " ".join(sentence.text for sentence in source.earlier)
        before, after = (
            part.replace(_QUERY, source.query).replace(_EARLIER, earlier)
            for part in self.prompt.replace("\\n", "\n").split(_TEXT)
        )
        return before, "\n\n".join(document.content for document in source.documents), after

    def _generation(self) -> GenerationSettings:
        from core.models.heads.generation import GenerationSettings

        return GenerationSettings(
            self.tokens, self.least_tokens, self.beams, self.no_repeat, self.length_penalty, self.chat
        )
