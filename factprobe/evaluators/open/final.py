"""What a reply comes to in the end without saying that this is its answer: a bare last line, a sentence with "so"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence

from factprobe.reading.essence import Place
from factprobe.reading.language import vocabulary
from factprobe.reading.stance.clauses import stem
from factprobe.reading.words import Text

_LONGEST = 6
"""Words of a line that is nothing but a name or a value."""
_SMALL = 2
"""Words of such a line in small letters, without an article."""
_ENDS = frozenset('.!?…)]"”’*')
"""What the sentences before such a line end in; the lines of a list end in none."""
_BULLETS = frozenset("-–—•+")
"""What opens an item, or says whose words stand before."""
_WITHIN = frozenset({"", "-"})
"""What may stand between the words of one name."""


def ends_with_another(
    text: Text,
    right: Sequence[Place],
    others: Sequence[Place],
    asked: Collection[str],
    turns_on: Callable[[], Collection[str]],
) -> bool:
    """Whether the last thing that a reply names is another one than the right ones before, and stands for its answer.

    Args:
        text: the reply.
        right: where it says right answers.
        others: where it says others of their kind.
        asked: the words of the question.
        turns_on: gives the stems of those that it turns on, and of words that say the same.
    """
    behind = max(end for _, end in right)
    later = [place for place in others if place[0] >= behind]
    if not later:
        return False
    if "\n" in text.source and _is_last_line(text, behind, later):
        return True
    concludes = not vocabulary("so").isdisjoint(text.words)
    return concludes and any(_concludes(text, place, asked, turns_on()) for place in later)


def _is_last_line(text: Text, behind: int, others: Sequence[Place]) -> bool:
    """Whether the last line is one of others and nothing else, behind sentences in other lines: Daniel Sleator."""
    start = _last_line(text)
    if start < behind:
        return False
    said = {i for place in others for i in range(*place)}
    rest = [i for i in range(start, len(text)) if i not in said]
    return len(rest) < len(text) - start and all(
        text.capital[i] or text.words[i] in vocabulary("function") for i in rest
    )


def _last_line(text: Text) -> int:
    """The first word of a short last line without marks, behind sentences in other lines; 0 where there is none."""
    source = text.source.rstrip()
    before, _, line = source.rpartition("\n")
    before = before.rstrip()
    if before[-1:] not in _ENDS or line[-1] in "!?" or line.lstrip()[0] in _BULLETS:
        return 0
    start = bisect_left(text.starts, len(source) - len(line))
    is_name = 0 < len(text) - start <= _LONGEST and _WITHIN.issuperset(text.mark[start + 1 :])
    return start if is_name else 0


def small_last_names(text: Text) -> list[Place]:
    """The last line, where it is nothing but a name in small letters: the gallbladder."""
    start = _last_line(text) if "\n" in text.source else 0
    if start and text.words[start] in vocabulary("article"):
        start += 1
    rest = text.words[start:]
    said_nothing = vocabulary("function", "hedge", "exclamation")
    return [(start, len(text))] if start and 0 < len(rest) <= _SMALL and said_nothing.isdisjoint(rest) else []


def _concludes(text: Text, place: Place, asked: Collection[str], turns_on: Collection[str]) -> bool:
    """Whether a sentence opens with "so" and says another one in the words of the question: So it opened in 1985."""
    start, end = place
    first = text.sentences.index(text.sentences[start])
    if text.words[first] not in vocabulary("so"):
        return False
    while end < len(text) and text.sentences[end] == text.sentences[start] and text.mark[end] in _WITHIN:
        end += 1
    said = [text.words[i] for i in range(first, end) if not start <= i < place[1]]
    repeats = [word for word in said if len(word) > 3 and stem(word) in turns_on]
    return bool(repeats) and vocabulary("function", "hedge", "so").union(asked, repeats).issuperset(said)
