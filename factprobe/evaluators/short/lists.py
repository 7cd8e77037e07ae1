"""What a reply gives for a set of answers."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.evaluators.short.columns import with_answers_first
from factprobe.evaluators.short.items import unknown_items
from factprobe.evaluators.short.parts import Parts, bare, called_by_parts, parts_of
from factprobe.evaluators.short.places import without_address
from factprobe.evaluators.short.reading import ShortReading
from factprobe.evaluators.short.talk import describes
from factprobe.reading.abstention import may_decline, only_declines
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.near import misspelt
from factprobe.reading.names.tables import Mention
from factprobe.reading.once import once
from factprobe.reading.reading import is_list_of
from factprobe.reading.words import Text

_CONTRASTS = vocabulary("list_contrast")


class ListReading(ShortReading, frozen=True):
    """A reply to a question that has several answers."""

    @once
    def text(self) -> Text:
        """The reply in words, with one kind of bullet; of a table the column that has answers."""
        return Text(with_bullets(with_answers_first(self.reply, self.names)))

    @once
    def parts(self) -> Parts | None:
        """What the right answers may be called by, where no graph tells who else is called so."""
        answers = answers_of(self.question)
        if self.side.entities or len(answers) < 2:
            return None
        return parts_of(tuple([(answer.uri, tuple(answer.names())) for answer in answers]))

    @once
    def _found(self) -> tuple[tuple[Mention, ...], frozenset[str], bool]:
        found = super()._found
        if found[2] or self.parts is None or self.values:
            return found
        mentions = tuple(called_by_parts(self.text, found[0], self.parts))
        return mentions, found[1], is_list_of(self.text, mentions)

    @property
    def only_declines(self) -> bool:
        """See the base class; mere names have no word that begins a phrase. Of a table not all words are here."""
        reply = self.reply
        may = not reply.isascii() or "|" in reply or may_decline(self.text.words)
        return may and only_declines(self.flat)

    @once
    def given(self) -> list[Mention]:
        """The mentions that count: those of a conclusion, or all that the reply gives and does not take back."""
        stance, mentions = self.stance, self.mentions
        counted = [mentions[i] for i in stance.concluded or self._said]
        if stance.mended and self._restated:
            counted = [mention for mention in counted if mention.start >= self._restated]
        if stance.ruled_out:
            denied = {uri: mentions[i].start for i in sorted(stance.ruled_out) for uri in mentions[i].uris}
            counted = [one for one in counted if not any(one.start < denied.get(uri, 0) for uri in one.uris)]
        return without_address(counted, self.text, self.right, several=True)

    @property
    def known(self) -> frozenset[str]:
        """The URIs of the right answers that it names as the graph has them."""
        return self.right & frozenset().union(*[mention.uris for mention in self.given])

    @once
    def others(self) -> int:
        """How many wrong answers it names that the graph knows, or that are values."""
        right, words = self.right, self.text.words
        wrong = [mention for mention in self.given if right.isdisjoint(mention.uris)]
        return len({tuple(sorted(one.uris)) or tuple(words[one.start : one.end]) for one in wrong}) if wrong else 0

    @once
    def items(self) -> frozenset[str]:
        """The items that are no name as the graph has it."""
        complete = self.stance.concluded or self.is_list or is_list_of(self.text, self.mentions)
        return frozenset() if complete else frozenset(unknown_items(self, self._restated))

    @once
    def spelt(self) -> dict[str, str]:
        """Those of the items that are slips for a right answer, with its URI."""
        parts = {} if self.parts is None else self.parts.of
        names, known = {**parts, **self.names}, self.side.names.known
        found: dict[str, str] = {}
        for item in self.items:
            name, short = misspelt(item, names, known), bare(item)
            if name is None and short != item:  # American Samoa is not Samoa
                name = misspelt(short, names if " " in short else parts, known)
            if name is not None:
                found[item] = names[name]
        return found

    @once
    def matched(self) -> tuple[str, ...]:
        """The URIs of all the right answers that it gives, sorted."""
        return tuple(sorted(self.known.union(self.spelt.values())))

    @property
    def unknown(self) -> frozenset[str]:
        """The items that the graph does not know."""
        return self.items - self.spelt.keys()

    @once
    def wrong(self) -> int:
        """How many wrong answers it gives."""
        return self.others + len(self.unknown)

    @once
    def gives_none(self) -> bool:
        """Whether it gives no known answer, and nothing that could be an unknown one."""
        return self.names_none and (not self.unknown or describes(self))

    @property
    def names_none(self) -> bool:
        """Whether it gives no answer that the graph knows."""
        return not self.matched and not self.others

    @property
    def answer(self) -> str:
        """The words that it answers with."""
        return ", ".join([self.words(self.given), *sorted(self.items)]).strip(", ")

    @property
    def _said(self) -> Sequence[int]:
        """The mentions that it gives, by their number; what it tells by the way counts behind a bullet, and where it
        makes the set complete."""
        said, aside = self.stance.said, self.stance.aside
        if not aside:
            return said
        bulleted = [i for i in aside if "•" in self.text.mark[self.mentions[i].start]]
        return sorted({*said, *bulleted, *self._completing})

    @property
    def _completing(self) -> Sequence[int]:
        """The mentions by the way that make the set complete, where nothing is said that is wrong or ruled out: bronze
        is mostly copper, typically with about 12 % tin."""
        stance, mentions, right = self.stance, self.mentions, self.right
        if stance.ruled_out or stance.doubted or any(right.isdisjoint(mentions[i].uris) for i in stance.said):
            return ()
        beside = [i for i in sorted(stance.aside - stance.told) if not right.isdisjoint(mentions[i].uris)]
        beside = [i for i in beside if not self._is_contrasted(i)]
        named = frozenset[str]().union(*[mentions[i].uris for i in (*stance.said, *beside)])
        return beside if right <= named else ()

    def _is_contrasted(self, number: int) -> bool:
        """Whether a mention is set against what is said, or is of former days: Liberia, unlike Ethiopia."""
        text, start = self.text, self.mentions[number].start
        before = self.mentions[number - 1].end if number else 0
        sentence = text.sentences[start]
        return any(text.words[i] in _CONTRASTS and text.sentences[i] == sentence for i in range(before, start))

    @once
    def _restated(self) -> int:
        """The word from which it gives a list anew that it takes back: Zinc and tin. No, sorry: copper and tin."""
        stance, mentions = self.stance, self.mentions
        if not stance.mended:
            return 0
        before = {uri for i in stance.said if i < stance.mended[0] for uri in mentions[i].uris}
        again = any(before & mentions[i].uris for i in stance.mended)
        return mentions[stance.mended[0]].start if again else 0
