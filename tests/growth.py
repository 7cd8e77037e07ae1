"""Measure how processing time grows with the length of the input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import process_time


def grows_linearly(run: Callable[[int], object], length: int) -> bool:
    """Return whether eight times the length takes less than 24 times as long.

    Quadratic time takes 64 times as long. Times under 5 ms count as 5 ms, and the best of three tries decides, because
    other processes may slow one of them down.
    """

    def seconds(size: int) -> float:
        start = process_time()
        run(size)
        return process_time() - start

    run(length)
    return any(seconds(8 * length) < 24 * max(seconds(length), 0.005) for _ in range(3))


FEW = (
    *(" ", "\n", "_", "—", "½", "^2", "7-", "1950-", "7, ", "a_b_", "a/b/", "20%31.12.99", "\\ ", "Ulm ", "not Ulm "),
    *("Ulm, ", "- Ulm\n", "I don't know. ", "**a", '{"a":', "(", "A) ", "the answer is "),
)
"""Fragments of which repetitions took quadratic time, one of each kind."""
FRAGMENTS = (
    *FEW,
    *".,;:!?'\"`*–/\\|)[]{}<>#$%&@~=+•…“”«»（）【】。，、·×−\t\r\x0b\x1c\x85\u2028\u3000\u200b\u0301İıſßﬁ\ufdfa²٣Ⅳ中ﾡกا\0",
    *("🤷🏽", "🇩", "\ud800", "a", "A", "7", "I", "x "),
    *("7 ", "7/", "7:", "1.5 ", "1,000,", "5 May 1950, ", "44 BC ", "hundred ", "twenty-", "one hundred and ", "20% "),
    *("$7 ", "7 km ", "7th ", "XIV ", "3/4 ", "1e9 ", "-7", "7°", "12:30 ", "million "),
    *("Ulm or ", "Ulm and ", "not Ulm, ", "Ulm. ", "(Ulm) ", "Albert Einstein ", "A. ", "A.B.", "St. ", "of the "),
    *("was born in ", "He was not born in ", "I think ", "said that ", "if ", "formerly ", "\n* ", "\n1. ", "1. Ulm\n"),
    *(
        "A: ",
        "(A) ",
        "A or B ",
        "neither ",
        "all of the above ",
        "((",
        "[[",
        "()",
        "[a](",
        "![",
        "<a>",
        "<!--",
        "&amp;",
    ),
    *(
        "&#",
        "<think>",
        "</think>",
        "<|",
        "<s>",
        "[INST]",
        "<answer>",
        '""',
        "'a'",
        '"a" ',
        "“a” ",
        "`a` ",
        "```",
        "```\n",
    ),
    *("***", "__", "*a* ", "\n# a", "\n> ", "| ", "|a", "|-|", "\n|a|b|", "\n---\n", "~~a~~ ", "don't ", "unknown "),
    *(
        "No. ",
        "nobody ",
        "sorry ",
        "wait, ",
        "Correction: ",
        "but ",
        "rather than ",
        "$",
        "$$",
        "\\(",
        "\\[",
        "\\boxed{",
    ),
    *("\\boxed{Ulm} ", "\\text{a}", "\\frac{1}{2}", "^{", "_{", "H_2O ", "\\a", "\\{", "\\begin{a}", "10^{3} "),
    *('{"', '{"answer": "Ulm"}\n', '["a",', "{'a':", "[{", "answer: ", "Answer:\n", "The answer is Ulm. ", "a:\n"),
    *(
        "correct\n",
        "The statement is not ",
        "\nUser: ",
        "\nQ: a\nA: b",
        "Entailment ",
        "1: Entailment\n",
        "2: Neutral, ",
    ),
    *("('a', 'b', 'c')\n", '["a","b","c"]\n', "a -> b -> c\n", "a | b | c\n", "(a b) ", "it's ", "U.S. ", "e.g. "),
    *("?! ", "a.b.", "www.a.b/", "a@b.c ", "aB", "a'b'", "straße ", "北京是首都。", "нет, ", "لا "),
)
"""Fragments of replies: marks, numbers, names, lists, brackets, quotes, abstentions, Markdown, LaTeX, JSON, Unicode."""


def slow_fragments(read: Callable[[str], object], fragments: Iterable[str], length: int) -> list[str]:
    """Return the fragments of which repetitions take a reader more than linear time.

    Args:
        read: takes the text.
        fragments: what is repeated.
        length: number of characters; eight times as many are read, too.
    """

    def repeated(fragment: str) -> Callable[[int], object]:
        return lambda size: read((fragment * size)[:size])

    return [fragment for fragment in fragments if not grows_linearly(repeated(fragment), length)]
