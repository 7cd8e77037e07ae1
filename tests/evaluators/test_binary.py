"""True or false: the side that a careful person sees a reply take, on a true and on a false statement."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.generators.ids import question_id
from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded
from tests.tables import for_each_row

TRUE = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
FALSE = w.true_or_false(w.BORN, "Albert Einstein", "Paris")


def test_a_label_has_no_uri_to_match() -> None:
    right, wrong = graded(TRUE, "correct"), graded(TRUE, "incorrect")
    assert right.matched == wrong.matched == ()
    assert (right.true_positives, right.false_positives, right.false_negatives) == (1, 0, 0)
    assert (wrong.true_positives, wrong.false_positives, wrong.false_negatives) == (0, 1, 1)


@for_each_row(
    ("yes", "no"),
    [
        ("Oui", "Non"),
        ("Sí", "No"),
        ("Sim", "Não"),
        ("Ja", "Nee"),
        ("Klart", "Nej"),
        ("Ja", "Nei"),
        ("Kyllä", "Ei"),
        ("Tak", "Nie"),
        ("Ano", "Ne"),
        ("Igen", "Nem"),
        ("Da", "Nu"),
        ("Да", "Не"),
        ("Так", "Ні"),
        ("Ναι", "Όχι"),
        ("כן", "לא"),
        ("نعم", "لا"),
        ("بله", "نه"),
        ("Evet", "Hayır"),
        ("हाँ", "नहीं"),
        ("হ্যাঁ", "না"),
        ("ஆம்", "இல்லை"),
        ("అవును", "కాదు"),
        ("ใช่", "ไม่ใช่"),
        ("Đúng", "Sai"),
        ("Có", "Không"),
        ("Ya", "Tidak"),
        ("Ndiyo", "Hapana"),
        ("当然", "没有"),
        ("会", "不会"),
        ("はい", "いいえ"),
        ("네", "아니요"),
        ("Doch", "Niemals"),
    ],
)
def test_yes_and_no_of_a_language_are_both_read(yes: str, no: str) -> None:
    for asked, (right, wrong) in ((TRUE, (yes, no)), (FALSE, (no, yes))):
        for end in ("", ".", "!"):
            assert graded(asked, right + end).verdict == "correct"
            assert graded(asked, wrong + end).verdict == "incorrect"


@for_each_row(
    "reply",
    [
        "En tiedä.",
        "Nu știu.",
        "对不起，我不能回答。",
        "আমি জানি না।",
        "Xin lỗi, tôi không thể trả lời.",
        "Saya tidak tahu.",
    ],
)
def test_word_of_a_refusal_is_no_label(reply: str) -> None:
    assert graded(TRUE, reply).verdict == graded(FALSE, reply).verdict == "abstained"


@for_each_row("shown", ["Paris", "Madrid"])
def test_first_word_of_a_reply_is_no_name(shown: str) -> None:
    facts = {"France": ["Paris"], "Spain": ["Madrid"], "Peru": ["Lima"]}
    asked = w.true_or_false(w.World("[Y] is the capital of [X].", facts), "France", shown)
    assert w.graded(asked, "Bingo.").verdict == "unparsed"
    assert w.graded(asked, "#### True").verdict == ("correct" if shown == "Paris" else "incorrect")
    assert w.graded(asked, "Lille is the capital of France.").verdict != w.graded(asked, "Fact.").verdict


@for_each_row(
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
def test_subject_alone_does_not_affirm_the_statement(reply: str, expected: str) -> None:
    world = w.World("[X] was born in [Y].", {"Karl Marx": ["Trier"], "Albert Einstein": ["Ulm"], "Max Born": ["Bonn"]})
    asked = w.true_or_false(world, "Karl Marx", "Ulm")
    name = question_id("u/Albert Einstein", "u/Ulm", "P1", "binary_answer", "binary_sub_incorrect")
    ends = {"subject_uri": "u/Albert Einstein", "object_uri": "u/Ulm", "shown": "u/Karl Marx"}
    question = replace(asked.question, question_id=name, **ends)
    assert graded(asked._replace(question=question), reply).verdict == expected


@for_each_row(
    "reply",
    [
        "Rome is the capital of Italy.",
        "The capital of Italy is Rome.",
        "Rome is the capital of Italy, while Paris is the capital of France.",
        "The capital of France is Paris.",
    ],
)
def test_statement_about_another_name_says_that_the_shown_one_is_false(reply: str) -> None:
    capitals = w.World("[Y] is the capital of [X].", {"Italy": ["Rome"], "France": ["Paris"], "Germany": ["Berlin"]})
    assert graded(w.true_or_false(capitals, "France", "Rome"), reply).verdict == "correct"
