"""True or false: the side that a careful person sees a reply take, on a true and on a false statement."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from factprobe.generators.ids import question_id
from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded

TRUE = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
FALSE = w.true_or_false(w.BORN, "Albert Einstein", "Paris")

SAYS_CORRECT = [
    ("correct", "the label"),
    ("Correct.", "case and a full stop"),
    ("CORRECT", "case"),
    (" correct\n", "white space"),
    ("true", "another word"),
    ("True.", "another word"),
    ("yes", "another word"),
    ("Yes!", "another word"),
    ("Right.", "another word"),
    ("accurate", "another word"),
    ("**Correct**", "bold"),
    ('"correct"', "quotes"),
    ("Answer: correct", "a lead"),
    ("The answer is correct.", "a lead"),
    ("Final answer: True", "a lead"),
    ("\\boxed{correct}", "LaTeX"),
    ('{"answer": "correct"}', "JSON"),
    ('{"answer": true}', "JSON"),
    ("```\ncorrect\n```", "a fence"),
    ("<think>Is it incorrect?</think>correct", "what is thought is not said"),
    ("The statement is true.", "a sentence"),
    ("The statement is correct.", "a sentence"),
    ("This statement is correct because he was born there.", "with a reason"),
    ("Correct! Albert Einstein was born there.", "with a repeat"),
    ("Correct, as far as I can tell.", "with a hedge"),
    ("Yes, that is correct.", "twice"),
    ("Yes, he was born there in 1879.", "with a detail"),
    ("That's right.", "a sentence"),
    ("It is true that he was born there.", "a sentence"),
    ("I think it is correct.", "a hedge is an answer"),
    ("I am not sure, but I think it is correct.", "an answer follows the doubt"),
    ("Statement: Albert Einstein was born there.\nCorrect", "the statement, then the label"),
    ("correct. " + "He was born there in 1879. " * 40_000, "a megabyte after the label"),
]

SAYS_INCORRECT = [
    ("incorrect", "the label"),
    ("Incorrect.", "case and a full stop"),
    ("INCORRECT", "case"),
    ("false", "another word"),
    ("False.", "another word"),
    ("no", "another word"),
    ("No!", "another word"),
    ("Wrong.", "another word"),
    ("inaccurate", "another word"),
    ("untrue", "another word"),
    ("**Incorrect**", "bold"),
    ("'incorrect'", "quotes"),
    ("Answer: incorrect", "a lead"),
    ("The answer is incorrect.", "a lead"),
    ("The correct answer is: incorrect", "a lead with the other label in it"),
    ("\\boxed{incorrect}", "LaTeX"),
    ('{"answer": "incorrect"}', "JSON"),
    ('{"answer": false}', "JSON"),
    ("<think>Is it correct?</think>incorrect", "what is thought is not said"),
    ("not correct", "negated"),
    ("Not true.", "negated"),
    ("Not right", "negated"),
    ("isn't correct", "negated"),
    ("It isn’t correct.", "negated, a curly apostrophe"),
    ("The statement is not correct.", "negated in a sentence"),
    ("The statement isn't true.", "negated in a sentence"),
    ("This is not a correct statement.", "negated with an article"),
    ("That is not entirely correct.", "not entirely correct is not correct"),
    ("The statement is false.", "a sentence"),
    ("The statement is incorrect because he was born elsewhere.", "with a reason"),
    ("It's wrong.", "a sentence"),
    ("Incorrect. The correct birthplace is Munich.", "the other label in the explanation"),
    ("False. The right answer is Munich.", "the other label in the explanation"),
    ("Incorrect, the correct answer is Munich.", "the other label after a comma"),
    ("No, he was born in Munich.", "with a correction"),
    ("No, that is not correct.", "twice"),
    ("No, that's wrong.", "twice"),
    ("I think it is incorrect.", "a hedge is an answer"),
    ("I'm not sure, but I believe it is false.", "an answer follows the doubt"),
]


ABSTAINS = [
    ("It might be right, it might be wrong. I can't say.", "no judgement"),
    ("It could be true or false, I don't know.", "no judgement"),
    ("Could be correct, could be incorrect; I don't know.", "no judgement"),
    ("I can't say whether it is true.", "no judgement"),
    ("I don't know whether that's right or wrong.", "no judgement"),
    ("Maybe it's right, maybe it's wrong. I don't know.", "no judgement"),
    ("I am unable to verify this claim.", "no judgement"),
    ("I'm not sure about this one.", "no judgement"),
    ("Cannot determine.", "no judgement"),
    ("I don't have enough information to say whether this is correct.", "no judgement"),
    ("I have no idea if that's true or not.", "no judgement"),
    ("It's hard to say whether it's right.", "no judgement"),
    ("I can't confirm or deny this.", "no judgement"),
    ("I cannot say if this is correct or incorrect.", "no judgement"),
    ("No idea.", "no judgement"),
    ("Unknown.", "no judgement"),
    ("Sorry, I can't help with that.", "no judgement"),
    ("I'd rather not say whether it's true.", "no judgement"),
    ("I lack the information to judge whether this is true or false.", "no judgement"),
    ("I cannot tell whether this is true or false.", "no judgement"),
    ("No clue whether that's right.", "no judgement"),
    ("I don't have any information about whether this is correct.", "no judgement"),
    ("I'm unable to judge if this is right or wrong.", "no judgement"),
    ("Sorry, I don't know if that is correct or incorrect.", "no judgement"),
    ("I can't be certain either way.", "no judgement"),
    ("Not sure.", "no judgement"),
    ("Hard to say.", "no judgement"),
    ("I do not know the answer.", "no judgement"),
    ("Could be either; I don't know.", "no judgement"),
    ("I don't know", "as the prompt asks"),
    ("I don't know.", "a full stop"),
    ("I do not know", "in full"),
    ("Unknown", "the word alone"),
    ("I'm not sure.", "doubt alone"),
    ("I have no idea.", "'no' is no label here"),
    ("There is no information about that.", "'no' is no label here"),
    ("There is not enough information.", "a reason"),
    ("I cannot answer that.", "a refusal"),
    ("I don't know whether the statement is correct or incorrect.", "the labels in the doubt"),
    ("I don't know if this statement is correct.", "a label in the doubt"),
    ("I am not sure whether that is true.", "a label in the doubt"),
    ("I cannot determine whether the statement is correct.", "a label in the doubt"),
]

SAYS_NOTHING = [
    ("It might be right, it might be wrong.", "no judgement"),
    ("Let me think about whether this statement is correct.", "no judgement"),
    ("The task is to decide whether the statement is correct or incorrect.", "no judgement"),
    ("correct incorrect", "no judgement"),
    ("Correct/Incorrect", "no judgement"),
    ("Please decide if this is correct or incorrect.", "no judgement"),
    ("To decide if the statement is true, let's look at the facts.", "no judgement"),
    ("What do you mean?", "no judgement"),
    ("Can you clarify the statement?", "no judgement"),
    ("Here is my answer:", "no judgement"),
    ("The statement is", "no judgement"),
    ("Let's see.", "no judgement"),
    ("Sure, I can help you check this statement!", "no judgement"),
    ("Hello! How can I help you?", "no judgement"),
    ("I will now determine whether the statement is true.", "no judgement"),
    ("Do you want me to say correct or incorrect?", "no judgement"),
    ("both", "no judgement"),
    ("maybe", "no judgement"),
    ("Correct and incorrect.", "no judgement"),
    ("True/False", "no judgement"),
    ("I'll check this for you.", "no judgement"),
    ("Respond with correct or incorrect.", "no judgement"),
    ('Reply with a single word, "correct" or "incorrect".', "no judgement"),
    ("Answer: correct or incorrect", "no judgement"),
    ("[correct/incorrect]", "no judgement"),
    ("In order to tell whether the claim is accurate we have to check the facts", "no judgement"),
    ("correct / incorrect?", "no judgement"),
    ("The sky is blue.", "no judgement"),
    ("", "nothing"),
    ("  \n", "white space"),
    ("...", "punctuation"),
    ("🤷", "an emoji"),
    ("Ulm", "a name"),
    ("Albert Einstein was born in 1879.", "another statement"),
    ("Statement:", "the prompt"),
    ("correct or incorrect", "both labels"),
    ("correct/incorrect", "both labels"),
    ("Both correct and incorrect", "both labels"),
    ("It is true and false at once.", "both labels"),
    ("Is this statement correct or incorrect?", "the question"),
    ("not entirely incorrect", "neither side"),
    ("The statement is not completely wrong.", "neither side"),
    ("Correctional", "a part of a word"),
    ("Norway", "a part of a word"),
    ("rightly", "a part of a word"),
    ("<think>correct", "the reasoning does not end"),
    ("lorem ipsum " * 80_000, "a megabyte of something else"),
]


def _cases(table: list[tuple[str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("reply", "reason"), table, ids=[repr(reply[:50]) for reply, _ in table])


@_cases(SAYS_CORRECT)
def test_says_correct(reply: str, reason: str) -> None:
    assert graded(TRUE, reply).verdict == "correct", reason
    assert graded(FALSE, reply).verdict == "incorrect", reason


@_cases(SAYS_INCORRECT)
def test_says_incorrect(reply: str, reason: str) -> None:
    assert graded(TRUE, reply).verdict == "incorrect", reason
    assert graded(FALSE, reply).verdict == "correct", reason


@_cases(ABSTAINS)
def test_abstains(reply: str, reason: str) -> None:
    for asked in (TRUE, FALSE):
        found = graded(asked, reply)
        assert found.verdict == "abstained", reason
        assert (found.true_positives, found.false_positives, found.false_negatives) == (0, 0, 1)


@_cases(SAYS_NOTHING)
def test_says_nothing(reply: str, reason: str) -> None:
    for asked in (TRUE, FALSE):
        found = graded(asked, reply)
        assert found.verdict == "unparsed", reason
        assert (found.true_positives, found.false_negatives) == (0, 1)


def test_a_label_has_no_uri_to_match() -> None:
    right, wrong = graded(TRUE, "correct"), graded(TRUE, "incorrect")
    assert right.matched == wrong.matched == ()
    assert (right.true_positives, right.false_positives, right.false_negatives) == (1, 0, 0)
    assert (wrong.true_positives, wrong.false_positives, wrong.false_negatives) == (0, 1, 1)


@pytest.mark.parametrize("shown", ["Paris", "Madrid"])
def test_the_first_word_of_a_reply_is_no_name_where_a_name_opens_the_statement(shown: str) -> None:
    facts = {"France": ["Paris"], "Spain": ["Madrid"], "Peru": ["Lima"]}
    asked = w.true_or_false(w.World("[Y] is the capital of [X].", facts), "France", shown)
    assert w.graded(asked, "Bingo.").verdict == "unparsed"
    assert w.graded(asked, "#### True").verdict == ("correct" if shown == "Paris" else "incorrect")
    assert w.graded(asked, "Lille is the capital of France.").verdict != w.graded(asked, "Fact.").verdict


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Karl Marx was born in the old city of Ulm in 1818.", "incorrect"),
        ("It was Karl Marx who was born there.", "incorrect"),
        ("Ulm is the birthplace of Karl Marx.", "incorrect"),
        ("Ulm was the town where they met. Its most famous son by birth is Karl Marx.", "incorrect"),
        ("The one who was born in this town is Karl Marx.", "incorrect"),
        ("Karl Marx was born in Karlsoure, not in Ulm.", "correct"),
        ("Karl Marx was not born in Ulm.", "correct"),
        ("Karl Marx was born in 1818.", "unparsed"),
        ("Karl Marx was a philosopher. He was born to a family of lawyers, as Max Weber writes.", "unparsed"),
        ("Karl Marx, who was born rich, wrote a book.", "unparsed"),
    ],
)
def test_a_subject_alone_affirms_nothing_of_it(reply: str, expected: str) -> None:
    world = w.World("[X] was born in [Y].", {"Karl Marx": ["Trier"], "Albert Einstein": ["Ulm"], "Max Born": ["Bonn"]})
    asked = w.true_or_false(world, "Karl Marx", "Ulm")
    name = question_id("u/Albert Einstein", "u/Ulm", "P1", "binary_answer", "binary_sub_incorrect")
    ends = {"subject_uri": "u/Albert Einstein", "object_uri": "u/Ulm", "shown": "u/Karl Marx"}
    question = replace(asked.question, question_id=name, **ends)
    assert graded(asked._replace(question=question), reply).verdict == expected


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Max Eyth was born in Kirchheim and died in Ulm.", "unparsed"),
        ("Ulm, in Germany, was the birthplace of Max Eyth.", "unparsed"),
        ("Born in Ulm in 1879.", "correct"),
        ("The physicist's birthplace was Ulm.", "correct"),
    ],
)
def test_a_name_said_of_an_unknown_one_affirms_nothing(reply: str, expected: str) -> None:
    assert graded(TRUE, reply).verdict == expected
