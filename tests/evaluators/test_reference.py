"""Answers of which only the right ones are known: what people take for a right answer, and what they do not."""

from __future__ import annotations

import time

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
VOLTA = "which country was formerly known as Upper Volta"


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
        (VALUE, ["8849"], "\\boxed{8{,}849}", "value"),
        (VALUE, ["8849"], "8\\,849", "value"),
        (VALUE, ["6650"], "6.65 × 10^3", "value"),
        (VALUE, ["6650"], "6.65e3", "value"),
        (VALUE, ["6650"], "$6.65 \\times 10^{3}$", "value"),
        (VALUE, ["6650"], "6.65·10³", "value"),
        (VALUE, ["H2SO4"], "$\\mathrm{H_2SO_4}$", "exact"),
        (VALUE, ["C6H12O6"], "C_6H_{12}O_6", "exact"),
        (VALUE, ["V = IR"], "V = I × R", "mention"),
        (VALUE, ["PV = nRT"], "P V = n R T", "mention"),
        (VALUE, ["πr²"], "$\\pi r^2$", "mention"),
        (VALUE, ["πr²"], "pi r^2", "mention"),
        (VALUE, ["F = ma"], "F = m·a", "mention"),
        (VALUE, ["1/2 mv^2"], "\\frac{1}{2}mv^2", "mention"),
        (VALUE, ["1/2 mv^2"], "½mv²", "mention"),
        (VALUE, ["0.75"], ".75", "exact"),
        (VALUE, ["1/2"], "$\\frac12$", "exact"),
        (VALUE, ["1/2"], "one half", "gist"),
        (BORN, ["1879-03-14"], "1879年3月14日", "value"),
        (BORN, ["1879"], "not before 1879", "value"),
        ("how many percent is it", ["8"], "8%", "value"),
        ("who was it", ["Vincent van Gogh"], "V. van Gogh", "gist"),
        ("which artist was it", ["Vincent van Gogh"], "It was Van Gogh.", "gist"),
        ("who was it", ["William Shakespeare"], "W. Shakespeare", "gist"),
        ("who was it", ["Wolfgang Amadeus Mozart"], "WA Mozart", "gist"),
        ("who was it", ["Wolfgang Amadeus Mozart"], "W. Mozart", "gist"),
        ("who was it", ["Johann Sebastian Bach"], "JS Bach", "gist"),
        ("who was it", ["Marie Curie"], "Madame Curie", "gist"),
        ("who was it", ["Elizabeth Warren"], "Sen. Warren", "gist"),
        ("who was it", ["Martin Luther King Jr."], "Dr. King", "gist"),
        ("who was it", ["Charles III"], "King Charles", "gist"),
        ("who was it", ["George H. W. Bush"], "George Bush Sr.", "gist"),
        ("who was it", ["Mahatma Gandhi"], "Mahatma Ghandi", "fuzzy"),
        ("who was it", ["Fyodor Dostoevsky"], "Dostoyevski", "fuzzy"),
        ("who was it", ["William Shakespeare"], "It was Shakespear.", "fuzzy"),
        ("which building is it", ["Burj Khalifa"], "Burj Khalifa, Dubai, UAE", "mention"),
        ("what is the capital", ["Washington, D.C."], "The capital is, of course, Washington.", "gist"),
        ("who was king", ["Charles II of England"], "It was King Charles the Second.", "gist"),
        ("who was king", ["James I of England"], "King James", "gist"),
        ("who was king", ["John of England"], "It was King John.", "gist"),
        ("who was she", ["Catherine of Aragon"], "Katherine of Aragon", "fuzzy"),
        ("who was it", ["Saint Francis of Assisi"], "Francis of Assisi", "gist"),
        ("who was it", ["John Lewis of SNCC"], "It was Lewis.", "gist"),
        ("who was it", ["Peter the Great"], "It was Tsar Peter.", "gist"),
        ("which city has Boston University", ["Boston, Massachusetts"], "It is in Boston.", "gist"),
        (VOLTA, ["Burkina Faso", "Upper Volta"], "Upper Volta is now Burkina Faso.", "mention"),
        (VOLTA, ["Burkina Faso", "Upper Volta"], "It was Upper Volta [1].", "mention"),
        (VOLTA, ["Upper Volta", "Burkina Faso"], "Upper Volta is a country in Africa.", "mention"),
        (
            "who sang by Keyshia Cole",
            ["Ann Able", "Keyshia Cole"],
            "It was sung by Keyshia Cole and Bob Bold.",
            "mention",
        ),
        ("is it kelly or carrie", ["Carrie Underwood", "Carrie"], "Carrie has sold millions.", "mention"),
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
        (CAPITAL, ["Paris"], "Paris or Rio de Janeiro", "incorrect", "several_answers"),
        (WROTE, ["Leonardo da Vinci"], "Leonardo da Vinci or Michelangelo", "incorrect", "several_answers"),
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
        (VALUE, ["6650"], "6.65 × 10^4", "incorrect", "no_match"),
        (VALUE, ["75"], ".75", "incorrect", "no_match"),
        (VALUE, ["V = IR"], "V = I / R", "incorrect", "no_match"),
        (VALUE, ["F = ma"], "F = m/a", "unparsed", "no_answer"),
        (VALUE, ["πr²"], "$2\\pi r$", "incorrect", "no_match"),
        (VALUE, ["Fe2O3"], "Fe_3O_4", "incorrect", "no_match"),
        (BORN, ["1879-03-14"], "1879年3月15日", "incorrect", "no_match"),
        (BORN, ["1879"], "before 1879", "incorrect", "no_match"),
        (BORN, ["1879"], "He was born after 1879.", "incorrect", "no_match"),
        (BORN, ["1879"], "1879 kilometres", "incorrect", "no_match"),
        (BORN, ["1879"], "18791", "incorrect", "no_match"),
        (VALUE, ["8849"], "8,849 million", "incorrect", "no_match"),
        (VALUE, ["8849"], "8,849.7", "incorrect", "no_match"),
        ("which gene is it", ["HTT"], "HTT2", "incorrect", "no_match"),
        ("how many planets are there", ["8"], "8%", "incorrect", "no_match"),
        ("how many planets are there", ["8"], "8th", "incorrect", "no_match"),
        ("who was it", ["Vincent van Gogh"], "Theo van Gogh", "incorrect", "no_match"),
        ("who was it", ["Simone de Beauvoir"], "Hélène de Beauvoir", "incorrect", "no_match"),
        ("who was it", ["Marie Curie"], "Irène Joliot-Curie", "incorrect", "no_match"),
        ("who was it", ["Johann Sebastian Bach"], "C. P. E. Bach", "incorrect", "no_match"),
        ("who was it", ["Johann Sebastian Bach"], "J. C. Bach", "incorrect", "no_match"),
        ("who was it", ["Henry James"], "P. D. James", "incorrect", "no_match"),
        ("who was it", ["George W. Bush"], "George Bush Sr.", "incorrect", "no_match"),
        ("who was it", ["Boris Johnson"], "Johnston", "incorrect", "no_match"),
        ("who was it", ["Charles III"], "Charles II", "incorrect", "no_match"),
        ("who was it", ["Charles III"], "King Charles II", "incorrect", "no_match"),
        ("who was it", ["Stephen King"], "the King", "incorrect", "no_match"),
        ("who was it", ["Wolfgang Amadeus Mozart"], "L. Mozart", "incorrect", "no_match"),
        ("which artist was it", ["Vincent van Gogh"], "Theo van Gogh", "incorrect", "no_match"),
        ("what is the capital", ["Washington, D.C."], "Washington State", "incorrect", "no_match"),
        ("what is the capital", ["Washington, D.C."], "Seattle, Washington", "incorrect", "no_match"),
        ("who was king", ["Charles II of England"], "King James II of England", "incorrect", "no_match"),
        ("who was king", ["Charles II of England"], "Charles I of England", "incorrect", "no_match"),
        ("who was king", ["King Charles II of England"], "Oliver Cromwell, who ruled England", "incorrect", "no_match"),
        ("who was king", ["John of England"], "King Henry III of England", "incorrect", "no_match"),
        (
            "who was queen",
            ["Elizabeth II of the United Kingdom"],
            "George VI of the United Kingdom",
            "incorrect",
            "no_match",
        ),
        ("who was she", ["Catherine of Aragon"], "Isabella of Aragon", "incorrect", "no_match"),
        ("who was king", ["Cyrus the Great"], "Darius the Great", "incorrect", "no_match"),
        ("who was king", ["William the Conqueror"], "It was Robert the Conqueror.", "incorrect", "no_match"),
        (
            "which city has Boston University",
            ["Boston, Massachusetts"],
            "Cambridge, Massachusetts",
            "incorrect",
            "no_match",
        ),
        (VOLTA, ["Burkina Faso", "Upper Volta"], "Upper Volta is now called **Benin**.", "incorrect", "no_match"),
        (VOLTA, ["Burkina Faso", "Upper Volta"], "The former Upper Volta is known as Benin.", "incorrect", "no_match"),
        (VOLTA, ["Burkina Faso", "Upper Volta"], "I have no information on Upper Volta.", "abstained", "abstention"),
    ],
)
def test_what_they_do_not(question: str, right: list[str], reply: str, verdict: str, rule: str) -> None:
    found = graded(question, right, reply)
    assert (found.verdict, found.rule, found.matched) == (verdict, rule, ()), found


def test_the_words_that_were_taken_for_the_answer() -> None:
    assert graded(WROTE, ["Joanne Rowling"], "It was written by Joanne K. Rowling.").answer == "Joanne K. Rowling"


WHO, BY = "who wrote emma", ["Jane Austen"]
TOWN, HOUSE = "what is the capital of australia", "what is the tallest building"
YEAR, SUM = "when was it", "what is 8 + 9"
PLANETS = ["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto"]


@pytest.mark.parametrize(
    ("question", "right", "reply"),
    [
        (WHO, BY, "Jane Austen, no wait, Charlotte Brontë."),
        (WHO, BY, "Jane Austen? No. Charlotte Brontë."),
        (WHO, BY, "Was it Jane Austen? No, it was Mary Shelley."),
        (WHO, BY, "Jane Austen... Actually, no. It was Mary Shelley."),
        (WHO, BY, "It is often attributed to Jane Austen, but the true author is Charlotte Brontë."),
        (WHO, BY, "Wrong: Jane Austen. Right: Charlotte Brontë."),
        (WHO, BY, "Incorrect: Jane Austen. Correct: Charlotte Brontë."),
        (WHO, BY, "I first thought of Jane Austen, but I now believe it was Charlotte Brontë."),
        (WHO, BY, "Initially I thought it was Jane Austen, but it is Mary Shelley."),
        (WHO, BY, "Many people think Jane Austen wrote it, but in reality Mary Shelley did."),
        (WHO, BY, "People often credit Jane Austen with it, but it was Mary Shelley."),
        (WHO, BY, "Jane Austen was my first guess, but the correct answer is Mary Shelley."),
        (WHO, BY, "Candidates are Jane Austen and George Eliot. The answer is George Eliot."),
        (WHO, BY, "Charlotte Brontë, instead of Jane Austen"),
        (WHO, BY, "While Jane Austen is often mistaken for its author, the correct answer is Mary Shelley."),
        (WHO, BY, "One might think Jane Austen; however, it is Mary Shelley."),
        (WHO, BY, "You might expect Jane Austen, but it is Mary Shelley."),
        (WHO, BY, "The common answer is Jane Austen, but technically it's Mary Shelley."),
        (WHO, BY, "Myth: Jane Austen. Fact: Mary Shelley."),
        (WHO, BY, "Mary Shelley (people often say Jane Austen, but that's incorrect)"),
        (WHO, BY, "It is Mary Shelley. While Jane Austen is often named, it is wrong."),
        (WHO, BY, "The answer is Mary Shelley. Others, such as Jane Austen, are not correct."),
        (WHO, BY, "It's either Mary Shelley or Jane Austen, but I'm leaning toward Mary Shelley."),
        (WHO, BY, "My first thought was Jane Austen, but on reflection it's Mary Shelley."),
        (WHO, BY, "I considered Jane Austen, but I settled on Mary Shelley."),
        (WHO, BY, "**Final answer: Mary Shelley**\n\nI considered Jane Austen."),
        (WHO, BY, "If you said Jane Austen, you'd be wrong: Mary Shelley wrote it."),
        (WHO, BY, "- Jane Austen: Incorrect.\n- Mary Shelley: Correct."),
        (WHO, BY, "Jane Austen ❌\nMary Shelley ✅"),
        (WHO, BY, "❌ Jane Austen\n✅ Mary Shelley"),
        (WHO, BY, "Mary Shelley, though some sources say Jane Austen."),
        (WHO, BY, "Jane Austen? Wrong. It is Mary Shelley."),
        (WHO, BY, "You may be thinking of Jane Austen, but it is Mary Shelley."),
        (YEAR, ["1969"], "1968 (some say 1969)"),
        ("how many planets are there", ["8"], "9 (or 8 by some counts)"),
        ("what is its capital", ["Brasília"], "Oops, I said Brasília; the correct answer is Rio de Janeiro."),
        ("what is its capital", ["Brasília"], "I was going to say Brasília, but it's Rio de Janeiro."),
        ("who leads it", ["Tim Cook"], "Tim Cook — correction: John Ternus."),
        (HOUSE, ["Burj Khalifa"], "It used to be the Burj Khalifa, but now it is the Jeddah Tower."),
        (TOWN, ["Canberra"], "Sydney. People often say Canberra, which is wrong."),
        (TOWN, ["Canberra"], "Sydney. Canberra is a common wrong answer."),
        (YEAR, ["1969"], "1969? No, 1968."),
        (YEAR, ["1969"], "1969, sorry, I mean 1968."),
        (YEAR, ["12 May 1969"], "It was 12 May 1969. Correction: 13 May 1969."),
        (SUM, ["17"], "8 + 9 = 17? No wait, 8 + 8 = 17, so the answer is 18."),
        (SUM, ["17"], "Step 1: 17. Step 2: 19. Therefore the answer is 19."),
        (VALUE, ["100"], "It is 90, not 100."),
        (VALUE, ["100"], "not 100"),
        (VALUE, ["2.5"], "I first got 2.5, but the answer is 7."),
        (VALUE, ["2.5"], "a + b = 2.5\n\nThe answer is 7."),
        ("how many miles is it", ["180"], "60 × 3 = 180\n\nThe answer is 20."),
    ],
)
def test_what_is_taken_back_is_no_answer(question: str, right: list[str], reply: str) -> None:
    found = graded(question, right, reply)
    assert (found.verdict, found.rule) == ("incorrect", "negated"), found


@pytest.mark.parametrize(
    ("question", "right", "reply"),
    [
        (WHO, BY, "Charlotte Brontë, no wait, Jane Austen."),
        (WHO, BY, "Charlotte Brontë? No. Jane Austen."),
        (WHO, BY, "Right: Jane Austen. Wrong: Charlotte Brontë."),
        (WHO, BY, "It is often attributed to Charlotte Brontë, but the true author is Jane Austen."),
        (WHO, BY, "Jane Austen instead of Charlotte Brontë"),
        (WHO, BY, "Some say Mary Shelley, but the answer is Jane Austen."),
        (WHO, BY, "Jane Austen. Wait, let me double check. Yes, Jane Austen; Charlotte Brontë wrote Jane Eyre."),
        (WHO, BY, "Jane Austen wrote it. In fact, it was dedicated to the Prince Regent."),
        (WHO, BY, "Jane Austen, often considered the finest novelist of England, so Walter Scott praised her."),
        (WHO, BY, "Jane Austen, I mean the author of Pride and Prejudice."),
        (WHO, BY, "The novel is by Jane Austen. The final answer is Austen."),
        (WHO, BY, "Jane Austen is traditionally believed to be its author in England."),
        (WHO, BY, "You might expect Mary Shelley, but it is Jane Austen."),
        (WHO, BY, "I considered Mary Shelley, but I settled on Jane Austen."),
        (WHO, BY, "It's either Mary Shelley or Jane Austen, but I'm leaning toward Jane Austen."),
        (WHO, BY, "Jane Austen (some say Mary Shelley)"),
        (WHO, BY, "If you said Mary Shelley, you'd be wrong: it is Jane Austen."),
        (WHO, BY, "Jane Austen: correct. Mary Shelley: wrong."),
        (WHO, BY, "❌ Mary Shelley\n✅ Jane Austen"),
        (WHO, BY, "✅ Jane Austen"),
        (WHO, BY, "I don't know whether it is Jane Austen, but I think it is Jane Austen."),
        ("who invented it", ["Meucci"], "It was long thought to be Bell, but it was Meucci."),
        ("who said i will not go quietly", ["Dylan Thomas"], "A line of Do Not Go Gentle by Dylan Thomas, not a song."),
        ("who was originally cast", ["Tom Selleck"], "Tom Selleck was originally considered before Harrison Ford was."),
        (YEAR, ["1969"], "1968? No, 1969."),
        (YEAR, ["1969"], "1969, sorry, I mean July 1969."),
        (YEAR, ["1969"], "In 1969. Actually, on 20 July 1969 at 20:17."),
        (SUM, ["17"], "8 + 9 = 17. Check: 8 + 10 = 18, so 18 - 1 = 17."),
        (SUM, ["17"], "There are 17. That leaves 3 of 20."),
        (VALUE, ["100"], "I am not 100% sure, but it is 100."),
        (TOWN, ["Canberra"], "I'm not 100 percent certain it is Canberra."),
    ],
)
def test_what_is_explained_is_not_taken_back(question: str, right: list[str], reply: str) -> None:
    assert graded(question, right, reply).verdict == "correct"


@pytest.mark.parametrize(
    "reply",
    [
        "Either Lyon or Paris; I'll say Paris.",
        "It could be Lyon or Paris. I'd go with Paris.",
        "Lyon. Actually, Paris.",
        "Lyon, or rather Paris.",
    ],
)
def test_what_it_settles_on_is_one_answer(reply: str) -> None:
    assert graded(CAPITAL, ["Paris"], reply).verdict == "correct"
    assert graded(CAPITAL, ["Lyon"], reply).verdict == "incorrect"


@pytest.mark.parametrize(
    ("right", "reply", "rule"),
    [
        (["7"], "7 or 8", "several_answers"),
        (["seven"], "It is either seven or eight.", "several_answers"),
        (["1969"], "in 1968 or 1969", "several_answers"),
        (["12 May 1969"], "12 May 1969 or 13 May 1969", "several_answers"),
        (["7"], "7 or so", "value"),
        (["7"], "It is 7, or seven.", "value"),
        (["1000"], "1,000 or more", "value"),
    ],
)
def test_two_values_are_no_answer(right: list[str], reply: str, rule: str) -> None:
    assert graded("how many are there", right, reply).rule == rule


@pytest.mark.parametrize(
    ("question", "right", "reply", "rule"),
    [
        (CAPITAL, ["Paris"], "Lyon and Paris", "several_answers"),
        (CAPITAL, ["Paris"], "Both Lyon and Rio de Janeiro and Paris.", "several_answers"),
        (CAPITAL, ["Paris"], "Paris/Lyon", "several_answers"),
        (CAPITAL, ["Paris"], "- Paris\n- Lyon", "several_answers"),
        (CAPITAL, ["Paris"], "1. Rome\n2. Paris\n3. Oslo", "several_answers"),
        ("how many bones are there", ["206"], "206, 208", "several_answers"),
        ("when did it last", ["1995"], "1993, 1995", "several_answers"),
        ("how many are there", ["36.0"], "36", "value"),
        ("who sang it", ["Simon & Garfunkel"], "Simon and Garfunkel", "mention"),
        ("what are the 3 capitals", ["Paris"], "1. Rome\n2. Paris\n3. Oslo", "mention"),
        (
            "who led it",
            ["José Martí", "Antonio Maceo", "Máximo Gómez"],
            "José Martí and General Máximo Gómez",
            "mention",
        ),
        ("which harry potter book is it", ["The Deathly Hallows"], "Harry Potter and the Deathly Hallows", "mention"),
        (CAPITAL, ["Paris"], "Paris, France", "mention"),
    ],
)
def test_names_beside_each_other(question: str, right: list[str], reply: str, rule: str) -> None:
    assert graded(question, right, reply).rule == rule


@pytest.mark.parametrize("between", [" ", "\n"])
def test_the_number_of_an_item_is_no_answer(between: str) -> None:
    planets = between.join(f"{i}. {name}" for i, name in enumerate(PLANETS, 1))
    for count, verdict in ((8, "incorrect"), (9, "correct")):
        found = graded("how many planets are there", [str(count)], f"There are 9 planets:{between}{planets}")
        assert found.verdict == verdict, found
    assert graded("which is it", ["8"], "First 1. Then 3. Now 8. ").verdict == "correct"


def test_what_was_considered_is_no_answer() -> None:
    reply = "**Final answer:** Charlotte Brontë\n\n*Alternatives considered:* Jane Austen"
    assert graded(WHO, BY, reply).verdict == "incorrect"
    assert graded(WHO, ["Charlotte Brontë"], reply).verdict == "correct"


@pytest.mark.parametrize("between", [". ", "\n", ", "])
def test_one_name_over_and_over_is_one_answer(between: str) -> None:
    for name in ("Paris", "New Delhi"):
        assert graded(CAPITAL, [name], between.join([name] * 3)).verdict == "correct"
    assert graded(CAPITAL, ["Paris"], between.join(["Paris", "Paris", "Lyon"])).rule == "several_answers"


def test_who_only_wonders_about_an_answer_gives_none() -> None:
    found = graded(CAPITAL, ["Paris"], "I'm sorry, but I can't say whether it's Paris.")
    assert (found.verdict, found.rule) == ("abstained", "doubt")


@pytest.mark.parametrize("reply", [", ".join(map(str, range(7000))), "1945, 1946. " * 3000])
def test_the_time_grows_with_the_numbers_alone(reply: str) -> None:
    start = time.process_time()
    graded(YEAR, ["1945"], reply)
    assert time.process_time() - start < 5  # a fifth of that; where it grows with the square, half a minute


@pytest.mark.parametrize(
    ("question", "right", "reply", "verdict"),
    [
        ("which is NOT a metal", ["Venus"], "It is Mars, not Venus.", "incorrect"),
        ("which is not a planet", ["Pluto"], "Pluto is not a planet.", "correct"),
        ("who wrote Not Fade Away", ["Buddy Holly"], "Not Fade Away was written by Buddy Holly.", "correct"),
    ],
)
def test_a_question_with_a_denial(question: str, right: list[str], reply: str, verdict: str) -> None:
    assert graded(question, right, reply).verdict == verdict
