"""Replies that decline to answer, in the wordings of many families, and answers that only look like it."""

from __future__ import annotations

import pytest

from factprobe.evaluators.language.abstention import declines, only_declines, without_abstentions
from factprobe.evaluators.language.families import Families
from factprobe.text import normalise
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, World, graded

BORN = World("[X] was born in [Y].", {**w.BORN.facts, "Charles Dickens": ["Portsmouth"]}, w.BORN.aliases)
ALBUMS = World(
    "The album [X] is by [Y].",
    {
        "Unknown Pleasures": ["Joy Division"],
        "I Don't Know": ["The Shrugs"],
        "Unknown": ["Linkin Shore"],
        "Not Sure": ["The Idle"],
        "Tragic Kingdom": ["No Doubt"],
        "No Idea": ["The Clues"],
        "Leisure": ["Blur"],
        "Beats Me": ["Ann Ray"],
    },
)
NOVELS = World(
    "[X] was written by [Y].",
    {
        "I Don't Know How She Does It": ["Allison Pearson"],
        "War and Peace": ["Leo Tolstoy"],
        "Nobody Knows My Name": ["James Baldwin"],
        "The Unknown Soldier": ["Väinö Linna"],
        "Who Knows": ["Sam Cole"],
    },
)
EINSTEIN = w.ask_object(BORN, "Albert Einstein")
DICKENS = w.ask_object(BORN, "Charles Dickens")
LANGUAGES = w.ask_object(w.SPEAKS, "Switzerland")
OPTIONS = w.choose(BORN, "Albert Einstein", "Munich", "Ulm", "Paris")

DECLINES = [
    ("I don't have reliable information about Albert Einstein's birthplace.", "it lacks what it would need"),
    ("Unknown to me.", "it is not known"),
    ("I haven't a clue which town it was.", "it does not know"),
    ("My knowledge doesn't reach that far, so I can't tell.", "its knowledge does not reach so far"),
    ("Sorry, that town isn't one I can place.", "it does not know"),
    ("Either city would be a mere guess from me, so I'd rather leave it blank.", "it will not guess"),
    ("I haven't the faintest idea.", "it does not know"),
    ("I do not possess any specific details regarding this person's place of birth.", "it lacks what it would need"),
    ("There is no reliable information available to me on this.", "it lacks what it would need"),
    ("I have no verified data about where he was born.", "it lacks what it would need"),
    ("That's beyond the scope of my knowledge.", "its knowledge does not reach so far"),
    ("This falls outside of my training data.", "its knowledge does not reach so far"),
    ("My training data does not include this.", "its knowledge does not reach so far"),
    ("I couldn't tell you where he was born.", "it is not able"),
    ("That one escapes me.", "it does not know"),
    ("It has slipped my mind.", "it does not know"),
    ("Can't remember, sorry.", "it is not able"),
    ("I never learned where he was born.", "it does not know"),
    ("I've never heard of this person.", "it does not know"),
    ("I'm not familiar with this individual.", "it does not know"),
    ("I'm afraid I am drawing a blank on this one.", "it does not know"),
    ("You've got me there.", "it does not know"),
    ("No clue whatsoever.", "it does not know"),
    ("I have absolutely no idea.", "it does not know"),
    ("I've got no idea, to be honest.", "it does not know"),
    ("I would only be guessing.", "it will not guess"),
    ("I'd just be guessing, so I won't answer.", "it will not guess"),
    ("I'd prefer not to guess.", "it will not guess"),
    ("I'd rather not speculate.", "it will not guess"),
    ("I'll pass on this one.", "it will not guess"),
    ("I'll have to pass.", "it will not guess"),
    ("I must decline to answer.", "it will not guess"),
    ("I'm going to leave this blank.", "it will not guess"),
    ("I am unable to identify the birthplace.", "it is not able"),
    ("It's impossible for me to say.", "it is not able"),
    ("I can't give you a definite answer.", "it is not able"),
    ("I cannot fill in the blank with certainty.", "it does not know"),
    ("I cannot reliably fill in this blank.", "it does not know"),
    ("I can't be sure.", "it is not able"),
    ("The birthplace is not something I have information on.", "it lacks what it would need"),
    ("That is not something I know.", "it does not know"),
    ("This isn't a fact I can recall.", "it does not know"),
    ("I don't recall.", "it does not know"),
    ("I'm at a loss here.", "it does not know"),
    ("I lack the information needed to answer.", "it lacks what it would need"),
    ("There's insufficient context to determine this.", "it lacks what it would need"),
    ("The question does not provide enough information.", "it lacks what it would need"),
    ("I'm not aware of where he was born.", "it does not know"),
    ("I was not able to find any record of his birthplace.", "it lacks what it would need"),
    ("His birthplace is not publicly known.", "it does not know"),
    ("His place of birth is lost to history.", "it is not known"),
    ("Nobody really knows where he was born.", "it is not known"),
    ("Not known.", "it is not known"),
    ("Who knows?", "it is not known"),
    ("Hmm, I wish I knew!", "it does not know"),
    ("Don't know, don't care.", "it does not know"),
    ("dunno lol", "it does not know"),
    ("idk tbh", "it does not know"),
    ("idk, sorry", "it does not know"),
    ("I am not certain about this one.", "it does not know"),
    ("I'm really not sure.", "it does not know"),
    ("I'm not entirely sure about that.", "it does not know"),
    ("Unfortunately, I do not have access to this information.", "it lacks what it would need"),
    (
        "Unfortunately, I don't have enough information to answer this question accurately.",
        "it lacks what it would need",
    ),
    ("As a language model, I cannot verify biographical details.", "it lacks what it would need"),
    ("I apologize, but I am not able to provide that information.", "it lacks what it would need"),
    ("I'm sorry, but I can't help with that.", "it is not able"),
    ("Sorry, no idea.", "it does not know"),
    ("I can't find anything about it in my memory.", "its knowledge does not reach so far"),
    ("I do not have that information in my knowledge base.", "its knowledge does not reach so far"),
    ("I'm drawing a blank.", "it does not know"),
    ("Your guess is as good as mine.", "it does not know"),
    ("I honestly could not say.", "it is not able"),
    ("Hard to say.", "it is not able"),
    ("It's hard to know without more context.", "it lacks what it would need"),
    ("I would need more information to answer.", "it lacks what it would need"),
    ("I can't recall the exact town.", "it is not able"),
    ("The answer is unknown.", "it is not known"),
    ("I do not wish to guess.", "it will not guess"),
    ("No answer.", "it does not know"),
    ("Not enough info.", "it lacks what it would need"),
    ("I can't determine that from the sentence alone.", "it is not able"),
    ("It is unclear to me.", "it is not known"),
    ("I'm not confident enough to answer.", "it lacks what it would need"),
    ("I don't feel confident giving an answer.", "it does not know"),
    ("I have no knowledge of this.", "it does not know"),
    ("I have no recollection of the place.", "it does not know"),
    ("That information is unavailable to me.", "it lacks what it would need"),
    ("I'm clueless about this.", "it does not know"),
    ("That's a mystery to me.", "it does not know"),
    ("Das weiß ich leider nicht.", "another language"),
    ("Ich weiß es leider nicht.", "another language"),
    ("Keine Ahnung.", "another language"),
    ("Ich kann die Frage leider nicht beantworten.", "another language"),
    ("Je ne sais pas où il est né.", "another language"),
    ("Je n'en ai aucune idée.", "another language"),
    ("Désolé, je ne connais pas la réponse.", "another language"),
    ("No tengo ni idea.", "another language"),
    ("No lo sé con certeza.", "another language"),
    ("No tengo información sobre eso.", "another language"),
    ("Non ne ho idea.", "another language"),
    ("Não faço a menor ideia.", "another language"),
    ("Não tenho certeza.", "another language"),
    ("Ik weet het niet.", "another language"),
    ("Geen idee, sorry.", "another language"),
    ("Jag vet inte.", "another language"),
    ("Nie mam pojęcia.", "another language"),
    ("Я не знаю ответа на этот вопрос.", "another language"),
    ("Понятия не имею.", "another language"),
    ("К сожалению, я не знаю.", "another language"),
    ("すみません、わかりません。", "another language"),
    ("申し訳ありませんが、その情報は持っていません。", "another language"),
    ("抱歉，我不知道。", "another language"),
    ("我不确定他出生在哪里。", "another language"),
    ("죄송합니다. 잘 모르겠습니다.", "another language"),
    ("لا أعرف", "another language"),
    ("Bilmiyorum.", "another language"),
    ('{"answer": "unknown"}', "it is not known"),
    ("[unknown]", "it is not known"),
    ("(I don't know)", "it does not know"),
    ("**I don't know.**", "it does not know"),
    ("Answer: I don't know", "it does not know"),
    ("Final answer: unknown", "it is not known"),
    ("____ (I don't know)", "it does not know"),
    ("Albert Einstein was born in an unknown place.", "it is not known"),
    ("Albert Einstein was born in [unknown].", "it is not known"),
    ("I don't know the exact answer to this question.", "it does not know"),
    ("I don't think I know this one.", "it does not know"),
    ("I don't think I can answer that.", "it does not know"),
    ("Not that I know of.", "it does not know"),
    ("Cannot be determined from the given information.", "it lacks what it would need"),
    ("I can neither confirm nor recall it.", "it is not able"),
    ("Sorry, this one's not in my memory.", "its knowledge does not reach so far"),
    ("I know he was a physicist, but where he was born I can't remember.", "it is not able"),
    ("That's outside what I know.", "its knowledge does not reach so far"),
    ("I don't possess the knowledge to answer that.", "it does not know"),
    ("I do not currently have any information on that topic.", "it lacks what it would need"),
    ("I'm no expert on this, so I'd better not say.", "it does not know"),
    ("Better not to guess here.", "it will not guess"),
    ("I'd have to look that up.", "it does not know"),
    ("I would have to look it up.", "it does not know"),
    ("Let me be honest: I do not know.", "it does not know"),
    ("I regret that I have no answer for you.", "it does not know"),
    ("Nothing comes to mind.", "it does not know"),
    ("I can't place him.", "it is not able"),
    ("I won't hazard a guess.", "it will not guess"),
    ("I'd hate to guess.", "it will not guess"),
    ("It would be irresponsible to guess.", "it will not guess"),
    ("Any answer I gave would be a guess.", "it will not guess"),
    ("Whatever I say would be pure speculation.", "it will not guess"),
    ("I don't want to make something up.", "it will not guess"),
    ("I'd be making it up.", "it will not guess"),
    ("My memory fails me here.", "its knowledge does not reach so far"),
    ("It's not in my training data.", "its knowledge does not reach so far"),
    ("My training doesn't cover that.", "its knowledge does not reach so far"),
    ("That's past my knowledge cutoff.", "its knowledge does not reach so far"),
    ("I'm unable to recall.", "it is not able"),
    ("I simply don't have the answer.", "it does not know"),
    ("I don't have the answer to that one.", "it does not know"),
    ("I don't have a reliable answer.", "it does not know"),
    ("I don't have any idea.", "it does not know"),
    ("no information available", "it lacks what it would need"),
    ("Information not available.", "it lacks what it would need"),
    ("Not in my database.", "its knowledge does not reach so far"),
    ("Unable to determine.", "it is not able"),
    ("Unable to answer.", "it is not able"),
    ("Insufficient information.", "it lacks what it would need"),
    ("Unsure.", "it does not know"),
    ("Uncertain.", "it does not know"),
    ("N/A", "it does not know"),
    ("n.a.", "it does not know"),
    ("I'm afraid that's not something I can help you with.", "it does not know"),
    ("Honestly? No clue.", "it does not know"),
    ("Haven't got a clue, mate.", "it does not know"),
    ("That's a tough one. I don't have it.", "it does not know"),
    ("No data on this individual.", "it lacks what it would need"),
    ("I couldn't find any trustworthy source on this.", "it is not able"),
    ("It's not something I've come across.", "it does not know"),
    ("I can't confidently name the place.", "it is not able"),
    ("I can't think of it right now.", "it is not able"),
    ("I have forgotten.", "it does not know"),
    ("I forgot.", "it does not know"),
    ("I'm blanking on this.", "it does not know"),
    ("My apologies, but I lack sufficient data on this topic.", "it lacks what it would need"),
    ("Regrettably, I possess no knowledge of this.", "it does not know"),
    ("This is outside my area of expertise.", "its knowledge does not reach so far"),
    ("I'm not in a position to answer that.", "it does not know"),
    ("I don't have the necessary information to fill in this blank.", "it does not know"),
    ("There isn't enough detail in the sentence for me to answer.", "it lacks what it would need"),
    ("There is not enough information provided.", "it lacks what it would need"),
    ("It's not possible for me to answer this.", "it does not know"),
    ("I would not want to mislead you, so I won't answer.", "it does not know"),
    ("I have nothing on that.", "it does not know"),
    ("Not a clue.", "it does not know"),
    ("Not the foggiest.", "it does not know"),
    ("Couldn't say.", "it is not able"),
    ("Can't say I know.", "it is not able"),
    ("Wouldn't have a clue.", "it does not know"),
    ("I do not know this, I'm afraid.", "it does not know"),
    ("Never heard of him.", "it does not know"),
    ("Sorry, I don't recognise this name.", "it does not know"),
    ("I don't recognize this person.", "it does not know"),
    ("As far as I know, this isn't documented anywhere.", "it does not know"),
    ("The information you are asking for is not available to me.", "it lacks what it would need"),
    ("I need to be honest: this is not known to me.", "it is not known"),
    ("I cannot complete this sentence.", "it is not able"),
    ("I am not able to complete the sentence.", "it is not able"),
    ("I'm going to have to say I don't know.", "it does not know"),
    ("I'd say I don't know.", "it does not know"),
    ("It's anyone's guess.", "it will not guess"),
    ("Hard to tell.", "it is not able"),
    ("Difficult to say without further information.", "it lacks what it would need"),
    ("I'm uncertain about this.", "it does not know"),
    ("I'm not too sure.", "it does not know"),
    ("Not 100% sure, so I'd rather say I don't know.", "it will not guess"),
    ("I have doubts, so I won't commit to an answer.", "it does not know"),
    ("I will abstain.", "it does not know"),
    ("I abstain.", "it does not know"),
    ("I choose not to answer.", "it does not know"),
    ("I can't provide an answer to this.", "it is not able"),
    ("I can't provide a reliable answer.", "it is not able"),
    ("No information about this is contained in my training data.", "its knowledge does not reach so far"),
    ("That is not covered by my training data.", "its knowledge does not reach so far"),
    ("Leider kann ich dazu nichts sagen.", "another language"),
    ("Dazu liegen mir keine Informationen vor.", "another language"),
    ("Je ne dispose pas de cette information.", "another language"),
    ("Lo siento, no lo sé.", "another language"),
    ("Mi dispiace, non lo so.", "it does not know"),
    ("抱歉，我无法回答这个问题。", "another language"),
    ("申し訳ありませんが、わかりません。", "another language"),
]

ASKED = [
    (
        DICKENS,
        "As an AI I have no personal knowledge of the event, but the records point to Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "I can't verify this, but sources say Portsmouth.", "correct", "an answer beside the disclaimer"),
    (
        DICKENS,
        "I don't have access to live data, but it is generally given as Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (
        DICKENS,
        "As an AI, I do not have personal opinions. Historical records indicate Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (
        DICKENS,
        "I'm not entirely sure, but if I had to guess, Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (
        DICKENS,
        "I cannot say for certain, but most biographies name Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "I do not know for certain. My best guess is Portsmouth.", "correct", "an answer beside the disclaimer"),
    (
        DICKENS,
        "I'm unable to browse the internet, but from my training data: Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (
        DICKENS,
        "While I don't have the exact records at hand, Dickens was born in Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "I'm no expert, but Portsmouth.", "correct", "an answer beside the disclaimer"),
    (
        DICKENS,
        "Unfortunately, I can't recall the street, but the town was Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (
        DICKENS,
        "Unfortunately, he died in Rome. He was born in Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "I can't say for sure, but I lean towards Portsmouth.", "correct", "an answer beside the disclaimer"),
    (DICKENS, "It would only be a guess: Portsmouth.", "correct", "an answer beside the disclaimer"),
    (
        DICKENS,
        "I don't know much about his childhood, but he was born in Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "Not sure... Portsmouth?", "correct", "an answer beside the disclaimer"),
    (DICKENS, "Portsmouth, though I can't verify that.", "correct", "an answer beside the disclaimer"),
    (DICKENS, "Portsmouth (I'm not certain)", "correct", "an answer beside the disclaimer"),
    (DICKENS, "Portsmouth. I have no further information.", "correct", "an answer beside the disclaimer"),
    (
        DICKENS,
        "As an AI language model I don't have feelings about it, but the answer is Portsmouth.",
        "correct",
        "an answer beside the disclaimer",
    ),
    (DICKENS, "Munich, but I'm not sure.", "incorrect", "a guess beside the disclaimer"),
    (DICKENS, "I don't know, maybe Munich?", "incorrect", "a guess beside the disclaimer"),
    (DICKENS, "I don't know, maybe Gloomhaven?", "incorrect", "a guess beside the disclaimer"),
    (DICKENS, "I have no idea, perhaps Berlin.", "incorrect", "a guess beside the disclaimer"),
    (DICKENS, "I'm not sure, but I think it was Bristol.", "incorrect", "a guess beside the disclaimer"),
    (
        DICKENS,
        "I don't know where he was born, but he lived in Paris.",
        "abstained",
        "what it names is not given as the answer",
    ),
    (
        DICKENS,
        "I'm not sure where he was born. He later worked in Paris.",
        "abstained",
        "what it names is not given as the answer",
    ),
    (
        DICKENS,
        "I don't know whether it was Portsmouth or Munich.",
        "abstained",
        "what it names is not given as the answer",
    ),
    (DICKENS, "I can't say if it was Portsmouth.", "abstained", "what it names is not given as the answer"),
    (w.ask_object(ALBUMS, "I Don't Know"), '"I Don\'t Know" is by The Shrugs.', "correct", "a title"),
    (
        w.ask_object(ALBUMS, "I Don't Know"),
        "I don't know who made I Don't Know.",
        "abstained",
        "a phrase beside the title",
    ),
    (w.ask_object(ALBUMS, "I Don't Know"), "The Shrugs", "correct", "a title"),
    (
        w.ask_object(ALBUMS, "I Don't Know"),
        "I Don't Know was recorded by Blur.",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (w.ask_object(ALBUMS, "Unknown"), "The album Unknown is by Linkin Shore.", "correct", "a title"),
    (w.ask_object(ALBUMS, "Unknown"), "Unknown is by Blur.", "incorrect", "a wrong answer, not a phrase"),
    (w.ask_object(ALBUMS, "Unknown"), "The artist is unknown to me.", "abstained", "a phrase beside the title"),
    (w.ask_object(ALBUMS, "Unknown"), "I'm not familiar with Unknown.", "abstained", "a phrase beside the title"),
    (w.ask_object(ALBUMS, "Unknown Pleasures"), "Unknown Pleasures is by Joy Division.", "correct", "a title"),
    (
        w.ask_object(ALBUMS, "Unknown Pleasures"),
        "Unknown Pleasures is by Blur.",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (
        w.ask_object(ALBUMS, "Unknown Pleasures"),
        "The band behind Unknown Pleasures is unknown to me.",
        "abstained",
        "a phrase beside the title",
    ),
    (
        w.ask_object(ALBUMS, "Unknown Pleasures"),
        "Unknown Mortal Orchestra",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (
        w.ask_object(ALBUMS, "Unknown Pleasures"),
        "It is Unknown Mortal Orchestra.",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (w.ask_object(ALBUMS, "Tragic Kingdom"), "No Doubt", "correct", "a title"),
    (w.ask_object(ALBUMS, "Tragic Kingdom"), "Tragic Kingdom is by No Doubt, no doubt about it.", "correct", "a title"),
    (w.ask_object(ALBUMS, "No Idea"), "No Idea is an album by The Clues.", "correct", "a title"),
    (w.ask_object(ALBUMS, "No Idea"), "No idea.", "abstained", "a phrase beside the title"),
    (w.ask_object(ALBUMS, "No Idea"), "I have no idea who made No Idea.", "abstained", "a phrase beside the title"),
    (w.ask_object(ALBUMS, "Beats Me"), "Beats Me was made by Ann Ray.", "correct", "a title"),
    (w.ask_object(ALBUMS, "Beats Me"), "Beats me.", "abstained", "a phrase beside the title"),
    (w.ask_object(ALBUMS, "Beats Me"), '"Beats Me" is an album by Blur.', "incorrect", "a wrong answer, not a phrase"),
    (w.ask_object(ALBUMS, "Not Sure"), 'The Idle released "Not Sure".', "correct", "a title"),
    (w.ask_object(ALBUMS, "Not Sure"), "I'm not sure.", "abstained", "a phrase beside the title"),
    (
        w.ask_object(NOVELS, "I Don't Know How She Does It"),
        '"I Don\'t Know How She Does It" was written by Allison Pearson.',
        "correct",
        "a title",
    ),
    (
        w.ask_object(NOVELS, "I Don't Know How She Does It"),
        "I Don't Know How She Does It: a novel by Leo Tolstoy.",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (
        w.ask_object(NOVELS, "I Don't Know How She Does It"),
        "i don't know how she does it was written by allison pearson",
        "correct",
        "a title",
    ),
    (
        w.ask_object(NOVELS, "I Don't Know How She Does It"),
        "I don't know who wrote I Don't Know How She Does It.",
        "abstained",
        "a phrase beside the title",
    ),
    (
        w.ask_object(NOVELS, "I Don't Know How She Does It"),
        'The author of "I Don\'t Know How She Does It" is Jane Green.',
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (
        w.ask_object(NOVELS, "Nobody Knows My Name"),
        "Nobody Knows My Name is a collection by James Baldwin.",
        "correct",
        "a title",
    ),
    (
        w.ask_object(NOVELS, "Nobody Knows My Name"),
        "Nobody Knows My Name is by Toni Morrison.",
        "incorrect",
        "a wrong answer, not a phrase",
    ),
    (
        w.ask_object(NOVELS, "The Unknown Soldier"),
        "The Unknown Soldier is a novel by Väinö Linna.",
        "correct",
        "a title",
    ),
    (w.ask_object(NOVELS, "Who Knows"), "Who Knows is by Sam Cole.", "correct", "a title"),
    (w.ask_object(NOVELS, "Who Knows"), "Who knows?", "abstained", "a phrase beside the title"),
]


@pytest.mark.parametrize(("reply", "reason"), DECLINES, ids=[reply[:50] for reply, _ in DECLINES])
@pytest.mark.parametrize("asked", [EINSTEIN, LANGUAGES, OPTIONS], ids=["one", "list", "choice"])
def test_declines(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "abstained", reason
    assert (found.matched, found.false_positives) == ((), 0)


@pytest.mark.parametrize(
    ("asked", "reply", "verdict", "reason"), ASKED, ids=[f"{reply[:50]}-{verdict}" for _, reply, verdict, _ in ASKED]
)
def test_a_name_or_a_disclaimer(asked: Asked, reply: str, verdict: str, reason: str) -> None:
    assert graded(asked, reply).verdict == verdict, reason


@pytest.mark.parametrize(
    "text",
    [
        "He died in Rome, unfortunately.",
        "There is no doubt that it is Ulm.",
        "It was known to everybody.",
        "She could answer all questions.",
        "He knew no rest.",
        "The records are complete.",
        "I know it: Ulm.",
        "I can say that it was Ulm.",
        "My memory serves me well: Ulm.",
    ],
)
def test_does_not_decline(text: str) -> None:
    assert not declines(normalise(text))
    assert not only_declines(normalise(text))


def test_the_no_of_a_phrase_is_taken_out() -> None:
    assert without_abstentions("i have no idea if it is correct").split() == ["if", "it", "is", "correct"]


FAMILIES = Families(["not := not|never", "[he|she] (really|quite)* not knows (it|that)", "pass", "知らない"])


@pytest.mark.parametrize(
    "text", ["he not knows", "she never knows it", "so he really quite not knows that now", "pass it"]
)
def test_a_line_is_many_phrases(text: str) -> None:
    assert FAMILIES.within(text)


@pytest.mark.parametrize("text", ["they never knows", "he knows", "passes", "he really", "ashe not knows", ""])
def test_words_are_whole_and_all_there(text: str) -> None:
    assert not FAMILIES.within(text)


def test_a_phrase_is_all_of_a_text_or_a_part() -> None:
    assert FAMILIES.are_all_of("he never knows that")
    assert not FAMILIES.are_all_of("he never knows that man")
    assert FAMILIES.taken_out("yes he never knows that man").split() == ["yes", "man"]


def test_scripts_without_spaces() -> None:
    assert FAMILIES.within("私は知らないです")
    assert FAMILIES.are_all_of("知らない")
