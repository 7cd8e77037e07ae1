"""Analysis of a reply to a question with several answers."""

from __future__ import annotations

from factprobe.evaluators.answer_set.columns import with_answers_first
from factprobe.evaluators.answer_set.items import unknown_items
from factprobe.evaluators.entities.reading import EntityReading
from factprobe.reading.cached_attribute import cached_attribute
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.names.fuzzy import misspelt
from factprobe.reading.names.tables import Mention
from factprobe.reading.reading import is_list_of
from factprobe.reading.words import Text


class SetReading(EntityReading, frozen=True):
    """Lazily computed analysis of a reply to a question with several answers."""

    @cached_attribute
    def text(self) -> Text:
        """Return the words of the reply, with uniform bullets and with the answer column of tables first."""
        return Text(with_bullets(with_answers_first(self.marked, self.names)))

    @cached_attribute
    def given(self) -> list[Mention]:
        """Return the affirmed mentions that are not negated later, from the last list if the reply repeats it."""
        text, mentions, statuses = self.text, self.mentions, self.statuses
        if is_list_of(text, mentions):
            return [*mentions]
        denied = {
            uri: one.start
            for one, found in zip(mentions, statuses, strict=True)
            if found == "denied"
            for uri in one.uris
        }
        kept = [one for one in self.affirmed if not any(one.start < denied.get(uri, 0) for uri in one.uris)]
        is_address = {one.start for one in kept if self.right.isdisjoint(one.uris)} & self.addresses
        return [one for one in kept if one.start >= self.restart and one.start not in is_address]

    @cached_attribute
    def restart(self) -> int:
        """Return the index of the word at which the list is repeated after a conclusion or correction, else 0."""
        for cue in reversed([*self.cues_of("corrects", "answers", "concludes")]):
            before = {uri for one in self.affirmed if one.start < cue.start for uri in one.uris}
            behind = {uri for one in self.affirmed if one.start >= cue.end for uri in one.uris}
            if before & behind:
                return cue.end
        return 0

    @cached_attribute
    def others(self) -> int:
        """Return the number of wrong answers that are known entities or values."""
        wrong = [one for one in self.given if self.right.isdisjoint(one.uris)]
        return len({tuple(sorted(one.uris)) or tuple(self.text.words[one.start : one.end]) for one in wrong})

    @cached_attribute
    def items(self) -> list[str]:
        """Return the items of the list that are not in the graph."""
        return [] if is_list_of(self.text, self.mentions) else unknown_items(self)

    @cached_attribute
    def spelt(self) -> dict[str, str]:
        """Return the URIs of right answers by the items that misspell them."""
        known, forms = self.side.names.known, self.side.forms
        names = {form: uri for uri in sorted(self.right) for form in forms.of(uri)} | self.names
        found = {item: misspelt(item, names, known) for item in self.items}
        return {item: names[name] for item, name in found.items() if name is not None}

    @property
    def matched_names(self) -> frozenset[str]:
        """URIs of the right answers that the reply names as the graph does."""
        return self.right.intersection([uri for one in self.given for uri in one.uris])

    @cached_attribute
    def matched(self) -> tuple[str, ...]:
        """Return the URIs of the right answers in the reply, sorted."""
        return tuple(sorted(self.matched_names.union(self.spelt.values())))

    @cached_attribute
    def wrong(self) -> int:
        """Return the number of wrong answers in the reply."""
        return self.others + len(self.items) - len(self.spelt)

    @property
    def answer(self) -> str:
        """Text of all answers in the reply."""
        return ", ".join([self.words(self.given), *sorted(self.items)]).strip(", ")
