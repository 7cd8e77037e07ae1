"""Answers of which only the right ones are known: what people take for a right answer, and what they do not."""

from __future__ import annotations

import pytest

from factprobe.evaluators import grade
from factprobe.records import Answer, Grade, Message, Question, Response

CAPITAL, MOONS, BORN, WROTE = (
    "what is the capital of france",
    "how many moons does mars have",
    "when was einstein born",
    "who wrote harry potter",
)
EINSTEIN = "March 14, 1879"
VALUE = "what is its value"


def graded(question: str, right: list[str], reply: str) -> Grade:
    answers = (Answer("A", right[0], tuple(right[1:])),)
    asked = Question("q", "single_answer", (Message("user", question),), answers, "R", "S", "A", bare=question)
    [found] = grade([(asked, Response("q", reply, None, None, None))], None, {"single_answer": "open_answer"})
    return found


@pytest.mark.parametrize(
    ("question", "right", "reply", "rule"),
    [
        (CAPITAL, ["Paris"], "PARIS", "exact"),
        (CAPITAL, ["Paris", "City of Light"], "the City of Light", "alias"),
        (CAPITAL, ["Paris"], "It is not Lyon but Paris.", "mention"),
        (
            CAPITAL,
            ["Paris"],
            "According to Wikipedia, it is Paris1. It lies on the Seine; Lyon lies on the Rhône.",
            "gist",
        ),
        (CAPITAL, ["Paris"], "The capital of France isParis.", "gist"),
        ("what is its port", ["Barcelona"], "It is Barcellona.", "fuzzy"),
        ("who sang i can't stop", ["Ed Example"], '"I Can\'t Stop" was first sung by Ed Example.', "mention"),
        ("what is the film with dust and stars called", ["Dust"], "The film is called Dust.", "mention"),
        (MOONS, ["2"], "Mars has two moons, Phobos and Deimos.", "value"),
        ("is it a planet", ["no"], "No, it is a star.", "mention"),
        ("what is the film called", ["Her"], "The film is called Her.", "mention"),
        ("which war was it", ["World War II"], "It was World War 2.", "gist"),
        ("where is it", ["United States of America"], "in the USA", "gist"),
        (BORN, [EINSTEIN], "He was born on 14 March 1879 and died in 1955.", "value"),
        (BORN, [EINSTEIN], "1879", "value"),
        (BORN, [EINSTEIN], "in March 1879", "value"),
        (BORN, ["1879"], "on May 5, 1879", "value"),
        (BORN, ["1879"], "He was born in 187912.", "gist"),
        (WROTE, ["J. K. Rowling"], "It was Rowling.", "gist"),
        (WROTE, ["J. K. Rowling"], "Author Rowling did.", "gist"),
        ("what did it cost", ["$5 million"], "It cost $5,000,000.", "value"),
        ("what did it cost", ["$5 million"], "5 million dollars", "value"),
        (WROTE, ["English author Joanne Rowling"], "Joanne Rowling", "gist"),
        (WROTE, ["Dame Joanne Kathleen Rowling"], "a book by Joanne Rowling", "gist"),
        ("where was it filmed", ["Tucson, Arizona"], "In Tucson.", "gist"),
        ("which season", ["the fourth season"], "in season 4", "gist"),
        ("how did he die", ["in an explosion"], "He was killed in a car explosion.", "gist"),
        ("what kind of org is it", ["non-partisan"], "It is nonpartisan.", "gist"),
        ("what does it weigh", ["2.5 million tonnes"], "about 2.5 million tonnes", "value"),
        ("how many", ["1,000"], "1000 of them", "value"),
        ("who are the founders", ["Ann Able", "Bob Bold"], "Ann Able, Bob Bold", "mention"),
        ("where is it", ["United States"], "in the U.S.", "gist"),
        ("where is it", ["United States"], "US", "gist"),
        ("where is it", ["USA"], "It is in the United States.", "gist"),
        ("which war was it", ["World War II"], "WWII", "gist"),
        ("which war was it", ["WWII"], "It was World War II.", "gist"),
        ("who investigates", ["Federal Bureau of Investigation"], "the FBI does", "gist"),
        ("who investigates", ["FBI"], "the Federal Bureau of Investigation", "gist"),
        (MOONS, ["2"], "Mars has no more than 2 moons.", "value"),
        (MOONS, ["2"], "It has more than 1, namely two.", "value"),
        ("how many live there", ["5,000"], "more than 5,000 people", "value"),
        ("how many live there", ["more than 5,312"], "more than 5,312 people", "mention"),
        ("where is it", ["Portland, Oregon"], "It is in Portland, OR.", "gist"),
        ("where is it", ["Munich, Bavaria"], "in Munich, Germany", "gist"),
        ("where is it", ["Austin, United States"], "in Austin, Texas", "gist"),
        ("where is it", ["Cambridge, Massachusetts"], "in Cambridge, USA", "gist"),
        ("who was it", ["John Kennedy"], "John F. Kennedy", "gist"),
        ("who was it", ["John Kennedy"], "John Fitzgerald Kennedy", "gist"),
        ("who was it", ["George W. Bush"], "George Bush", "gist"),
        ("who was it", ["George W. Bush"], "George Walker Bush", "gist"),
        ("who was it", ["George H. W. Bush"], "George Herbert Walker Bush", "gist"),
        ("who was it", ["George W. Bush"], "George W. Bush, the son of George H. W. Bush", "mention"),
        ("who was it", ["Jorge Luis Borges"], "Jorge Francisco Isidoro Luis Borges", "gist"),
        ("who was it", ["A. Moore"], "Alan Moore", "gist"),
        ("who was it", ["A. Moore"], "It was Moore.", "gist"),
        ("who was it", ["Gen. John J. Pershing"], "John J. Pershing", "gist"),
        ("who was it", ["James I"], "King James", "gist"),
        ("who was it", ["Elizabeth I"], "Elizabeth the First", "gist"),
        ("which vitamin is it", ["Vitamin A"], "It is vitamin A.", "gist"),
        ("which war was it", ["World War I"], "the First World War", "gist"),
        ("who was it", ["Jane Austen"], "Jane Austen, a friend of nobody", "mention"),
        ("whose friend was Anne Sharp", ["Jane Austen"], "Anne Sharp, a friend of Jane Austen", "mention"),
        ("who wrote it", ["Mary Shelley"], "the English novelist Mary Shelley, wife of a poet", "mention"),
        ("when is Halloween", ["October 31"], "on the 31st of October", "value"),
        ("when was he killed", ["-0044"], "44 BC", "value"),
        (VALUE, ["-3"], "I think that it is −3.", "value"),
        (VALUE, ["10^-6"], "10⁻⁶", "mention"),
        (VALUE, ["x^2+2x+1"], "x² + 2x + 1", "mention"),
        (VALUE, ["b^2 - 4ac"], "The discriminant is b²−4ac.", "mention"),
        ("What is x?", ["x = -2"], "-2", "value"),
        (VALUE, ["a/b"], "The slope is a/b.", "mention"),
        (VALUE, ["AC/DC"], "AC-DC", "exact"),
        (VALUE, ["2:1"], "2 to 1", "gist"),
        (VALUE, ["5/6"], "not 6/5 but 5/6", "mention"),
        (VALUE, ["90°"], "90", "exact"),
        ("How many minutes does it take?", ["20 minutes"], "20", "gist"),
        (VALUE, ["5 dollars"], "It costs $5.", "value"),
        ("who won the game", ["Team LeBron"], "LeBron James", "gist"),
        ("which element is it", ["Cesium"], "Caesium", "fuzzy"),
        ("which planet is it", ["Jupiter"], "Jupitor", "fuzzy"),
    ],
)
def test_what_people_take_for_right(question: str, right: list[str], reply: str, rule: str) -> None:
    found = graded(question, right, reply)
    assert (found.verdict, found.rule, found.matched) == ("correct", rule, ("A",)), found


@pytest.mark.parametrize(
    ("question", "right", "reply", "verdict", "rule"),
    [
        (CAPITAL, ["Paris"], "Lyon", "incorrect", "no_match"),
        (MOONS, ["2"], "Mars has more than 2 moons.", "incorrect", "no_match"),
        (MOONS, ["2"], "less than two", "incorrect", "no_match"),
        ("where is it", ["Portland, Oregon"], "It is in Portland, Maine.", "incorrect", "no_match"),
        ("where is it", ["Portland, Oregon"], "It is in Portland (ME).", "incorrect", "no_match"),
        ("where is it", ["Paris, France"], "in Paris, Texas", "incorrect", "no_match"),
        ("which war was it", ["World War II"], "WWI", "incorrect", "no_match"),
        ("where is it", ["United States"], "They told us where it is.", "unparsed", "no_answer"),
        ("what does ABC stand for", ["American Broadcasting Company"], "ABC is a channel.", "incorrect", "no_match"),
        ("what is it", ["a big car"], "ABC", "incorrect", "no_match"),
        (CAPITAL, ["Paris"], "It is not Paris.", "incorrect", "negated"),
        (CAPITAL, ["Paris"], "Lyon (not Paris)", "incorrect", "negated"),
        (CAPITAL, ["Paris"], "Neither Paris nor Lyon.", "incorrect", "negated"),
        (CAPITAL, ["Paris"], "Either Lyon or Paris.", "incorrect", "several_answers"),
        (CAPITAL, ["Paris"], "Berlin, Paris, London, Rome", "incorrect", "several_answers"),
        (CAPITAL, ["Paris"], "I do not know.", "abstained", "abstention"),
        (CAPITAL, ["Paris"], "", "unparsed", "empty"),
        (
            CAPITAL,
            ["New Delhi"],
            "Something new. " + "And so on. " * 9 + "Then there is Delhi.",
            "incorrect",
            "no_match",
        ),
        (MOONS, ["2"], "12", "incorrect", "no_match"),
        ("is it a planet", ["no"], "Yes, there is no doubt.", "unparsed", "no_answer"),
        ("when was it built", ["1990"], "in the 1990s", "incorrect", "no_match"),
        ("when was it built", ["1990"], "in 1990 BC", "incorrect", "no_match"),
        ("what did it cost", ["$5 million"], "$5 billion", "incorrect", "no_match"),
        ("who painted it", ["Manet"], "Monet", "incorrect", "no_match"),
        (MOONS, ["2"], "2.5", "incorrect", "no_match"),
        (BORN, [EINSTEIN], "March 15, 1879", "incorrect", "no_match"),
        (BORN, [EINSTEIN, "1879"], "May 5, 1879", "incorrect", "no_match"),
        (BORN, [EINSTEIN], "in 1880", "incorrect", "no_match"),
        (WROTE, ["Joanne Rowling"], "Susan Rowling", "incorrect", "no_match"),
        ("where is it", ["Cambridge, Massachusetts"], "Cambridge, England", "incorrect", "no_match"),
        ("who was it", ["John Adams"], "John Quincy Adams", "incorrect", "no_match"),
        ("who was it", ["John Quincy Adams"], "John Adams", "incorrect", "no_match"),
        ("who was it", ["George W. Bush"], "George H. W. Bush", "incorrect", "no_match"),
        ("who was it", ["George H. W. Bush"], "George W. Bush", "incorrect", "no_match"),
        ("who was it", ["George Herbert Walker Bush"], "george w. bush", "incorrect", "no_match"),
        ("who was it", ["Johann Sebastian Bach"], "Johann Christian Bach", "incorrect", "no_match"),
        ("who was it", ["Martin Luther"], "Martin Luther King Jr.", "incorrect", "no_match"),
        ("who was it", ["Elizabeth I"], "Elizabeth II", "incorrect", "no_match"),
        ("who was it", ["Elizabeth I"], "Elizabeth the Second", "incorrect", "no_match"),
        ("which war was it", ["World War I"], "World War II", "incorrect", "no_match"),
        ("which vitamin is it", ["Vitamin A"], "It is a vitamin, namely vitamin C.", "incorrect", "no_match"),
        ("which song is it", ["The A Team"], "The B Team", "incorrect", "no_match"),
        ("who was it", ["A. Moore"], "B. Moore", "incorrect", "no_match"),
        (WROTE, ["Jane Austen"], "Charlotte Brontë, a friend of Jane Austen", "incorrect", "no_match"),
        (
            WROTE,
            ["Jane Austen"],
            "It is by Anne Sharp, the close friend of the author Jane Austen.",
            "incorrect",
            "no_match",
        ),
        (WROTE, ["Jane Austen"], "Colette, a friend of Jane Austen", "incorrect", "no_match"),
        ("who was it", ["John F. Kennedy"], "Robert F. Kennedy", "incorrect", "no_match"),
        ("which country is it", ["Guinea"], "Equatorial Guinea", "incorrect", "no_match"),
        (WROTE, ["Jane Austen"], "Jane Austen's sister Cassandra", "incorrect", "no_match"),
        ("which element is it", ["Hafnium"], "Hahnium", "incorrect", "no_match"),
        ("which element is it", ["Cesium"], "Cerium", "incorrect", "no_match"),
        ("who was it", ["Jimmy Carter"], "Jimmy Carver", "incorrect", "no_match"),
        ("when was he killed", ["-0044"], "in 44 AD", "incorrect", "no_match"),
        (VALUE, ["-3"], "3", "incorrect", "no_match"),
        (VALUE, ["3"], "-3", "incorrect", "no_match"),
        (VALUE, ["10^-6"], "10^6", "incorrect", "no_match"),
        (VALUE, ["x = -2"], "x = 2", "incorrect", "no_match"),
        (VALUE, ["-cos x"], "cos x", "incorrect", "no_match"),
        (VALUE, ["b^2 - 4ac"], "b^2 + 4ac", "incorrect", "no_match"),
        (VALUE, ["x^2 - 1"], "2x^2 - 1", "incorrect", "no_match"),
        (VALUE, ["a/b"], "b/a", "unparsed", "no_answer"),
        (VALUE, ["5/6"], "6/5", "incorrect", "no_match"),
        (VALUE, ["2-1"], "1-2", "incorrect", "no_match"),
        (VALUE, ["5 MW"], "5 mW", "incorrect", "no_match"),
        (VALUE, ["20 minutes"], "20", "incorrect", "no_match"),
        (VALUE, ["$5"], "€5", "incorrect", "no_match"),
        (WROTE, ["Jane Austen"], "Austen Chamberlain", "incorrect", "no_match"),
        ("when is Halloween", ["October 31"], "on October 30", "incorrect", "no_match"),
    ],
)
def test_what_they_do_not(question: str, right: list[str], reply: str, verdict: str, rule: str) -> None:
    found = graded(question, right, reply)
    assert (found.verdict, found.rule, found.matched) == (verdict, rule, ()), found


def test_the_words_that_were_taken_for_the_answer() -> None:
    assert graded(WROTE, ["Joanne Rowling"], "It was written by Joanne K. Rowling.").answer == "Joanne K. Rowling"
