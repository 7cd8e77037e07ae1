"""Of whom the words of a sentence tell a relation: of the names beside them, or of somebody else."""

from __future__ import annotations

from tests.claims.test_graph import said
from tests.tables import for_each_row

EINSTEIN_ULM = ("Albert Einstein", "P19", "Ulm")
HOBBIT = ("The Hobbit", "P50", "J. R. R. Tolkien")
CURIE_WARSAW = ("Marie Curie", "P19", "Warsaw")
PARIS = ("France", "P36", "Paris")


@for_each_row(
    "text",
    [
        "Albert Einstein's wife was born in Paris.",
        "Albert Einstein's first wife, Mileva, was born in Paris.",
        "Albert Einstein, whose first wife, Mileva, was born in Paris, moved.",
        "The mother of Albert Einstein was born in Paris.",
        "The mother of Albert Einstein, Pauline Koch, was born in Paris.",
        "The mother of Albert Einstein, who was born in Paris, was kind.",
        "The son of the physicist Albert Einstein was born in Paris.",
        "A letter from Albert Einstein was written by Marie Curie in Paris.",
        "Albert Einstein, whose wife was born in Paris, was a physicist.",
        "Albert Einstein and his wife, who was born in Paris, moved.",
        "Albert Einstein was a physicist and his wife was born in Paris.",
        "The mayor of Germany was born in Paris.",
        "The capital of Germany's neighbour is Paris.",
        "The capital of the neighbour of Germany is Paris.",
        "Paris is the capital of Germany's neighbour.",
        "Albert Einstein was born in Paris's suburbs.",
        "Germany's largest neighbour borders Spain.",
        "The Hobbit's illustrator was born in Ulm.",
    ],
)
def test_possessive_noun_does_not_attach_to_owner(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein met Marie Curie, born in Warsaw.", [CURIE_WARSAW]),
        ("Albert Einstein met Marie Curie, who was born in Warsaw.", [CURIE_WARSAW]),
        ("Albert Einstein was a friend of Marie Curie, born in Warsaw.", []),
        ("Albert Einstein was a friend of Niels Bohr, born in Paris.", []),
        (
            "The Hobbit is a book about France, written by J. R. R. Tolkien.",
            [HOBBIT],
        ),
        (
            "The Hobbit is one of a series of tales written by J. R. R. Tolkien.",
            [HOBBIT],
        ),
        ("Albert Einstein met Niels Bohr, born in Paris.", []),
        ("Albert Einstein met a woman born in Paris.", []),
        ("Albert Einstein met a woman who was born in Paris.", []),
        ("Albert Einstein visited his friend, a chemist born in Paris.", []),
        ("Albert Einstein taught a course taken by a man who was born in Paris.", []),
        ("Albert Einstein, a friend of a man born in Paris, was kind.", []),
        ("A student of Albert Einstein, born in Paris, wrote this.", []),
        ("Albert Einstein worked with a man from Ulm who was born in Paris.", []),
        ("After a walk with Albert Einstein, the woman was born in Paris.", []),
        ("Albert Einstein, born in Ulm, was a physicist.", [EINSTEIN_ULM]),
        ("Albert Einstein, a German physicist born in Ulm, was kind.", [EINSTEIN_ULM]),
        ("Albert Einstein was a German physicist born in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein was a physicist who was born in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein, a friend of many people, was born in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein studied physics and was born in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein admired Marie Curie and was born in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein (a physicist born in Ulm) was kind.", [EINSTEIN_ULM]),
        ("He wrote to Marie Curie (born in Warsaw).", [CURIE_WARSAW]),
        (
            "Marie Curie (born 7 November 1867) is a chemist based in Warsaw.",
            [("Marie Curie", "P569", "7 November 1867")],
        ),
        ("A book by Marie Curie, who was born in Warsaw, is here.", [CURIE_WARSAW]),
        ("In Paris, the capital of France, it rains.", [PARIS]),
        ("Paris is the capital and most populous city of France.", [PARIS]),
        ("The Hobbit is a fantasy novel written by J. R. R. Tolkien.", [HOBBIT]),
    ],
)
def test_participle_attaches_to_the_adjacent_noun(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    "text",
    [
        "France lacks a border with Spain.",
        "France seeks a land border with Poland.",
        "Albert Einstein was born near Paris.",
        "Albert Einstein was born not far from Paris.",
        "Albert Einstein was born outside Paris.",
        "Albert Einstein was born a day's walk from Paris.",
        "Albert Einstein was born on a train to Paris.",
        "Albert Einstein was born in a suburb of Paris.",
        "Albert Einstein was born to a woman from Paris.",
        "Albert Einstein refused to be born in Paris.",
        "Paris failed to become the capital of Germany.",
        "Paris almost became the capital of Germany.",
        "Paris was rejected as the capital of Germany.",
        "Paris is a candidate for the capital of Germany.",
        "Paris is a sister city of the capital of Germany.",
        "Paris is a train ride from the capital of Germany.",
        "Paris is south of the capital of Germany.",
        "Paris rivals the capital of Germany.",
        "Paris is the beer capital of Germany.",
        "The beer capital of Germany is Paris.",
        "Germany's beer capital is Paris.",
        "Paris is Germany's beer capital.",
        "Paris lies between Ulm and the capital of Spain.",
        "The capital of Germany is near Paris.",
        "The capital of Germany is twinned with Paris.",
        "Germany has yet to border Spain.",
        "Everyone but Albert Einstein was born in Paris.",
        "Nobody like Albert Einstein was born in Paris.",
        "No one knows that Albert Einstein was born in Paris.",
        "J. R. R. Tolkien wrote about Ulm.",
        "J. R. R. Tolkien wrote a letter about The Hobbit.",
    ],
)
def test_modifier_that_changes_the_relation_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born to Jewish parents in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein was born in a house in Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein was born in the old city of Ulm.", [EINSTEIN_ULM]),
        ("Albert Einstein was born at home in sunny Ulm.", [EINSTEIN_ULM]),
        ("The current capital of France is Paris.", [PARIS]),
        ("France's capital city is the beautiful city of Paris.", [PARIS]),
        ("Germany shares its border with Poland.", [("Germany", "P47", "Poland")]),
    ],
)
def test_modifier_of_an_argument_keeps_the_relation(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    ("text", "expected"),
    [
        ("France is the capital of Paris.", [("Paris", "P36", "France")]),
        ("Paris's capital is France.", [("Paris", "P36", "France")]),
        ("The capital of Paris is France.", [("Paris", "P36", "France")]),
        ("Ulm was born in Albert Einstein.", [("Ulm", "P19", "Albert Einstein")]),
        ("J. R. R. Tolkien was written by The Hobbit.", [("J. R. R. Tolkien", "P50", "The Hobbit")]),
        ("The Hobbit wrote J. R. R. Tolkien.", [("J. R. R. Tolkien", "P50", "The Hobbit")]),
    ],
)
def test_swapped_arguments_stay_swapped(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    "text",
    [
        "Ulm the Great was born in Warsaw.",
        "Marie Curie the Elder was born in Ulm.",
        "Albert Einstein was born in Paris of the East.",
        "Albert Einstein was born in Berlin an der Oder.",
        "Albert Einstein was born in Paris upon Avon.",
        "Paris sur Mer is the capital of France.",
        "The English capital is Paris.",
        "Albert Einstein was born in Paris the Beautiful.",
    ],
)
def test_name_inside_a_longer_name_is_not_linked(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Mileva Einstein, who married Mozart, was born in Paris.", []),
        ("The woman who married Mozart was born in Paris.", []),
        ("Mileva Einstein, having met Mozart, was born in Paris.", []),
        ("Germany, which ruled Spain, has its capital in Paris.", ["Germany"]),
        ("Mileva Einstein admired Mozart but was born in Paris.", []),
        ("Mileva Einstein admired Mozart, yet was born in Paris.", []),
        ("Mileva Einstein admired Mozart though she was born in Paris.", []),
        ("Berlin is northwest of Paris, capital of Spain.", []),
        ("Albert Einstein, who met Marie Curie, who was born in Warsaw, wrote.", ["Marie Curie"]),
        ("Later, Marie Curie, a chemist, was born in Warsaw.", ["Marie Curie"]),
    ],
)
def test_name_in_a_subordinate_clause_is_not_the_subject(text: str, expected: list[str]) -> None:
    assert [head for head, _, _ in said(text)] == expected


@for_each_row(
    ("text", "expected"),
    [
        (
            "J. R. R. Tolkien was born in Ulm in 1892 and wrote The Hobbit.",
            [("J. R. R. Tolkien", "P19", "Ulm"), HOBBIT],
        ),
        ("Paris, praised in Spain, borders Germany.", [("Paris", "P47", "Germany")]),
        ("Paris (praised in Spain) borders Germany.", [("Paris", "P47", "Germany")]),
        ("Albert Einstein, who taught Marie Curie, wrote The Hobbit.", [("The Hobbit", "P50", "Albert Einstein")]),
        ("Albert Einstein, a German, was born in Ulm.", [EINSTEIN_ULM]),
    ],
)
def test_parenthetical_keeps_the_subject(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [one for one in said(text) if one[1] not in ("P17", "P569")] == expected


@for_each_row(
    "text",
    [
        "Berlin replaced Paris as the capital of Germany.",
        "Berlin succeeded Madrid as the capital of Germany.",
        "J. R. R. Tolkien wrote in The Hobbit.",
        "J. R. R. Tolkien wrote during 1937 on The Hobbit.",
        "France borders in Spain.",
    ],
)
def test_name_that_is_no_argument_of_the_verb_makes_no_claim(text: str) -> None:
    assert said(text) == []


def test_a_nation_before_a_kind_of_place_is_no_end() -> None:
    assert said("Paris is the capital of the German state of Bavaria.") == []


@for_each_row(
    "text", ["Albert Einstein is located in Ulm.", "Paris is located in Ulm.", "Germany is in Albert Einstein."]
)
def test_ambiguous_wording_needs_arguments_of_the_right_type(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Paris, the capital of Germany.", [("Germany", "P36", "Paris")]),
        ("Albert Einstein studied in Berlin, capital of Germany.", [("Germany", "P36", "Berlin")]),
        ("Albert Einstein lived in Ulm, author of The Hobbit.", []),
    ],
)
def test_apposition_attaches_to_the_preceding_place(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [one for one in said(text) if one[1] != "P19"] == expected


@for_each_row(
    "text",
    [
        "Albert Einstein was born in a country that borders Germany.",
        "Albert Einstein was born in a city which rivals Paris.",
        "Albert Einstein was born in a city, which rivals Paris.",
        "Albert Einstein was born in a town that he called Paris.",
        "Albert Einstein was born in a town they call Paris.",
        "Albert Einstein was born in the place that gave Paris its name.",
        "Albert Einstein was born in a metropolis overlooking Paris.",
        "Albert Einstein was born in the city where Warsaw sends its mail.",
        "The Hobbit was written by people who admire Marie Curie.",
        "The Hobbit was written by a club founded by Marie Curie.",
        "The Hobbit was written by the club rivalling Marie Curie.",
        "The capital of Germany is a city that resembles Paris.",
        "The capital of Germany is the city Paris envies.",
        "Albert Einstein was born in a town the Romans called Paris.",
        "The Hobbit was written in a language spoken by Marie Curie.",
        "Poland has a land border with a country bordering France.",
        "Poland has a land border with a country that has France as a neighbour.",
        "Ulm is in a country that borders France.",
        "Ulm is located in a country bordering France.",
        "Ulm is a city in a country which has a land border with France.",
        "Ulm is in a country, which borders France.",
        "Ulm lies in a country that resembles France.",
        "The official language of Switzerland is one that resembles English.",
    ],
)
def test_relative_clause_attaches_to_its_noun(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Poland is a country that borders Germany.", ("Poland", "P47", "Germany")),
        ("Poland is a country bordering Germany.", ("Poland", "P47", "Germany")),
        ("Poland shares a border with neighbouring Germany.", ("Poland", "P47", "Germany")),
        ("Albert Einstein was born in a small town called Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born in a town that is called Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born in a divided Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born in a house that was in Ulm.", EINSTEIN_ULM),
        ("Paris is the city that is the capital of France.", PARIS),
        ("The Hobbit was written in the thirties by J. R. R. Tolkien.", HOBBIT),
        ("The Hobbit was written by the great storyteller J. R. R. Tolkien.", HOBBIT),
    ],
)
def test_defining_clause_keeps_the_relation(text: str, expected: tuple[str, str, str]) -> None:
    assert said(text) == [expected]


@for_each_row("noun", ["colleague", "successor", "rival", "co-author", "hero", "fellow citizen", "old idol"])
def test_apposition_of_a_possessed_noun_does_not_attach_to_owner(noun: str) -> None:
    assert said(f"Albert Einstein's {noun}, Marie Curie, was born in Warsaw.") == [CURIE_WARSAW]
    assert said(f"Albert Einstein, whose {noun}, Marie Curie, was born in Warsaw, wrote.") == [CURIE_WARSAW]
    assert ("France", "P36", "Berlin") not in said(f"France's {noun}, Germany, has its capital in Berlin.")
    assert all(head != "Marie Curie" for head, _, _ in said(f"Marie Curie's {noun}, Paris, is the capital of France."))


@for_each_row(
    "text",
    [
        "The capital of Germany is in France.",
        "Germany's capital is in France.",
        "The author of The Hobbit is based in Ulm.",
        "The author of The Hobbit is in Paris.",
    ],
)
def test_location_of_the_object_is_not_the_object(text: str) -> None:
    assert said(text) == []


def test_where_the_object_is_may_be_its_very_place() -> None:
    assert said("The capital of Germany is in Paris.") == [("Germany", "P36", "Paris")]


@for_each_row(
    "text",
    [
        "Albert Einstein was born in 1879 and raised in Paris.",
        "Albert Einstein was born in 1879 and spent his youth in Paris.",
        "Albert Einstein was born in 1879 and went to school in Paris.",
        "Albert Einstein was born on 14 March 1879 but grew up in Paris.",
        "Albert Einstein was born on March 14, 1879, studied in Pisa, and lived in Paris.",
        "Albert Einstein was born in 1879, studied in Pisa, and was born again in Paris.",
        "Albert Einstein, born in 1879 and raised in Paris, was kind.",
        "Albert Einstein was born in 1879, and his sister Maja was born in Paris.",
        "Albert Einstein was born in 1879, with his sister following in Paris.",
        "Albert Einstein was born in 1879 (his sister in Paris).",
        "Albert Einstein was born and spent his youth in Paris.",
        "Albert Einstein was born and went to school in Paris.",
        "The Hobbit was written in 1937 and illustrated by Marie Curie.",
        "The Hobbit was written in 1937 and is admired by Marie Curie.",
    ],
)
def test_argument_of_a_second_verb_does_not_attach_to_the_first(text: str) -> None:
    assert [one for one in said(text) if one[1] != "P569"] == []


@for_each_row(
    "text",
    [
        "Albert Einstein was born a year after the siege of Paris.",
        "Albert Einstein was born a year after Mileva in Paris.",
        "Albert Einstein was born two years before the fire in Paris.",
        "Albert Einstein was born while his parents were acting in Paris.",
        "Albert Einstein was born when Giuseppe Verdi was in Paris.",
        "Albert Einstein was born to a singer in Paris.",
        "Albert Einstein was born into a musical family in Paris.",
        "Albert Einstein was born to parents born in Paris.",
    ],
)
def test_place_of_a_time_phrase_does_not_attach_to_the_verb(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Paris is the capital of Ontario and the largest city of France.",
        "Paris is the capital of Ontario and a city of France.",
        "French is the official language of Tatarstan and a minority language of Germany.",
        "Paris is the birthplace of gangsta rap and the home of Marie Curie.",
    ],
)
def test_coordinated_noun_takes_its_own_complement(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm and raised in Paris.", EINSTEIN_ULM),
        ("Albert Einstein was born and raised in Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born, raised and educated in Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born, on 14 March 1879, in Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born on Friday, March 14, 1879, near the river, in the city of Ulm.", EINSTEIN_ULM),
        ("Albert Einstein was born to Hermann and Pauline in Ulm.", EINSTEIN_ULM),
        ("The Hobbit was written and is illustrated by J. R. R. Tolkien.", HOBBIT),
        ("Paris is the capital and the largest city of France.", PARIS),
    ],
)
def test_shared_complements_and_adjuncts_keep_the_relation(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in said(text)


@for_each_row(
    "text",
    [
        "Albert Einstein, a colleague of Leo Szilard, who was born in Paris, was kind.",
        "Albert Einstein, the husband of Mileva Marić, born in Paris, was kind.",
        "Albert Einstein, an employee of mBank, born in Paris, was kind.",
        "Albert Einstein, whose friend was Leo Szilard, born in Paris, was kind.",
        "The Hobbit (a rival of Narnia, written by Marie Curie) is long.",
        "The Hobbit, which competes with Narnia, written by Marie Curie, is long.",
    ],
)
def test_modifier_of_an_unlinked_name_does_not_attach_to_the_subject(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Albert Einstein, a physicist from Swabia, was born in Ulm.",
        "Albert Einstein, a German physicist, who was born in Ulm, was kind.",
        "Albert Einstein, a friend of Leo Szilard and a physicist, born in Ulm, was kind.",
        "Albert Einstein, the rival of Leo Szilard and Marie Curie, was born in Ulm.",
        "Albert Einstein, a rival of Kemal Atatürk, Mozart and Marie Curie, was born in Ulm.",
        "Albert Einstein, rivalling Mozart and Marie Curie, was born in Ulm.",
        "Albert Einstein, mentor of Clara and Marie Curie, was born in Ulm.",
        "Leo Szilard, mentor of Clara and Marie Curie, was born in Paris, and Albert Einstein was born in Ulm.",
    ],
)
def test_predicate_after_an_apposition_attaches_to_the_subject(text: str) -> None:
    assert said(text) == [EINSTEIN_ULM]


@for_each_row(
    "text",
    [
        "Paris is the capital of the Campania region of France.",
        "Paris is the capital of the Bavaria state of Germany.",
        "Paris is the capital of southern Germany.",
        "The capital of southern Germany is Paris.",
        "Paris is the capital of ancient Germany.",
        "The largest cities in Germany are Berlin, the capital, Warsaw, and Paris.",
    ],
)
def test_part_of_a_place_is_not_the_place(text: str) -> None:
    assert said(text) == []


def test_what_is_of_a_thing_of_a_kind_is_of_it() -> None:
    assert said("Paris is the capital of the alpine republic of France.") == [PARIS]
    assert said("Paris is the capital of the Kingdom of France.") == [PARIS]


def test_lists_are_told_of_each_other_in_turn_with_or_without_a_comma() -> None:
    told = [("France", "P36", "Paris"), ("Germany", "P36", "Berlin"), ("Spain", "P36", "Madrid")]
    for end in (" respectively", ", respectively", ""):
        assert said(f"The capitals of France, Germany and Spain are Paris, Berlin, and Madrid{end}.") == told
    assert said("Mileva Marić and Albert Einstein were born in Paris and Ulm.") == []
    assert said("Mileva Marić and Albert Einstein were born in Ulm.") == [EINSTEIN_ULM]


def test_what_a_thing_has_besides_is_not_the_second_of_the_first_relation() -> None:
    for and_ in ("and its", "and the", "while its"):
        assert said(f"The capital of France is Paris, Foo, {and_} largest city is Berlin.")[1:] == []
        assert said(f"The capital of France is Paris, {and_} largest city is Berlin.") == [PARIS]


@for_each_row(
    "text",
    [
        "Paris is the co-capital of Germany.",
        "Albert Einstein was re-born in Paris.",
        "The capital of Germany is Paris-like.",
        "Paris is the capital of French fashion.",
    ],
)
def test_part_of_a_compound_is_not_the_relation_word(text: str) -> None:
    assert said(text) == []
