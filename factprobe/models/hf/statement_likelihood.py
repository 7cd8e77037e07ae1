"""Log-likelihood of statements under a local language model, as LM Pub Quiz defines it.

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
from factprobe.models.hf.packing import batch_by_length, build_trees, pad_rows

if TYPE_CHECKING:
    import torch

_CLOSE, _CLOSE_HALF = 0.01, 0.5
"""Tolerated difference of a token's log-probability between packed and plain computation, in single and half
precision."""
_TRIED = 8
"""Number of statements on which the packed computation is compared with the plain one."""
_TOKENS_ON_CPU, _TOKENS_ELSEWHERE = 512, 2048


class TokenisedStatement(NamedTuple):
    """Statement in tokens."""

    ids: tuple[int, ...]
    scored: tuple[bool, ...]
    """For each token whether it counts; tokens that the tokenizer adds do not."""
    words: tuple[int | None, ...]
    """For each token the index of its word."""

    def after(self, start: int | None) -> TokenisedStatement:
        """Return the statement without tokens added at its end, and with a start token before it unless it has one."""
        end = max((i + 1 for i, scored in enumerate(self.scored) if scored), default=0)
        ids, scored, words = self.ids[:end], self.scored[:end], self.words[:end]
        if start is None or ids[:1] == (start,):
            return TokenisedStatement(ids, scored, words)
        return TokenisedStatement((start, *ids), (False, *scored), (None, *words))


def causal_logprobs(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> list[list[float]]:
    """Return the log-probability of each token but the first given those before it, for each sentence.

    Sentences are packed into one row as a tree, in which a token attends to its ancestors only: common prefixes are
    computed once, and there is no padding. The model has to accept a custom mask and positions, which
    `packing_is_exact` checks. A forward pass has at most `most` tokens.
    """
    import torch

    found: list[list[float]] = [[] for _ in sentences]
    for tree in build_trees(sentences, most):
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
        values = _label_logprobs(logits, rows, tokens[children])
        for child, value in zip(children.tolist(), values, strict=True):
            logprobs[child] = value
        for number, path in tree.paths:
            found[number] = [logprobs[node] for node in path[1:]]
    return found


def causal_logprobs_unpacked(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> list[list[float]]:
    """Return what `causal_logprobs` returns, with a row for each sentence, for models without custom masks."""
    import torch

    found: list[list[float]] = [[] for _ in sentences]
    for numbers in batch_by_length([len(ids) for ids in sentences], most):
        chosen = [sentences[number] for number in numbers]
        places = [(row, i) for row, ids in enumerate(chosen) for i in range(len(ids) - 1)]
        labels = torch.tensor([ids[i + 1] for ids in chosen for i in range(len(ids) - 1)], dtype=torch.long)
        where = torch.tensor(places, dtype=torch.long).reshape(-1, 2)
        logits = logits_at(model, (where[:, 0], where[:, 1]), **pad_rows(chosen, 0), use_cache=False)
        for (row, _), value in zip(places, _label_logprobs(logits, torch.arange(len(places)), labels), strict=True):
            found[numbers[row]].append(value)
    return found


def packing_is_exact(model: Any, sentences: Sequence[tuple[int, ...]], most: int) -> bool:
    """Return whether packing gives the same numbers as single rows for these sentences."""
    import torch

    close = _CLOSE if model.dtype == torch.float32 else _CLOSE_HALF
    try:
        packed = causal_logprobs(model, sentences, most)
    except torch.OutOfMemoryError:  # not due to the architecture
        raise
    except (RuntimeError, TypeError, ValueError):  # the architecture lacks these arguments
        return False
    pairs = zip(packed, causal_logprobs_unpacked(model, sentences, most), strict=True)
    return all(abs(a - b) <= close for ours, plain in pairs for a, b in zip(ours, plain, strict=True))


def masked_logprobs(
    model: Any, sentences: Sequence[TokenisedStatement], mask: int, pad: int, most: int
) -> list[list[float]]:
    """Return the log-probability of each scored token given the others, for each sentence.

    A token is masked together with the scored ones that follow it within its word. Inputs shared by several sentences,
    such as those with a one-token answer masked, are computed once. A forward pass has at most `most` tokens.
    """
    import torch

    inputs: dict[tuple[tuple[int, ...], int], int] = {}
    wanted: list[tuple[int, int]] = []
    for sentence in sentences:
        for place, label in enumerate(sentence.ids):
            if sentence.scored[place]:
                masked = _masked_positions(sentence, place, mask)
                wanted.append((inputs.setdefault((masked, place), len(inputs)), label))
    rows = list(inputs)
    labels_of: dict[int, list[int]] = {}
    for row, label in wanted:
        labels_of.setdefault(row, []).append(label)
    values: dict[tuple[int, int], float] = {}
    for numbers in batch_by_length([len(ids) for ids, _ in rows], most):
        places = torch.tensor([rows[number][1] for number in numbers])
        batch = pad_rows([rows[number][0] for number in numbers], pad)
        logits = logits_at(model, (torch.arange(len(numbers)), places), **batch)
        pairs = [(i, label) for i, number in enumerate(numbers) for label in labels_of[number]]
        picked, labels = (torch.tensor(column) for column in zip(*pairs, strict=True))
        for (i, label), value in zip(pairs, _label_logprobs(logits, picked, labels), strict=True):
            values[numbers[i], label] = value
    scores = iter([values[key] for key in wanted])
    return [[next(scores) for scored in sentence.scored if scored] for sentence in sentences]


def _masked_positions(sentence: TokenisedStatement, place: int, mask: int) -> tuple[int, ...]:
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
    """Return the logits at some rows and positions; the output layer, often the largest, is not run at the others."""
    import torch

    rows, places = (index.to(model.device) for index in where)
    for name, value in inputs.items():
        if isinstance(value, torch.Tensor):
            inputs[name] = value.to(model.device)
    with torch.inference_mode(), _select_places(model, rows, places) as done:
        logits: torch.Tensor = model(**inputs).logits
    return (logits if done else logits[rows, places]).float()


@contextmanager
def _select_places(model: Any, rows: torch.Tensor, places: torch.Tensor) -> Iterator[list[bool]]:
    done: list[bool] = []

    def pick_places(_: Any, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        done.append(True)
        return (inputs[0][rows, places], *inputs[1:])

    head = model.get_output_embeddings()
    handle = head.register_forward_pre_hook(pick_places) if head is not None else None
    try:
        yield done
    finally:
        if handle is not None:
            handle.remove()


def _label_logprobs(logits: torch.Tensor, rows: torch.Tensor, labels: torch.Tensor) -> list[float]:
    rows, labels = rows.to(logits.device), labels.to(logits.device)
    values: list[float] = (logits[rows, labels] - logits.logsumexp(-1)[rows]).tolist()
    return values


class StatementScorer:
    """Scorer of statements under a causal or masked model.

    A forward pass has at most `at_once` tokens, by default 512 on a CPU and 2048 elsewhere.
    """

    def __init__(self, checkpoint: Checkpoint, at_once: int | None = None) -> None:
        on_cpu = checkpoint.model.device.type == "cpu"
        self._checkpoint = checkpoint
        at_once = at_once or (_TOKENS_ON_CPU if on_cpu else _TOKENS_ELSEWHERE)
        self._at_once = min(at_once, checkpoint.context or at_once)  # some models limit the length of a row
        self._packs: bool | None = None

    def logprobs(self, sentences: Sequence[TokenisedStatement]) -> list[list[float]]:
        """Return the log-probability of each scored token of each statement."""
        model, tokenizer, kind, _, pad, _ = self._checkpoint
        if kind == "masked":
            return masked_logprobs(model, sentences, tokenizer.mask_token_id, pad, self._at_once)
        ids = [sentence.ids for sentence in sentences]
        if self._packs is None:
            self._packs = packing_is_exact(model, ids[:_TRIED], self._at_once)
        found = (causal_logprobs if self._packs else causal_logprobs_unpacked)(model, ids, self._at_once)
        return [
            [value for value, scored in zip(values, sentence.scored[1:], strict=True) if scored]
            for values, sentence in zip(found, sentences, strict=True)
        ]


def reduce_logprobs(logprobs: Iterable[float], reduction: str) -> float:
    """Return the sum or the mean of log-probabilities."""
    values = list(logprobs)
    return sum(values) / len(values) if reduction == "mean" else sum(values)
