"""The log-likelihood of statements under a language model in the process, as LM Pub Quiz defines it.

Causal models: the log-probability of each token given those before it, from the first after the start token (Petroni et
al., 2019; Wiland et al., 2024). Masked models: the pseudo-log-likelihood, each token predicted in turn from all the
others (Salazar et al., 2020, *Masked Language Model Scoring*), with the tokens that follow within the same word masked
too, `within_word_l2r` (Kauf & Ivanova, 2023, *A Better Way to Do Masked Language Model Scoring*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.models.hf.checkpoints import Checkpoint
from factprobe.models.hf.packing import padded, rows_of_like_length, trees

if TYPE_CHECKING:
    import torch

_CLOSE, _CLOSE_HALF = 0.01, 0.5
"""What two ways of computing a token's log-probability may differ by, in single and in half precision."""
_TRIED = 8
"""Statements on which the fast way is tried against the plain one."""
_TOKENS_ON_CPU, _TOKENS_ELSEWHERE = 512, 2048


class TokenisedStatement(NamedTuple):
    """A statement in tokens."""

    ids: tuple[int, ...]
    scored: tuple[bool, ...]
    """Which tokens count: all but those that the tokenizer adds."""
    words: tuple[int | None, ...]
    """Which word each token is a part of."""

    def after(self, start: int | None) -> TokenisedStatement:
        """The statement behind a start token, which it may have already, and without what the tokenizer adds behind."""
        end = max((i + 1 for i, scored in enumerate(self.scored) if scored), default=0)
        ids, scored, words = self.ids[:end], self.scored[:end], self.words[:end]
        if start is None or ids[:1] == (start,):
            return TokenisedStatement(ids, scored, words)
        return TokenisedStatement((start, *ids), (False, *scored), (None, *words))


def causal(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> list[list[float]]:
    """The log-probability of each token but the first given those before it, for each sentence.

    Sentences are packed into one row as a tree, in which a token attends to its ancestors alone: what sentences begin
    with is computed once, and nothing is padded.

    Args:
        model: a causal model that takes a mask of its own and positions (most do; `causal_agrees` tells).
        sentences: token ids.
        most: tokens that go through the model at once.
    """
    import torch

    found: list[list[float]] = [[] for _ in sentences]
    for tree in trees(sentences, most):
        size = len(tree.tokens)
        seen = torch.zeros(size, size, dtype=torch.bool)
        for node, parent in enumerate(tree.parents):
            if parent >= 0:
                seen[node] = seen[parent]
            seen[node, node] = True
        mask = torch.zeros(size, size, dtype=model.dtype).masked_fill_(~seen, torch.finfo(model.dtype).min)
        tokens, parents = torch.tensor(tree.tokens), torch.tensor(tree.parents)
        children = (parents >= 0).nonzero()[:, 0]
        asked, rows = torch.unique(parents[children], return_inverse=True)
        logits = logits_at(
            model,
            (torch.zeros_like(asked), asked),
            input_ids=tokens[None],
            attention_mask=mask[None, None],
            position_ids=torch.tensor(tree.depths)[None],
            use_cache=False,
        )
        logprobs = [0.0] * size
        values = _logprobs(logits, rows, tokens[children])
        for child, value in zip(children.tolist(), values, strict=True):
            logprobs[child] = value
        for number, path in tree.paths:
            found[number] = [logprobs[node] for node in path[1:]]
    return found


def causal_plain(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> list[list[float]]:
    """The same as `causal`, each sentence in a row of its own: for models that take no mask of their own."""
    import torch

    found: list[list[float]] = [[] for _ in sentences]
    for numbers in rows_of_like_length([len(ids) for ids in sentences], most):
        chosen = [sentences[number] for number in numbers]
        places = [(row, i) for row, ids in enumerate(chosen) for i in range(len(ids) - 1)]
        labels = torch.tensor([ids[i + 1] for ids in chosen for i in range(len(ids) - 1)], dtype=torch.long)
        where = torch.tensor(places, dtype=torch.long).reshape(-1, 2)
        logits = logits_at(model, (where[:, 0], where[:, 1]), **padded(chosen, 0), use_cache=False)
        for (row, _), value in zip(places, _logprobs(logits, torch.arange(len(places)), labels), strict=True):
            found[numbers[row]].append(value)
    return found


def causal_agrees(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> bool:
    """Whether the packed way gives the model's own numbers, seen on these sentences."""
    import torch

    close = _CLOSE if model.dtype == torch.float32 else _CLOSE_HALF
    try:
        packed = causal(model, sentences, most)
    except torch.OutOfMemoryError:  # says nothing of the architecture
        raise
    except (RuntimeError, TypeError, ValueError):  # an architecture that has no such arguments
        return False
    pairs = zip(packed, causal_plain(model, sentences, most), strict=True)
    return all(abs(a - b) <= close for ours, plain in pairs for a, b in zip(ours, plain, strict=True))


def masked(model: Any, sentences: Sequence[TokenisedStatement], mask: int, pad: int, most: int) -> list[list[float]]:
    """The log-probability of each scored token given the others, for each sentence.

    A token is masked together with the scored ones that follow it within its word. Inputs that are the same for several
    sentences, as those in which one-token answers are masked, go through the model once.

    Args:
        model: a masked model.
        sentences: with their words.
        mask: id of the mask token.
        pad: id of the padding token.
        most: tokens that go through the model at once.
    """
    import torch

    inputs: dict[tuple[tuple[int, ...], int], int] = {}
    wanted: list[tuple[int, int]] = []
    for sentence in sentences:
        for place, label in enumerate(sentence.ids):
            if sentence.scored[place]:
                wanted.append((inputs.setdefault((_masked_at(sentence, place, mask), place), len(inputs)), label))
    rows = list(inputs)
    labels_of: dict[int, list[int]] = {}
    for row, label in wanted:
        labels_of.setdefault(row, []).append(label)
    values: dict[tuple[int, int], float] = {}
    for numbers in rows_of_like_length([len(ids) for ids, _ in rows], most):
        places = torch.tensor([rows[number][1] for number in numbers])
        batch = padded([rows[number][0] for number in numbers], pad)
        logits = logits_at(model, (torch.arange(len(numbers)), places), **batch)
        pairs = [(i, label) for i, number in enumerate(numbers) for label in labels_of[number]]
        picked, labels = (torch.tensor(column) for column in zip(*pairs, strict=True))
        for (i, label), value in zip(pairs, _logprobs(logits, picked, labels), strict=True):
            values[numbers[i], label] = value
    scores = iter([values[key] for key in wanted])
    return [[next(scores) for scored in sentence.scored if scored] for sentence in sentences]


def _masked_at(sentence: TokenisedStatement, place: int, mask: int) -> tuple[int, ...]:
    ids = list(sentence.ids)
    ids[place] = mask
    word = sentence.words[place]
    if word is not None:
        for i in range(place + 1, len(ids)):
            if sentence.scored[i] and sentence.words[i] != word:
                break
            if sentence.scored[i]:
                ids[i] = mask
    return tuple(ids)


def logits_at(model: Any, where: tuple[torch.Tensor, torch.Tensor], **inputs: Any) -> torch.Tensor:
    """The logits at these rows and places alone: the output layer, the largest of a small model, sees no others."""
    import torch

    rows, places = (index.to(model.device) for index in where)
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor):
            inputs[name] = value.to(model.device)
    with torch.inference_mode(), _picked(model, rows, places) as done:
        logits: torch.Tensor = model(**inputs).logits
    return (logits if done else logits[rows, places]).float()


@contextmanager
def _picked(model: Any, rows: torch.Tensor, places: torch.Tensor) -> Iterator[list[bool]]:
    done: list[bool] = []

    def pick(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        done.append(True)
        return (inputs[0][rows, places], *inputs[1:])

    head = model.get_output_embeddings()
    handle = head.register_forward_pre_hook(pick) if head is not None else None
    try:
        yield done
    finally:
        if handle is not None:
            handle.remove()


def _logprobs(logits: torch.Tensor, rows: torch.Tensor, labels: torch.Tensor) -> list[float]:
    rows, labels = rows.to(logits.device), labels.to(logits.device)
    values: list[float] = (logits[rows, labels] - logits.logsumexp(-1)[rows]).tolist()
    return values


class Scorer:
    """Scores statements under a causal or masked model.

    Args:
        checkpoint: the model.
        at_once: tokens that go through it at once; by default 512 on a CPU, 2048 elsewhere.
    """

    def __init__(self, checkpoint: Checkpoint, at_once: int | None = None) -> None:
        on_cpu = checkpoint.model.device.type == "cpu"
        self._checkpoint = checkpoint
        at_once = at_once or (_TOKENS_ON_CPU if on_cpu else _TOKENS_ELSEWHERE)
        self._at_once = min(at_once, checkpoint.context or at_once)  # a row may be no longer than that in some models
        self._packs: bool | None = None

    def logprobs(self, sentences: Sequence[TokenisedStatement]) -> list[list[float]]:
        """The log-probability of each scored token of each statement."""
        model, tokenizer, kind, _, pad, _ = self._checkpoint
        if kind == "masked":
            return masked(model, sentences, tokenizer.mask_token_id, pad, self._at_once)
        ids = [sentence.ids for sentence in sentences]
        if self._packs is None:
            self._packs = causal_agrees(model, ids[:_TRIED], self._at_once)
        found = (causal if self._packs else causal_plain)(model, ids, self._at_once)
        return [
            [value for value, scored in zip(values, sentence.scored[1:], strict=True) if scored]
            for values, sentence in zip(found, sentences, strict=True)
        ]


def reduced(logprobs: Iterable[float], reduction: str) -> float:
    """The sum of log-probabilities, or their mean."""
    values = list(logprobs)
    return sum(values) / len(values) if reduction == "mean" else sum(values)
