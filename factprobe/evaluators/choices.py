"""One option of several."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_uppercase

from factprobe.evaluators.base import Evaluator, graded
from factprobe.evaluators.options import (
    DOT,
    affirmed_in,
    choice_words,
    evened,
    letters_in,
    places_in,
    with_letters,
    without_menu,
)
from factprobe.evaluators.rules.base import Judgment
from factprobe.evaluators.short import question_words, stems
from factprobe.reading.abstention import only_declines
from factprobe.reading.cleaning import clean
from factprobe.reading.language import phrases
from factprobe.reading.names.forms import unique_forms
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.near import misspelt
from factprobe.reading.names.tables import Mention, NameTable, find
from factprobe.reading.names.typed import typed_mentions
from factprobe.reading.names.whole import is_whole
from factprobe.reading.stance.commitment import stance
from factprobe.reading.values import value_of
from factprobe.reading.words import Text, name_words
from factprobe.records import Entity, Grade, Question, Response
from factprobe.text import normalise, one_line

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*|__([^_\n]+)__")
_BARE = re.compile(r"\(?([A-Z])(?:[).:]+|$)(?: ?(.+))?")
"""A letter, or a letter and a text: what most replies are."""
_NONE = re.compile(phrases("option_none"))


class ChoicesEvaluator(Evaluator):
    """An option is named by its letter, by its text, by its place, or by several of them; two named are no choice.

    What the reply commits to counts: options that it rules out, or tells of when it explains, are not chosen.
    """

    def grade(self, question: Question, response: Response) -> Grade:
        """See the base class; of options that are all repeated, the one in bold is chosen."""
        found = super().grade(question, response)
        bold = _BOLD.findall(response.response or "") if found.rule == "no_choice" else []
        chosen = self.judge(question, clean(bold[0][0] or bold[0][1])) if len(bold) == 1 else None
        return graded(question, chosen) if chosen and chosen.verdict != "unparsed" else found

    def judge(self, question: Question, reply: str) -> Judgment:
        """See the base class."""
        flat = normalise(reply)
        if only_declines(flat) and flat not in map(normalise, question.choices):
            return Judgment("abstained", "abstention")
        named, rule = self._named(question, reply)
        if not named and self.declines(flat, Text(reply)):
            return Judgment("abstained", "abstention")
        if not named:
            no_option = rule == "ruled_out" or _NONE.search(flat) is not None
            return Judgment(
                "incorrect" if no_option else "unparsed", "no_option" if no_option else "no_choice", wrong=1
            )
        if len(named) > 1:
            return Judgment("incorrect", "several_choices", wrong=1)
        chosen = question.choices[min(named)]
        for answer in answers_of(question):
            if answer.label == chosen:
                return Judgment("correct", rule, (answer.uri,))
        return Judgment("incorrect", rule, wrong=1)

    def _named(self, question: Question, reply: str) -> tuple[set[int], str]:
        """The options that a reply names, by their number, and the rule that found them."""
        shown = [one_line(choice) for choice in question.choices]
        whole = one_line(reply)
        if shown.count(whole) == 1:
            return {shown.index(whole)}, "choice_text"
        bare = _BARE.fullmatch(whole)
        led = ascii_uppercase.find(bare[1]) if bare else -1
        if bare and 0 <= led < len(shown) and (not bare[2] or bare[2].rstrip(".") == shown[led]):
            return {led}, "choice_letter"
        text = Text(evened(reply, shown))
        texts = self._texts(text, question)
        given = self.index.asked_about(question)
        spans = find([NameTable([("", given.names())])], text) if given else ()
        inside = {i for start, end, _ in spans for i in range(start, end) if end - start > 1}
        letters = [letter for letter in letters_in(text, texts, len(shown)) if letter.start not in inside]
        starts = {mention.start for mention in letters}
        mentions, judged = without_menu(with_letters([*letters, *texts], text, starts), text, starts, len(shown))
        rule = "choice_letter" if letters else "choice_text"
        if not mentions and judged is not None:
            return judged, "judged" if judged else "ruled_out"
        if not letters and not texts:
            mentions = self._other_forms(text, question)
        if not mentions:
            mentions, rule = places_in(text, shown), "choice_place"
        if not mentions:
            number = self._misspelt(question, reply)
            return ({number}, "fuzzy") if number is not None else (set(), "")
        numbers, decided = self._committed(text, mentions, question, judged)
        return numbers, decided or rule

    def _committed(
        self, text: Text, mentions: list[Mention], question: Question, judged: set[int] | None
    ) -> tuple[set[int], str]:
        """The options that a reply commits to among those that it names, and the rule where it is none of naming."""
        affirmed = affirmed_in(text, mentions)
        if len(affirmed) == 1:
            return affirmed, ""
        shown = [one_line(choice) for choice in question.choices]
        asked = question_words(question.prompts[-1].content)
        said = stance(text, mentions, frozenset(asked) - choice_words(shown), stems(self.index.template, asked))
        chosen = [mentions[i].uris for i in said.chosen]
        if not chosen and len(said.ruled_out) == len(mentions):
            out = {int(uri) for mention in mentions for uri in mention.uris}
            left = set(range(len(shown))) - out
            return (left, "elimination") if len(left) == 1 and len(shown) > 2 else (set(), "ruled_out")
        if not chosen:
            return judged or set(), "judged"
        narrow = set.intersection(*map(set, chosen))  # texts that differ in form only; the letter tells them apart
        return {int(uri) for uri in narrow or set().union(*chosen)}, ""

    def _texts(self, text: Text, question: Question) -> list[Mention]:
        """The options' texts and aliases in a reply, the longest at each place.

        The name that the question gives is passed over: to repeat it is no choice.
        """
        options = _option_table(question.choices)
        tables = [options, *self._aliases(question, options)]
        given = self.index.asked_about(question)
        if given:
            tables.append(NameTable([("", given.names())]))
        found = [Mention(start, end, uris - {""}) for start, end, uris in find(tables, text) if uris != {""}]
        starts = {mention.start for mention in found}
        return [mention for mention in found if is_whole(text, mention, starts)]

    def _other_forms(self, text: Text, question: Question) -> list[Mention]:
        """The options in a reply that writes them otherwise: a surname, a date in another order."""
        values = {str(i): [value] for i, choice in enumerate(question.choices) if (value := value_of(choice))}
        if len(values) == len(question.choices):
            return [mention for mention in typed_mentions(text, values) if mention.uris]
        return [Mention(start, end, uris) for start, end, uris in find([_form_table(question.choices)], text)]

    def _aliases(self, question: Question, options: NameTable) -> list[NameTable]:
        """The other names of the options that no option bears as its text."""
        bearers = self.index.names(question).uris
        known = self.index.entities(question)
        names: list[tuple[str, list[str]]] = []
        for i, choice in enumerate(question.choices):
            uris = bearers.get(" ".join(name_words(choice)), frozenset())
            others = [name for uri in uris if known[uri].label == choice for name in known[uri].aliases]
            others += [name for answer in answers_of(question) if answer.label == choice for name in answer.aliases]
            names.append((str(i), [name for name in others if " ".join(name_words(name)) not in options.uris]))
        return [NameTable(names)] if any(listed for _, listed in names) else []

    def _misspelt(self, question: Question, reply: str) -> int | None:
        names = {normalise(choice): i for i, choice in enumerate(question.choices)}
        flat = normalise(reply)
        near = {names[name] for name in names if misspelt(flat, [name], [other for other in names if other != name])}
        return near.pop() if len(near) == 1 else None


@lru_cache(maxsize=1 << 10)
def _option_table(choices: tuple[str, ...]) -> NameTable:
    return NameTable((str(i), [choice, DOT.sub(" ", choice)]) for i, choice in enumerate(choices))


@lru_cache(maxsize=1 << 10)
def _form_table(choices: tuple[str, ...]) -> NameTable:
    options = {str(i): Entity(str(i), choice) for i, choice in enumerate(choices)}
    forms = unique_forms(options, {" ".join(name_words(choice)) for choice in choices})
    return NameTable((bearer.uri, (form,)) for form, bearer in forms.items())
