"""Right answers that are called by a part of their names, where no graph tells who else is called so: Churchill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from msgspec import Struct

from factprobe.reading.language import table, vocabulary
from factprobe.reading.names.forms import forms
from factprobe.reading.names.regions import is_region
from factprobe.reading.names.tables import Mention, NameTable, find
from factprobe.reading.names.whole import is_whole
from factprobe.reading.words import Text, name_words, singulars_of

_LEAST = 3
"""Letters of a part that stands for the whole."""
_MOST = 5
"""Words of a person's name."""
_TITLES, _PARTICLES = vocabulary("title"), vocabulary("surname_particle", "name_particle")
_OTHERS = vocabulary("kind", "colour", "prefix", "article", "byname_before", "link_and") - _TITLES - _PARTICLES
"""They stand in the names of places and things, of which a part is something else: Red Sea, New York."""
_COMMON = vocabulary("function", "kind", "title").union(*table("month").values())
_BESIDE = vocabulary("function", "hedge", "exclamation", "kind", "title", "demonym")
"""They may stand before a name in capitals, and are no part of it."""
_JOINS = vocabulary("list_conjunction")

Answers = tuple[tuple[str, tuple[str, ...]], ...]
"""URIs, each with its names."""


class Parts(Struct, frozen=True):
    """What several right answers may be called."""

    of: Mapping[str, str]
    """The words that belong to the names of one of them alone, with its URI."""
    own: Mapping[str, frozenset[str]]
    """All words of the names of each."""
    forms: NameTable
    """Names without what kind of thing bears them, and with their numbers written otherwise."""


@lru_cache(maxsize=1 << 12)
def parts_of(answers: Answers) -> Parts:
    """The parts of the right answers' names."""
    own = {uri: frozenset(word for name in names for word in name_words(name)) for uri, names in answers}
    bearers = Counter(chain.from_iterable(own.values()))
    of: dict[str, str] = {}
    whole = {" ".join(name_words(name)) for _, names in answers for name in names}
    shorter: dict[str, set[str]] = {}
    for uri, names in answers:
        called = {word for name in names for word in _words_of_person(name)}
        of.update({word: uri for word in called if bearers[word] == 1 and len(word) >= _LEAST})
        for form in {form for name in names for form, _ in forms(name, is_person=False)} - whole:
            shorter.setdefault(form, set()).add(uri)
    alone = [(uri, (form,)) for form, uris in sorted(shorter.items()) if len(uris) == 1 for uri in uris]
    return Parts(of, own, NameTable(alone))


def _words_of_person(name: str) -> tuple[str, ...]:
    """The words of a name that may be a person's, any of which may stand for the whole; none of another's."""
    words, raw = name_words(name), name.split()
    if (
        not 1 < len(raw) <= _MOST
        or not _OTHERS.isdisjoint([word for word in words if len(word) > 1])
        or is_region(words)
    ):
        return ()
    if not all(word in _PARTICLES or word.lstrip("\"'“‘(")[:1].isupper() for word in raw):
        return ()
    return words[words[0] in _TITLES :]


def called_by_parts(text: Text, mentions: Sequence[Mention], parts: Parts) -> list[Mention]:
    """The mentions with those of right answers that are called by a part of their names and by nothing else.

    Args:
        text: the reply.
        mentions: the names that were found whole.
        parts: of the right answers' names.
    """
    whole = {i: mention.uris for mention in mentions for i in range(mention.start, mention.end)}
    found = [*_without_kind(text, mentions, parts)]
    for start, end in () if parts.of.keys().isdisjoint(text.words) else _runs(text, parts):
        uri = _called(text, range(start, end), parts)
        named = [whole[i] for i in range(start, end) if i in whole]
        if uri and len(named) < end - start and all(uri in uris for uris in named):
            found.append(Mention(start, end, frozenset((uri,))))
    taken = {i for mention in found for i in range(mention.start, mention.end)}
    kept = [mention for mention in mentions if mention.start not in taken]
    return sorted([*kept, *found], key=lambda mention: mention.start)


def bare(item: str) -> str:
    """An item without the nation, the title and the like that stand before a name: the Italian Luciano Pavarotti."""
    words = item.split()
    first = next((i for i, word in enumerate(words[:-1]) if not _stands_beside(word)), len(words) - 1)
    return " ".join(words[first:])


def _without_kind(text: Text, mentions: Sequence[Mention], parts: Parts) -> Iterator[Mention]:
    """The mentions of other forms of names than what a part of a person's is, of right answers that are not named."""
    named = frozenset().union(*[mention.uris for mention in mentions])
    if not parts.forms.uris or named.issuperset(parts.own):
        return
    taken = {i for mention in mentions for i in range(mention.start, mention.end)}
    for start, end, uris in find([parts.forms], text):
        mention = Mention(start, end, uris)
        if named.isdisjoint(uris) and taken.isdisjoint(range(start, end)) and is_whole(text, mention, set()):
            yield mention


def _called(text: Text, run: range, parts: Parts) -> str:
    """The URI of the right answer that a run of words is a part of, and nothing else; empty where there is none."""
    words = [_without_s(text.words[i], parts) for i in run]
    uri = next((parts.of[word] for word in words if word in parts.of), "")
    if not uri or not parts.own[uri].issuperset(words):
        return ""
    behind = run.stop
    ends = behind == len(text) or bool(text.mark[behind]) or text.words[behind] in _JOINS
    return uri if ends or not (_COMMON.issuperset(words) or text.words[behind].isdigit()) else ""


def _without_s(word: str, parts: Parts) -> str:
    """A word without the s of a possessive where it has one."""
    return word if word in parts.of else next((one for one in singulars_of(word) if one in parts.of), word)


def _runs(text: Text, parts: Parts) -> Iterator[tuple[int, int]]:
    """The runs of words in capitals that are one name, without what may stand before it."""
    small = True not in text.capital
    start, count = 0, len(text)
    while start < count:
        is_part = text.words[start] in parts.of
        if not _is_of_name(text, start, small=small) or (_stands_beside(text.words[start]) and not is_part):
            start += 1
            continue
        end = last = start + 1
        while end < count and (
            text.mark[end] in ("", "-") or (text.mark[end] == "." and len(text.words[end - 1]) == 1)
        ):
            if _is_of_name(text, end, small=small):
                last = end + 1
            elif text.words[end] not in _PARTICLES:
                break
            end += 1
        yield start, last
        start = last


def _is_of_name(text: Text, i: int, *, small: bool) -> bool:
    return text.capital[i] or (small and text.words[i] not in _COMMON)


def _stands_beside(word: str) -> bool:
    """Whether a word may stand before a name and is no part of it; nations may be in the plural: the Spaniards."""
    return word in _BESIDE or any(one in _BESIDE for one in singulars_of(word))
