"""Options that a reply names by their place: the second option, option 2, the latter."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from factprobe.evaluators.choices.letters import option
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_PLACES = {word: int(number) - 1 for number, words in table("option_place").items() for word in words}
_NUMBERS = {word: int(number) - 1 for number in table("option_place") for word in table("number")[number]}
_ORDINALS = _PLACES | _NUMBERS
_LAST, _FORMER, _LATTER = vocabulary("option_last"), vocabulary("option_former"), vocabulary("option_latter")
_ORDER = re.compile(
    rf"\b(?:(?P<o>{'|'.join([*_PLACES, *_LAST])})\s+(?:{phrases('option_counted')})|"
    rf"(?:{phrases('option_numbered')}|#)\s*(?:{phrases('option_number')}|#)?"
    rf"(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})\b(?!\s*(?:{phrases('option_of_all')})\b)|"
    rf"(?:{phrases('option_the')})\s+(?P<p>{'|'.join([*_FORMER, *_LATTER, *_PLACES, *_LAST])})\b(?=\s*(?:[.,;!?]|$)))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\s*[#(]?(\d{1,2})[).:\]]?\s*$")
_NUMBER_SAID = re.compile(rf"\b(?:{phrases('option_number_said')})\s#?(\d{{1,2}})\b(?!\s*\w)", re.IGNORECASE)


def places_in(text: Text, shown: Sequence[str]) -> list[Mention]:
    """Options named by their place: the second option, option 2, the latter.

    Args:
        text: the reply.
        shown: the options; where they hold figures, a number alone is no place.
    """
    digits = any(map(str.isdigit, "".join(shown)))
    alone = None if digits else _NUMBER.match(text.source) or _NUMBER_SAID.search(text.source)
    number = int(alone[1]) if alone else _ORDINALS.get(text.words[0], -1) + 1 if len(text) == 1 else 0
    if 0 < number <= len(shown):
        return [option(number - 1, 0, 1)]
    found = []
    for match in _ORDER.finditer(text.source):
        name = (match["o"] or match["n"] or match["p"]).lower()
        number = _number(name, len(shown))
        if 0 <= number < len(shown) and not (name in _FORMER | _LATTER and len(shown) != 2):
            start = bisect_right(text.starts, match.start()) - 1
            end = bisect_left(text.starts, match.end())
            found.append(option(number, start, end))
    return found


def _number(name: str, count: int) -> int:
    """The number of the option, from 0, that a word for a place means among so many."""
    if name in _LAST | _LATTER:
        return count - 1
    if name in _FORMER:
        return 0
    return int(name) - 1 if name.isdigit() else _ORDINALS[name]
