"""What is read of replies that list claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.claims.by_model.reply_parsing import ParsedReply, read_statements, read_triplets
from factprobe.text import normalise, one_line
from tests.growth import grows_linearly
from tests.tables import for_each_row

ABC, DEF = ("a", "b", "c"), ("d", "e", "f")
PARTS = (st.text("ab,;:|()[]{}<>'\"“”’`\\\n .-é1=", max_size=12) | st.text(max_size=12)).filter(
    lambda text: one_line(text) and "<" not in text and "[" not in text  # those of chat templates are taken off
)
TRIPLETS = st.lists(st.tuples(PARTS, PARTS, PARTS), min_size=1, max_size=4)


def different(triplets: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """As they are read: each part in one line, each triplet once."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for triplet in triplets:
        parts = tuple(map(one_line, triplet))
        found.setdefault(tuple(map(normalise, parts)), parts)
    return list(found.values())


@given(TRIPLETS, st.sampled_from([None, 1]), st.booleans())
def test_what_is_written_as_json_is_read_back(
    triplets: list[tuple[str, str, str]], indent: int, ascii_only: bool
) -> None:
    written = json.dumps(triplets, indent=indent, ensure_ascii=ascii_only)
    expected = different(triplets)
    assert read_triplets(written) == (tuple(expected), "")
    assert read_triplets(f"Here they are:\n```json\n{written}\n```\nI hope this helps!").claims == tuple(expected)
    named = [dict(zip(("head", "relation", "tail"), triplet, strict=True)) for triplet in triplets]
    assert read_triplets(json.dumps({"triplets": named}, indent=indent)) == (tuple(expected), "")


@given(TRIPLETS)
def test_what_is_written_as_tuples_is_read_back(triplets: list[tuple[str, str, str]]) -> None:
    expected = (tuple(different(triplets)), "")
    assert read_triplets(repr(triplets)) == expected
    assert read_triplets("\n".join(map(repr, triplets))) == expected
    assert read_triplets("\n".join(f"{number}. {one}" for number, one in enumerate(triplets, 1))) == expected


@given(TRIPLETS, st.integers(0, 200))
def test_of_a_reply_that_is_cut_the_whole_triplets_are_kept(triplets: list[tuple[str, str, str]], at: int) -> None:
    lines = [json.dumps(triplet) for triplet in triplets]
    written = "\n".join(lines)[:at]
    whole = [triplet for triplet, end in zip(triplets, ends(lines), strict=True) if end <= len(written)]
    assert read_triplets(written, is_cut=True).claims == tuple(different(whole))


def ends(lines: Sequence[str]) -> list[int]:
    found, at = [], 0
    for line in lines:
        found.append(at + len(line))
        at += len(line) + 1
    return found


@given(st.text() | st.text("\"'“”()[]{}|,:=\\ \na1-", max_size=60))
def test_any_text_is_read(text: str) -> None:
    for is_cut in (False, True):
        assert all(len(claim) == 3 and all(claim) for claim in read_triplets(text, is_cut=is_cut).claims)
        assert all(len(claim) == 1 and all(claim) for claim in read_statements(text, is_cut=is_cut).claims)


@for_each_row(
    "reply",
    [
        '[["a", "b", "c"], ["d", "e", "f"]]',
        "(a, b, c)\n(d, e, f)",
        "- (a, b, c)\n- (d, e, f)",
        "Triplets: [(a, b, c), (d, e, f)]",
        "[a | b | c]\n[d | e | f]",
        "a | b | c\nd | e | f\n",
        "| Head | Relation | Tail |\n|---|:---|---|\n| a | b | c |\n| d | e | f |\n",
        '1. "a", "b", "c"\n2) “d”, ‘e’, «f».',
        "“a”, “b”, “c”\n“d”, “e”, “f”",
        '("a", "b", "c",),\n("d", "e", "f",)',
        '{"head": "a", "relation": "b", "tail": "c"}\n{"head": "d", "relation": "e", "tail": "f"}',
        "{head: \"a\", relation: \"b\", tail: \"c\"} {'head': d, 'relation': e, 'tail': f}",
        'Triplet(head="a", relation="b", tail="c")\nTriplet(head="d", relation="e", tail="f")',
        '{"1": ["a", "b", "c"], "2": ["d", "e", "f"]}',
        '<think>["x", "y", "z"]? No.</think>\n["a", "b", "c"]\n["d", "e", "f"]',
        '["a", "b", "c"], ["A", "b", "c"], ["a", "B ", "c"], ["d", "e", "f"]',
        'So:\r\n* ["a", "b", "c"] (it is named first)\r\n* ["d", "e", "f"]\r\nThat is all (in short, no, more).',
    ],
)
def test_triplets_in_any_form(reply: str) -> None:
    assert read_triplets(reply) == ((ABC, DEF), "")


@for_each_row(
    ("reply", "expected"),
    [
        ('["Ann", "said "hi" to", "Bob"]', ("Ann", 'said "hi" to', "Bob")),
        ('["Heroes", "was released in", 1977]', ("Heroes", "was released in", "1977")),
        ("(Ann, lives in, Paris (Texas))", ("Ann", "lives in", "Paris (Texas)")),
        ("(Ann | lives in | Washington, D.C.)", ("Ann", "lives in", "Washington, D.C.")),
        ('("Ann", "lives in", "Washington, D.C.")', ("Ann", "lives in", "Washington, D.C.")),
        ("('Guns N\\' Roses', 'isn\\'t', \"O'Neil\")", ("Guns N' Roses", "isn't", "O'Neil")),
        (
            '["x|y", "{b}", "__import__(\\"os\\").system(\\"true\\")"]',
            ("x|y", "{b}", '__import__("os").system("true")'),
        ),
        ('["\\ud83d\\ude00", "\\ud83d", "a\\/b\\u00e9"]', ("😀", "\ufffd", "a/bé")),
    ],
)
def test_parts_as_they_are_meant(reply: str, expected: tuple[str, str, str]) -> None:
    assert read_triplets(reply) == ((expected,), "")


@for_each_row(
    "reply",
    [
        "a - b - c\nd - e - f",
        "Here they are:\n\n1. a – b – c\n2. d – e – f\n\nI hope that helps!",
        "* **a** -> b -> c\n* **d** -> e -> f.",
        "a → b → c\nd → e → f",
        "a; b; c\nd; e; f",
        "(a; b; c)\n(d; e; f)",
        "(a) -[b]-> (c)\n(d) -[e]-> (f)",
        '"a" -- "b" -- "c"\n"d" -- "e" -- "f"',
        "a\tb\tc\nd\te\tf",
        "Triplet 1: a - b - c\nTriplet 2: d - e - f",
        "Subject: a\nRelation: b\nObject: c\n\nSubject: d\nRelation: e\nObject: f",
        "- **Head:** a, **relation:** b, **tail:** c\n- **Head:** d, **relation:** e, **tail:** f",
        "Head: a | Relation: b | Tail: c\nHead: d | Relation: e | Tail: f",
        "<triplet>a | b | c</triplet>\n<triplet>(d, e, f)</triplet>",
        "<triplet><head>a</head><relation>b</relation><tail>c</tail></triplet>\n"
        "<triplet><head>d</head><relation>e</relation><tail>f</tail></triplet>",
    ],
)
def test_triplets_in_lines_without_brackets(reply: str) -> None:
    assert read_triplets(reply) == ((ABC, DEF), "")


@for_each_row(
    "reply",
    [
        "The text contains no factual claims.",
        "There are no claims to extract from this text.",
        "The response doesn't make any verifiable statements.",
        "No triplets could be found.",
        "- None",
        '["no claims"]',
        "N/A",
        "None.",
    ],
)
def test_a_reply_may_say_that_there_are_none(reply: str) -> None:
    assert read_triplets(reply) == read_statements(reply) == ((), "")


@for_each_row(
    "reply",
    [
        "**Ann sang it.**\n**Bob wrote it.**",
        "1. **Ann sang it.**\n2. **Bob wrote it.**",
        "**1.** Ann sang it.\n**2.** Bob wrote it.",
        "**Claim 1:** Ann sang it.\n**Claim 2:** Bob wrote it.",
        "### Statement 1\nAnn sang it.\n\n### Statement 2\nBob wrote it.",
        "“Ann sang it.”\n“Bob wrote it.”",
        "1) Ann sang it. 2) Bob wrote it.",
        "| # | Claim |\n|---|---|\n| 1 | Ann sang it. |\n| 2 | Bob wrote it. |",
        "<claim>Ann sang it.</claim>\n<claim>Bob wrote it.</claim>",
        "– **Ann** sang it.\n– Bob wrote `it`.",
    ],
)
def test_statements_with_markup(reply: str) -> None:
    assert read_statements(reply) == ((("Ann sang it.",), ("Bob wrote it.",)), "")


@for_each_row("reply", ["[]", " [ ] ", "```json\n[]\n```", '{"triplets": []}', "The claims: []."])
def test_an_empty_list_alone_says_that_there_are_none(reply: str) -> None:
    assert read_triplets(reply) == read_statements(reply) == ((), "")


@for_each_row(
    ("reply", "fault"),
    [
        ("", "the reply is empty"),
        ('<think>["x", "y", "z"]</think>', "the reply is empty"),
        ("I cannot extract claims.", "the reply has no list of triplets"),
        ("There are no claims but that Ann sang it.", "the reply has no list of triplets"),
        ("I see it - as asked - here.", "the reply has no list of triplets"),
        ("Note: a\nSubject: b\nObject: c", "the reply has no list of triplets"),
        ("Ann -> sang -> it -> now", "the reply has a list that is not of three parts"),
        ("The song (a, b, c) was sung by Ann.", "the reply has no list of triplets"),
        ('"Hello," she said, "yes".', "the reply has no list of triplets"),
        ("- Ann sang it.\n- Bob wrote it.", "the reply has no list of triplets"),
        ("(Ann, lives in, Washington, D.C.)", "the reply has a list that is not of three parts"),
        ('["a", "b", null]', "the reply has a list that is not of three parts"),
        ('["a", "", "c"]', "the reply has a list that is not of three parts"),
        ("a | b", "the reply has a list that is not of three parts"),
        ('["a", "b", "c"', "the reply has a list that is not of three parts"),
    ],
)
def test_what_is_no_list_of_triplets_is_a_fault(reply: str, fault: str) -> None:
    assert read_triplets(reply) == ((), fault)


def test_what_is_whole_is_kept_beside_the_fault() -> None:
    assert read_triplets('["a", "b", "c"]\n["d", "e"]') == ((ABC,), "the reply has a list that is not of three parts")


def test_a_row_that_may_be_cut_is_not_taken() -> None:
    assert read_triplets("a | b | c\nd | e | fo", is_cut=True) == ((ABC,), "")
    assert read_statements("- Ann sang it.\n- Bob wro", is_cut=True) == ((("Ann sang it.",),), "")
    assert read_statements('["Ann sang it.", "Bob wro', is_cut=True) == ((("Ann sang it.",),), "")


@for_each_row(
    "reply",
    [
        '- Ann sang it.\n- Bob wrote "it" (alone).',
        'Here you are:\n1. Ann sang it.\n2) Bob wrote "it" (alone).\n\nI hope this helps!',
        '["Ann sang it.", "Bob wrote \\"it\\" (alone)."]',
        "```json\n{\"claims\": ['Ann sang it.',\n 'Bob wrote \"it\" (alone).']}\n```",
        '* Ann sang it.\n* ann sang it\n* Bob wrote "it" (alone).\n* ...',
    ],
)
def test_statements_in_any_form(reply: str) -> None:
    assert read_statements(reply) == ((("Ann sang it.",), ('Bob wrote "it" (alone).',)), "")


@for_each_row("reply", ["Ann sang it.", "{}", "-", "I cannot do that.", "Apollo 11: it flew."])
def test_prose_is_no_list_of_statements(reply: str) -> None:
    assert read_statements(reply) == ((), "the reply has no list of statements")


@pytest.mark.slow
@for_each_row(
    "part",
    [
        '("',
        "[",
        '["a" ',
        "('a'",
        "(a(b ",
        '["a","b","c"]\n',
        '"\n',
        "a|",
        "(a (b) ",
        '"  ',
        "\\",
        "{a:",
        "-",
        "-|",
        "a (b, c) ",
        "a - ",
        "a - b - c\n",
        "a -> ",
        "--[",
        "Claim 1: a\n",
        "**a",
        "**a ",
        "<a>b",
        "<claim>a</claim>",
        "head: ",
        "**a.**\n",
        "\t",
        "no x ",
        "`",
        "__",
        "“a",
        "1) a. 2) ",
    ],
)
def test_a_long_reply_takes_time_in_proportion(part: str) -> None:
    def read(length: int) -> None:
        text = part * (length // len(part)) + "a"
        read_triplets(text)
        read_statements(text)

    assert grows_linearly(read, 5_000)


@for_each_row("read", [read_triplets, read_statements])
def test_many_lists_in_one_line_take_time_in_proportion(read: Callable[[str], ParsedReply]) -> None:
    def read_lists(count: int) -> None:
        more = '"b", ' * (read is read_triplets)
        text = ", ".join(f'["a{i}", {more}"{"c" * 1_000}"]' for i in range(count))
        assert len(read(text).claims) >= count

    assert grows_linearly(read_lists, 500)


def test_several_lists_of_statements_in_one_line_are_read() -> None:
    assert read_statements('[["Ann sang it."], ["Bob wrote it."]]').claims == (("Ann sang it.",), ("Bob wrote it.",))


@for_each_row(
    "reply",
    ['[["Ann", "sang", "it"], ["Bob", "wrote", "it"]]', '("Ann", "sang", "it")\n("Bob", "wrote", "it")'],
)
def test_triplets_are_no_statements_of_a_word_each(reply: str) -> None:
    assert read_statements(reply) == ((), "the reply has triplets and no statements")
    assert len(read_statements('["Ann sang it.", "Bob wrote it.", "Eve left."]').claims) == 3


@for_each_row(
    ("reply", "claims"),
    [
        ('The following are not in the text: ["Ada", "invented", "Java"]', 0),
        ('["Ada", "wrote", "notes"]\n["Ada", "invented", "Java"] # not in the text', 0),
        ('I removed this wrong claim:\n["Ada", "invented", "Java"]\n\nFinal:\n["Ada", "wrote", "notes"]', 0),
        ('["Ada", "wrote", "notes"]\n["Ada", "did not write", "code"]', 2),
        ('Note: I do not add anything.\n\n["Ada", "wrote", "notes"]', 1),
    ],
)
def test_list_that_the_reply_may_reject_is_a_fault(reply: str, claims: int) -> None:
    found = read_triplets(reply)
    assert len(found.claims) == claims
    assert bool(found.fault) == (claims == 0)


def test_what_is_struck_or_only_explains_an_empty_list_is_no_claim() -> None:
    assert read_triplets('~~["Ada", "invented", "Java"]~~\n["Ada", "wrote", "notes"]').claims == (
        ("Ada", "wrote", "notes"),
    )
    assert read_triplets('[]\n\nExplanation: the text ["Ada", "wrote", "notes"] is fiction') == ((), "")


@for_each_row(
    "reply",
    [
        '[{"subject": "a", "object": "c", "relation": "b"}]',
        '[{"head": "a", "head_type": "x", "relation": "b", "tail": "c", "confidence": 0.9}]',
        "| # | Subject | Object | Predicate |\n|---|---|---|---|\n| 1 | a | c | b |",
        "Subject | Relation | Object\na | b | c",
        '["head", "relation", "tail"]\n["a", "b", "c"]',
        "Object: c\nSubject: a\nPredicate: b",
    ],
)
def test_names_order_the_parts(reply: str) -> None:
    assert read_triplets(reply) == ((ABC,), "")


@for_each_row(
    "reply",
    [
        '[{"relation": "b", "source": "a", "target": "c"}]',
        '(a said "b, c", d)',
        "a -> b -> c\nd -> e",
        '["a", "b", "c", {"year": 1}]',
        'No other facts are in the text.\n["a", "b"]',
        "These are not in the text:\n- a - b - c",
        "Triplet 1: (a, b, c\nTriplet 2: (d, e, f)",
        '["a", "b", "c"],\n\' ["d", "e", "f"',
        'Not in the text:\n\n```json\n[\n  ["a", "b", "c"]\n]\n```',
        "## Not in the text\n1. a | b | c",
    ],
)
def test_what_may_be_meant_otherwise_is_a_fault(reply: str) -> None:
    assert read_triplets(reply).fault


def test_of_objects_only_the_one_text_is_a_statement() -> None:
    assert read_statements('[{"id": 1, "claim": "Ann sang it."}]') == ((("Ann sang it.",),), "")
    assert read_statements('[{"claim": "Ann sang.", "source": "x"}, {"claim": "Bob sang.", "source": "y"}]').fault
    assert read_statements('["Ann sang it.", "Bob wro').fault


def test_texts_after_a_nested_list_are_read() -> None:
    assert read_triplets('[["a", "b", "c"], "d", "e", "f"]') == ((ABC, DEF), "")


def test_letters_within_an_item_are_no_items() -> None:
    text = "Ann sang (a) a song and (b) an aria."
    assert read_statements(f"- {text}").claims == ((text,),)


def test_brackets_after_a_list_explain_it() -> None:
    assert read_triplets('["a", "b", "c"] (stated, e.g., twice)') == ((ABC,), "")
