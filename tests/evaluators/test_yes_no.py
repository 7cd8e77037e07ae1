"""Yes/no questions and statements that no graph tells of, answered in sentences instead of labels."""

from __future__ import annotations

import pytest

import factprobe

SIDE_OF = {"Y": "correct", "N": "incorrect", "-": "unparsed", "D": "abstained"}
"""The side that a reply takes: the statement holds, does not hold, none is taken, it declines to take one."""

Case = tuple[str, str, str]
"""The side, the statement or question, the reply."""

LABELS: list[Case] = [
    ("Y", "Mandela spent 27 years in prison.", "SUPPORTS"),
    ("N", "Mandela spent 27 years in prison.", "REFUTES"),
    ("Y", "Mandela spent 27 years in prison.", "Label: SUPPORTS"),
    ("N", "Mandela spent 27 years in prison.", "REFUTES. He spent 18 years in prison."),
    ("Y", "Mandela spent 27 years in prison.", "Supports - the evidence says so."),
    ("Y", "Mandela spent 27 years in prison.", "The claim is supported: he was freed in 1990."),
    ("Y", "Mandela spent 27 years in prison.", "The claim is supported."),
    ("Y", "Mandela spent 27 years in prison.", "The claim is fully supported by the sources."),
    ("N", "Mandela spent 27 years in prison.", "The claim is not supported."),
    ("N", "Mandela spent 27 years in prison.", "The claim is unsupported."),
    ("N", "Mandela spent 27 years in prison.", "The evidence refutes the claim."),
    ("Y", "Mandela spent 27 years in prison.", "The evidence supports the claim."),
    ("D", "Mandela spent 27 years in prison.", "NOT ENOUGH INFO"),
    ("D", "Mandela spent 27 years in prison.", "Not enough information."),
    ("-", "Mandela spent 27 years in prison.", "He supports the ANC."),
    (
        "Y",
        "is a tomato botanically a fruit",
        "Botanically speaking, a tomato is a fruit, more precisely a berry",
    ),
    ("N", "Einstein was born in Munich.", "More precise would be Ulm."),
    ("N", "is a tomato a vegetable", '"Vegetable" is a culinary term; a tomato is not a vegetable.'),
    ("Y", "can bats see", '"Blind as a bat" is a misconception – bats can see.'),
    ("Y", "can bats see", 'The saying "blind as a bat" is a myth. Bats can see.'),
    ("N", "Bats are blind.", '"Bats are blind" is a myth.'),
    ("N", "Are bats blind?", "That bats are blind is a myth."),
    ("N", "Are bats blind?", "The idea that bats are blind is a misconception."),
    ("-", "Are viruses considered to be alive?", "It depends. Some scientists say yes, others say no."),
    ("-", "Are viruses considered to be alive?", "Some say yes and some say no."),
    ("N", "Are viruses considered to be alive?", "Some say yes, but the answer is no."),
    ("-", "A triangle can have two right angles.", "Two right angles add up to 180°."),
    ("N", "A triangle can have two right angles.", "That is not right."),
    ("Y", "A triangle can have two right angles.", "Right."),
    ("Y", "A triangle can have two right angles.", "You are right."),
    ("Y", "Are right angles always 90 degrees?", "Right, they are always 90 degrees."),
    ("N", "Was Napoleon short?", "No, Napoleon was of average height."),
    ("-", "The False Claims Act was passed in 1863.", "The False Claims Act was signed by Lincoln."),
    ("N", "The False Claims Act was passed in 1863.", "False, the False Claims Act was passed in 1867."),
    ("N", "X is Y.", "The statement is not entirely correct."),
    ("-", "X is Y.", "The statement is not entirely incorrect."),
    (
        "-",
        "X is Y.",
        "The statement is not entirely incorrect, as it grows there. The statement is not entirely correct though.",
    ),
    ("-", "X is Y.", "The statement is partly correct."),
    ("N", "X is Y.", "The statement is not entirely wrong, but the answer is false."),
    ("N", "X is Y.", "This is not quite right."),
]
"""Words for true and false: those of FEVER, those of a part of the reply that judges no statement, half-truths."""

AFFIRMED: list[Case] = [
    (
        "Y",
        "do penguins live in the southern hemisphere",
        "Penguins live almost exclusively in the Southern Hemisphere.",
    ),
    ("Y", "is a tomato botanically a fruit", "Botanically speaking, a tomato is a fruit."),
    ("-", "is a tomato botanically a fruit", "A tomato is a fruit salad ingredient."),
    ("-", "Is Pluto a planet?", "Pluto is a dwarf planet."),
    ("Y", "Are dolphins mammals?", "Dolphins are marine mammals: they breathe air."),
    ("-", "Are dolphins mammals?", "Dolphins are mammal-like fish."),
    ("-", "Was Barack Obama born in Kenya?", "Barack Obama's father was born in Kenya."),
    ("-", "Was Barack Obama born in Kenya?", "The father of Barack Obama was born in Kenya."),
    ("-", "Was Barack Obama born in Kenya?", "Some people claim that Barack Obama was born in Kenya."),
    ("-", "Was Barack Obama born in Kenya?", "If Barack Obama was born in Kenya, he could not be president."),
    ("-", "Was Barack Obama born in Kenya?", "Was Barack Obama born in Kenya"),
    ("-", "Was Barack Obama born in Kenya?", "Barack Obama was born in Hawaii and visited Kenya."),
    ("-", "Was Beethoven born in Vienna?", "Beethoven was born in Bonn and died in Vienna."),
    ("-", "Was Beethoven born in Vienna?", "Beethoven was born in Bonn, moved to Vienna and died there."),
    ("Y", "Was Beethoven born in Bonn?", "Ludwig van Beethoven was born in Bonn and died in Vienna."),
    ("-", "Did the Beatles write Twist and Shout?", "The Beatles may have written Twist and Shout."),
    ("Y", "Did the Beatles write Yesterday?", 'The Beatles wrote "Yesterday" in 1965.'),
    ("-", "Did the Beatles write Yesterday?", "The Beatles producer George Martin wrote Yesterday."),
    ("Y", "Is the tongue a muscle?", "It is a muscle."),
    ("-", "Is the tongue a muscle?", "The tongue muscle is strong."),
    ("-", "Is the moon larger than mercury?", "Mercury is larger than the Moon."),
    ("-", "Is the moon larger than mercury?", "It's a planet like Mercury."),
    ("Y", "Is mercury larger than the moon?", "Mercury is slightly larger than the Moon."),
    ("-", "Are all squares rectangles?", "All rectangles are squares."),
    ("Y", "Are all squares rectangles?", "All squares are rectangles."),
    ("-", "Are all squares rectangles?", "Some squares are rectangles."),
    ("-", "Are all squares rectangles?", "Squares are rectangles."),
    (
        "-",
        "Is New York the capital of the United States?",
        "New York was the capital of the United States from 1785 to 1790.",
    ),
    (
        "-",
        "Is New York the capital of the United States?",
        "New York is the financial capital of the United States art market.",
    ),
    (
        "-",
        "Did Marie Curie win the Nobel Prize in Chemistry in 1903?",
        "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
    ),
    (
        "-",
        "Did Marie Curie win the Nobel Prize in Physics in 1911?",
        "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
    ),
    (
        "Y",
        "Did Marie Curie win the Nobel Prize in Physics in 1903?",
        "Marie Curie won the Nobel Prize in Physics in 1903 and in Chemistry in 1911.",
    ),
    ("Y", "Python was created by Guido van Rossum.", "Guido van Rossum created Python in the late 1980s."),
    ("-", "Python was created by Guido van Rossum.", "Python was created by Guido van Rossum."),
    ("-", "Python was created by Guido van Rossum.", "Statement: Python was created by Guido van Rossum."),
    ("Y", "Did Guido van Rossum create Python?", "Python was created by Guido van Rossum."),
    ("-", "Does the Earth orbit the Sun?", "The Sun orbits the Earth."),
    ("Y", "Does the Earth orbit the Sun?", "The Earth orbits the Sun once a year."),
    ("Y", "Is sodium chloride the same as table salt?", "Sodium chloride is the same as table salt."),
    ("-", "Is sodium chloride the same as table salt?", "Is sodium chloride the same as table salt"),
    ("-", "is sodium chloride the same as table salt", "is sodium chloride the same as table salt"),
    ("Y", "Would a vegan eat honey?", "A vegan would eat honey."),
    ("-", "Would a vegan eat honey?", "A vegan would eat honey if it were made of plants."),
    ("-", "Would a vegan eat honey?", "A vegan might eat honey."),
    ("Y", "Can humans survive without water for a week?", "Humans can survive without water for a week."),
    ("-", "Can humans survive without water for a week?", "Humans can survive with water for a week."),
    ("-", "Is the Great Wall visible from space?", "It is often said that the Great Wall is visible from space."),
    ("-", "Is the Great Wall visible from space?", "The idea that the Great Wall is visible from space is old."),
    ("Y", "Is Brazil a member of the UN?", "Brazil is a founding member of the UN."),
    ("-", "Is Brazil a member of NATO?", "Brazil is a former member of NATO."),
    ("-", "Is Brazil a member of NATO?", "Brazil is too far away to be a member of NATO."),
    ("Y", "Is there water on Mars?", "There is water on Mars, mostly as ice."),
    ("N", "Is there water on Mars?", "There is no water on Mars."),
    ("-", "Is there water on Mars?", "There is little water on Mars."),
    ("Y", "Does Canada have a prime minister?", "Canada has a prime minister, who is the head of government."),
    ("N", "Does Canada have a president?", "Canada has a prime minister rather than a president."),
    ("N", "Does Canada have a president?", "Unlike the US, Canada has no president."),
    ("Y", "Is a whale a mammal?", "A whale is a mammal and not a fish."),
    ("Y", "Is a spider an arachnid?", "Spiders are arachnids, not insects."),
    ("Y", "Lyon is the capital of France.", "Lyon is the capital of France, not Paris."),
    ("N", "Is Lyon the capital of France?", "Lyon is not the capital of France."),
    ("-", "Is a whale a fish?", "A whale looks like a fish."),
    ("-", "Are cats good pets?", "Most cats sleep a lot; good pets are dogs."),
    ("Y", "Is it true that cats sleep a lot?", "Cats sleep a lot."),
    ("Y", "Is this statement true? Cats sleep a lot.", "Cats sleep a lot, up to 16 hours a day."),
    ("-", "Is this statement true? Cats sleep a lot.", "Cats sleep a lot."),
    ("-", "Was the company founded in 1950?", "The company was founded in 1901 and dissolved in 1950."),
    ("Y", "Was Einstein born in 1879?", "Einstein was born on 14 March 1879 in Ulm."),
    ("-", "Was Lincoln the first president?", "Lincoln was the sixteenth president, and Washington the first."),
    ("-", "Is Spanish spoken in Brazil?", "Portuguese, which is like Spanish, is spoken in Brazil."),
    ("Y", "Is Portuguese spoken in Brazil?", "Portuguese is the language that is spoken in Brazil."),
    ("-", "Do snakes have legs?", "The ancestors of snakes had legs."),
    ("-", "Do snakes have legs?", "Snakes had legs once."),
    ("-", "Does aspirin cause ulcers?", "A study found that aspirin causes ulcers."),
]
"""Replies with the words of the statement, which they affirm or not."""

DENIED: list[Case] = [
    (
        "N",
        "Would a vegan eat a traditional Caesar salad?",
        "A vegan wouldn't eat it, because it's made with egg, Parmesan and often anchovies.",
    ),
    ("N", "is spider an insect", "Spiders are arachnids, not insects. They have eight legs."),
    ("Y", "is spider an arachnid", "Spiders are arachnids, not insects. They have eight legs."),
    (
        "N",
        "Are viruses considered to be alive?",
        "Most biologists do not consider viruses to be alive, since they can't reproduce.",
    ),
    ("Y", "Are all squares rectangles?", "All squares are rectangles, but not all rectangles are squares."),
    ("N", "Are all rectangles squares?", "All squares are rectangles, but not all rectangles are squares."),
    ("N", "is chess an olympic sport", "Chess is recognised by the IOC, but it isn't an Olympic sport."),
    ("N", "do sharks have bones", "Sharks have no bones. Their skeleton is made of cartilage."),
    (
        "N",
        "Can dogs eat chocolate?",
        "Dogs can't eat chocolate because it contains theobromine, which is toxic to them.",
    ),
    ("Y", "Does vitamin C cure scurvy?", "Vitamin C cures scurvy but doesn't cure colds."),
    ("N", "Does vitamin C cure colds?", "Vitamin C cures scurvy but doesn't cure colds."),
    ("D", "Does vitamin C cure colds?", "I don't know whether vitamin C cures colds, honestly, sorry."),
    (
        "Y",
        "Lightning never strikes twice.",
        "Lightning never strikes the same place twice, as the saying goes, and twice is rare.",
    ),
    ("-", "Is the moon larger than mercury?", "Mercury is not larger than the Moon."),
    ("N", "Is the moon larger than mercury?", "The Moon is not larger than Mercury; it is about 30% smaller."),
    ("N", "Did Edison invent the telephone?", "The telephone was not invented by Edison."),
    ("N", "Did Edison invent the telephone?", "It was not Edison who invented the telephone."),
    (
        "N",
        "Did Edison invent the telephone?",
        "Edison didn't invent the telephone, although he improved its transmitter.",
    ),
    ("-", "Did Edison invent the telephone?", "Edison did not only invent the telephone."),
    ("Y", "Do whales breathe air?", "Whales breathe air, not water."),
    ("N", "Do whales breathe water?", "Whales breathe air, not water."),
    (
        "N",
        "can you drive from alaska to texas without leaving the us",
        "You can't drive from Alaska to Texas without crossing Canada.",
    ),
    ("-", "Is glass a liquid?", "Glass is not a good conductor."),
    ("N", "Is there oxygen on the Moon?", "There isn't any oxygen on the Moon, so astronauts carry their own."),
    ("-", "Is aspirin a cure for cancer?", "There has been no evidence on that."),
    ("N", "Can all birds fly?", "Not all birds can fly, since penguins and ostriches can't."),
    ("Y", "Is the whale a mammal?", "The whale is a mammal, not a fish, although it lives in the sea."),
]
"""Replies that deny the statement, or something else."""


@pytest.mark.parametrize(("side", "asked", "reply"), [*LABELS, *AFFIRMED, *DENIED])
def test_a_reply_takes_a_side(side: str, asked: str, reply: str) -> None:
    row = {"question": asked, "response": reply, "question_type": "binary_answer"}
    for gold in ("correct", "incorrect"):
        (found,) = factprobe.grade_answers([row | {"answers": [gold]}])
        taken = SIDE_OF[side]
        assert found.verdict == (taken if side in "-D" else "correct" if taken == gold else "incorrect")
