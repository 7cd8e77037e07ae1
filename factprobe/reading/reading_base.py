"""Analysis of a reply: words, mentions of names, and whether it declines to answer."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from factprobe.lazy import lazy
from factprobe.reading.abstention import only_declines, refusals_in
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.fuzzy import misspellings_in
from factprobe.reading.names.index import EntityIndex, EntityNames, answers_of
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokenised_text import Text, text_of
from factprobe.reading.tokenisation.tokens import Words
from factprobe.reading.tokenisation.words import name_words, words_in
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Question, Response
from factprobe.text import normalise, one_line

_EXCERPT = 80
"""Maximum length of an excerpt of a reply, in characters."""


class Reading(Struct, frozen=True, dict=True, eq=False):
    """Analysis of one reply to one question, each property computed on first use.

    Evaluators that need more properties define subclasses.
    """

    index: EntityIndex
    """Entities of the relation."""
    question: Question
    reply: str
    """Reply without what surrounds the answer; empty if nothing is left of it."""
    response: Response | None = None
    """Response as the model returned it; None if only a text is read."""

    @lazy
    def flat(self) -> str:
        """Normalised reply."""
        return normalise(self.reply)

    @lazy
    def text(self) -> Text:
        """Reply split into words."""
        return text_of(self.reply)

    @lazy
    def reply_tokens(self) -> Words:
        """Tokens of the reply."""
        return Words(self.reply)

    @lazy
    def side(self) -> EntityNames:
        """Entities at the sought end of the relation."""
        return self.index.sought(self.question)

    @lazy
    def question_words(self) -> frozenset[str]:
        """Normalised words of the question without its instructions."""
        return frozenset(name_words(own_text(self.question)))

    @lazy
    def echoes(self) -> frozenset[str]:
        """Words of question and instructions, which carry no information when a reply repeats them."""
        question = self.question
        if question.bare or question.statement:
            return vocabulary("task").union(self.question_words)
        return frozenset(word for message in question.prompts for word in name_words(message.content))

    @lazy
    def right(self) -> frozenset[str]:
        """URIs of the right answers."""
        return frozenset([answer.uri for answer in answers_of(self.question)])

    @lazy
    def fuzzy_names(self) -> tuple[dict[str, str], set[str]]:
        """URIs of right answers by name, for names that may be misspelt, and the lower-case names among them.

        Quantities, and names with a code or abbreviation (`NASA`) that the reply lacks, are left out.
        """
        reply_letters, terms = "".join(self.text.words), set[str]()
        uris = {form: uri for uri in sorted(self.right) for form in self.side.forms.of(uri)}
        for name, uri in [(name, answer.uri) for answer in answers_of(self.question) for name in answer.names()]:
            capitals = [] if name.isupper() and " " in name else [w for w in name.split() if len(w) > 1 and w.isupper()]
            if all("".join(name_words(word)) in reply_letters for word in capitals) and value_of(name) is None:
                flat = " ".join(words_in(normalise(name))) or normalise(name)
                uris[flat] = uri
                terms.update([flat] if name.islower() else ())
        return uris, terms

    @lazy
    def values(self) -> dict[str, list[Value]]:
        """Values of the right answers by URI; empty if the answers are names."""
        return self.side.values(answers_of(self.question))

    @lazy
    def mentions(self) -> tuple[NameMention, ...]:
        """Mentions of entities at the sought end and of misspelt right answers, left to right."""
        return self._matches[0]

    @property
    def misspelt(self) -> frozenset[str]:
        """URIs of the right answers that the reply misspells."""
        return self._matches[1]

    @property
    def only_declines(self) -> bool:
        """True if the reply is nothing but a refusal."""
        return only_declines(self.text.raw)

    @property
    def declines(self) -> bool:
        """True if the reply declines to answer."""
        return bool(self._declining)

    @property
    def refusals(self) -> list[tuple[int, int]]:
        """Spans, in words, of the sentences that decline to answer without a guess or a `but`."""
        words, others = self.text.words, vocabulary("but", "guess")
        return [span for span in self._declining if others.isdisjoint(words[slice(*span)])]

    @lazy
    def _declining(self) -> list[tuple[int, int]]:
        """Spans, in words, of the sentences that decline to answer; words within names do not count."""
        if not refusals_in(self.text):
            return []
        named = {i for mention in self.mentions for i in range(mention.start, mention.end)}
        is_answer = bool(self.mentions) or any(map(self._is_new_name, range(1, len(self.text))))
        return refusals_in(self.text, named, names_answer=is_answer)

    def _is_new_name(self, i: int) -> bool:
        text = self.text
        return (
            text.capital[i]
            and text.sentences[i - 1] == text.sentences[i]
            and self._not_new.isdisjoint((text.words[i], text.words[i].removesuffix("s")))
        )

    @lazy
    def _not_new(self) -> frozenset[str]:
        return self.echoes | self.question_words | vocabulary("speaker", "unknown_thing")

    @property
    def excerpt(self) -> str:
        """Beginning of the reply in one line."""
        line = one_line(self.reply[: 2 * _EXCERPT])
        return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"

    def words(self, mentions: Iterable[NameMention]) -> str:
        """Return the distinct texts of mentions as in the reply, separated by commas."""
        return ", ".join(dict.fromkeys([self.span(mention.start, mention.end) for mention in mentions]))

    def span(self, start: int, end: int) -> str:
        """Return the text of words `start` to `end` (exclusive) as in the reply."""
        text = self.text
        return text.text_of(start, end) or " ".join(text.raw[start:end])

    @lazy
    def _matches(self) -> tuple[tuple[NameMention, ...], frozenset[str]]:
        text, values = self.text, self.values
        mentions = self.index.mentions(text, self.question, values)
        if values:
            return tuple(mentions), frozenset()
        right, depth = self.right, text.depth
        right_outside_brackets = [
            mention for mention in mentions if depth[mention.start] == depth[0] and not right.isdisjoint(mention.uris)
        ]
        if right_outside_brackets or sum([mention.end - mention.start for mention in mentions]) >= len(text):
            return tuple(mentions), frozenset()
        misspelt = misspellings_in(text, self.fuzzy_names, self.side.forms.known, self.question_words, mentions)
        mentions = sorted([*mentions, *misspelt], key=lambda mention: mention.start)
        return tuple(mentions), frozenset(uri for mention in misspelt for uri in mention.uris)
