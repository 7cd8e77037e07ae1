"""Features of a reply for the model that grades answers without a graph."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler

from factprobe.evaluators.reference.prepared_texts import Name, QuestionTokens, ReplyWords, Span
from factprobe.reading.language import table
from factprobe.reading.tokenisation.tokens import common_keys
from factprobe.trees import feature_vector

_MAX_COMPARED = 400
"""Maximum number of characters, of the first new words of a reply, that are compared by string similarity."""
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
_MONTHS = frozenset(word for words in table("month").values() for word in words if len(word) > 3)

FEATURES = {
    "share_new": "share of the name's new words said",
    "weight": "share of the name's words said, weighted by rarity",
    "weight_new": "share of the name's new words said, weighted by rarity",
    "recall": "share of the name's words said",
    "f1": "overlap of name and reply in words (F1)",
    "partial_ratio": "likeness of the name to a part of the reply's new words (0 to 100)",
    "token_set_ratio": "likeness of name and reply in words (0 to 100)",
    "similar_mean": "likeness of missing words to words of the reply",
    "missing_weight": "rarity of the rarest missing word",
    "missing_numbers": "numbers of the name missing",
    "other_numbers": "other numbers in the reply",
    "position": "words before the name",
    "content_words": "content words in the reply",
    "new_words": "other content words in the reply",
    "month": "names of months in the reply",
    "length": "words in the reply",
    "capitals": "other capitalised words in the reply",
    "question_repeated": "share of the question's words repeated",
    "sentences": "sentences in the reply",
    "question_word": "kind of question (a number)",
    "same_values": "right dates or numbers in the reply",
    "names_said": "share of the right names said",
}
"""Description of each feature, in the order of the vector.

New words of a name or reply are not in the question; other words of a reply are in neither question nor name.
"""

_KINDS = {word: i for i, words in enumerate(table("question_kind").values(), 1) for word in words}
"""Number of the kind of question by question word, such as `who`, or by two words, such as `how many`."""


class NameEvidence(NamedTuple):
    """Right name that matches a reply best, with its mentions and the features of the match."""

    question: QuestionTokens
    names: Sequence[Name]
    """Right names, in the order of the answers."""
    reply: ReplyWords
    name: Name
    """Name that matches best."""
    wanted: tuple[str, ...]
    """Stems of the identifying words of the name that are not in the question; of all, if the question has all."""
    missing: tuple[str, ...]
    """Stems of the identifying words of the name that are not in the reply."""
    mentions: list[Span]
    """Spans, in words, of mentions of the name, whole or in part."""
    vector: list[float]
    """Features in the order of `FEATURES`."""


def evidence(question: QuestionTokens, names: Sequence[Name], reply: ReplyWords) -> NameEvidence:
    """Find the right name that matches a reply best, and compute the features of the match.

    Args:
        question: Words of the question.
        names: Names of the right answers, at least one.
        reply: Reply with at least one word.
    """
    shares = [_shares(question, name, reply) for name in names]
    size = len(reply)
    best = max(range(len(names)), key=lambda i: (sum(shares[i][1:3]) + shares[i][3], -abs(len(names[i].keys) - size)))
    name, (share_new, weight, weight_new, _, wanted) = names[best], shares[best]
    missing = tuple(key for key in name.telling if key not in reply.at)
    in_reply = [key for key in wanted if key in reply.at] or [key for key in name.telling if key in reply.at]
    mentions = reply.mentions(name, in_reply) if in_reply else []
    common, own, asked = common_keys(), {*name.keys}, question.keys
    content = [key for key in reply.keys if key not in common]
    hits = sum([min(len(reply.at[key]), name.keys.count(key)) for key in own if key in reply.at])
    ignored = own | asked
    right = [one.value for one in names if one.value is not None]
    similar = _similarities(missing, reply, own)
    near = " ".join([key for key in reply.keys if key not in asked] or reply.keys)[:_MAX_COMPARED]
    values = {
        "share_new": share_new,
        "weight": weight,
        "weight_new": weight_new,
        "recall": hits / len(name.keys),
        "f1": 2 * hits / (size + len(name.keys)),
        "partial_ratio": fuzz.partial_ratio(name.flat, near),
        "token_set_ratio": fuzz.token_set_ratio(name.flat, reply.flat[:_MAX_COMPARED]),
        "similar_mean": sum(similar) / len(similar) if similar else 1.0,
        "missing_weight": max((name.telling[key] for key in missing), default=0.0),
        "missing_numbers": sum([key[0].isdigit() and key not in reply.at and key not in asked for key in name.telling]),
        "other_numbers": sum([key[0].isdigit() for key in reply.at.keys() - ignored]),
        "position": mentions[0][0] if mentions else size,
        "content_words": len(content),
        "new_words": sum([key not in ignored for key in content]),
        "month": not _MONTHS.isdisjoint(map(str.lower, reply.raw)),
        "length": size,
        "capitals": sum([reply.keys[i] not in ignored for i in reply.capitals]),
        "question_repeated": len(reply.at.keys() & asked) / max(len(asked), 1),
        "sentences": len(_SENTENCE_END.findall(reply.source)),
        "question_word": question_kind(question.raw),
        "same_values": sum(any(map(value.answers, right)) for value in reply.values) if right else 0,
        "names_said": sum([share[2] == 1 for share in shares]) / len(names),
    }
    return NameEvidence(question, names, reply, name, wanted, missing, mentions, feature_vector(values, FEATURES))


def _shares(
    question: QuestionTokens, name: Name, reply: ReplyWords
) -> tuple[float, float, float, bool, tuple[str, ...]]:
    """Compute how much of a name a reply contains.

    Returns:
        Shares of the name's words that are in the reply (of those not in the question; of all, weighted by rarity; of
        those not in the question, weighted by rarity), whether the reply contains the name verbatim, and the stems of
        the words that are not in the question; if the question has all words, of all.
    """
    telling, at, asked = name.telling, reply.at, question.keys
    wanted = tuple([key for key in telling if key not in asked]) or tuple(telling)
    in_reply = [key for key in telling if key in at]
    new_in_reply = [key for key in wanted if key in at]
    weight = sum([telling[key] for key in in_reply]) / sum(telling.values())
    weight_new = sum([telling[key] for key in new_in_reply]) / sum([telling[key] for key in wanted])
    contained = len(in_reply) == len(telling) and f" {name.flat} " in f" {reply.flat} "
    return len(new_in_reply) / len(wanted), weight, weight_new, contained, wanted


def _similarities(missing: Sequence[str], reply: ReplyWords, own: Collection[str]) -> list[float]:
    """Return the similarity of each missing word to the most similar word of the reply; 0 for numbers."""
    others = [key for key in reply.at if key not in own and not key[0].isdigit()]
    best_matches = [
        None if key[0].isdigit() else process.extractOne(key, others, scorer=JaroWinkler.similarity) for key in missing
    ]
    return [0.0 if best_match is None else best_match[1] for best_match in best_matches]


def question_kind(words: Sequence[str]) -> int:
    """Return the number of the kind of question, by its first question word; 0 if it has none."""
    for i, word in enumerate(words):
        kind = _KINDS.get(" ".join(words[i : i + 2])) or _KINDS.get(word)
        if kind is not None:
            return kind
    return 0
