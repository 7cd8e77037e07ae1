"""What the rules on answers in words ask of a reply."""

from __future__ import annotations

import re
from functools import partial

from factprobe.evaluators.short.talk import guesses, says_nothing
from factprobe.reading.language import table
from factprobe.reading.once import once
from factprobe.reading.reading import Reading
from factprobe.reading.words import Text

_CROSS, _CHECK = r"[✗✘❌✖]\ufe0f?", r"[✓✔✅☑]\ufe0f?"
_CROSSED = re.compile(_CROSS)
_SIGNS = tuple(
    (re.compile(rf"(?P<before>^[^\w\n]{{0,9}}?)?{sign}[ \t]*[,;.]?", re.MULTILINE), table("option_sign")[side][0])
    for sign, side in ((_CROSS, "incorrect"), (_CHECK, "correct"))
)
"""Signs that say of the name beside them whether it is right, with the word for each."""


class ShortReading(Reading, frozen=True):
    """A reply to a question that is answered in words."""

    @once
    def text(self) -> Text:
        """The reply in words, with some for its crosses and check marks, which alone say nothing."""
        reply = self.reply
        if not reply.isascii() and _CROSSED.search(reply):
            for sign, word in _SIGNS:
                reply = sign.sub(partial(_label, word), reply)
        return Text(reply)

    @once
    def lower_case(self) -> bool:
        """Whether the names that are asked for are written small: instruments, diseases."""
        return self.index.lower_case(self.question)

    @once
    def guesses(self) -> bool:
        """Whether it names something that the graph does not know."""
        return guesses(self)

    @once
    def says_nothing(self) -> bool:
        """Whether it names nothing: it repeats the question, asks back, or only talks."""
        return says_nothing(self)

    def why(self, seen: str) -> str:
        """What a rule saw, with the names that the reply gives for no answer."""
        stance = self.stance
        if not (stance.aside or stance.ruled_out or stance.doubted):
            return seen
        told = stance.aside - stance.ruled_out
        for numbers, of_them in ((stance.ruled_out, "ruled out"), (stance.doubted, "doubted"), (told, "by the way")):
            if numbers:
                seen = f"{seen}; {of_them}: {self.words(self.mentions[i] for i in sorted(numbers))}"
        return seen


def _label(word: str, sign: re.Match[str]) -> str:
    return f"{word}: " if sign["before"] is not None else f": {word}."
