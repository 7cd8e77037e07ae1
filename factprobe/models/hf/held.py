"""What a reply is held to, token by token."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_LITERAL = r'"(?:[^"\\]|\\.)*"'
_ONE_OF = re.compile(rf"root ::= {_LITERAL}(?: \| {_LITERAL})*")


def texts_of(grammar: str) -> list[str]:
    """The texts that a grammar in llama.cpp's notation has, if it is but a choice of some; else none."""
    return [json.loads(text) for text in re.findall(_LITERAL, grammar)] if _ONE_OF.fullmatch(grammar) else []


class Held:
    """A logits processor that leaves each row the tokens of one of its texts.

    Args:
        texts: the token ids of those that each row may be; none where it may be anything.
        start: where what is written begins.
        ends: ids of the tokens that end a text, one or more.
    """

    def __init__(self, texts: Sequence[Sequence[Sequence[int]]], start: int, ends: Sequence[int]) -> None:
        self._texts = [[[*ids, end] for ids in of_row for end in ends] for of_row in texts]
        self._start = start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The scores, with those of all other tokens at minus infinity."""
        import torch

        kept = scores.clone()
        for row, texts in enumerate(self._texts):
            written = input_ids[row, self._start :].tolist()
            many = len(written)
            if allowed := [ids[many] for ids in texts if ids[:many] == written and len(ids) > many]:
                kept[row] = torch.full_like(scores[row], -torch.inf)
                kept[row, allowed] = scores[row, allowed]
        return kept
