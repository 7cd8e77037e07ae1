"""Lazily computed parts of a reply: words, mentions of names, and whether it declines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from factprobe.reading.abstention import is_only_refusal, only_declines, refusals_in, titled
from factprobe.reading.asked import Asked
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import EntityIndex, EntityNames, answers_of
from factprobe.reading.names.tables import Mention
from factprobe.reading.names.variants import variants
from factprobe.reading.once import once
from factprobe.reading.tokens import key_of
from factprobe.reading.values import Value
from factprobe.reading.words import Text, words_in
from factprobe.records import Question, Response
from factprobe.text import normalise, one_line

_AND = vocabulary("link_and")
_EXCERPT = 80
"""Characters that are kept of a reply in which nothing was taken for the answer."""
_LIST_MARKS = frozenset(",;\n•")
"""What parts the names of a list."""


class Reading(Struct, frozen=True, dict=True, eq=False):
    """What there is to know of one reply to one question; each part is found when it is first asked for.

    An evaluator that sees more in a reply has a subclass of its own.
    """

    index: EntityIndex
    """The relation's entities."""
    question: Question
    reply: str
    """The cleaned reply; empty where nothing is left of it."""
    response: Response | None = None
    """The response as it came; None for a text alone."""

    @once
    def flat(self) -> str:
        """The reply, normalised."""
        return normalise(self.reply)

    @once
    def text(self) -> Text:
        """The reply in words."""
        return Text(self.reply)

    @once
    def asked(self) -> Asked:
        """What the question asks."""
        return Asked(self.index, self.question)

    @once
    def side(self) -> EntityNames:
        """The side of the relation that is asked for."""
        return self.index.sought(self.question)

    @once
    def question_words(self) -> frozenset[str]:
        """The normalised words of the question."""
        return frozenset(self.asked.words)

    @once
    def right(self) -> frozenset[str]:
        """The URIs of the right answers."""
        return frozenset([answer.uri for answer in answers_of(self.question)])

    @once
    def names(self) -> dict[str, str]:
        """The normalised names of the right answers, with their URIs."""
        return {normalise(name): a.uri for a in answers_of(self.question) for name in a.names()}

    @once
    def values(self) -> dict[str, list[Value]]:
        """The values that the right answers are, by URI; empty where they are names."""
        return self.side.values(answers_of(self.question))

    @once
    def mentions(self) -> tuple[Mention, ...]:
        """The names of the side that is asked for, left to right; with the right ones that are misspelt."""
        return self._found[0]

    @property
    def misspelt(self) -> frozenset[str]:
        """The URIs of the right answers that the reply names in another form."""
        return self._found[1]

    @property
    def only_declines(self) -> bool:
        """Whether the reply is nothing but a refusal."""
        return only_declines([*map(key_of, self.text.words)])

    @property
    def declines(self) -> bool:
        """Whether the reply declines to answer."""
        return bool(self._declining)

    @property
    def refusals(self) -> list[tuple[int, int]]:
        """Spans of the sentences in which the reply declines to answer and says nothing else."""
        return [span for span in self._declining if is_only_refusal(self.text, span)]

    @once
    def _declining(self) -> list[tuple[int, int]]:
        """Spans of the sentences in which words outside names decline to answer."""
        if not refusals_in(self.text):
            return []
        named = {i for mention in self.mentions for i in range(mention.start, mention.end)}
        is_answer = bool(self.mentions) or any(self._is_new_name(i) for i in range(1, len(self.text)))
        return refusals_in(self.text, named | titled(self.text), names_answer=is_answer)

    def _is_new_name(self, i: int) -> bool:
        text = self.text
        return (
            text.capital[i]
            and text.sentences[i - 1] == text.sentences[i]
            and self._not_new.isdisjoint((text.words[i], text.words[i].removesuffix("s")))
        )

    @once
    def _not_new(self) -> frozenset[str]:
        return self.asked.echoes | self.question_words | vocabulary("speaker", "unknown_thing")

    @property
    def excerpt(self) -> str:
        """The beginning of the reply, in one line."""
        line = one_line(self.reply[: 2 * _EXCERPT])
        return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"

    def words(self, mentions: Iterable[Mention]) -> str:
        """The words of mentions as the reply has them, with commas between those of one and the next."""
        return ", ".join(dict.fromkeys([self.span(mention.start, mention.end) for mention in mentions]))

    def span(self, start: int, end: int) -> str:
        """The words from one to another (exclusive) as the reply has them."""
        text = self.text
        if end - start == 1:
            return text.raw[start]
        plain, source = " ".join(text.raw[start:end]), text.source
        if plain in source and "  " not in source and not any(text.mark[start + 1 : end]):
            return plain
        return source[text.span(start)[0] : text.span(end - 1)[1]] or plain

    @once
    def _found(self) -> tuple[tuple[Mention, ...], frozenset[str]]:
        text, values = self.text, self.values
        mentions = self.index.mentions(text, self.question, values, lambda: self.asked.flat)
        if values or is_list_of(text, mentions):
            return tuple(mentions), frozenset()
        right, forms, depth = self.right, self.side.forms, text.depth
        plainly = [one for one in mentions if depth[one.start] == depth[0] and not right.isdisjoint(one.uris)]
        if plainly or sum([one.end - one.start for one in mentions]) >= len(text):
            return tuple(mentions), frozenset()
        names = {" ".join(words_in(name)) or name: uri for name, uri in self.names.items()}
        names |= {form: uri for uri in sorted(right) for form in forms.of(uri)}
        misspelt = variants(text, names, forms.known, self.question_words, mentions)
        mentions = sorted([*mentions, *misspelt], key=lambda mention: mention.start)
        return tuple(mentions), frozenset(uri for mention in misspelt for uri in mention.uris)


def is_list_of(text: Text, mentions: Sequence[Mention]) -> bool:
    """Whether a reply is a list of the names and nothing else, which says of each that it is an answer."""
    if len(mentions) < 2 or text.sentences[-1] in text.asks:
        return False
    words, marks = text.words, text.mark
    size = sum([mention.end - mention.start for mention in mentions])
    if not _AND.isdisjoint(words):
        inside = [word for mention in mentions for word in words[mention.start : mention.end]]
        size += sum(map(words.count, _AND)) - sum(map(inside.count, _AND))
    return size == len(words) and _LIST_MARKS.issuperset("".join([marks[mention.start] for mention in mentions]))
