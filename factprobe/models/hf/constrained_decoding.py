"""Constrained decoding: replies limited to given texts."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_LITERAL = r'"(?:[^"\\]|\\.)*"'
_ONE_OF = re.compile(rf"root ::= {_LITERAL}(?: \| {_LITERAL})*")


def allowed_texts(grammar: str) -> list[str]:
    """Return the texts that a GBNF grammar allows if it is a plain choice of texts; else none."""
    return [json.loads(text) for text in re.findall(_LITERAL, grammar)] if _ONE_OF.fullmatch(grammar) else []


class ConstrainedDecoder:
    """Logits processor that limits each row to the tokens of given texts.

    A row without texts is free. The generated text begins at `start`; `ends` are the ids of tokens that end a text, at
    least one.
    """

    def __init__(self, texts: Sequence[Sequence[Sequence[int]]], start: int, ends: Sequence[int]) -> None:
        self._texts = [[[*ids, end] for ids in of_row for end in ends] for of_row in texts]
        self._start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores, with those of forbidden tokens at minus infinity."""
        import torch

        kept = scores.clone()
        for row, texts in enumerate(self._texts):
            written = input_ids[row, self._start :].tolist()
            many = len(written)
            if allowed := [ids[many] for ids in texts if ids[:many] == written and len(ids) > many]:
                kept[row] = torch.full_like(scores[row], -torch.inf)
                kept[row, allowed] = scores[row, allowed]
        return kept
