"""What a reply comes to in the end, where it does not say that this is its answer."""

from __future__ import annotations

import pytest

from tests.evaluators.test_open import graded

OPENED, EMMA, BILE, DEPTH = "when did the bridge open", "who wrote emma", "which organ produces bile", "how deep is it"
BUILT = "Construction began in 1979. It took six years."
MAYBE = "It might be by Jane Austen. In style it is later."
STORED = "The liver is close to it. It stores bile."


@pytest.mark.parametrize(
    ("question", "right", "reply"),
    [
        (OPENED, "1979", f"{BUILT} So it opened in 1985."),
        (OPENED, "1979", f"{BUILT} Therefore, it opened in 1985."),
        (OPENED, "1979", f"{BUILT} Hence the bridge was opened in 1985, to great acclaim."),
        (OPENED, "1979", f"{BUILT}\n\n**1985**"),
        (OPENED, "1979", f"{BUILT}\n\n→ 1985"),
        (OPENED, "1979", f'{BUILT}\n\n"1985"'),
        (OPENED, "1979", f"{BUILT}\nIn 1985."),
        (EMMA, "Jane Austen", f"{MAYBE}\n\nMary Shelley"),
        (EMMA, "Jane Austen", f"{MAYBE} So Mary Shelley wrote it."),
        (EMMA, "Jane Austen", f"{MAYBE} So it was written by Mary Shelley."),
        (BILE, "liver", f"{STORED}\n\nGallbladder"),
        (BILE, "liver", f"{STORED}\n\nthe gallbladder"),
        (DEPTH, "1,642 m", "1,186.5 + 455.5 = 1,642. I recall another one.\n\n**1,637 m**"),
    ],
)
def test_the_last_line_and_what_so_opens_are_the_answer(question: str, right: str, reply: str) -> None:
    found = graded(question, [right], reply)
    assert (found.verdict, found.rule) == ("incorrect", "negated"), found


@pytest.mark.parametrize(
    ("question", "right", "reply"),
    [
        (OPENED, "1979", "The bridge opened in 1979. So the second bridge opened in 1985."),
        (OPENED, "1979", "The bridge opened in 1979. So did the tunnel; it was closed in 1985."),
        (OPENED, "1979", "It took ten years from 1969. So it opened in 1979."),
        (OPENED, "1979", "So it opened in 1985. No, wait: it opened in 1979."),
        (OPENED, "1979", "It opened in 1979.\n\nRebuilt: 1985"),
        (OPENED, "1979", "It opened in 1979.\n\n(rebuilt in 1985)"),
        (OPENED, "1979", "It opened in 1979.\n\n- 1985: rebuilt\n- 1990: closed"),
        (OPENED, "1979", "So it opened in 1985?\n\n1979"),
        (EMMA, "Jane Austen", "It is by Jane Austen. So Walter Scott, who wrote a review of it, praised her."),
        (EMMA, "Jane Austen", "It is by Jane Austen.\n\nSource: Wikipedia"),
        (EMMA, "Jane Austen", "It is by Jane Austen.\n\n— Walter Scott"),
        (EMMA, "Jane Austen", "It is by Jane Austen.\n\nHappy Reading!"),
        (EMMA, "Jane Austen", "It is by Jane Austen.\n\nAusten"),
        (EMMA, "Jane Austen", "On her shelf stood:\n\nEmma\nJane Austen\nMary Shelley"),
        (BILE, "liver", "It is the liver.\n\nhope that helps"),
        (DEPTH, "1,642 m", "It is 1,642 m deep.\n\n5,387 ft"),
    ],
)
def test_what_else_it_ends_with_is_a_remark(question: str, right: str, reply: str) -> None:
    assert graded(question, [right], reply).verdict == "correct"
