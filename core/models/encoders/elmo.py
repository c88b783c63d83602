"""ELMo word vectors in context (Peters et al. 2018): sentences encoded independently, layers concatenated.

The AllenNLP implementation carries its state from batch to batch, so its results depend on earlier texts;
here every sentence starts from the initial state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch

from core.domain.study import Text
from core.models.encoders.elmo_network import ElmoNetwork, letters_of, load_network, read_options
from core.models.encoders.text_encoding import EncodedText, empty_text
from core.models.runtime.batches import Batcher
from core.models.runtime.encoding_cache import BoundedCache
from core.text.sentences import sentence_spans_of
from core.text.treebank import Word, treebank_words

OPTIONS, WEIGHTS = "options.json", "weights.hdf5"
_BATCH_WORDS = 2048
"""Each step reads all weights, so large batches cost little more than small ones; the gates of one word
take 256 kB.
"""


def load_elmo(options: Path, weights: Path, device: str, batch_words: int | None = None) -> Elmo:
    """Load ELMo. Raises InputError if the files are damaged or do not match."""
    return Elmo(load_network(read_options(options), weights, device), device, batch_words or _BATCH_WORDS)


class Elmo:
    """Encodes texts sentence by sentence. batch_words: words per batch, padding included."""

    def __init__(self, network: ElmoNetwork, device: str, batch_words: int) -> None:
        self._network = network
        self._batches = Batcher("ELMo", device, batch_words)
        self._cache: BoundedCache[EncodedText] = BoundedCache()

    def read(self, texts: Sequence[Text]) -> list[EncodedText]:
        """Encode texts in order; rows of shape (words, layers × width), lowest layer first."""
        encoded = {
            text.reading_key: cached
            for text in texts
            if (cached := self._cache.get(text.reading_key)) is not None
        }
        missing = list({text.reading_key: text for text in texts if text.reading_key not in encoded}.values())
        sentences = [treebank_words(text.content, sentence_spans_of(text)) for text in missing]
        rows = iter(self._rows([words for own in sentences for words in own if words]))
        for text, own in zip(missing, sentences, strict=True):
            encoded[text.reading_key] = result = self._joined(own, rows)
            self._cache.keep(text.reading_key, result)
        return [encoded[text.reading_key] for text in texts]

    def _joined(self, sentences: Sequence[Sequence[Word]], rows: Iterator[torch.Tensor]) -> EncodedText:
        words = [word for sentence in sentences for word in sentence]
        if not words:
            return empty_text(self._network.dimension)
        read = torch.cat([next(rows) for sentence in sentences if sentence])
        names, spans = zip(*words, strict=True)
        return EncodedText(names, spans, read.numpy())

    def _rows(self, sentences: Sequence[Sequence[Word]]) -> list[torch.Tensor]:
        """Return the vectors of each sentence's words, on the CPU."""
        lengths = [len(sentence) + 2 for sentence in sentences]
        return self._batches.run(lengths, lambda places: self._read([sentences[i] for i in places]))

    def _read(self, sentences: Sequence[Sequence[Word]]) -> list[torch.Tensor]:
        longest = self._network.options.longest
        letters = [letters_of([word for word, _ in sentence], longest) for sentence in sentences]
        with torch.inference_mode():
            # copies, because a view would hold the padding of the batch in memory
            return [rows.cpu().clone() for rows in self._network.read(letters)]
