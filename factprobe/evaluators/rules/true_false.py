"""The rules on true/false questions: the side that a reply takes on the statement."""

from __future__ import annotations

from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.evaluators.true_false.labels import BRIEF, PLAIN
from factprobe.evaluators.true_false.reading import StatementReading
from factprobe.evaluators.true_false.wrapping import side_of_wrapped
from factprobe.reading.names.near import Known, misspelt
from factprobe.reading.words import name_words
from factprobe.records import Question
from factprobe.records.graded import Side


@rule("true_false.label_alone", "correct", "incorrect")
def is_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Is a word for true or false, and nothing else."""
    side = reading.label_alone
    return _by(side, question, reading.reply, f"is a word for {side}") if side else None


@rule("true_false.misspelt_label", "correct", "incorrect")
def is_misspelt_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Misspells "correct" or "incorrect", and says nothing else."""
    whole = reading.flat
    if not whole.isalpha() or not misspelt(whole, ("correct", "incorrect"), Known(())):
        return None
    side: Side = "incorrect" if "incorrect".startswith(whole[:2]) else "correct"
    return _by(side, question, reading.reply, f"nearly is {side}")


@rule("true_false.restated_with_pronoun", "correct", "incorrect")
def says_it_again(reading: StatementReading, question: Question) -> Judgment | None:
    """Is the statement, or what it denies, with a pronoun for the name that it is about."""
    if reading.says_it_again:
        return _by("correct", question, reading.reply, "is the statement with a pronoun for a name")
    if reading.denied is not None and reading.denied.says_it_again:
        return _by("incorrect", question, reading.reply, "is what the statement denies, with a pronoun for a name")
    return None


@rule("true_false.cannot_answer", "abstained")
def refuses(reading: StatementReading, _: Question) -> Judgment | None:
    """Says in its first person that it cannot give an answer, and takes no side in another sentence."""
    if not reading.refusals or reading.rest_of_refusal.side is not None:
        return None
    return Judgment("abstained", answer=reading.excerpt, why="declines, and takes no side beside that")


@rule("true_false.wrapped", "correct", "incorrect")
def judges_it_within(reading: StatementReading, question: Question) -> Judgment | None:
    """Says the statement behind words that deny it, or deny a denial of it."""
    statement = reading.asked.statement
    if reading.denied is not None or statement is None:
        return None
    side = side_of_wrapped(reading.text, name_words(statement.text))
    return _by(side, question, reading.excerpt, f"says within a judgment that it is {side}") if side else None


@rule("true_false.both_labels", "unparsed")
def takes_both_sides(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes both sides."""
    if reading.labels.how != "both":
        return None
    return Judgment("unparsed", wrong=1, answer=reading.label_clause, why="takes both sides")


@rule("true_false.half_true", "unparsed")
def grants_half(reading: StatementReading, _: Question) -> Judgment | None:
    """Says that the statement is true in part only."""
    if reading.labels.how != "half":
        return None
    return Judgment("unparsed", wrong=1, answer=reading.label_clause, why="grants the statement in part only")


@rule("true_false.conclusion", "correct", "incorrect")
def concludes(reading: StatementReading, question: Question) -> Judgment | None:
    """Says that the statement is true or false at the end of its reasoning, or where it corrects itself."""
    labels = reading.labels
    if labels.how != "concluded" or labels.side is None:
        return None
    return _by(labels.side, question, reading.label_clause, f"concludes that it is {labels.side}")


@rule("true_false.label", "correct", "incorrect")
def has_plain_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Says that the statement is true or false in a clause that says nothing else."""
    least = PLAIN if reading.denied else BRIEF  # a mere no may deny a negated statement, or agree with it
    return _by_label(reading, question) if reading.labels.rank >= least else None


@rule("true_false.entailment", "correct", "incorrect")
def tells_in_its_place(reading: StatementReading, question: Question) -> Judgment | None:
    """Tells something in the statement's place that it affirms or denies: another name, the same name of another."""
    labels = reading.labels
    restated = reading.restated if labels.how in ("said", "none") else None
    if restated is None or (not reading.denied and (labels.side, restated.side) == ("incorrect", "correct")):
        return None
    return _by(restated.side, question, reading.quoted(restated.words), restated.why)


@rule("true_false.label_beside_other_words", "correct", "incorrect")
def has_label(reading: StatementReading, question: Question) -> Judgment | None:
    """Says that the statement is true or false beside something else."""
    return _by_label(reading, question)


@rule("true_false.denial", "correct", "incorrect")
def denies_it(reading: StatementReading, question: Question) -> Judgment | None:
    """Denies the statement in its own words."""
    sentence = reading.denial if reading.labels.how == "none" and not reading.denied else ""
    return _by("incorrect", question, sentence, "denies it in its own words") if sentence else None


@rule("true_false.declines", "abstained")
def declines(reading: StatementReading, _: Question) -> Judgment | None:
    """Declines to judge, and takes no side."""
    return Judgment("abstained", answer=reading.excerpt, why="declines") if reading.declines_to_judge else None


@rule("true_false.undecided", "unparsed")
def wavers(reading: StatementReading, _: Question) -> Judgment | None:
    """Names both sides and takes none."""
    if reading.labels.how != "doubted":
        return None
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="names both sides and takes none")


@rule("true_false.no_label", "unparsed")
def takes_no_side(reading: StatementReading, _: Question) -> Judgment | None:
    """Takes no side: repeats the statement, asks back, or talks of something else."""
    return Judgment("unparsed", wrong=1, answer=reading.excerpt, why="takes no side")


def _by_label(reading: StatementReading, question: Question) -> Judgment | None:
    labels = reading.labels
    if labels.how != "said" or labels.side is None:
        return None
    return _by(labels.side, question, reading.label_clause, f"says that it is {labels.side}")


def _by(side: Side, question: Question, answer: str, why: str) -> Judgment:
    """The judgment on a reply that takes a side."""
    if side == question.answers:
        return Judgment("correct", answer=answer, why=why)
    return Judgment("incorrect", wrong=1, answer=answer, why=why)
