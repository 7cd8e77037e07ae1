"""One option of several: the option that a careful person sees a reply choose."""

from __future__ import annotations

import pytest

from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

ULM = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "New York", "Paris")
WHO = w.choose_subject(w.BORN, "Ulm", "Marie Curie", "Edith Piaf", "Albert Einstein")
WASHINGTON = w.choose(w.BORN, "Duke Ellington", "Washington, D.C.", "Paris", "Munich")
GUINEA = w.choose(w.FLAG, "Sierra Leone", "Papua New Guinea", "Fiji", "Guinea", "Samoa")
PAPUA = w.choose(w.FLAG, "Indonesia", "Papua New Guinea", "Fiji", "Guinea", "Samoa")
PARIS = w.choose(w.BASED, "Paris Saint-Germain", "London", "Paris")
TEN_CITIES = ["Munich", "Ulm", "Paris", "Sofia", "Moscow", "Warsaw", "Rome", "Oslo", "Bonn", "Kiel"]
TEN = w.choose(w.BORN, "Albert Einstein", *TEN_CITIES)
TWO = w.choose(w.BORN, "Albert Einstein", "Ulm", "Munich")

VITAMINS = w.World("[X] is rich in [Y].", {"lemon": ["vitamin C"], "carrot": ["vitamin A"], "liver": ["vitamin B12"]})
SIGNED = w.World(
    "The law [X] was signed by [Y].",
    {"USA PATRIOT Act": ["George W. Bush"], "ADA": ["George H. W. Bush"], "Brady Act": ["Bill Clinton"]},
    {"George W. Bush": ["Bush", "Bush junior"]},
)
MARRIED = w.World("[X] is married to [Y].", {"Queen Victoria": ["Prince Albert"], "Elizabeth II": ["Prince Philip"]})
FAMILY = w.World(
    "[X] belongs to the family [Y].",
    {
        "blue whale": ["Balaenopteridae"],
        "right whale": ["Balaenidae"],
        "sperm whale": ["Physeteridae"],
        "dolphin": ["Delphinidae"],
    },
)
FOLLOWED = w.World(
    "[X] followed [Y].",
    {"Ann Lee": ["Shakers"], "George Fox": ["Quakerism"], "Richard Hooker": ["Anglicanism"]},
    {"Quakerism": ["Quakers"]},
)
FOUNDED = w.World(
    "[X] was founded in [Y].", {"Club": ["1887"], "Other": ["1878"], "Third": ["1892"], "Fourth": ["1867"]}
)
WRITERS = w.World(
    "[X] was written by [Y].",
    {
        "Narnia": ["C. S. Lewis"],
        "Emma": ["Jane Austen"],
        "Lolita": ["Vladimir Nabokov"],
        "Women in Love": ["D. H. Lawrence"],
    },
)
BANDS = w.World("The song [X] is by [Y].", {"Roundabout": ["Yes"], "Just a Girl": ["No Doubt"], "Hey": ["The Who"]})
PRESIDENTS = ("George W. Bush", "George H. W. Bush", "Bill Clinton")
PATRIOT = w.choose(SIGNED, "USA PATRIOT Act", *PRESIDENTS)
ADA = w.choose(SIGNED, "ADA", *PRESIDENTS)
VICTORIA = w.choose(MARRIED, "Queen Victoria", "Prince Philip", "Prince Albert")
WHALE = w.choose(FAMILY, "blue whale", "Balaenidae", "Balaenopteridae", "Physeteridae", "Delphinidae")
SHAKER = w.choose(FOLLOWED, "Ann Lee", "Quakerism", "Shakers", "Anglicanism")
YEARS = w.choose(FOUNDED, "Club", "1878", "1887", "1892", "1867")
VITAMIN = w.choose(VITAMINS, "lemon", "vitamin A", "vitamin C", "vitamin B12")
NARNIA = w.choose(WRITERS, "Narnia", "D. H. Lawrence", "Jane Austen", "C. S. Lewis", "Vladimir Nabokov")
ROUNDABOUT = w.choose(BANDS, "Roundabout", "No Doubt", "Yes", "The Who")
MENU = "A) Munich\nB) Ulm\nC) New York\nD) Paris"

CORRECT = [
    (ULM, "B", "the letter"),
    (ULM, "b", "case"),
    (ULM, "B.", "a full stop"),
    (ULM, "B)", "a bracket"),
    (ULM, "b)", "a bracket"),
    (ULM, "(B)", "brackets"),
    (ULM, "[B]", "square brackets"),
    (ULM, "B:", "a colon"),
    (ULM, " B \n", "white space"),
    (ULM, "**B**", "bold"),
    (ULM, "`B`", "code"),
    (ULM, '"B"', "quotes"),
    (ULM, "\\boxed{B}", "LaTeX"),
    (ULM, '{"answer": "B"}', "JSON"),
    (ULM, "B) Ulm", "letter and text"),
    (ULM, "B. Ulm", "letter and text"),
    (ULM, "(b) ulm", "letter and text"),
    (ULM, "B: Ulm", "letter and text"),
    (ULM, "B - Ulm", "letter and text"),
    (ULM, "B Ulm", "letter and text"),
    (ULM, "B\nUlm", "letter and text"),
    (ULM, "B)Ulm", "letter and text"),
    (ULM, "Ulm (B)", "text and letter"),
    (ULM, "**B) Ulm**", "bold"),
    (ULM, "Ulm", "the text"),
    (ULM, "ulm.", "the text"),
    (ULM, "ULM", "the text"),
    (ULM, "Albert Einstein was born in Ulm.", "the text in a sentence"),
    (ULM, "Albert Einstein was born in a city called Ulm.", "an article and the text"),
    (ULM, "The answer is B", "a lead"),
    (ULM, "The answer is B.", "a lead"),
    (ULM, "The answer is (B) Ulm.", "a lead"),
    (ULM, "The correct answer is B) Ulm.", "a lead"),
    (ULM, "Answer: B", "a lead"),
    (ULM, "answer: b", "a lead"),
    (ULM, "Option B", "a lead"),
    (ULM, "option b", "a lead"),
    (ULM, "The correct option is B.", "a lead"),
    (ULM, "I would pick option B.", "a lead"),
    (ULM, "I choose B.", "a sentence"),
    (ULM, "It's B.", "a sentence"),
    (ULM, "B is correct.", "a sentence"),
    (ULM, "I am not sure, but I think it is B.", "an answer follows the doubt"),
    (ULM, "I think it is Ulm.", "'I' is no letter here"),
    (ULM, "<think>A? No.</think>B", "what is thought is not said"),
    (ULM, "B\n\nExplanation: Ulm is where he was born.", "an explanation"),
    (ULM, "B) Ulm is the city where he was born.", "an explanation"),
    (ULM, "B. Ulm\n\nHe later lived in Munich.", "another option in the explanation"),
    (ULM, "B. " + "And so on. " * 90_000, "a megabyte after the letter"),
    (WHO, "C", "the letter"),
    (WHO, "C) Albert Einstein", "letter and text"),
    (WHO, "Albert Einstein was born in Ulm.", "the text in a sentence"),
    (WASHINGTON, "Washington, D.C.", "a comma in the text"),
    (WASHINGTON, "A) Washington, D.C.", "a comma in the text, with the letter"),
    (WASHINGTON, "The answer is Washington, D.C.", "a comma in the text"),
    (WASHINGTON, "Washington DC", "without comma and full stops"),
    (GUINEA, "Guinea", "a text that another holds"),
    (GUINEA, "C) Guinea", "a text that another holds, with the letter"),
    (PAPUA, "Papua New Guinea", "a text that holds another"),
    (PAPUA, "A. Papua New Guinea", "a text that holds another, with the letter"),
    (PARIS, "Paris Saint-Germain is based in Paris.", "the subject holds the text"),
    (TEN, "I think it is Ulm.", "'I' is no letter here, even of ten options"),
    (TEN, "B", "the letter, of ten"),
    (TWO, "A", "'A' alone is the letter"),
    (TWO, "A.", "'A' alone is the letter"),
]

INCORRECT = [
    (ULM, "A", "the letter of another"),
    (ULM, "a)", "the letter of another"),
    (ULM, "(C)", "the letter of another"),
    (ULM, "The answer is D.", "the letter of another"),
    (ULM, "Munich", "the text of another"),
    (ULM, "A) Munich", "letter and text of another"),
    (ULM, "Albert Einstein was born in New York.", "the text of another in a sentence"),
    (ULM, "B) Munich", "letter and text disagree"),
    (ULM, "A) Ulm", "letter and text disagree"),
    (ULM, "The answer is A, Ulm.", "letter and text disagree"),
    (ULM, "Ulm or Munich", "two options"),
    (ULM, "A or B", "two options"),
    (ULM, "Both A and B", "two options"),
    (ULM, "A, B", "two options"),
    (ULM, "B) Ulm\nC) New York", "two options"),
    (ULM, "\\boxed{A}", "LaTeX"),
    (WHO, "Marie Curie", "the text of another"),
    (WHO, "A", "the letter of another"),
    (GUINEA, "Papua New Guinea", "a text that holds the right one"),
    (GUINEA, "A) Papua New Guinea", "a text that holds the right one, with the letter"),
    (PAPUA, "Guinea", "a text that the right one holds"),
    (WASHINGTON, "Paris", "the text of another"),
    (PARIS, "London", "the text of another"),
]

ABSTAINED = [
    (ULM, "I don't know", "as the prompt asks"),
    (ULM, "I don't know.", "a full stop"),
    (ULM, "I'm not sure.", "doubt alone"),
    (ULM, "Unknown", "the word alone"),
    (ULM, "I cannot answer that.", "a refusal"),
    (WHO, "I do not know who was born in Ulm.", "with the object"),
    (TEN, "I don't know", "'I' is no letter here, even of ten options"),
    (PARIS, "I don't know where Paris Saint-Germain is based.", "the subject holds the text"),
]

UNPARSED = [
    (ULM, "", "nothing"),
    (ULM, " \t", "white space"),
    (ULM, "()", "punctuation"),
    (ULM, "🤷", "an emoji"),
    (ULM, "Albert Einstein", "the subject"),
    (ULM, "A city in Germany", "'A' is an article"),
    (ULM, "<think>B", "the reasoning does not end"),
    (WHO, "Ulm", "the object that is given"),
    (PARIS, "Paris Saint-Germain", "the subject, which holds the text"),
]

NOT_CORRECT = [
    (ULM, "E", "a letter beyond the options"),
    (ULM, "E) Berlin", "a letter beyond the options"),
    (ULM, "Berlin", "a text that is no option"),
    (ULM, "Ulmer", "a longer word"),
    (ULM, "None of the above", "no option"),
    (PARIS, "Paris Saint-Germain is a club.", "the subject holds the text"),
]


FREE = {
    "correct": [
        (VICTORIA, "A) Prince Philip. Hold on, he's Elizabeth's husband. B) Prince Albert.", "a correction"),
        (WHALE, "I'd say A... hmm, wait, those are the right whales. B.", "a correction"),
        (SHAKER, "A for the Quakers? They do not dance. B it is.", "a question before it"),
        (SHAKER, "Quakers? No, those are older. Shakers.", "a question before it"),
        (SHAKER, "C? No. A? Also no. B.", "a question before it"),
        (SHAKER, "Is it A? I don't think so. B then.", "a question before it"),
        (SHAKER, "Could it be A) Quakerism? She left that. So B) Shakers.", "a question before it"),
        (ULM, "A) Munich. On reflection, that is where he grew up. B) Ulm.", "a correction"),
        (ULM, "A. Scratch that. B.", "a correction"),
        (ULM, "A) Munich\n\nWait, he only grew up in Munich. The answer should be B) Ulm.", "a correction"),
        (ULM, "D... just kidding, B.", "a correction"),
        (ULM, "Paris. Just joking! It's Ulm.", "a correction"),
        (ULM, "A. Let me reconsider. He moved to Munich as an infant. B.", "a correction"),
        (ULM, "Munich? Hmm, on second thought, Ulm.", "a correction"),
        (ULM, "A) Munich — no, my mistake, B) Ulm.", "a correction"),
        (ULM, "I first thought A, but it is B.", "a first thought"),
        (ULM, "A at first glance, but B is right.", "a first thought"),
        (ULM, "My first instinct was C, but I'm going with B.", "a first thought"),
        (ULM, "A - oops, B.", "a correction"),
        (ULM, "A. Sorry, I misread. B.", "a correction"),
        (ULM, "A. Sorry, I mean B.", "a correction"),
        (ULM, "Answer: A. Correction: B.", "a correction"),
        (ULM, "A) Munich. Hmm, no. That's where he went to school. B) Ulm.", "a correction"),
        (ULM, "A) Munich. Actually, let me double-check. Einstein was born in Ulm. So B) Ulm.", "a correction"),
        (ULM, "A. Hang on. That's not right. B.", "a correction"),
        (ULM, "A. Strike that, B.", "a correction"),
        (ULM, "A. Or rather B.", "letter or text"),
        (ULM, "A, no, B.", "elimination or contrast"),
        (ULM, "A. Wait no, B", "a correction"),
        (ULM, "Option B - Ulm", "letter or text"),
        (ULM, "Option B – Ulm.", "another language or sign"),
        (ULM, "Option (B): Ulm", "letter or text"),
        (ULM, "option b) ulm", "letter or text"),
        (ULM, "Choice B: Ulm", "letter or text"),
        (ULM, "b. ulm", "letter or text"),
        (ULM, "b - ulm", "letter or text"),
        (ULM, "b: Ulm", "letter or text"),
        (ULM, "b, ulm", "letter or text"),
        (ULM, "B, Ulm", "letter or text"),
        (ULM, "B = Ulm", "letter or text"),
        (ULM, "B → Ulm", "another language or sign"),
        (ULM, "-> B", "letter or text"),
        (ULM, "=> B) Ulm", "letter or text"),
        (ULM, "→ B", "another language or sign"),
        (ULM, "**B** Ulm", "letter or text"),
        (ULM, "**B**: Ulm", "letter or text"),
        (ULM, "*b*", "letter or text"),
        (ULM, "The answer is **b**.", "letter or text"),
        (ULM, "the correct option is **(b) Ulm**", "several options named"),
        (ULM, "__B__", "letter or text"),
        (ULM, "### Answer\nB", "letter or text"),
        (ULM, "# B", "letter or text"),
        (ULM, "> B) Ulm", "letter or text"),
        (ULM, "- B) Ulm", "letter or text"),
        (ULM, "1. B) Ulm", "letter or text"),
        (ULM, '{"answer": "B", "explanation": "He was born there, not in Munich."}', "JSON or brackets"),
        (ULM, '{"letter": "B", "text": "Ulm"}', "JSON or brackets"),
        (ULM, '{"option": "B) Ulm"}', "JSON or brackets"),
        (ULM, '{"choice": "b"}', "JSON or brackets"),
        (ULM, '{"answer": {"letter": "B", "text": "Ulm"}}', "JSON or brackets"),
        (ULM, '{"B": "Ulm"}', "JSON or brackets"),
        (ULM, '```json\n{"answer": "B"}\n```', "JSON or brackets"),
        (ULM, '["B"]', "JSON or brackets"),
        (ULM, "<answer>B</answer>", "letter or text"),
        (ULM, "$\\boxed{B}$", "JSON or brackets"),
        (ULM, "\\boxed{\\text{B) Ulm}}", "JSON or brackets"),
        (ULM, "The final answer is $\\boxed{\\textbf{(B)}}$.", "JSON or brackets"),
        (ULM, MENU + "\n\nB", "the options one by one"),
        (ULM, MENU + "\n\nThe answer is B) Ulm.", "the options one by one"),
        (ULM, MENU + "\n\nAnswer: Ulm", "the options one by one"),
        (
            ULM,
            ("The options are:\nA) Munich\nB) Ulm\nC) New York\nD) Paris\n\nEinstein was born in Ulm, so B."),
            "the options one by one",
        ),
        (
            ULM,
            (
                "Which option fills the blank in this sentence? Albert Einstein was born in ____.\nA) "
                "Munich\nB) Ulm\nC) New York\nD) Paris\nB) Ulm"
            ),
            "the options one by one",
        ),
        (
            ULM,
            "The options are A) Munich, B) Ulm, C) New York and D) Paris. The right one is B.",
            "several options named",
        ),
        (
            ULM,
            (
                "A) Munich - no, he only grew up there.\nB) Ulm - yes, he was born here.\nC) New York - "
                "no.\nD) Paris - no."
            ),
            "the options one by one",
        ),
        (
            ULM,
            "A) Munich: incorrect\nB) Ulm: correct\nC) New York: incorrect\nD) Paris: incorrect",
            "the options one by one",
        ),
        (ULM, "A) Munich ❌\nB) Ulm ✅\nC) New York ❌\nD) Paris ❌", "the options one by one"),
        (ULM, "A) Munich\nB) Ulm ✅\nC) New York\nD) Paris", "the options one by one"),
        (ULM, "A) Munich\nB) Ulm ✓\nC) New York\nD) Paris", "the options one by one"),
        (ULM, "A) Munich\nB) Ulm (correct)\nC) New York\nD) Paris", "the options one by one"),
        (ULM, "A) Munich\nB) Ulm <-- correct answer\nC) New York\nD) Paris", "the options one by one"),
        (ULM, "[ ] A) Munich\n[x] B) Ulm\n[ ] C) New York\n[ ] D) Paris", "the options one by one"),
        (ULM, "A is wrong, C is wrong, D is wrong, so B.", "elimination or contrast"),
        (ULM, "Not A, C or D.", "elimination or contrast"),
        (ULM, "It can't be A, C or D, which leaves B.", "elimination or contrast"),
        (ULM, "It isn't Munich, New York or Paris.", "elimination or contrast"),
        (ULM, "A: no. B: yes. C: no. D: no.", "elimination or contrast"),
        (ULM, "He lived in Munich (A), emigrated to the US, but his birthplace was Ulm (B).", "several options named"),
        (
            ULM,
            "Munich is where he grew up; New York and Paris are out of the question. Therefore: B.",
            "elimination or contrast",
        ),
        (
            ULM,
            "Munich is where he grew up. Paris he only visited. New York came later. Ulm it is!",
            "several options named",
        ),
        (
            ULM,
            "Munich was where the family moved in 1880. He was born a year earlier, in Ulm. Answer B.",
            "several options named",
        ),
        (
            ULM,
            (
                "Looking at the options: Munich is where he went to school, New York is where he "
                "arrived, Paris he visited. That leaves Ulm."
            ),
            "elimination or contrast",
        ),
        (
            ULM,
            (
                "Let's go through them. A) Munich is where he grew up. C) New York is in America. D) "
                "Paris is in France. B) Ulm is his birthplace. So the answer is B."
            ),
            "several options named",
        ),
        (ULM, "By elimination, B.", "elimination or contrast"),
        (ULM, "B, not A.", "elimination or contrast"),
        (ULM, "B rather than A.", "letter or text"),
        (ULM, "B (not A, as is often thought)", "elimination or contrast"),
        (ULM, "B. A is a common mistake.", "a correction"),
        (ULM, "Although many would say A, it's B.", "several options named"),
        (ULM, "Most people pick A but the answer is B.", "several options named"),
        (ULM, "B is the correct answer because A, C and D are places he lived in later.", "several options named"),
        (ULM, "I am torn between A and B, but I will go with B.", "several options named"),
        (ULM, "Between A and B, I'd go with B.", "several options named"),
        (ULM, "It's between Munich and Ulm. I'd go for Ulm.", "several options named"),
        (ULM, "Either A or B; B is more likely.", "several options named"),
        (ULM, "Could be A, but more likely B.", "several options named"),
        (ULM, "The second one", "its place"),
        (ULM, "2", "its place"),
        (ULM, "#2", "its place"),
        (ULM, "2) Ulm", "its place"),
        (ULM, "2. Ulm", "its place"),
        (ULM, "Option 2", "its place"),
        (ULM, "Number two.", "its place"),
        (ULM, "option two, Ulm", "letter or text"),
        (ULM, "The second option.", "its place"),
        (ULM, "second", "its place"),
        (ULM, "La respuesta es B) Ulm", "letter or text"),
        (ULM, "La réponse est la B.", "another language or sign"),
        (ULM, "Die richtige Antwort ist B) Ulm.", "several options named"),
        (ULM, "Die Antwort lautet B.", "letter or text"),
        (ULM, "Antwort B", "letter or text"),
        (ULM, "Réponse : B", "another language or sign"),
        (ULM, "A resposta correta é B.", "another language or sign"),
        (ULM, "答案是B", "another language or sign"),
        (ULM, "答案:B) Ulm", "another language or sign"),
        (ULM, "正确答案是 B。", "another language or sign"),
        (ULM, "Ответ: B", "another language or sign"),
        (ULM, "B！", "another language or sign"),
        (ULM, "(Ｂ)", "another language or sign"),
        (ULM, "I believe the answer to be B.", "several options named"),
        (ULM, "I'll take B.", "letter or text"),
        (ULM, "I'd have to go with B here.", "several options named"),
        (ULM, "Let me go with b.", "letter or text"),
        (ULM, "I'm going with option b, Ulm.", "several options named"),
        (ULM, "It's gotta be b", "letter or text"),
        (ULM, "its b", "letter or text"),
        (ULM, "b is correct", "letter or text"),
        (ULM, "i think b", "letter or text"),
        (ULM, "definitely b.", "letter or text"),
        (ULM, "B? Yes, B.", "a question before it"),
        (ULM, "B, final answer.", "letter or text"),
        (ULM, "B) Ulm ✅", "another language or sign"),
        (ULM, "Ulm, which is option B.", "letter or text"),
        (ULM, "Ulm = B", "letter or text"),
        (ULM, "Ulm - B", "letter or text"),
        (ULM, "Ulm. (Option B)", "letter or text"),
        (ULM, "The blank should be filled with Ulm.", "several options named"),
        (ULM, "Albert Einstein was born in Ulm (B).", "several options named"),
        (ULM, "Albert Einstein was born in **B) Ulm**.", "several options named"),
        (ULM, "Albert Einstein was born in B) Ulm.", "several options named"),
        (ULM, "Albert Einstein was born in B.", "several options named"),
        (ULM, "Ulm, Germany", "letter or text"),
        (ULM, "B) Ulm, Germany", "letter or text"),
        (ULM, "B) ulm, in the Kingdom of Württemberg, not far from Munich.", "elimination or contrast"),
        (ULM, "Step 1: Einstein grew up in Munich.\nStep 2: But he was born in Ulm.\nAnswer: B", "its place"),
        (ULM, "B) Ullm", "letter or text"),
        (PATRIOT, "A", "letter or text"),
        (PATRIOT, "George W. Bush", "letter or text"),
        (PATRIOT, "A) George W. Bush, not his father B) George H. W. Bush.", "elimination or contrast"),
        (PATRIOT, "Bush junior", "letter or text"),
        (PATRIOT, "George W. Bush, the son of George H. W. Bush.", "several options named"),
        (PATRIOT, "A) George W. Bush\nB) George H. W. Bush\nC) Bill Clinton\n\nA", "the options one by one"),
        (
            PATRIOT,
            "A) George W. Bush\nB) George H. W. Bush\nC) Bill Clinton\n\nAnswer: A) George W. Bush",
            "the options one by one",
        ),
        (ADA, "B", "letter or text"),
        (ADA, "B) George H. W. Bush", "letter or text"),
        (ADA, "George H.W. Bush", "letter or text"),
        (ADA, "George HW Bush", "letter or text"),
        (ADA, "George H W Bush (the elder)", "several options named"),
        (ADA, "It was 1990, so George W. Bush is out. My answer is George H. W. Bush.", "elimination or contrast"),
        (ADA, "Not George W. Bush but his father, George H. W. Bush.", "elimination or contrast"),
        (YEARS, "1887", "letter or text"),
        (YEARS, "B) 1887", "letter or text"),
        (YEARS, "The club was founded in 1887, not 1878.", "elimination or contrast"),
        (YEARS, "1878, no wait, 1887.", "a correction"),
        (YEARS, "A) 1878\nB) 1887\nC) 1892\nD) 1867\n\nB", "the options one by one"),
        (TWO, "A) Ulm\nB) Munich\n\nA) Ulm", "the options one by one"),
        (TWO, "A) Ulm\nB) Munich\n\nThe answer is A.", "the options one by one"),
        (TWO, "The former.", "its place"),
        (TWO, "A, since Munich is where he grew up.", "several options named"),
        (TWO, "Not Munich, so Ulm.", "elimination or contrast"),
        (TWO, "B? No, A.", "a question before it"),
        (TWO, "Munich or Ulm? Ulm.", "a question before it"),
        (TWO, "A or B? A.", "a question before it"),
        (VITAMIN, "B", "letter or text"),
        (VITAMIN, "vitamin C", "letter or text"),
        (VITAMIN, "B) vitamin C", "letter or text"),
        (VITAMIN, "Lemons contain vitamin C, so B.", "several options named"),
        (VITAMIN, "It's vitamin C, not vitamin A.", "elimination or contrast"),
        (VITAMIN, "The answer is B: vitamin C.", "several options named"),
        (VITAMIN, "Not A. B.", "elimination or contrast"),
        (VITAMIN, "A) vitamin A\nB) vitamin C\nC) vitamin B12\n\nB", "the options one by one"),
        (NARNIA, "C. S. Lewis", "letter or text"),
        (NARNIA, "C", "letter or text"),
        (NARNIA, "C. C. S. Lewis", "letter or text"),
        (NARNIA, "C) C. S. Lewis", "letter or text"),
        (NARNIA, "C: C.S. Lewis", "letter or text"),
        (NARNIA, "Narnia was written by C. S. Lewis.", "several options named"),
        (NARNIA, "D. H. Lawrence? No, C. S. Lewis.", "a question before it"),
        (NARNIA, "CS Lewis", "letter or text"),
        (NARNIA, "C.S.Lewis", "letter or text"),
        (ROUNDABOUT, "Yes", "letter or text"),
        (ROUNDABOUT, "B) Yes", "letter or text"),
        (ROUNDABOUT, "B", "letter or text"),
        (ROUNDABOUT, "Yes, B", "letter or text"),
        (ROUNDABOUT, "No Doubt? No. Yes.", "a question before it"),
        (ROUNDABOUT, "Yes (option B)", "letter or text"),
        (ROUNDABOUT, "A) No Doubt\nB) Yes\nC) The Who\n\nB) Yes", "the options one by one"),
        (ULM, "Hmm... B?", "a correction"),
        (ULM, "I'd lean towards B, though A is tempting.", "several options named"),
        (ULM, "Without a doubt: B.", "elimination or contrast"),
        (ULM, "If I had to pick one, B.", "letter or text"),
        (
            ULM,
            "Well, it's certainly not New York or Paris. Between Munich and Ulm, I'm going for Ulm.",
            "elimination or contrast",
        ),
        (
            ULM,
            (
                "I know Einstein moved to Munich as a baby and emigrated to New York in later life; Ulm "
                "is where he was born."
            ),
            "several options named",
        ),
        (
            ULM,
            "The sentence is about his birthplace. His birthplace is Ulm. Ulm is option B.",
            "elimination or contrast",
        ),
        (ULM, "Ulm. The other options, Munich, New York and Paris, are wrong.", "elimination or contrast"),
        (ULM, "B. The others (A, C, D) are incorrect.", "elimination or contrast"),
        (ULM, "B) Ulm. He lived in Munich (A) later and never in New York (C) or Paris (D).", "several options named"),
        (
            ULM,
            "B – because he was born in Ulm in 1879. A is where he grew up, C is where he landed in 1921.",
            "another language or sign",
        ),
        (
            ULM,
            "Reasoning: A is out, since he only grew up there. C and D are out as well.\nChoice: B",
            "elimination or contrast",
        ),
        (
            ULM,
            (
                "Let's eliminate: C) New York and D) Paris are obviously wrong. A) Munich is where he "
                "went to school. Answer: B) Ulm."
            ),
            "elimination or contrast",
        ),
        (ULM, "Not in Munich, not in Paris, not in New York: Ulm.", "elimination or contrast"),
        (ULM, "A is tempting. However, the correct choice is B.", "several options named"),
        (ULM, "One might think of Munich, but the correct answer is Ulm.", "several options named"),
        (ULM, "You might expect A, but no: B.", "elimination or contrast"),
        (ULM, "I was going to say A, but it's B.", "several options named"),
        (ULM, "I almost said Munich. Ulm.", "several options named"),
        (ULM, "Munich... wait, actually Ulm.", "a correction"),
        (ULM, "A) Munich, hmm, actually no, it's B) Ulm.", "a correction"),
        (ULM, "A. Hmm, that is wrong. It must be B.", "a correction"),
        (ULM, "Answer: A\n\nWait, let me double check. Einstein was born in Ulm.\n\nAnswer: B", "a correction"),
        (ULM, "C. No. B.", "elimination or contrast"),
        (ULM, "D? Nope. C? Nope. B!", "a question before it"),
        (ULM, "Munich? That's where he grew up. Ulm? Yes, that's it.", "a question before it"),
        (ULM, "Was it Munich? No. It was Ulm.", "a question before it"),
        (ULM, "Paris, surely not. New York, no. Munich, close. Ulm, yes.", "elimination or contrast"),
        (ULM, "A: ✗\nB: ✓\nC: ✗\nD: ✗", "the options one by one"),
        (ULM, "A - No\nB - Yes\nC - No\nD - No", "the options one by one"),
        (
            ULM,
            (
                "A. Munich – Incorrect. He moved there in 1880.\nB. Ulm – Correct. He was born there.\nC. "
                "New York – Incorrect.\nD. Paris – Incorrect."
            ),
            "the options one by one",
        ),
        (
            ULM,
            (
                "**A) Munich** - This is where he grew up.\n**B) Ulm** - This is the correct answer.\n**C) "
                "New York** - He never lived there for long.\n**D) Paris** - He only visited."
            ),
            "the options one by one",
        ),
        (
            ULM,
            (
                "A) Munich - He grew up here.\nB) Ulm - He was born here in 1879.\nC) New York - He "
                "visited.\nD) Paris - He gave lectures here.\n\nTherefore, the correct answer is **B) Ulm**."
            ),
            "the options one by one",
        ),
        (
            ULM,
            (
                "Let me consider each option:\n\nA) Munich: Einstein's family moved there in 1880.\nB) Ulm: "
                "Einstein's birthplace.\nC) New York: no connection.\nD) Paris: no connection.\n\nB"
            ),
            "the options one by one",
        ),
        (ULM, "1. Munich\n2. Ulm\n3. New York\n4. Paris\n\nThe answer is 2.", "the options one by one"),
        (ULM, "1) Munich\n2) Ulm\n3) New York\n4) Paris\nAnswer: Ulm", "the options one by one"),
        (ULM, '{"reasoning": "He grew up in Munich but was born in Ulm.", "answer": "B"}', "JSON or brackets"),
        (ULM, "answer: B\nconfidence: 90%", "letter or text"),
        (ULM, "B\n\nA is incorrect because he only grew up there.", "elimination or contrast"),
        (ULM, "B\nB\nB", "letter or text"),
        (ULM, "B) Ulm B) Ulm B) Ulm", "letter or text"),
        (ULM, "Correct answer: B. Ulm", "letter or text"),
        (ULM, "The right answer would be B, i.e. Ulm.", "several options named"),
        (ULM, "Ans: B", "letter or text"),
        (ULM, "Ans. B", "letter or text"),
        (ULM, "Sol: (B)", "letter or text"),
        (ULM, "Selected: B", "letter or text"),
        (ULM, "My pick: B", "letter or text"),
        (ULM, "I vote B", "letter or text"),
        (ULM, "B all the way.", "letter or text"),
        (ULM, "B obviously", "letter or text"),
        (ULM, "B I think", "letter or text"),
        (ULM, "B I guess?", "a question before it"),
        (ULM, "B, I believe, though I'm not 100% certain.", "elimination or contrast"),
        (ULM, "B (80% confident)", "letter or text"),
        (ULM, "B... I'm fairly sure.", "letter or text"),
        (ULM, "B; see his biography.", "letter or text"),
        (ULM, "B*", "letter or text"),
        (ULM, "(b)", "letter or text"),
        (ULM, "b.", "letter or text"),
        (ULM, "B).", "letter or text"),
        (ULM, "[B] Ulm", "JSON or brackets"),
        (ULM, "{B}", "JSON or brackets"),
        (ULM, "'B'", "letter or text"),
        (ULM, "“B”", "another language or sign"),
        (ULM, "B️", "another language or sign"),
        (ULM, "B 🎉", "another language or sign"),
        (ULM, "Answer is option number 2", "its place"),
        (ULM, "It's the 2nd option.", "its place"),
        (ULM, "The second choice, Ulm", "its place"),
        (ULM, "Second option (Ulm)", "its place"),
        (ULM, "The correct letter is B", "letter or text"),
        (ULM, "letter b", "letter or text"),
        (ULM, "b) is right", "letter or text"),
        (ULM, "I'm choosing b", "letter or text"),
        (ULM, "I choose b)", "letter or text"),
        (
            ULM,
            "The answer can be found by elimination: Munich, New York and Paris are out. Ulm.",
            "elimination or contrast",
        ),
        (ULM, "Ulm is right, the rest is wrong.", "elimination or contrast"),
        (ULM, "Only B makes sense.", "letter or text"),
        (ULM, "B fits best.", "letter or text"),
        (ULM, "Only Ulm fits.", "letter or text"),
        (ULM, "I'm sure it's not A. I'd say B.", "elimination or contrast"),
        (ULM, "It has to be B.", "letter or text"),
        (ULM, "Must be B.", "letter or text"),
        (ULM, "That would be B.", "letter or text"),
        (ULM, "That'd be Ulm.", "letter or text"),
        (ULM, "Definitely not A. B.", "elimination or contrast"),
        (
            ULM,
            (
                "Albert Einstein was born in Ulm, Kingdom of Württemberg, German Empire. His family "
                "moved to Munich in 1880."
            ),
            "an explanation",
        ),
        (TWO, "It's A, not B.", "elimination or contrast"),
        (TWO, "A: Ulm is right. B: Munich is wrong.", "elimination or contrast"),
        (TWO, "Munich? No. Ulm.", "a question before it"),
        (TWO, "Ulm, of course! Munich came later.", "several options named"),
        (TWO, "the first", "its place"),
        (VICTORIA, "Prince Albert", "letter or text"),
        (VICTORIA, "B", "letter or text"),
        (VICTORIA, "Albert, Prince Consort, so B.", "several options named"),
        (VICTORIA, "Prince Philip was the husband of Elizabeth II, so it's B.", "several options named"),
        (ADA, "George W. Bush was his son. George H. W. Bush signed the ADA.", "several options named"),
        (
            PATRIOT,
            "George W. Bush signed it in 2001. His father, George H. W. Bush, had left office in 1993.",
            "several options named",
        ),
    ],
    "incorrect": [
        (ULM, "B) Ulm. Wait, no. A) Munich.", "a correction"),
        (ULM, "B... just kidding, A.", "a correction"),
        (ULM, "Option A - Munich", "letter or text"),
        (ULM, "a", "letter or text"),
        (ULM, "**a) munich**", "letter or text"),
        (ULM, "A or B", "letter or text"),
        (ULM, "Both A and B are right.", "letter or text"),
        (ULM, "B) Munich", "letter or text"),
        (ULM, "A) Ulm", "letter or text"),
        (ULM, '{"letter": "B", "text": "Munich"}', "JSON or brackets"),
        (ULM, "A and B", "letter or text"),
        (ULM, "A/B", "letter or text"),
        (ULM, "A, B and C", "letter or text"),
        (ULM, "It is either Munich or Ulm.", "several options named"),
        (ULM, "Not B.", "elimination or contrast"),
        (ULM, "Anything but Ulm.", "letter or text"),
        (ULM, "None of the above.", "elimination or contrast"),
        (ULM, "None of these options is correct.", "elimination or contrast"),
        (ULM, "All of the above.", "letter or text"),
        (ULM, "Neither A nor B.", "elimination or contrast"),
        (ULM, "Ulm? No, Munich.", "a question before it"),
        (ULM, "B? That's where his mother came from. A.", "a question before it"),
        (ULM, "It's not Ulm.", "elimination or contrast"),
        (ULM, "I'd eliminate B; A it is.", "elimination or contrast"),
        (ULM, "Everyone says Ulm, but it is Munich.", "several options named"),
        (ULM, "A is my answer, although B is plausible.", "several options named"),
        (ULM, "Munich (B)", "letter or text"),
        (ULM, "D", "letter or text"),
        (ULM, "The first one.", "its place"),
        (ULM, "1", "letter or text"),
        (ULM, MENU + "\n\nA", "the options one by one"),
        (ULM, MENU + "\n\nThe answer is D) Paris.", "the options one by one"),
        (ULM, "A) Munich ✅\nB) Ulm ❌\nC) New York ❌\nD) Paris ❌", "the options one by one"),
        (ULM, "A) Munich (correct)\nB) Ulm\nC) New York\nD) Paris", "the options one by one"),
        (PATRIOT, "B) George H. W. Bush", "letter or text"),
        (PATRIOT, "George H. W. Bush", "letter or text"),
        (PATRIOT, "C", "letter or text"),
        (ADA, "A) George W. Bush", "letter or text"),
        (ADA, "George W. Bush", "letter or text"),
        (ADA, "A", "letter or text"),
        (VICTORIA, "A) Prince Philip", "letter or text"),
        (VICTORIA, "A) Prince Philip and B) Prince Albert", "several options named"),
        (YEARS, "1878", "letter or text"),
        (YEARS, "1892.", "letter or text"),
        (YEARS, "B) 1878", "letter or text"),
        (TWO, "Ulm or Munich", "letter or text"),
        (TWO, "A and B", "letter or text"),
        (TWO, "The latter", "its place"),
        (TWO, "B", "letter or text"),
        (ULM, "B) Ulm\nA) Munich", "letter or text"),
        (VITAMIN, "A", "letter or text"),
        (VITAMIN, "vitamin A", "letter or text"),
        (VITAMIN, "C", "letter or text"),
        (NARNIA, "D. H. Lawrence", "letter or text"),
        (NARNIA, "D", "letter or text"),
        (NARNIA, "A. D. H. Lawrence", "letter or text"),
        (ROUNDABOUT, "No Doubt", "elimination or contrast"),
        (ROUNDABOUT, "A", "letter or text"),
        (ROUNDABOUT, "No doubt about it: A.", "elimination or contrast"),
        (ULM, "B. Hmm, no, A.", "a correction"),
        (ULM, "Ulm... just kidding, Munich.", "a correction"),
        (ULM, "B is wrong. A.", "elimination or contrast"),
        (ULM, "Not B but A.", "elimination or contrast"),
        (ULM, "A) Munich ✓", "another language or sign"),
        (ULM, "Munich is correct, Ulm is wrong.", "elimination or contrast"),
        (ULM, "A: ✓\nB: ✗\nC: ✗\nD: ✗", "the options one by one"),
        (ULM, "A - yes\nB - no\nC - no\nD - no", "the options one by one"),
        (ULM, "I say A. B is where his parents lived.", "several options named"),
        (ULM, "A and B both work.", "letter or text"),
        (ULM, "A & B", "letter or text"),
        (ULM, "A, maybe B", "letter or text"),
        (ULM, "Ulm and Munich", "letter or text"),
        (ULM, "Either B or C, can't tell which.", "elimination or contrast"),
        (ULM, "a) munich", "letter or text"),
        (ULM, "The third option.", "its place"),
        (ULM, "3", "letter or text"),
        (ULM, "c", "letter or text"),
        (ULM, "its d", "letter or text"),
        (ULM, "Definitely a.", "letter or text"),
        (ULM, "Ulm (A)", "letter or text"),
        (ULM, "A (Ulm)", "letter or text"),
        (ULM, "Munich, B", "letter or text"),
        (TWO, "Both.", "letter or text"),
        (TWO, "Neither.", "elimination or contrast"),
        (ULM, "All four.", "letter or text"),
        (ULM, "Neither of these.", "elimination or contrast"),
        (ULM, "None fit.", "elimination or contrast"),
    ],
    "unparsed": [
        (ULM, MENU, "the options repeated"),
        (ULM, "A) Munich B) Ulm C) New York D) Paris", "the options repeated"),
        (ULM, "A. Munich\nB. Ulm\nC. New York\nD. Paris", "the options repeated"),
        (ULM, "A: Munich\nB: Ulm\nC: New York\nD: Paris", "the options repeated"),
        (ULM, "(A) Munich (B) Ulm (C) New York (D) Paris", "the options repeated"),
        (ULM, "- A) Munich\n- B) Ulm\n- C) New York\n- D) Paris", "the options repeated"),
        (ULM, "Options:\nA) Munich\nB) Ulm\nC) New York\nD) Paris", "the options repeated"),
        (ULM, "Albert Einstein was born in ____.\nA) Munich\nB) Ulm\nC) New York\nD) Paris", "the options repeated"),
        (
            ULM,
            (
                "Which option fills the blank in this sentence? Albert Einstein was born in ____.\nA) "
                "Munich\nB) Ulm\nC) New York\nD) Paris"
            ),
            "the options repeated",
        ),
        (
            ULM,
            "Albert Einstein was born in ____. Options: A) Munich, B) Ulm, C) New York, D) Paris",
            "the options repeated",
        ),
        (ULM, "The options are A) Munich, B) Ulm, C) New York and D) Paris.", "the options repeated"),
        (ULM, "Munich\nUlm\nNew York\nParis", "the options repeated"),
        (ULM, "**A)** Munich\n**B)** Ulm\n**C)** New York\n**D)** Paris", "the options repeated"),
        (ULM, MENU + "\n\nWhich one is it?", "the options repeated"),
        (ULM, MENU + "\n\nAnswer:", "the options repeated"),
        (PATRIOT, "A) George W. Bush\nB) George H. W. Bush\nC) Bill Clinton", "the options repeated"),
        (ADA, "A) George W. Bush\nB) George H. W. Bush\nC) Bill Clinton", "the options repeated"),
        (PATRIOT, "A. George W. Bush\nB. George H. W. Bush\nC. Bill Clinton", "the options repeated"),
        (WHALE, "A) Balaenidae\nB) Balaenopteridae\nC) Physeteridae\nD) Delphinidae", "the options repeated"),
        (YEARS, "A) 1878\nB) 1887\nC) 1892\nD) 1867", "the options repeated"),
        (TWO, "A) Ulm\nB) Munich", "the options repeated"),
        (VICTORIA, "A) Prince Philip\nB) Prince Albert", "the options repeated"),
        (ULM, "Let me think about each of the options.", "no option named"),
        (ULM, "Which option do you think is right?", "no option named"),
        (ULM, "Albert Einstein was born in ____.", "no option named"),
        (ULM, "Please choose one of the options.", "no option named"),
        (ULM, "Sure! Here is the answer:", "no option named"),
        (ULM, "Einstein was a physicist.", "no option named"),
        (ULM, "1. Munich\n2. Ulm\n3. New York\n4. Paris", "the options repeated"),
        (ULM, "There are four options: A) Munich, B) Ulm, C) New York, D) Paris.", "the options repeated"),
        (ULM, "A\nB\nC\nD", "the options repeated"),
        (VITAMIN, "A) vitamin A\nB) vitamin C\nC) vitamin B12", "the options repeated"),
        (NARNIA, "A) D. H. Lawrence\nB) Jane Austen\nC) C. S. Lewis\nD) Vladimir Nabokov", "the options repeated"),
        (ROUNDABOUT, "A) No Doubt\nB) Yes\nC) The Who", "the options repeated"),
        (ULM, "Do you want the letter or the text?", "no option named"),
        (ULM, "I can help you with that! What is the question?", "no option named"),
        (ULM, "Okay, so I need to find where Einstein was born.", "no option named"),
        (ULM, "The question asks for the birthplace of Albert Einstein.", "no option named"),
    ],
    "abstained": [
        (ULM, "I don't know which of these it is.", "it declines"),
        (ULM, "I haven't a clue which of these four it is.", "it declines"),
        (ULM, "I can't decide between these options.", "it declines"),
        (ULM, "I can't choose.", "it declines"),
        (ULM, "N/A", "it declines"),
        (ULM, MENU + "\n\nI don't know.", "it declines"),
        (ULM, "I'm not sure which option is correct.", "it declines"),
        (ULM, "I do not know whether it is A or B.", "it declines"),
        (ULM, "I can't tell which.", "it declines"),
        (ULM, "None of these ring a bell, so I don't know.", "it declines"),
        (ULM, "I don't know, sorry. All four are possible.", "it declines"),
        (ULM, "No idea which one is right.", "it declines"),
        (ULM, "I'd rather not pick one.", "it declines"),
        (ULM, "I don't have enough information to choose.", "it declines"),
        (ROUNDABOUT, "I don't know.", "it declines"),
    ],
}


def _cases(table: list[tuple[Asked, str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("asked", "reply", "reason"), table, ids=[repr(reply[:50]) for _, reply, _ in table])


@_cases(CORRECT)
def test_correct(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "correct", reason
    assert found.matched == tuple(w.uri(label) for label in asked.labels)
    assert (found.true_positives, found.false_positives, found.false_negatives) == (1, 0, 0)


@_cases(INCORRECT)
def test_incorrect(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "incorrect", reason
    assert found.false_positives >= 1


@_cases(ABSTAINED)
def test_abstained(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "abstained", reason
    assert (found.matched, found.true_positives, found.false_positives, found.false_negatives) == ((), 0, 0, 1)


@_cases(UNPARSED)
def test_unparsed(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "unparsed", reason
    assert (found.matched, found.true_positives, found.false_negatives) == ((), 0, 1)


@_cases(NOT_CORRECT)
def test_not_correct(asked: Asked, reply: str, reason: str) -> None:
    assert graded(asked, reply).verdict in ("incorrect", "unparsed"), reason


@pytest.mark.parametrize(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_letter(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, "B").verdict == "correct"
    assert graded(asked, "A").verdict == "incorrect"


@pytest.mark.parametrize(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_text(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, right).verdict == "correct"
    assert graded(asked, wrong).verdict == "incorrect"


@pytest.mark.parametrize(
    ("asked", "reply", "verdict", "reason"),
    [(asked, reply, verdict, reason) for verdict, table in FREE.items() for asked, reply, reason in table],
)
def test_free_replies(asked: Asked, reply: str, verdict: str, reason: str) -> None:
    assert graded(asked, reply).verdict == verdict, reason
