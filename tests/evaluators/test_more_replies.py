"""A second set of replies set down before they were tried, on relations that no rule was written with."""

from __future__ import annotations

import pytest

from tests.evaluators import test_hard_replies as hard
from tests.evaluators.hard_worlds import ASK
from tests.evaluators.worlds import graded

NAMES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("islam", "Islam", "the label"),
        ("islam", "Ibn Sina (Avicenna) was a Muslim; his religion was Islam.", "a word for the believer before"),
        ("catholic", "Roman Catholicism", "an alias"),
        ("catholic", "Saint Thomas Aquinas belonged to the Catholic Church.", "a sentence"),
        ("politician", "Angela Merkel is a German politician and former scientist.", "another job"),
        ("politician", "Politician", "a capital"),
        ("politician", "a politician", "an article"),
        ("actor", "She was a French actress, singer and model.", "more jobs, which the graph does not hold"),
        ("yen", "The Japanese yen (¥, JPY)", "a sign and a code"),
        ("yen", "Yen", "an alias"),
        ("yen", "JPY", "a code"),
        ("krone", "the Norwegian krone (NOK)", "a code in brackets"),
        ("krone", "Norway uses the Norwegian krone, not the euro.", "contrast"),
        ("krone", "norwegian kroner", "a plural of another language"),
        ("iron", "Fe", "the label"),
        ("iron", "The symbol is Fe (from the Latin ferrum).", "where it comes from"),
        ("iron", "\\boxed{Fe}", "LaTeX"),
        ("helium", "He", "a name that is a word"),
        ("helium", "The chemical symbol for helium is He.", "a name that is a word, in a sentence"),
        ("nobelium", "No", "a name that is a word"),
        ("nobelium", "The symbol of nobelium is No.", "a name that is a word, in a sentence"),
        ("keats", "Unfortunately, he died in Rome.", "unfortunately is no abstention"),
        ("keats", "Keats died in Rome, Italy, on 23 February 1821, at the age of 25.", "date and age"),
        ("keats", "He was born in London but died in Rome.", "another event"),
        ("keats", "Keats, who was born in London, died in Rome.", "another event in a relative clause"),
        ("keats", "After leaving London, he died in Rome in 1821.", "another event before"),
        ("keats", "Roma", "an alias"),
        ("keats", "Rome (not London)", "contrast in brackets"),
        ("keats", "It wasn't London. It was Rome.", "contrast over two sentences"),
        ("keats", "London? No! Rome.", "a correction"),
        ("keats", "I believe it was Rome, although I can't be completely certain.", "a hedge behind"),
        ("keats", "Keats passed away in Rome.", "another verb"),
        ("byron", "Missolongi, Greece", "a typo"),
        ("byron", "Mesolonghi", "another transliteration"),
        ("freud", "Freud was born in Freiberg, lived in Vienna, and died in London.", "three events"),
        ("freud", "London, England", "with the country"),
        ("freud", "London, where Karl Marx also died", "another who died there"),
        ("obama", "Michelle Obama (née Robinson)", "the name of birth"),
        ("obama", "He married Michelle Obama in 1992.", "a sentence"),
        ("obama", "His wife is former First Lady Michelle Obama.", "a title"),
        ("clinton", "Hillary Rodham Clinton", "an alias"),
        ("clinton", "Former Secretary of State Hillary Clinton", "a title of several words"),
        ("pierre", "Marie Curie was married to Pierre Curie.", "the same surname as the subject"),
        ("pierre", "Pierre Curie, a French physicist", "what he was"),
        ("bolivar", "Simon Bolivar", "no accents"),
        ("bolivar", "It is named after Simón Bolívar, the Liberator.", "after, in a sentence"),
        ("bolivar", "Simón José Antonio de la Santísima Trinidad Bolívar... i.e. Simón Bolívar", "the full name"),
        ("kelvin", "Lord Kelvin (William Thomson)", "two names"),
        ("africa", "Africa", "the label"),
        ("africa", "in North Africa", "a part of it"),
        ("africa", "Egypt is located mainly in Africa.", "mainly"),
        ("south america", "South America", "a name of two words"),
        ("south america", "In the west of South America.", "a part of it"),
        ("1976", "April 1, 1976", "more exact"),
        ("1976", "Apple was founded in 1976 by Steve Jobs, Steve Wozniak and Ronald Wayne.", "by whom"),
        ("1976", "'1976'", "quotes"),
        ("rome", "753 BC", "the era"),
        ("rome", "According to tradition, Rome was founded in 753 B.C.", "by tradition"),
        ("rome", "21 April 753 BC", "more exact, with the era"),
        ("google", "September 4, 1998", "the American order"),
        ("google", "Sept. 4, 1998", "a month cut short"),
        ("google", "1998-09-04", "ISO"),
        ("google", "4/9/1998", "the British order in figures"),
        ("metal", "Metal", "an alias"),
        ("metal", "Metallica plays heavy metal music.", "the kind of thing"),
        ("jazz", "He played jazz, especially bebop and cool jazz.", "kinds of it"),
        ("jazz", "The genre is jazz.", "the kind of thing before"),
        (
            "keats",
            "<reasoning>He went to Italy for his health; Naples? No, Rome.</reasoning>\nRome",
            "reasoning is not said",
        ),
        ("keats", "**Answer**: Rome\n\n**Reasoning**: He moved there in 1820.", "bold headings"),
        ("keats", "Final Answer\n\nRome", "a heading"),
        ("keats", "```\nRome\n```", "a fence"),
        ("keats", '{"answer": ["Rome"]}', "JSON with a list"),
        ("keats", "Rome.\n\nIs there anything else I can help you with?", "an offer behind"),
        ("keats", "As an AI, I don't have personal opinions, but John Keats died in Rome.", "a disclaimer"),
        ("keats", "Ｒｏｍｅ。", "full-width letters and full stop"),
    ],
    "incorrect": [
        ("islam", "Christianity", "unknown to the graph"),
        ("islam", "Buddhism", "another entity"),
        ("catholic", "Lutheranism, not Catholicism", "ruled out"),
        ("politician", "mathematician", "another entity"),
        ("actor", "director", "unknown to the graph"),
        ("krone", "Danish krone", "another entity"),
        ("krone", "Swedish krona", "unknown to the graph"),
        ("dinar", "Iraqi dinar", "another entity"),
        ("dinar", "dinar", "a part of the name"),
        ("dinar", "Kuwaiti dinar or Iraqi dinar", "two answers"),
        ("iron", "Ir", "unknown to the graph"),
        ("iron", "I think it's As.", "another entity"),
        ("nobelium", "Nb", "unknown to the graph"),
        ("keats", "He was born in Rome but died in London.", "another event"),
        ("keats", "London", "another entity"),
        ("keats", "Naples", "unknown to the graph"),
        ("keats", "in Rome, New York or Paris", "more than one"),
        ("keats", "Not in Rome.", "ruled out"),
        ("keats", "He never was in Rome.", "ruled out"),
        ("keats", "Rome? I'd rather say London.", "a correction"),
        ("keats", "London and Rome", "two answers"),
        ("freud", "Vienna", "unknown to the graph"),
        ("obama", "Barbara Obama", "a surname in common"),
        ("obama", "Hillary Clinton", "another entity"),
        ("clinton", "Chelsea Clinton", "a surname in common"),
        ("pierre", "Irène Joliot-Curie", "a part of the surname"),
        ("bolivar", "José de San Martín", "unknown to the graph"),
        ("bolivar", "Amerigo Vespucci", "another entity"),
        ("africa", "Asia", "another entity"),
        ("south america", "North America", "a part is the same"),
        ("south america", "America", "a part of the name"),
        ("1976", "1977", "another year"),
        ("1976", "1976 BC", "another era"),
        ("1976", "in the 1970s", "a decade"),
        ("rome", "753 AD", "another era"),
        ("google", "September 1998", "less exact than asked"),
        ("google", "September 7, 1998", "another day"),
        ("metal", "thrash metal", "another entity that holds the alias"),
        ("jazz", "disco", "another entity"),
    ],
    "abstained": [
        ("keats", "I don't know where Keats died.", "with the subject"),
        ("obama", "I cannot answer questions about people's private lives.", "a refusal"),
        ("yen", "I'm not certain about that.", "doubt alone"),
        ("1976", "Sorry, I have no idea.", "no idea"),
        ("google", "The exact date is unclear.", "unclear"),
        ("africa", "Not sure!", "doubt alone"),
        ("jazz", "Information not available.", "not available"),
    ],
    "unparsed": [
        ("keats", "Keats died in ____.", "the question"),
        ("yen", "Japan", "the subject"),
        ("obama", "Barack Obama is married to", "cut off"),
    ],
}
SETS: list[tuple[str, str, str, int, str]] = [
    ("asthma", "Salbutamol, budesonide, and montelukast", "all", 0, "a capital"),
    ("asthma", "albuterol; budesonide; montelukast", "all", 0, "an alias"),
    ("asthma", "- Salbutamol (albuterol)\n- Budesonide\n- Montelukast\n- Theophylline", "all", 1, "one unknown"),
    ("asthma", "Asthma may be treated with inhaled bronchodilators such as salbutamol.", "salbutamol", 0, "such as"),
    ("asthma", "Salbutamol and prednisolone", "salbutamol", 1, "one unknown, small letters"),
    ("asthma", "montelukast, aspirin", "montelukast", 1, "one that the graph knows"),
    ("asthma", "Montelucast, Budesonid, Salbutamol", "all", 0, "typos and German forms"),
    ("gout", "Colchicine and allopurinol are commonly used.", "all", 0, "a sentence behind the list"),
    ("gout", "allopurinol, colchicine, NSAIDs", "all", 1, "one unknown"),
    ("gout", "Allopurinol. Avoid aspirin.", "allopurinol", 0, "advice against one"),
    ("orwell's", "Animal Farm, 1984", "all", 0, "an alias in figures"),
    ("orwell's", '"Animal Farm" (1945) and "Nineteen Eighty-Four" (1949)', "all", 0, "quotes and years"),
    ("orwell's", "1984 and Brave New World", "Nineteen Eighty-Four", 1, "one unknown of three words"),
    ("austen's", "Pride and Prejudice, Sense and Sensibility, Emma", "all", 0, "'and' in names"),
    ("austen's", "Emma and Pride and Prejudice and Sense and Sensibility", "all", 0, "'and' in names and between them"),
    (
        "austen's",
        "Pride and Prejudice (1813), Emma (1815), Persuasion (1817)",
        "Pride and Prejudice|Emma",
        1,
        "one unknown, years",
    ),
    ("austen's", "Pride & Prejudice; Sense & Sensibility; Emma", "all", 0, "the sign for and in names"),
    (
        "austen's",
        "1. *Pride and Prejudice*\n2. *Sense and Sensibility*\n3. *Emma*\n4. *Mansfield Park*",
        "all",
        1,
        "italics, one unknown",
    ),
    ("shakespeare's", "Hamlet, Romeo and Juliet", "Hamlet|Romeo and Juliet", 0, "one is missing"),
    ("shakespeare's", "Hamlet, Macbeth, Romeo and Juliet, Antony and Cleopatra", "all", 1, "one unknown"),
    ("ann", "Trinidad and Tobago, Antigua and Barbuda and São Tomé and Príncipe", "all", 0, "'and' throughout"),
    ("ann", "Sao Tome and Principe, Trinidad and Tobago", "São Tomé and Príncipe|Trinidad and Tobago", 0, "no accents"),
    ("ann", "Trinidad, Tobago", "", 2, "the halves of a name"),
    ("eve", "Ivory Coast and Aland", "all", 0, "an alias, no ring"),
    ("eve", "Cote d’Ivoire, Åland", "all", 0, "a curly apostrophe"),
    ("borg", "The years 1976, 1977, and 1980.", "all", 0, "the kind of thing before"),
]
SETS_OF_NOTHING = [
    ("asthma", "I'm not a doctor and can't provide medical advice.", "abstained", "a refusal"),
    ("ann", "I don't know where Ann has been.", "abstained", "with the subject"),
    ("austen's", "Sorry, I don't know.", "abstained", "an apology"),
    ("austen's", "Austen wrote", "unparsed", "cut off"),
]
CHOICES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("mc yen", "C", "the letter"),
        ("mc yen", "Norwegian krone", "the text"),
        ("mc yen", "C) Norwegian krone (NOK)", "a code in brackets"),
        ("mc yen", "The third option: Norwegian krone", "its place and text"),
        (
            "mc yen",
            "Option C is correct because Norway uses the Norwegian krone, whereas Denmark uses the Danish krone.",
            "contrast",
        ),
        ("mc keats", "D) Rome", "letter and text"),
        ("mc keats", "The last one.", "its place"),
        ("mc keats", "D. He was born in London, but died in Rome.", "another event"),
        ("mc keats", "Answer: D) Rome\n\nA) London is where he was born.", "another event behind"),
        ("mc keats", "We can rule out A, B and C. So D.", "three are ruled out"),
        ("mc keats", "I choose option D", "a sentence"),
        ("mc iron", "Fe", "the text"),
        ("mc iron", "B", "the letter"),
        ("mc jazz", "c) jazz", "letter and text"),
        ("mc jazz", "It's jazz.", "a sentence"),
    ],
    "incorrect": [
        ("mc yen", "Danish krone", "another option"),
        ("mc keats", "A) London", "another option"),
        ("mc keats", "A, B, C, D", "all letters"),
        ("mc keats", "Not Rome, London.", "ruled out"),
        ("mc keats", "Either C or D", "two letters"),
        ("mc jazz", "B", "another letter"),
        ("mc jazz", "The first choice", "another place"),
    ],
    "abstained": [("mc keats", "I don't know which one is right.", "doubt"), ("mc yen", "Unknown", "the word alone")],
    "unparsed": [("mc keats", "Keats", "the subject"), ("mc yen", "krone", "a part of two options")],
}
STATEMENTS: dict[str, list[tuple[str, str]]] = {
    "correct": [
        ("Yes - correct.", "a dash"),
        ("I can confirm that the statement is correct.", "confirm"),
        ("There is no doubt that this is correct.", "no doubt"),
        ("**True.** He was born there in 1879, not in 1880.", "a negation of something else"),
        ("Answer: Correct (no corrections needed)", "no in brackets"),
        ("The statement is correct, not incorrect.", "contrast"),
        ("Sure, it's correct.", "an opening"),
        ("Statement is right", "another word"),
    ],
    "incorrect": [
        ("Unfortunately, the statement is not correct.", "an apology"),
        ("I'm afraid that's not right.", "an apology"),
        ("The statement contains an error. It is incorrect.", "an error"),
        ("It would be wrong.", "another word"),
        ("Never true.", "never"),
        ("Incorrect!! He wasn't born there.", "marks"),
        ("The statement is incorrect, not correct.", "contrast"),
        ("No evidence supports that; the statement is false.", "no evidence"),
        ("That isn't accurate: he was born in Munich.", "negated"),
    ],
    "abstained": [("I'm unable to verify the accuracy of this statement.", "a refusal"), ("Can't say.", "short")],
    "unparsed": [("True or false?", "the question"), ("I see.", "nothing")],
}


@hard.rows(NAMES)
def test_one_name(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.set_rows(SETS)
def test_a_set(name: str, reply: str, named: str, wrong: int, reason: str) -> None:
    hard.check_set(name, reply, named, wrong, reason)


@pytest.mark.parametrize(("name", "reply", "verdict", "reason"), SETS_OF_NOTHING)
def test_no_set(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.rows(CHOICES)
def test_one_choice(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.statement_rows(STATEMENTS)
def test_a_statement(side: str, reply: str, reason: str) -> None:
    hard.check_statement(side, reply, reason)
