"""The options that a reply names by letter, by place or with a mark."""

from __future__ import annotations

import re
from string import ascii_uppercase

from factprobe.reading.cleaning import with_bullets
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text, name_words, words_in
from factprobe.text import normalise

_LINK = f"{phrases('link_and')}|{phrases('link_or')}"
_NOUN, _IS = phrases("option_noun"), phrases("option_is")
_FIRST = re.compile(
    r"(?:^|\n|•|:|[.!?;]\s)\s{0,9}(?P<o>[A-Za-z])(?=[).:,/]|\s\(|\s*(?:$|\n)|\s*[-–—]\s|"
    rf"\s+(?:{_LINK}|&)\s+[A-Za-z]\b)"
)
_LED = re.compile(rf"\b(?i:{_NOUN})\s*(?:(?i:{_IS})\b)?\s*[:=]?\s*(?P<o>[A-Za-z])\b(?!['’]|\s+[a-z])")
_LED_BEFORE = re.compile(
    rf"\b(?i:{_NOUN}|{phrases('option_led')})\s+[:=]?\s*(?P<o>[A-HJ-Z])\b"
    rf"(?!['’])(?=\s+(?:{phrases('option_goes_on')}|[-–—])\b|\s*$|\s*[.,;:!?)\n])"
)
_BRACKETED = re.compile(r"(?<![\w'’])(?P<o>[A-Z])\)")
_SMALL = re.compile(r"(?<![\w'’(])(?P<o>[a-z])\)")
_ALONE = re.compile(
    rf"(?<![\w'’&-])(?P<o>[A-HJ-Z])(?=\s*(?:[.,;!?/&。！，、]|$)|\s+(?:{phrases('option_alone')})\b)", re.MULTILINE
)
_TICKED = re.compile(r"^([-*• \t]{0,9})\[[xX✓✔✅]\][ \t]{0,9}([^\n]+)", re.MULTILINE)
_TICKS = (
    (
        re.compile(rf"[✓✔✅☑👍]\ufe0f?|(?:<[-=]+|[←⟵])(?:\s*(?:{phrases('option_ticked')})\b[^\n]*)?"),
        "correct",
    ),
    (re.compile(r"[✗✘❌✖👎❎]\ufe0f?"), "wrong"),
)
_BESIDE_WIDE = re.compile(
    r"(?<=[\u3040-\u30ff\u3400-\u9fff])(?=[A-Za-zＡ-Ｚ])|(?<=[A-Za-zＡ-Ｚ])(?=[\u3040-\u30ff\u3400-\u9fff])"
)
_STOPPED = re.compile(
    rf"(?:(?<=^)|(?<=[.!?:;\n] )|(?<=\n)|{phrases('option_stop')})([A-H])\.(?=\s)"
    r"(?!\s*[A-Z]\.\s*[A-Z])"
    r"|\b([Nn]o)\.(?=\s+[A-J]\b)"
)
"""A letter or a no that ends a sentence, and is no initial or number: B. A is wrong."""
_LAST_TWO = re.compile(r"\b([A-J])\.\s+([A-J])\.?\s*$")
DOT = re.compile(r"\.(?=\s|\w\.)")
_OPENS = re.compile(
    rf"(?:^|[.!?:;,…]\s+|\b(?:{phrases('option_opening')})\s+)(?P<o>[B-HJ-Z])(?=\s+(?:[a-z]|I\b)|\s*[→=])",
    re.MULTILINE,
)
"""A capital that opens a clause and is no word: B it is."""
_SMALL_ALONE = re.compile(r"(?<![\w'’&.-])(?P<o>[b-df-hj]|a(?=[.!]?$))(?![\w'’&-])")
_SHORT = 60
"""Characters of a reply in which a small letter alone is an option: definitely b."""
_LETTER_BRACKETS = re.compile(r"[\[({]\s*([A-Za-z])\s*[\])}]")
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


def choice_words(shown: list[str]) -> frozenset[str]:
    """The words of the options."""
    return frozenset(word for choice in shown for word in name_words(choice))


def letters_in(text: Text, texts: list[Mention], count: int) -> list[Mention]:
    """The letters that stand for an option; not those within its text: the B of Vitamin B."""
    inside = {i for mention in texts if mention.end - mention.start > 1 for i in range(mention.start, mention.end)}
    at = {start: i for i, start in reversed(list(enumerate(text.starts)))}
    found: dict[int, Mention] = {}
    small = (_SMALL_ALONE,) if len(text.source) < _SHORT else ()
    for pattern in (_FIRST, _LED, _LED_BEFORE, _BRACKETED, _SMALL, _ALONE, _OPENS, *small):
        for match in pattern.finditer(text.source):
            letter = match["o"].upper()
            i = at.get(match.start("o"))
            number = ascii_uppercase.find(letter)
            if i is not None and i not in inside and number < count:
                found[i] = Mention(i, i + 1, frozenset({str(number)}))
    only = "".join(c for c in text.source if c.isalnum())
    if len(only) == 1 and 0 <= (number := ascii_uppercase.find(only.upper())) < count:
        found[text.raw.index(only) if only in text.raw else 0] = Mention(0, 1, frozenset({str(number)}))
    for mention in texts:  # B Ulm; not the article of "A tenor saxophone"
        i = mention.start - 1
        if (
            i >= 0
            and (i == 0 or text.lines[i - 1] != text.lines[i])
            and text.mark[mention.start] == ""
            and len(text.words[i]) == 1
            and (text.words[i] != "a" or text.capital[mention.start])
        ):
            number = ascii_uppercase.find(text.raw[i][:1])
            if 0 <= number < count:
                found[i] = Mention(i, i + 1, frozenset({str(number)}))
    return list(found.values())


def places_in(text: Text, shown: list[str]) -> list[Mention]:
    """Options named by their place: the second option, option 2, the latter."""
    found = []
    digits = any(c.isdigit() for choice in shown for c in choice)
    alone = None if digits else _NUMBER.match(text.source) or _NUMBER_SAID.search(text.source)
    number = int(alone[1]) if alone else _ORDINALS.get(text.words[0], -1) + 1 if len(text) == 1 else 0
    if 0 < number <= len(shown):
        return [Mention(0, 1, frozenset({str(number - 1)}))]
    for match in _ORDER.finditer(text.source):
        name = (match["o"] or match["n"] or match["p"]).lower()
        if name in _LAST or name in _LATTER:
            number = len(shown) - 1
        elif name in _FORMER:
            number = 0
        else:
            number = int(name) - 1 if name.isdigit() else _ORDINALS[name]
        if 0 <= number < len(shown) and not (len(shown) != 2 and (name in _FORMER or name in _LATTER)):
            start = max(i for i, at in enumerate(text.starts) if at <= match.start())
            end = max(i for i, at in enumerate(text.starts) if at < match.end()) + 1
            found.append(Mention(start, end, frozenset({str(number)})))
    return found


def with_letters(mentions: list[Mention], text: Text, letters: set[int]) -> list[Mention]:
    """The mentions in order, a letter and the text behind it as one: B) Ulm."""
    joined: list[Mention] = []
    for mention in sorted(dict.fromkeys(mentions), key=lambda m: (m.start, -m.end)):
        last = joined[-1] if joined else None
        if last is not None and last.start <= mention.start < last.end:
            continue
        if last is not None and (_leads(text, last, mention, letters) or _closes(text, last, mention, letters)):
            same = last.uris & mention.uris
            joined[-1] = Mention(last.start, mention.end, same or last.uris | mention.uris)
            continue
        joined.append(mention)
    return joined


def affirmed_in(text: Text, mentions: list[Mention]) -> set[int]:
    """The options that a yes stands behind: Munich? He grew up there. Ulm? Yes."""
    starts = {mention.start for mention in mentions}
    return {
        int(min(mention.uris))
        for mention in mentions
        if text.words[mention.end : mention.end + 1] == ["yes"] and mention.end not in starts
    }


def _leads(text: Text, letter: Mention, name: Mention, letters: set[int]) -> bool:
    """Whether a letter stands before the text of an option: B) Ulm, C) The Hague."""
    gap = text.words[letter.end : name.start]
    if (
        letter.start not in letters
        or letter.end - letter.start > 1
        or name.start in letters
        or gap not in ([], ["the"])
    ):
        return False
    mark = text.mark[letter.end]
    leads = letter.start == 0 or text.mark[letter.start] not in ("", ",")
    return mark in (")", ":", "-", "–", "") or mark.startswith(")") or ("." in mark and leads)


def _closes(text: Text, name: Mention, letter: Mention, letters: set[int]) -> bool:
    """Whether a letter in brackets stands behind the text of an option: Ulm (B)."""
    i = letter.start
    in_brackets = text.mark[i].endswith("(") and text.source.startswith(")", text.starts[i] + 1)
    return name.end == i and i in letters and in_brackets


def without_menu(
    mentions: list[Mention], text: Text, letters: set[int], count: int
) -> tuple[list[Mention], set[int] | None]:
    """The mentions without a list of all options, in their order, that is repeated before the choice.

    Where the list says of each option whether it is right, those that are; None where it does not.
    """
    for first in range(len(mentions) - count + 1):
        heads = _heads(mentions[first:], text, letters, count)
        if not heads:
            continue
        ends = [*(head.start for head in heads[1:]), _end_of_item(text, heads)]
        remarks = [text.words[head.end : end][:_REMARK] for head, end in zip(heads, ends, strict=True)]
        rest = [mention for mention in mentions if mention.start >= ends[-1]]
        if not any(_LIST_WORDS.issuperset(remark) is False for remark in remarks):
            return rest, None
        wrong = {i for i, remark in enumerate(remarks) if not _NO.isdisjoint(remark)}
        right = {i for i, remark in enumerate(remarks) if not _YES.isdisjoint(remark)} - wrong
        if len(right) == 1 or len(wrong) >= count - 1:
            return rest, right or set(range(count)) - wrong
        if rest:
            return rest, None
    return mentions, None


_REMARK = 6
"""Words behind an option that may say whether it is right."""
_LIST_WORDS = vocabulary("link_and", "link_or")
_YES, _NO = vocabulary("option_right"), vocabulary("option_wrong")


def _heads(mentions: list[Mention], text: Text, letters: set[int], count: int) -> list[Mention]:
    """The options as a list gives them one by one: each with its letter, or at the beginning of a line."""
    found: list[Mention] = []
    for mention in mentions:
        starts_line = mention.start == 0 or text.lines[mention.start - 1] != text.lines[mention.start]
        if mention.uris == {str(len(found))} and (
            starts_line or (mention.start in letters and _goes_on(text, mention, found, count))
        ):
            found.append(mention)
            if len(found) == count:
                break
        elif not found or starts_line:
            return []
    lettered = all(head.start in letters for head in found)
    return found if len(found) == count and (lettered or count > 2) else []


def _goes_on(text: Text, mention: Mention, found: list[Mention], count: int) -> bool:
    """Whether an option with its letter follows those before it in a list that is written on one line."""
    if not found:
        return mention.end - mention.start > 1 or text.mark[mention.end : mention.end + 1] in ([":"], ["–"])
    gap = text.words[found[-1].end : mention.start]
    new = text.sentences[mention.start - 1] != text.sentences[mention.start]
    return (mention.end - mention.start > 1 or new) and (not gap or new or (gap == ["and"] and count > 2))


def _end_of_item(text: Text, heads: list[Mention]) -> int:
    """The first word behind the last option of a list and what is said of it."""
    last = heads[-1].end - 1
    by_line = text.lines[heads[0].start] != text.lines[heads[-1].start]
    unit = text.lines if by_line else text.sentences
    stop = unit[last] + (not by_line and unit[last] in text.introduces)
    return next((i for i in range(last + 1, len(text)) if unit[i] > stop), len(text))


def evened(reply: str, shown: list[str]) -> str:
    """The reply with one sign for each of those by which an option may be led or marked as right."""
    reply = _TICKED.sub(r"\1\2 (correct)", reply)
    for marks, word in _TICKS:
        reply = marks.sub(f" ({word})", reply)
    if not reply.isascii():
        reply = _BESIDE_WIDE.sub(" ", reply)
    option_words = choice_words(shown)
    for choice in shown:
        if "." in choice:  # the dot of an initial ends no sentence
            reply = reply.replace(choice, DOT.sub(" ", choice))
    reply = _LAST_TWO.sub(r"\1 . \2", reply)
    if not any(len(word) == 1 for word in option_words):
        reply = _STOPPED.sub(r"\1\2 .", reply)

    def opened(found: re.Match[str]) -> str:
        """The letter with its closing bracket only, unless it belongs to the text before it: Ulm (B)."""
        before = words_in(normalise(reply[max(found.start() - _NEAR, 0) : found.start()]))
        after = words_in(normalise(reply[found.end() : found.end() + _NEAR]))
        belongs = option_words.issuperset(before[-1:]) and option_words.isdisjoint(after[:1])
        return found[0] if before and belongs else f"{found[1]})"

    return with_bullets(_LETTER_BRACKETS.sub(opened, reply))


_NEAR = 30
"""Characters beside a letter that hold the word before it and the one behind."""
