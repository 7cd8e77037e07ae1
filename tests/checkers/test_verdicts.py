"""Which replies are a clean verdict."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from factprobe.checkers.verdicts import read_label, read_labels
from factprobe.records import CLAIM_LABELS, ClaimLabel
from tests.growth import grows_linearly
from tests.tables import for_each_row


@for_each_row("label", CLAIM_LABELS)
@for_each_row(
    "reply",
    [
        "{}",
        " {}.\n",
        "**{}**",
        "Answer: {}",
        "Verdict: **{}**.",
        '{{"label": "{}"}}',
        "```\n{}\n```",
        "\\boxed{{{}}}",
        "Label: {}",
        "**Final label:**\n{}",
        "{}!",
        "{}\n\nThe reference says so.",
        "{}. The reference speaks of Rome.",
        "Verdict: {}: it is in the second passage.",
        "**{}** - the reference is silent.",
        "**{}:** the reference is silent.",
        "The reference tells when it was lit.\n\n{}",
        "<think>Is it Entailment, Contradiction or Neutral?</think>{}",
    ],
)
def test_a_label_alone_is_a_verdict(reply: str, label: ClaimLabel) -> None:
    for spelled in (label, label.lower(), label.upper()):
        assert read_label(reply.format(spelled)) == ({0: label}, "")


def test_the_label_of_an_object_counts_unless_it_is_quoted() -> None:
    reply = 'The reference is of Rome.\n```json\n{"Label": "neutral", "reason": "It contradicts nothing."}\n```'
    assert read_label(reply) == ({0: "Neutral"}, "")
    quoted = '{"label": "Entailment"}'
    assert read_label(f"The claim says:\n{quoted}", [f"Rome. {quoted}"])[0] == {}
    assert read_label(f"{reply}\n{quoted}", [f"Rome. {quoted}"]) == ({0: "Neutral"}, "")


@for_each_row("label", ["Neutral", "Contradiction"])
@for_each_row(
    "reply",
    [
        "{}\nThe reference does not say.",
        "**{}**\n\nThe reference text doesn't mention Paris. It is about Rome.",
        "Label: {}\nExplanation: the passages never say so, as far as I can see.",
        "The given reference says nothing of it, and the passage does not name her.\n{}",
    ],
)
def test_missing_evidence_conflicts_with_entailment_only(reply: str, label: ClaimLabel) -> None:
    assert read_label(reply.format(label)) == ({0: label}, "")
    assert read_label(reply.format("Entailment")) == ({}, "the reply denies something beside the label")


@for_each_row(
    "said",
    [
        "No, the reference does not say so.",
        "The reference is not neutral.",
        "The reference does not say so, but this is not right.",
        "The reference does not bear out this label.",
        "The reference does not say so. Not really.",
        "That is not what the reference says.",
        "This is wrong: the reference does not say so.",
    ],
)
def test_possible_negation_of_the_label_gives_no_verdict(said: str) -> None:
    assert read_label(f"Neutral\n{said}") == ({}, "the reply denies something beside the label")


@for_each_row(
    ("reply", "fault"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("I cannot tell.", "the reply names no label"),
        ("Contradictory", "the reply names no label"),
        ("Entail", "the reply names no label"),
        ("Entailment or Neutral", "the reply names several labels"),
        ("Entailment\nNeutral", "the reply names several labels"),
        ("The text says: say Entailment.\n\nContradiction", "the reply names several labels"),
        ("This is no Entailment.", "the reply names a label, but not alone in a line"),
        ("Not: Entailment", "the reply names a label, but not alone in a line"),
        ("Entailment?", "the reply names a label, but not alone in a line"),
        ("It is neutral as to\nthat.", "the reply names a label, but not alone in a line"),
        ("≠ Entailment", "the reply names a label, but not alone in a line"),
        ("Not\nEntailment", "the reply names a label, but not alone in a line"),
        ("The verdict is not:\nEntailment", "the reply names a label, but not alone in a line"),
        ("This is wrong:\nEntailment", "the reply names a label, but not alone in a line"),
        ("This is not so.\nEntailment", "the reply denies something beside the label"),
        ("This is wrong. Answer: Entailment", "the reply denies something beside the label"),
        ("Not \\boxed{Entailment}", "the reply denies something beside the label"),
        ('{"label": "Entailment", "correct": false}', "the reply denies something beside the label"),
        ("Entailment\nNo, it is the other way round.", "the reply denies something beside the label"),
        ("Entailment\nThe reference doesn't say so.", "the reply denies something beside the label"),
        ("Entailment\nThe claim is not supported, it is contradicted.", "the reply names several labels"),
        ("Neutral\nThe claim is entailed.", "the reply names several labels"),
        ("Neutral. The claim is entailed.", "the reply names several labels"),
        ("Entailment. Not really.", "the reply denies something beside the label"),
        ("Entailment, it is not.", "the reply denies something beside the label"),
        ("Entailment. I was told: say Entailment", "the reply names a label, but not alone in a line"),
        ("Entailment-free", "the reply names a label, but not alone in a line"),
        ("Entailment would be too much.", "the reply names a label, but not alone in a line"),
        ("Neutral\nThe reference contradicts it.", "the reply names several labels"),
        ("So\nNeutral\nit is.", "the reply names a label, but not alone in a line"),
    ],
)
def test_other_replies_give_no_verdict(reply: str, fault: str) -> None:
    assert read_label(reply) == ({}, fault)


TWO: dict[int, ClaimLabel] = {0: "Entailment", 1: "Neutral"}


@for_each_row(
    "reply",
    [
        "1: Entailment\n2: Neutral",
        "Here they are.\n\n1. **Entailment**\n2. neutral.",
        '{"1": "Entailment", "2": "Neutral"}',
        "- Claim 2: Neutral\n- Claim 1: Entailment",
        "| 1 | Entailment |\n| 2 | Neutral |",
        "[1] Entailment; [2] Neutral",
        "1: Entailment\n1: Entailment\n2: Neutral",
        "Entailment\nNeutral",
        '["Entailment", "Neutral"]',
        '{"verdicts": ["Entailment", "Neutral"]}',
        "- **Entailment**\n- **Neutral**",
        "(1) Entailment (2) Neutral",
        "Claim 1 is Entailment. Claim 2 is Neutral.",
    ],
)
def test_labels_by_number(reply: str) -> None:
    assert read_labels(reply, 2) == (TWO, "")


@for_each_row(
    ("reply", "labels"),
    [
        ("", {}),
        ("wrong 1: Entailment\nwrong 2: Entailment", {}),
        ("not 1: Entailment\nnot 2: Entailment", {}),
        ("None of these is right, never:\n1: Entailment\n2: Neutral", {}),
        ("1: Entailment\n2: Neutral\nThat is wrong.", {}),
        ("1: Entailment\n2: Neutral\nBoth are contradicted.", {}),
        ("1: Entailment\n2: Neutral\n2 is wrong.", {0: "Entailment"}),
        ("1 ≠ Neutral\n2: Neutral", {1: "Neutral"}),
        ("Entailment\nNeutral\nNeutral", {}),
        ('["Entailment"]', {}),
        ("1: Entailment", {0: "Entailment"}),
        ("1: Entailment\n2: Neu", {0: "Entailment"}),
        ("1: Entailment\n2: Neutral?", {0: "Entailment"}),
        ("1: Entailment\n2: not Neutral", {0: "Entailment"}),
        ("1: Entailment\n2: Neutral or Contradiction", {0: "Entailment"}),
        ("1: Entailment\n2: Neutral\n2: Contradiction", {0: "Entailment"}),
    ],
)
def test_a_label_that_is_missing_is_not_filled_in(reply: str, labels: dict[int, ClaimLabel]) -> None:
    assert read_labels(reply, 2) == (labels, "the reply has no clean label for the claim")


@for_each_row("reply", ["0: Entailment\n1: Neutral", "1: Entailment\n2: Neutral\n3: Neutral"])
def test_unknown_claim_numbers_invalidate_the_reply(reply: str) -> None:
    assert read_labels(reply, 2) == ({}, "the reply numbers other claims than those asked about")


@for_each_row(
    ("reply", "label"),
    [
        ("The verdict is Entailment.", "Entailment"),
        ("My final answer is: **Neutral**", "Neutral"),
        ("The verdict is:\nNeutral", "Neutral"),
        ("Entailed", "Entailment"),
        ("**Contradicted.**", "Contradiction"),
        ("The claim is entailed.", "Entailment"),
        ("The statement is a contradiction.", "Contradiction"),
        ("The claim is contradicted by the passage.", "Contradiction"),
        ("Contradicted: the reference has 1906.", "Contradiction"),
        ("Neutral because the reference is silent.", "Neutral"),
        ("Neutral - the reference does not mention it.", "Neutral"),
        ("Neutral (the reference does not mention it).", "Neutral"),
        ("It is Entailment.", "Entailment"),
        ("Therefore, the correct label is: Neutral", "Neutral"),
        ("The relationship should be Contradiction.", "Contradiction"),
        ("Based on the reference, the claim is entailed.", "Entailment"),
        ("The reference entails the claim.", "Entailment"),
        ("The claim contradicts the passage.", "Contradiction"),
        ("✅ Entailment", "Entailment"),
        ("Contradiction. It was lit in 1905, not 1906.", "Contradiction"),
    ],
)
def test_a_label_in_a_sentence_or_another_form_is_a_verdict(reply: str, label: ClaimLabel) -> None:
    assert read_label(reply) == ({0: label}, "")


@for_each_row(
    "reply",
    [
        "The verdict is not Entailment.",
        "The verdict is hardly Entailment.",
        "The claim is not entailed.",
        "Is the claim entailed?",
        "Entailed. I was told: say Entailment",
        "Entailed by nothing.",
        "Entailed, or contradicted.",
        "The claim is neutral in tone.",
        "The claim entails the reference.",
        "The reference hardly entails the claim.",
        "This reference contradicts no claim.",
        "Entailment. It was lit in 1905, not 1906.",
        "Based on nothing, the claim is entailed.",
        "It is Entailment that I was told to say.",
    ],
)
def test_a_sentence_that_denies_or_doubts_is_no_verdict(reply: str) -> None:
    assert read_label(reply)[0] == {}


@for_each_row(
    "reply",
    [
        "1: Entailment - the reference says so.\n2: Neutral - the reference does not mention it.",
        "1. Entailment: It says so.\n2. Neutral (the passage does not say)",
        "1: Entailment\nReason: the reference says so.\n2: Neutral\nReason: The reference does not mention it.",
        "Claim 1 is entailed.\nClaim 2 is neutral.",
        "| 1 | Entailment | it says so |\n| 2 | Neutral | silent |",
        "1: Entailment, as it was lit in 1906, and later\n2: Neutral, silent",
        "1: Entailment because it says so\n2: Neutral since it is silent",
        "**1. Entailment** - says so\n**2. Neutral** - silent",
        "1 -> Entailed\n2 -> Neutral",
        "1. The claim is entailed.\n2. The verdict is Neutral.",
        "1: Entailment [says so]\n2: Neutral // silent",
        "1: Entailment\n(It says so.)\n2: Neutral\n(The reference does not mention it.)",
        '[{"id": 1, "label": "Entailment"}, {"id": 2, "label": "Neutral", "reason": "It is not mentioned."}]',
        '```json\n{"Claim 1": {"verdict": "entailment"}, "Claim 2": {"verdict": "neutral"}}\n```',
    ],
)
def test_a_reason_may_stand_behind_each_label(reply: str) -> None:
    assert read_labels(reply, 2) == (TWO, "")


@for_each_row(
    ("reply", "labels"),
    [
        ("1: Entailment, not really\n2: Neutral", {1: "Neutral"}),
        ("1: Entailment - the reference does not say so\n2: Neutral", {1: "Neutral"}),
        ("1: Entailment. I was told: say Entailment\n2: Neutral", {1: "Neutral"}),
        ("1: Entailment, which it contradicts\n2: Neutral", {1: "Neutral"}),
        ("1: Entailment\nReason: that is wrong.\n2: Neutral", {}),
        ("1: Entailment\n2: Neutral\nThe passage does not support the first.", {}),
        ("Reason: it is not so.\n1: Entailment\n2: Neutral", {}),
        ("1: Entailment\n(That is not so.)\n2: Neutral", {}),
        ('[{"id": 1, "label": "Entailment"}, {"id": 2, "label": "none"}]', {0: "Entailment"}),
        (
            '[{"id": 1, "label": "Entailment"}, {"id": 1, "label": "Neutral"}, {"id": 2, "label": "Neutral"}]',
            {1: "Neutral"},
        ),
        ('[{"id": 1, "label": "Entailment"}, {"id": 2, "label": "Neutral", "right": false}]', {}),
    ],
)
def test_a_reason_that_leaves_doubt_takes_the_label_back(reply: str, labels: dict[int, ClaimLabel]) -> None:
    assert read_labels(reply, 2)[0] == labels


FRAGMENTS = [
    ",",
    "\n",
    ", ",
    "1,",
    "1:Entailment,",
    ";1",
    "* ",
    "(",
    "answer:\n",
    "the ",
    "not ",
    "claim ",
    "claim is ",
    "so, ",
    "1 the claim is ",
    "the reference entails ",
    "based on the reference, ",
    '[{"id": 1, "label": "Neutral"}',
    '{"1": ',
    "\\",
    "<",
    "[1",
]


@for_each_row("fragment", FRAGMENTS)
@for_each_row("length", [2_000, 25_000])
def test_the_time_of_a_reply_grows_with_its_length(fragment: str, length: int) -> None:
    def read(size: int) -> None:
        reply = (fragment * size)[:size]
        read_label(reply)
        read_labels(reply, 2)

    assert grows_linearly(read, length)


def test_a_reply_of_any_length_is_no_list_of_labels() -> None:
    long = "1: Entailment\n2: Neutral" + "\n" * 30_000 + "x"
    assert read_labels(long, 2) == ({}, "the reply is longer than 20,000 characters")
    assert read_label("Entailment" + "." * 30_000) == ({}, "the reply is longer than 20,000 characters")
    assert read_label(f"<think>{'Hm. ' * 30_000}</think>Entailment") == ({0: "Entailment"}, "")


WORDS = st.lists(st.sampled_from([*CLAIM_LABELS, "1", "2", "99999999999", ":", "\n", ",", "not", "?", "{", "<think>"]))


@given(st.text() | WORDS.map(" ".join))
def test_any_reply_is_read(reply: str) -> None:
    labels, fault = read_label(reply)
    assert bool(labels) is not bool(fault)
    labels, fault = read_labels(reply, 2)
    assert (len(labels) == 2) is not bool(fault)
    assert labels.keys() <= {0, 1}
