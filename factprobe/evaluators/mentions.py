"""Finding the graph's entities in a text, the longest name first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from statistics import mean

from msgspec import Struct

from factprobe.evaluators.forms import unique_forms
from factprobe.evaluators.values import UNITS, Value, value_of, values_in
from factprobe.evaluators.words import Text, listed, name_words, vocabulary
from factprobe.records import Answer, Entity, Question, RelationSummary

_SAMPLE = 500
"""Labels of a side that tell whether its entities are values."""
_ROMAN = listed("ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx jr sr")
_LETTERS_FIGURES = re.compile(r"^([^\W\d]+)(\d+)$")
_COMPASS = listed("north south east west northern southern eastern western central northeast southwest")
_CONTINENTS = frozenset({"africa", "asia", "europe"})
_PARTICLES = frozenset({"la", "el", "le", "de", "van", "von", "bin", "al"})
_NATIONS = frozenset({"american", "european", "french", "british", "dutch", "asian", "african"})
_INSTITUTIONS = listed(
    "university college battle treaty siege gulf bay duke earl tower bank museum cathedral diocese bishop"
)
_ARABIC_ARTICLES = listed("al el ad ar as ash an")
_OF = frozenset({"of", "de", "di", "del", "du"})


class Mention(Struct, frozen=True, gc=False):
    """A name in a text: words `start` to `end` (exclusive), and the URIs that bear it."""

    start: int
    end: int
    uris: frozenset[str]


class NameTable:
    """Normalised names with the URIs that bear them."""

    def __init__(self, entities: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.uris: dict[str, frozenset[str]] = {}
        self.lengths: dict[str, list[int]] = {}
        self.lower = 0
        """How many of the names begin with a small letter."""
        for uri, names in entities:
            for name in names:
                self._add(uri, name)

    def _add(self, uri: str, name: str) -> None:
        words = name_words(name)
        key = " ".join(words)
        bearers = self.uris.get(key)
        if bearers is None:
            self.uris[key] = frozenset((uri,))
            self.lower += name[:1].islower()
            lengths = self.lengths.setdefault(words[0], [])
            if len(words) not in lengths:
                lengths.append(len(words))
                lengths.sort(reverse=True)
        elif uri not in bearers:
            self.uris[key] = bearers | {uri}


class Forms:
    """Other forms of the names of one side of a relation: surnames, initials, "the Caspian".

    Args:
        entities: those of the side.
        names: their names.
    """

    def __init__(self, entities: Mapping[str, Entity], names: NameTable) -> None:
        self._entities, self._names = entities, names
        self._bearers = unique_forms(entities, names.uris)
        self.table = NameTable((bearer.uri, (form,)) for form, bearer in self._bearers.items())
        self.known = {*names.uris, *self._bearers}
        """The names of the side and their other forms."""
        self._by_uri: dict[str, list[str]] = {}
        for form, bearer in self._bearers.items():
            self._by_uri.setdefault(bearer.uri, []).append(form)

    def names(self, uri: str) -> list[str]:
        """The normalised names of an entity of the side."""
        entity = self._entities.get(uri)
        return [" ".join(name_words(name)) for name in entity.names()] if entity else []

    def bearers(self, name: str) -> frozenset[str] | None:
        """The URIs that bear a normalised name or a form of one."""
        return self._names.uris.get(name) or self.table.uris.get(name)

    def of(self, uri: str) -> Sequence[str]:
        """The other forms of an entity's names."""
        return self._by_uri.get(uri, ())

    def is_of_another(self, text: Text, start: int, end: int, asked: str) -> bool:
        """Whether a surname is that of another person: one that the question names, or who has another first name."""
        form = " ".join(text.words[start:end])
        if form not in self._bearers or not self._bearers[form].personal:
            return False
        before = start - 1
        first_name = before >= 0 and not text.mark[start] and text.capital[before] and text.capital[start]
        known = any(text.words[before] in vocabulary(name) for name in ("function", "title", "kind", "hedge"))
        return f" {form} " in asked or (first_name and not known)


def asks_object(question: Question) -> bool:
    """Whether a question asks for the object of a subject rather than the reverse."""
    return question.form not in ("ask_subject", "multi_choices_sub")


class EntityIndex:
    """The entities of a relation by name, built once; both its sides.

    Args:
        summary: the relation summary; without one only a question's own answers are known.
    """

    def __init__(self, summary: RelationSummary | None = None) -> None:
        nodes = summary.node_summary if summary else None
        self.template = summary.relation_info.template if summary else ""
        self._subjects: Mapping[str, Entity] = {u: n.entity for u, n in nodes.subjects.items()} if nodes else {}
        self._objects: Mapping[str, Entity] = {u: n.entity for u, n in nodes.objects.items()} if nodes else {}
        self._nodes = nodes
        self._tables = {
            True: NameTable((uri, entity.names()) for uri, entity in self._objects.items()),
            False: NameTable((uri, entity.names()) for uri, entity in self._subjects.items()),
        }
        self._typed: dict[bool, bool] = {}
        self._forms: dict[bool, Forms] = {}

    def asked_about(self, question: Question) -> Entity | None:
        """The entity that a question gives, where the graph knows it."""
        if asks_object(question):
            return self._subjects.get(question.subject_uri)
        return self._objects.get(question.object_uri)

    def truths(self, question: Question) -> frozenset[str]:
        """The URIs of all that the graph has for an answer."""
        if self._nodes is None:
            return frozenset()
        if asks_object(question):
            subject = self._nodes.subjects.get(question.subject_uri)
            return frozenset(subject.objects) if subject else frozenset()
        object_ = self._nodes.objects.get(question.object_uri)
        return frozenset(object_.subjects) if object_ else frozenset()

    def names(self, question: Question) -> NameTable:
        """The names of the side that is asked for."""
        return self._tables[asks_object(question)]

    def tables(self) -> list[NameTable]:
        """The names of both sides."""
        return list(self._tables.values())

    def entities(self, question: Question) -> Mapping[str, Entity]:
        """The entities of the side that is asked for."""
        return self._objects if asks_object(question) else self._subjects

    def forms(self, question: Question) -> Forms:
        """Other forms of these names, where they belong to one entity alone."""
        side = asks_object(question)
        if side not in self._forms:
            self._forms[side] = Forms(self.entities(question), self.names(question))
        return self._forms[side]

    def lower_case(self, question: Question) -> bool:
        """Whether names of the side that is asked for are written small: instruments, diseases."""
        table = self.names(question)
        return (
            table.lower * 5 >= len(table.uris)
            if table.uris
            else any(a.label[:1].islower() for a in answers_of(question))
        )

    def values(self, question: Question) -> dict[str, list[Value]]:
        """The values that the right answers are, by URI; empty where the relation's answers are no values."""
        found: dict[str, list[Value]] = {}
        for answer in answers_of(question):
            if value_of(answer.label) is None:
                return {}
            found[answer.uri] = [value for name in answer.names() if (value := value_of(name)) is not None]
        side = asks_object(question)
        if side not in self._typed:
            entities = self.entities(question)
            some = islice(entities.values(), 0, None, max(len(entities) // _SAMPLE, 1))
            self._typed[side] = mean(value_of(entity.label) is not None for entity in some) >= 0.5 if entities else True
        return found if self._typed[side] else {}

    def mentions(self, text: Text, question: Question, asked: str = "") -> list[Mention]:
        """The entities of the side that is asked for, and the question's own answers, left to right, longest first.

        The entity that the question gives is passed over, for to repeat it is no answer; so are names that are a part
        of a longer one, known or not.

        Args:
            text: the reply.
            question: what it answers.
            asked: the normalised words of the question, with a space around each; what stands there is an echo.
        """
        values = self.values(question)
        if values:
            return typed_mentions(text, values, self._given(question), asked)
        answers = answers_of(question)
        right = {answer.uri for answer in answers}
        forms = self.forms(question)
        tables = [self.names(question), forms.table]
        known = self.entities(question)
        if any((e := known.get(a.uri)) is None or (e.label, e.aliases) != (a.label, a.aliases) for a in answers):
            tables.append(NameTable((answer.uri, answer.names()) for answer in answers))
        given = self._given(question)
        if given:
            tables.append(given)
        found = [
            Mention(start, end, uris - {""})
            for start, end, uris in find(tables, text)
            if ("" not in uris or uris & right) and not forms.is_of_another(text, start, end, asked)
        ]
        starts = {mention.start for mention in found}
        found = [m for m in found if is_whole(text, m, starts) and not _is_echo(text, m, asked) and _is_meant(text, m)]
        if not any(text.capital):
            return found
        labels = {uri: entity.label for mention in found for uri in mention.uris if (entity := known.get(uri))}
        return [mention for mention in found if not _is_common_plural(text, mention, labels, tables)]

    def subjects(self, text: Text, question: Question, mentions: Sequence[Mention]) -> dict[int, bool]:
        """The words that name an entity of the side that the question gives, and whether it is another one."""
        given = question.subject_uri if asks_object(question) else question.object_uri
        taken = {i for mention in mentions for i in range(mention.start, mention.end)}
        known = self.names(question).uris
        found: dict[int, bool] = {}
        for start, end, uris in find([self._tables[not asks_object(question)]], text):
            if taken.isdisjoint(range(start, end)) and (given in uris or " ".join(text.words[start:end]) not in known):
                found.update(dict.fromkeys(range(start, end), given not in uris))
        return found

    def _given(self, question: Question) -> NameTable | None:
        entity = self.asked_about(question)
        return _given_table(entity.names()) if entity else None


@lru_cache(maxsize=1 << 12)
def _given_table(names: tuple[str, ...]) -> NameTable:
    return NameTable([("", names)])


def answers_of(question: Question) -> tuple[Answer, ...]:
    """The right answers of a question that has names or values for answers."""
    return () if isinstance(question.answers, str) else question.answers


def find(tables: Sequence[NameTable], text: Text) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The names in a text, left to right and the longest at each place: start, end (exclusive), URIs."""
    words, lines = text.words, text.lines
    i, count = 0, len(words)
    while i < count:
        best, uris = 0, frozenset[str]()
        for table in tables:
            for length in table.lengths.get(words[i], ()):
                end = i + length
                if length < best or end > count or lines[end - 1] != lines[i]:
                    continue
                key = words[i] if length == 1 else " ".join(words[i:end])
                bearers = table.uris.get(key)
                if bearers:
                    uris = bearers if length > best else uris | bearers
                    best = length
                    break
        if not best:
            best, uris = _inflected(tables, text, i)
        if best:
            yield i, i + best, uris
        i += best or 1


def _inflected(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """A name with the s of a plural or of a possessive: guitars, tomatoes, Chelsea's, Nobel Prizes in Physics."""
    words = text.words
    figures = _figures(tables, text, i)
    if figures[0]:
        return figures
    for table in tables:
        for first in (words[i], *_singulars(words[i])):
            for length in table.lengths.get(first, ()):
                end = i + length
                if end > len(words) or text.lines[end - 1] != text.lines[i]:
                    continue
                for at in range(end - 1, i - 1, -1):
                    for one in _singulars(words[at]):
                        bearers = table.uris.get(" ".join((*words[i:at], one, *words[at + 1 : end])))
                        if bearers:
                            return length, bearers
    return 0, frozenset()


def _singulars(word: str) -> tuple[str, ...]:
    if len(word) < 4 or word[-1] != "s":
        return ()
    return (word[:-1], word[:-2], f"{word[:-3]}y") if word[-2] == "e" else (word[:-1],)


def _figures(tables: Sequence[NameTable], text: Text, i: int) -> tuple[int, frozenset[str]]:
    """A name of letters and figures, with the hyphen between them or without: BRCA-1, BRCA1."""
    word = text.words[i]
    key, length = "", 1
    if word[-1].isdigit() and not word.isdigit():
        key = _LETTERS_FIGURES.sub(r"\1 \2", word)
    elif i + 1 < len(text) and text.mark[i + 1] == "-" and text.words[i + 1].isdigit():
        key, length = word + text.words[i + 1], 2
    for table in tables:
        if key and key in table.uris:
            return length, table.uris[key]
    return 0, frozenset()


def _is_meant(text: Text, mention: Mention) -> bool:
    """Whether a name of ordinary words, as an album called It, stands alone or in capitals where no word would."""
    ordinary = vocabulary("function") | vocabulary("exclamation")
    if not all(word in ordinary for word in text.words[mention.start : mention.end]):
        return True
    before, after = mention.start - 1, mention.end
    alone = before < 0 or text.items[before] != text.items[mention.start]
    alone = alone and (after >= len(text) or text.items[after] != text.items[mention.start])
    return alone or (
        before >= 0 and text.sentences[before] == text.sentences[mention.start] and text.capital[mention.start]
    )


def _is_common_plural(text: Text, mention: Mention, labels: Mapping[str, str], tables: Sequence[NameTable]) -> bool:
    """Whether a plural in small letters is of a common word, where the name has capitals: moons, the Moon."""
    last = mention.end - 1
    if text.capital[last] or not text.words[last].endswith("s"):
        return False
    key = " ".join(text.words[mention.start : mention.end])
    in_capitals = all(labels.get(uri, "").split()[-1:][0][:1].isupper() for uri in mention.uris if labels.get(uri))
    return in_capitals and bool(labels) and not any(key in table.uris for table in tables)


def _is_echo(text: Text, mention: Mention, asked: str) -> bool:
    """Whether a name stands in the question, as a part of a longer run of words that the text repeats."""
    words = text.words
    name = " ".join(words[mention.start : mention.end])
    if not asked or f" {name} " not in asked:
        return False
    function = vocabulary("function")
    item = text.items[mention.start]
    before, after = mention.start - 1, mention.end
    longer = []
    if before >= 0 and text.items[before] == item and words[before] not in function:
        longer.append(f" {words[before]} {name} ")
    if after < len(words) and text.items[after] == item and words[after] not in function:
        longer.append(f" {name} {words[after]} ")
    return any(run in asked for run in longer)


def is_whole(text: Text, mention: Mention, starts: set[int]) -> bool:
    """Whether a name is no part of a longer one that the graph does not know: Hermann Einstein, Ulm University."""
    start, end = mention.start, mention.end
    if start and (text.mark[start] == "-" or not text.mark[start]) and _grows_left(text, start, end):
        return False
    return not (
        end < len(text)
        and end not in starts
        and (text.mark[end] == "-" or not text.mark[end])
        and _grows_right(text, end)
    )


def _grows_left(text: Text, start: int, end: int) -> bool:
    """Whether the words before a name belong to it: Hermann Einstein, Neu-Ulm, the University of Ulm."""
    i = start - 1
    word = text.words[i]
    if text.mark[start] == "-":
        return not word.isdigit() and word not in _ARABIC_ARTICLES
    if word in _OF and text.capital[start] and not text.mark[i] and i > 0:
        head = text.words[i - 1]
        inside = i > 1 and text.sentences[i - 2] == text.sentences[i - 1] and text.capital[i - 1]
        return head in _INSTITUTIONS or (
            inside and head not in vocabulary("kind") and head not in vocabulary("function")
        )
    if not (text.capital[i] and text.capital[start]) or _shouts(text) or word.isdigit():
        return False
    if word in vocabulary("prefix") and word not in _PARTICLES:
        is_part = word in _COMPASS and _is_part(text, word, start, end)
        return not is_part and (word not in _NATIONS or end - start < 2)
    if any(word in vocabulary(name) for name in ("function", "title", "kind", "hedge")):
        return False
    begins = i == 0 or text.sentences[i - 1] != text.sentences[i] or text.items[i - 1] != text.items[i]
    return not begins or (end - start == 1 and len(word) > 1 and not word.endswith("ly"))


def _is_part(text: Text, word: str, start: int, end: int) -> bool:
    """Whether a point of the compass before a name means a part of what bears it: North Africa, northern Italy."""
    name = " ".join(text.words[start:end])
    return f"{word} {name}" not in vocabulary("region") and (word.endswith("ern") or name in _CONTINENTS)


def _grows_right(text: Text, end: int) -> bool:
    """Whether the words behind a name belong to it: Guinea-Bissau, Ulm University, Elizabeth II."""
    word, raw = text.words[end], text.raw[end]
    if text.mark[end] == "-":
        return text.capital[end] or word.isdigit()
    if not text.capital[end - 1] or _shouts(text):
        return False
    if word.isdigit():
        return len(word) < 3
    if word in _ROMAN and (raw.isupper() or word in ("jr", "sr")):
        return True
    is_common = word in vocabulary("function") or word in vocabulary("hedge")
    is_kind = word in vocabulary("kind") and word != "city"  # Kansas City is not Kansas
    return text.capital[end] and not is_common and not is_kind and not _is_region(text, end)


def _is_region(text: Text, start: int) -> bool:
    regions = vocabulary("region")
    return any(" ".join(text.words[start : start + n]) in regions for n in (1, 2, 3))


def _shouts(text: Text) -> bool:
    """Whether capitals tell nothing: in a text all in capitals, or with one at every word."""
    if text.shouts is None:
        long = [raw for raw in text.raw if len(raw) > 2]
        text.shouts = len(long) > 3 and all(raw[0].isupper() for raw in long)
    return text.shouts


def _lives(values: Sequence[Value], source: str, asked: str) -> list[Value]:
    """The values, of a life in brackets the year that is asked for: Isaac Stern (1920–2001)."""
    born, died = (" born " in asked or " birth " in asked), (" died " in asked or " death " in asked)
    found = []
    for value in values:
        if value.until is not None and (born or died) and source[: value.start].rstrip().endswith("("):
            found.append(Value(value.start, value.end, value.year if born else value.until))
        else:
            found.append(value)
    return found


def typed_mentions(
    text: Text, right: Mapping[str, Sequence[Value]], given: NameTable | None = None, asked: str = ""
) -> list[Mention]:
    """The values in a text, those that are right with their URIs.

    Args:
        text: the reply.
        right: the values that are right, by URI.
        given: the names of the entity that the question gives, in which no value is looked for.
        asked: the normalised words of the question.
    """
    from bisect import bisect_left, bisect_right

    passed = {i for start, end, _ in find([given], text) for i in range(start, end)} if given else set()
    years = all(value.year is not None for values in right.values() for value in values)
    measured = next((unit for word in asked.split() if (unit := UNITS.get(word))), "")
    found = []
    for value in _lives(values_in(text.source), text.source, asked) if years else values_in(text.source):
        start = bisect_right(text.starts, value.start) - 1
        end = max(bisect_left(text.starts, value.end), start + 1)
        uris = frozenset(uri for uri, values in right.items() if any(value.answers(one) for one in values))
        other_unit = value.unit and measured and value.unit != measured
        if (
            start < 0
            or passed.intersection(range(start, end))
            or other_unit
            or (years and value.year is None and not uris)
        ):
            continue
        mention = Mention(start, end, uris)
        if uris or not _is_echo(text, mention, asked):
            found.append(mention)
    return found
