"""Extractive question answering models, such as those fine-tuned on SQuAD."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import NDArray

from core.models.catalogue.model_folder import Model
from core.models.heads.answer_windows import QUESTION, READ, STRIDE, Reply, Window, best_reply, window_starts
from core.models.heads.head_model import HeadModel, is_near_tie
from core.models.runtime.heads import Head, LoadOptions, open_head
from core.models.runtime.word_pieces import WordPieces

_HELD = 4096
"""Windows of texts whose scores are held at once, 12 kB each."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedQuestion:
    """A question about a text, as word pieces; inputs share them."""

    question: WordPieces
    text: WordPieces


@dataclass(frozen=True, slots=True, eq=False)
class AnswerSpan:
    """Position of an answer among the word pieces of its text, and its probability.

    start, end: index of its first and last piece. The number of pieces stands for the special piece after the
    text; an end before the start means no answer.
    probability: of the start times that of the end.
    is_undecided: another start or end is as likely. is_truncated: the text was truncated.
    """

    start: int
    end: int
    probability: float
    is_undecided: bool
    is_truncated: bool


@dataclass(frozen=True, slots=True)
class QaOptions:
    """Settings of a question. limit: maximum word pieces of question and text, 0 = the model's maximum.

    has_segments: pass segment ids to the model.
    padded: pad to this length and include padding in the softmax; 0 = no padding in the softmax.
    """

    limit: int = 0
    has_segments: bool = True
    padded: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """An input: its pieces, segments, offset of the text, and number of text pieces it contains."""

    ids: list[int]
    segments: list[int]
    start: int
    length: int

    def places(self) -> list[int]:
        """Positions where an answer may be: the text's pieces and the special piece at the end."""
        return [*range(self.start, self.start + self.length), len(self.ids) - 1]


def load_answerer(model: str, **options: Unpack[LoadOptions]) -> QuestionAnswerer:
    """Load the question answering model of a catalogue key, folder or hub name.

    Raises MissingResource with how to get it, InputError if it is damaged or not such a model.
    """
    return QuestionAnswerer(*open_head(model, lambda _: Head.ANSWERS, **options))


class QuestionAnswerer(HeadModel):
    """A loaded question answering model. Not thread-safe."""

    def __init__(self, model: Model, module: Any, tokenizer: Any, device: str, batch_tokens: int) -> None:
        super().__init__(model, module, tokenizer, device, batch_tokens)
        self._padding = tokenizer.pad_token_id or 0
        self._frame = _Frame.of(tokenizer)
        self._has_segments = "token_type_ids" in tokenizer.model_input_names

    def cut(self, texts: Sequence[str]) -> list[WordPieces]:
        """Tokenize texts without truncation; special pieces are left out of questions and answers."""
        return [pieces.without_special() for pieces in self._cutter.cut(texts)]

    @property
    def end_piece(self) -> str:
        """The special piece after the text."""
        return self._frame.end

    def answer(self, questions: Sequence[EncodedQuestion], options: QaOptions) -> list[AnswerSpan]:
        """Return the most likely answer span for each question; equal questions are run once."""
        keys = [(one.question.ids.tobytes(), one.text.ids.tobytes()) for one in questions]
        unique = list(dict(zip(keys, questions, strict=True)).values())
        limit = min((n for n in (options.limit, self.model.limit) if n > 0), default=0)
        options = replace(options, padded=min(options.padded, self.model.limit or options.padded))
        rows = [self._frame.row(one, limit) for one in unique]
        lengths = [max(options.padded, len(row.ids)) for row in rows]
        answers = self._batches.run(
            lengths, lambda batch: self._step([rows[i] for i in batch], [unique[i] for i in batch], options)
        )
        known = dict(zip(dict.fromkeys(keys), answers, strict=True))
        return [known[key] for key in keys]

    def replies(self, questions: Sequence[tuple[str, str]]) -> list[Reply]:
        """Return the best answer to each question in its text, or none; equal ones are run once.

        questions: each with the text, which is read in windows of 384 pieces, padding included.
        """
        unique = list(dict.fromkeys(questions))
        texts = dict.fromkeys(text for _, text in unique)
        pieces = dict(zip(texts, self.cut(list(texts)), strict=True))
        asked = dict(zip(unique, self.cut([question for question, _ in unique]), strict=True))
        made: dict[tuple[str, str], Reply] = {}
        group: list[tuple[str, str]] = []
        windows = 0
        for one in unique:
            group.append(one)
            windows += len(pieces[one[1]].ids) // STRIDE + 1
            if windows >= _HELD or one == unique[-1]:
                found = self._windows([(asked[each], pieces[each[1]]) for each in group])
                made |= {
                    each: best_reply(each[1], pieces[each[1]], own)
                    for each, own in zip(group, found, strict=True)
                }
                group, windows = [], 0
        return [made[one] for one in questions]

    def _windows(self, questions: Sequence[tuple[WordPieces, WordPieces]]) -> list[list[Window]]:
        """Return the windows of each question's text with their scores."""
        read = min(READ, self.model.limit or READ)
        inputs: list[tuple[int, int, _Row]] = []
        for place, (asked, text) in enumerate(questions):
            question = replace(asked, ids=asked.ids[:QUESTION])
            room = read - len(self._frame.row(EncodedQuestion(question, text), 0).ids) + len(text.ids)
            for start in window_starts(len(text.ids), room):
                part = replace(text, ids=text.ids[start : start + room])
                inputs.append((place, start, self._frame.row(EncodedQuestion(question, part), 0)))
        scores = self._batches.run([read] * len(inputs), lambda batch: self._scores(inputs, batch, read))
        windows: list[list[Window]] = [[] for _ in questions]
        for (place, start, row), found in zip(inputs, scores, strict=True):
            windows[place].append(Window(start, row.length, row.start, found))
        return windows

    def _scores(
        self, inputs: Sequence[tuple[int, int, _Row]], batch: Sequence[int], read: int
    ) -> list[NDArray[np.float32]]:
        """Return the scores of starts and ends of each input, padding included, shape (2, read)."""
        found, _ = self._run([inputs[place][2] for place in batch], read, has_segments=True)
        return list(found.float().transpose(0, 1).numpy())

    def _step(
        self, rows: Sequence[_Row], questions: Sequence[EncodedQuestion], options: QaOptions
    ) -> list[AnswerSpan]:
        longest = max(options.padded, *(len(row.ids) for row in rows))
        scores, mask = self._run(rows, longest, options.has_segments)
        allowed = torch.zeros_like(mask)
        for i, row in enumerate(rows):
            allowed[i, row.places()] = 1
        counted = torch.ones_like(mask) if options.padded else mask
        return _answers(scores, counted.bool(), allowed.bool(), rows, questions)

    def _run(
        self, rows: Sequence[_Row], longest: int, has_segments: bool
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of starts and ends, shape (2, rows, longest), and what is no padding."""
        ids = torch.full((len(rows), longest), self._padding, dtype=torch.long)
        mask, segments = (torch.zeros_like(ids) for _ in range(2))
        for i, row in enumerate(rows):
            ids[i, : len(row.ids)] = torch.tensor(row.ids)
            mask[i, : len(row.ids)] = 1
            segments[i, : len(row.ids)] = torch.tensor(row.segments)
        inputs = {"input_ids": ids, "attention_mask": mask}
        if has_segments and self._has_segments:
            inputs["token_type_ids"] = segments
        with torch.inference_mode():
            out = self.module(**{name: tensor.to(self.device) for name, tensor in inputs.items()})
            return torch.stack([out.start_logits, out.end_logits]).cpu(), mask


def _answers(
    scores: torch.Tensor,
    counted: torch.Tensor,
    allowed: torch.Tensor,
    rows: Sequence[_Row],
    questions: Sequence[EncodedQuestion],
) -> list[AnswerSpan]:
    """Return the best start and the best end, chosen independently. scores: shape (2, rows, pieces)."""
    # in double precision, so that the product of two small probabilities keeps its digits
    shares = scores.double().masked_fill(~counted, -torch.inf).softmax(dim=-1).masked_fill(~allowed, 0.0)
    best, places = shares.max(dim=-1)
    near = is_near_tie(scores.masked_fill(~allowed, -torch.inf)).any(dim=0).tolist()
    products = best.prod(dim=0).tolist()
    answers = []
    for i, (row, one) in enumerate(zip(rows, questions, strict=True)):
        start, end = (min(int(place) - row.start, row.length) for place in places[:, i])
        is_truncated = row.length < len(one.text.ids)
        answers.append(AnswerSpan(start, end, products[i], near[i], is_truncated))
    return answers


@dataclass(frozen=True, slots=True)
class _Frame:
    """Layout of a question and a text in one input: special pieces and segments."""

    ahead: tuple[int, ...]
    between: tuple[int, ...]
    behind: tuple[int, ...]
    segments: tuple[int, int, int, int, int]
    end: str

    @classmethod
    def of(cls, tokenizer: Any) -> _Frame:
        """Derive the layout from a question and a text of one word each."""
        pair = tokenizer("a", "a", return_token_type_ids=True, verbose=False)
        ids, parts, segments = pair["input_ids"], pair.sequence_ids(0), pair["token_type_ids"]
        first, last = parts.index(0), len(parts) - 1 - parts[::-1].index(0)
        begin, close = parts.index(1), len(parts) - parts[::-1].index(1)
        places = (0, first, last + 1, begin, close)
        return cls(
            tuple(ids[:first]),
            tuple(ids[last + 1 : begin]),
            tuple(ids[close:]),
            tuple(segments[place] for place in places),
            str(tokenizer.convert_ids_to_tokens(ids[-1])),
        )

    def row(self, questions: EncodedQuestion, limit: int) -> _Row:
        """Return an input of at most `limit` pieces (0 = any); the longer part is truncated first."""
        question, text = questions.question.ids.tolist(), questions.text.ids.tolist()
        special = len(self.ahead) + len(self.between) + len(self.behind)
        if limit > 0:
            length = _shortened(len(question), len(text), max(0, limit - special))
            question, text = question[: length[0]], text[: length[1]]
        parts = (self.ahead, question, self.between, text, self.behind)
        ids = [piece for part in parts for piece in part]
        segments = [of for part, of in zip(parts, self.segments, strict=True) for _ in part]
        return _Row(ids, segments, len(self.ahead) + len(question) + len(self.between), len(text))


def _shortened(question: int, text: int, room: int) -> tuple[int, int]:
    """Shorten the longer part piece by piece (the text if both are equal) until both fit."""
    if question + text <= room:
        return question, text
    half = room // 2
    if text <= half:
        return room - text, text
    if question <= room - half:
        return question, room - question
    return room - half, half
