"""Relations of many domains for the hard replies: places, people, languages, dates, numbers, diseases, genes, music."""

from __future__ import annotations

from tests.evaluators import worlds as w
from tests.evaluators.worlds import World

CAPITAL = World(
    "The capital of [X] is [Y].",
    {
        "Australia": ["Canberra"],
        "Austria": ["Vienna"],
        "Slovakia": ["Bratislava"],
        "Slovenia": ["Ljubljana"],
        "Mexico": ["Mexico City"],
        "Luxembourg": ["Luxembourg"],
        "Guinea": ["Conakry"],
        "Guinea-Bissau": ["Bissau"],
        "Papua New Guinea": ["Port Moresby"],
        "Ukraine": ["Kyiv"],
        "India": ["New Delhi"],
        "Turkey": ["Ankara"],
        "Myanmar": ["Naypyidaw"],
        "Switzerland": ["Bern"],
        "Germany": ["Berlin"],
    },
    {
        "Vienna": ["Wien"],
        "Kyiv": ["Kiev", "Київ"],
        "Mexico City": ["Ciudad de México", "CDMX"],
        "Bern": ["Berne"],
        "Naypyidaw": ["Nay Pyi Taw"],
    },
)
COUNTRY = World(
    "[X] is a citizen of [Y].",
    {
        "Hugh Jackman": ["Australia"],
        "Sigmund Freud": ["Austria"],
        "Chinua Achebe": ["Nigeria"],
        "Boubou Hama": ["Niger"],
        "Oum Kalthoum": ["Egypt"],
        "Cristiano Ronaldo": ["Portugal"],
        "Ban Ki-moon": ["South Korea"],
        "Nelson Mandela": ["South Africa"],
        "Angela Merkel": ["Germany"],
        "Mario Vargas Llosa": ["Peru"],
        "Queen Latifah": ["United States of America"],
    },
    {
        "United States of America": ["USA", "United States", "US", "U.S.", "America"],
        "South Korea": ["Republic of Korea"],
        "Germany": ["Deutschland"],
    },
)
AUTHOR = World(
    "[X] was written by [Y].",
    {
        "War and Peace": ["Leo Tolstoy"],
        "Crime and Punishment": ["Fyodor Dostoevsky"],
        "Hamlet": ["William Shakespeare"],
        "The Hobbit": ["J. R. R. Tolkien"],
        "Frankenstein": ["Mary Shelley"],
        "Ozymandias": ["Percy Bysshe Shelley"],
        "Nineteen Eighty-Four": ["George Orwell"],
        "The Stranger": ["Albert Camus"],
        "The Cherry Orchard": ["Anton Chekhov"],
        "Anna": ["Alexandre Dumas"],
        "Camille": ["Alexandre Dumas, fils"],
    },
    {
        "Leo Tolstoy": ["Lev Tolstoy", "Tolstoy"],
        "George Orwell": ["Eric Arthur Blair"],
        "J. R. R. Tolkien": ["Tolkien"],
    },
)
KING = World(
    "[X] was succeeded by [Y].",
    {
        "Henry VII": ["Henry VIII"],
        "Mary I": ["Elizabeth I"],
        "George VI": ["Elizabeth II"],
        "Louis XIV": ["Louis XV"],
        "Pope John Paul II": ["Pope Benedict XVI"],
    },
    {"Elizabeth II": ["Queen Elizabeth II"], "Pope Benedict XVI": ["Benedict XVI", "Joseph Ratzinger"]},
)
LANGUAGE = World(
    "The native language of [X] is [Y].",
    {
        "Goethe": ["German"],
        "Voltaire": ["French"],
        "Cervantes": ["Spanish"],
        "Andersen": ["Danish"],
        "Mao": ["Chinese"],
        "Tagore": ["Bengali"],
        "Max Frisch": ["Swiss German"],
        "Chopin": ["Polish"],
    },
    {"German": ["Deutsch", "German language"], "Chinese": ["Mandarin", "中文"], "Bengali": ["Bangla"]},
)
ALBUM = World(
    "[X] is by [Y].",
    {
        "Unknown Pleasures": ["Joy Division"],
        "Rumours": ["Fleetwood Mac"],
        "Tragic Kingdom": ["No Doubt"],
        "Highway to Hell": ["AC/DC"],
        "Hunting High and Low": ["a-ha"],
        "Fragile": ["Yes"],
        "The Wall": ["Pink Floyd"],
        "Who's Next": ["The Who"],
        "Definitely Maybe": ["Oasis"],
    },
    {"Oasis": ["Oasis (band)"]},
)
FIRST = World(
    "The first album of [X] is [Y].",
    {
        "Joy Division": ["Unknown Pleasures"],
        "Oasis": ["Definitely Maybe"],
        "Blur": ["Leisure"],
        "Norah": ["Don't Know Why"],
    },
)
CLUB = World(
    "[X] plays for [Y].",
    {
        "Drogba": ["Chelsea F.C."],
        "Henry": ["Arsenal F.C."],
        "Messi": ["FC Barcelona"],
        "Giggs": ["Manchester United"],
        "Silva": ["Manchester City"],
        "Totti": ["A.S. Roma"],
        "Mbappé": ["Paris Saint-Germain"],
        "Di Natale": ["Udinese"],
    },
    {
        "Chelsea F.C.": ["Chelsea"],
        "Arsenal F.C.": ["Arsenal"],
        "FC Barcelona": ["Barcelona", "Barça"],
        "Manchester United": ["Man United", "Manchester United F.C."],
        "Paris Saint-Germain": ["PSG"],
    },
)
INSTRUMENT = World(
    "[X] plays the [Y].",
    {
        "Brian May": ["guitar"],
        "Paul McCartney": ["bass guitar"],
        "Elton John": ["piano"],
        "Miles Davis": ["trumpet"],
        "Ringo Starr": ["drum kit"],
        "Yo-Yo Ma": ["cello"],
    },
    {"drum kit": ["drums"], "cello": ["violoncello"]},
)
DISEASE = World(
    "[X] treats [Y].",
    {
        "insulin": ["diabetes mellitus"],
        "levodopa": ["Parkinson's disease"],
        "lisinopril": ["hypertension"],
        "midodrine": ["hypotension"],
        "allopurinol": ["gout"],
        "mesalazine": ["Crohn's disease"],
        "vitamin C": ["scurvy"],
        "cyanocobalamin": ["vitamin B12 deficiency"],
    },
    {"hypertension": ["high blood pressure"], "Parkinson's disease": ["Parkinson disease", "paralysis agitans"]},
)
GENE = World(
    "Mutations in [X] cause [Y].",
    {
        "BRCA1": ["breast cancer"],
        "CFTR": ["cystic fibrosis"],
        "HTT": ["Huntington's disease"],
        "RB1": ["retinoblastoma"],
    },
)
YEAR = World(
    "[X] was born in [Y].",
    {"Isaac Stern": ["1920"], "Max Born": ["1882"], "Cleopatra": ["69 BC"], "Livia": ["58 BC"], "Ada": ["1815"]},
)
BIRTHDAY = World(
    "[X] was born on [Y].",
    {
        "Einstein": ["14 March 1879"],
        "Curie": ["7 November 1867"],
        "Darwin": ["12 February 1809"],
        "Gates": ["1955-10-28"],
    },
)
WAR = World(
    "[X] lasted from [Y].",
    {"World War II": ["1939–1945"], "World War I": ["1914–1918"], "The Seven Years' War": ["1756–1763"]},
)
HEIGHT = World(
    "[X] is [Y] metres high.", {"Everest": ["8,849"], "Mont Blanc": ["4,806"], "K2": ["8,611"], "The hill": ["12"]}
)
PEOPLE = World(
    "[X] has [Y] inhabitants.", {"Ulm": ["126,000"], "Bern": ["1.4 million"], "Vaduz": ["5,700"], "Sealand": ["2"]}
)
PLANET = World("[X] has [Y] moons.", {"Mars": ["2"], "Earth": ["1"], "Jupiter": ["95"]})
RIVER = World(
    "[X] flows into the [Y].",
    {
        "Inn": ["Danube"],
        "Main": ["Rhine"],
        "Missouri": ["Mississippi River"],
        "Danube": ["Black Sea"],
        "Volga": ["Caspian Sea"],
    },
    {"Danube": ["Donau"], "Rhine": ["Rhein"], "Mississippi River": ["Mississippi"]},
)
COMPANY = World(
    "[X] is made by [Y].",
    {
        "iPhone": ["Apple Inc."],
        "Windows": ["Microsoft"],
        "Golf": ["Volkswagen"],
        "Galaxy": ["Samsung"],
        "A380": ["Airbus"],
        "Boeing 747": ["Boeing"],
    },
    {"Apple Inc.": ["Apple"], "Volkswagen": ["VW", "Volkswagen AG"]},
)
BORDERS = World(
    "[X] shares a border with [Y].",
    {
        "Germany": ["France", "Poland", "Austria", "Denmark"],
        "Haiti": ["Dominican Republic"],
        "Senegal": ["Guinea", "Guinea-Bissau", "Mali"],
        "Serbia": ["Bosnia and Herzegovina", "Hungary", "Romania"],
        "Congo": ["Angola", "Republic of the Congo", "Zambia"],
    },
    {"Bosnia and Herzegovina": ["Bosnia"], "Germany": ["Federal Republic of Germany"]},
)
MEMBERS = World(
    "[Y] is a member of [X].",
    {
        "The Beatles": ["John Lennon", "Paul McCartney", "George Harrison", "Ringo Starr"],
        "Queen": ["Freddie Mercury", "Brian May", "Roger Taylor", "John Deacon"],
        "The Police": ["Sting", "Stewart Copeland", "Andy Summers"],
    },
    {"John Lennon": ["Lennon"], "Paul McCartney": ["Sir Paul McCartney"], "Ringo Starr": ["Richard Starkey"]},
)
OFFICES = World(
    "[X] has an office in [Y].",
    {
        "Acme": ["Washington, D.C.", "Paris", "New York"],
        "Bolt": ["Port of Spain", "Kingston"],
        "Cog": ["Springfield", "St. Louis", "Berlin"],
    },
    {"New York": ["New York City", "NYC"], "Washington, D.C.": ["Washington"]},
)
SYMPTOM = World(
    "A symptom of [X] is [Y].",
    {
        "flu": ["fever", "cough", "headache"],
        "migraine": ["headache", "nausea"],
        "anaemia": ["fatigue", "shortness of breath"],
    },
    {"fever": ["pyrexia", "high temperature"]},
)
TITLES = World("[X] won the title in [Y].", {"Borg": ["1976", "1977", "1980"], "Graf": ["1988", "1996"]})
SCRIPT = World(
    "[X] is written in [Y].",
    {"git": ["C"], "Clang": ["C++"], "Mono": ["C#"], "Django": ["Python"], "dplyr": ["R"], "Kubernetes": ["Go"]},
)

RELIGION = World(
    "The religion of [X] is [Y].",
    {"Ibn Sina": ["Islam"], "Bach": ["Lutheranism"], "Aquinas": ["Catholic Church"], "Asoka": ["Buddhism"]},
    {"Catholic Church": ["Roman Catholicism", "Catholicism"]},
)
JOB = World(
    "[X] works as [Y].",
    {"Merkel": ["politician"], "Euler": ["mathematician"], "Bardot": ["actor"], "Fermat": ["lawyer"]},
    {"actor": ["actress", "film actor"], "lawyer": ["jurist"]},
)
MONEY = World(
    "The currency of [X] is [Y].",
    {
        "Japan": ["Japanese yen"],
        "Norway": ["Norwegian krone"],
        "Denmark": ["Danish krone"],
        "Kuwait": ["Kuwaiti dinar"],
        "Iraq": ["Iraqi dinar"],
    },
    {"Japanese yen": ["yen", "JPY"], "Norwegian krone": ["NOK"]},
)
ELEMENT = World(
    "The symbol of [X] is [Y].",
    {"iron": ["Fe"], "helium": ["He"], "iodine": ["I"], "arsenic": ["As"], "gold": ["Au"], "nobelium": ["No"]},
)
DEATH = World(
    "[X] died in [Y].",
    {"Keats": ["Rome"], "Byron": ["Missolonghi"], "Freud": ["London"], "Marx": ["London"], "Wilde": ["Paris"]},
    {"Missolonghi": ["Mesolongi"], "Rome": ["Roma"]},
)
SPOUSE = World(
    "[X] is married to [Y].",
    {
        "Barack Obama": ["Michelle Obama"],
        "Bill Clinton": ["Hillary Clinton"],
        "Marie Curie": ["Pierre Curie"],
        "Victoria": ["Prince Albert"],
    },
    {"Michelle Obama": ["Michelle LaVaughn Robinson"], "Hillary Clinton": ["Hillary Rodham Clinton"]},
)
NAMED = World(
    "[X] is named after [Y].",
    {
        "Bolivia": ["Simón Bolívar"],
        "Colombia": ["Christopher Columbus"],
        "America": ["Amerigo Vespucci"],
        "the Kelvin": ["Lord Kelvin"],
    },
    {"Lord Kelvin": ["William Thomson"]},
)
CONTINENT = World(
    "[X] lies in [Y].",
    {
        "Egypt": ["Africa"],
        "Peru": ["South America"],
        "Canada": ["North America"],
        "Japan": ["Asia"],
        "Vinson": ["Antarctica"],
    },
)
FOUNDED = World(
    "[X] was founded in [Y].",
    {"Apple": ["1976"], "Rome": ["753 BC"], "Oxford": ["1096"], "Google": ["4 September 1998"]},
)
GENRE = World(
    "[X] plays [Y].",
    {
        "Metallica": ["heavy metal"],
        "Slayer": ["thrash metal"],
        "Miles": ["jazz"],
        "Nirvana": ["grunge"],
        "Chic": ["disco"],
    },
    {"heavy metal": ["metal"]},
)
DRUGS = World(
    "[X] may be treated with [Y].",
    {
        "asthma": ["salbutamol", "budesonide", "montelukast"],
        "gout": ["allopurinol", "colchicine"],
        "pain": ["aspirin", "ibuprofen", "paracetamol", "codeine"],
    },
    {"salbutamol": ["albuterol"], "paracetamol": ["acetaminophen"]},
)
BOOKS = World(
    "[X] wrote [Y].",
    {
        "Orwell": ["Animal Farm", "Nineteen Eighty-Four"],
        "Austen": ["Emma", "Pride and Prejudice", "Sense and Sensibility"],
        "Shakespeare": ["Hamlet", "Romeo and Juliet", "Antony and Cleopatra"],
    },
    {"Nineteen Eighty-Four": ["1984"]},
)
LAND = World(
    "[X] has been to [Y].",
    {
        "Ann": ["Trinidad and Tobago", "Antigua and Barbuda", "São Tomé and Príncipe"],
        "Bob": ["Korea", "Japan"],
        "Eve": ["Côte d'Ivoire", "Åland"],
    },
    {"Côte d'Ivoire": ["Ivory Coast"]},
)

ASK = {
    "ulm": w.ask_object(w.BORN, "Albert Einstein"),
    "einstein": w.ask_subject(w.BORN, "Ulm"),
    "vienna": w.ask_object(CAPITAL, "Austria"),
    "canberra": w.ask_object(CAPITAL, "Australia"),
    "austria": w.ask_subject(CAPITAL, "Vienna"),
    "australia?": w.ask_subject(CAPITAL, "Canberra"),
    "mexico city": w.ask_object(CAPITAL, "Mexico"),
    "luxembourg": w.ask_object(CAPITAL, "Luxembourg"),
    "kyiv": w.ask_object(CAPITAL, "Ukraine"),
    "delhi": w.ask_object(CAPITAL, "India"),
    "bern": w.ask_object(CAPITAL, "Switzerland"),
    "berlin": w.ask_object(CAPITAL, "Germany"),
    "ljubljana": w.ask_object(CAPITAL, "Slovenia"),
    "slovenia": w.ask_subject(CAPITAL, "Ljubljana"),
    "guinea": w.ask_subject(CAPITAL, "Conakry"),
    "australia": w.ask_object(COUNTRY, "Hugh Jackman"),
    "niger": w.ask_object(COUNTRY, "Boubou Hama"),
    "germany": w.ask_object(COUNTRY, "Angela Merkel"),
    "usa": w.ask_object(COUNTRY, "Queen Latifah"),
    "korea": w.ask_object(COUNTRY, "Ban Ki-moon"),
    "portugal": w.ask_object(COUNTRY, "Cristiano Ronaldo"),
    "tolstoy": w.ask_object(AUTHOR, "War and Peace"),
    "dostoevsky": w.ask_object(AUTHOR, "Crime and Punishment"),
    "shakespeare": w.ask_object(AUTHOR, "Hamlet"),
    "tolkien": w.ask_object(AUTHOR, "The Hobbit"),
    "mary shelley": w.ask_object(AUTHOR, "Frankenstein"),
    "orwell": w.ask_object(AUTHOR, "Nineteen Eighty-Four"),
    "chekhov": w.ask_object(AUTHOR, "The Cherry Orchard"),
    "dumas": w.ask_object(AUTHOR, "Anna"),
    "1984": w.ask_subject(AUTHOR, "George Orwell"),
    "henry viii": w.ask_object(KING, "Henry VII"),
    "elizabeth i": w.ask_object(KING, "Mary I"),
    "elizabeth ii": w.ask_object(KING, "George VI"),
    "benedict": w.ask_object(KING, "Pope John Paul II"),
    "german": w.ask_object(LANGUAGE, "Goethe"),
    "danish": w.ask_object(LANGUAGE, "Andersen"),
    "chinese": w.ask_object(LANGUAGE, "Mao"),
    "polish": w.ask_object(LANGUAGE, "Chopin"),
    "joy division": w.ask_object(ALBUM, "Unknown Pleasures"),
    "no doubt": w.ask_object(ALBUM, "Tragic Kingdom"),
    "acdc": w.ask_object(ALBUM, "Highway to Hell"),
    "aha": w.ask_object(ALBUM, "Hunting High and Low"),
    "yes": w.ask_object(ALBUM, "Fragile"),
    "the who": w.ask_object(ALBUM, "Who's Next"),
    "unknown pleasures": w.ask_object(FIRST, "Joy Division"),
    "definitely maybe": w.ask_object(FIRST, "Oasis"),
    "leisure": w.ask_object(FIRST, "Blur"),
    "dont know why": w.ask_object(FIRST, "Norah"),
    "chelsea": w.ask_object(CLUB, "Drogba"),
    "barcelona": w.ask_object(CLUB, "Messi"),
    "united": w.ask_object(CLUB, "Giggs"),
    "roma": w.ask_object(CLUB, "Totti"),
    "psg": w.ask_object(CLUB, "Mbappé"),
    "guitar": w.ask_object(INSTRUMENT, "Brian May"),
    "bass": w.ask_object(INSTRUMENT, "Paul McCartney"),
    "drums": w.ask_object(INSTRUMENT, "Ringo Starr"),
    "hypertension": w.ask_object(DISEASE, "lisinopril"),
    "hypotension": w.ask_object(DISEASE, "midodrine"),
    "parkinson": w.ask_object(DISEASE, "levodopa"),
    "crohn": w.ask_object(DISEASE, "mesalazine"),
    "diabetes": w.ask_object(DISEASE, "insulin"),
    "scurvy": w.ask_object(DISEASE, "vitamin C"),
    "brca1": w.ask_subject(GENE, "breast cancer"),
    "1920": w.ask_object(YEAR, "Isaac Stern"),
    "69bc": w.ask_object(YEAR, "Cleopatra"),
    "1879": w.ask_object(BIRTHDAY, "Einstein"),
    "1955": w.ask_object(BIRTHDAY, "Gates"),
    "war": w.ask_object(WAR, "World War II"),
    "everest": w.ask_object(HEIGHT, "Everest"),
    "hill": w.ask_object(HEIGHT, "The hill"),
    "people": w.ask_object(PEOPLE, "Ulm"),
    "million": w.ask_object(PEOPLE, "Bern"),
    "mars": w.ask_object(PLANET, "Mars"),
    "danube": w.ask_object(RIVER, "Inn"),
    "mississippi": w.ask_object(RIVER, "Missouri"),
    "black sea": w.ask_object(RIVER, "Danube"),
    "apple": w.ask_object(COMPANY, "iPhone"),
    "volkswagen": w.ask_object(COMPANY, "Golf"),
    "boeing": w.ask_object(COMPANY, "Boeing 747"),
    "haiti": w.ask_object(BORDERS, "Haiti"),
    "c": w.ask_object(SCRIPT, "git"),
    "r": w.ask_object(SCRIPT, "dplyr"),
    "go": w.ask_object(SCRIPT, "Kubernetes"),
    "islam": w.ask_object(RELIGION, "Ibn Sina"),
    "catholic": w.ask_object(RELIGION, "Aquinas"),
    "politician": w.ask_object(JOB, "Merkel"),
    "actor": w.ask_object(JOB, "Bardot"),
    "yen": w.ask_object(MONEY, "Japan"),
    "krone": w.ask_object(MONEY, "Norway"),
    "dinar": w.ask_object(MONEY, "Kuwait"),
    "iron": w.ask_object(ELEMENT, "iron"),
    "helium": w.ask_object(ELEMENT, "helium"),
    "nobelium": w.ask_object(ELEMENT, "nobelium"),
    "keats": w.ask_object(DEATH, "Keats"),
    "byron": w.ask_object(DEATH, "Byron"),
    "freud": w.ask_object(DEATH, "Freud"),
    "obama": w.ask_object(SPOUSE, "Barack Obama"),
    "clinton": w.ask_object(SPOUSE, "Bill Clinton"),
    "pierre": w.ask_object(SPOUSE, "Marie Curie"),
    "bolivar": w.ask_object(NAMED, "Bolivia"),
    "kelvin": w.ask_object(NAMED, "the Kelvin"),
    "africa": w.ask_object(CONTINENT, "Egypt"),
    "south america": w.ask_object(CONTINENT, "Peru"),
    "1976": w.ask_object(FOUNDED, "Apple"),
    "rome": w.ask_object(FOUNDED, "Rome"),
    "google": w.ask_object(FOUNDED, "Google"),
    "metal": w.ask_object(GENRE, "Metallica"),
    "jazz": w.ask_object(GENRE, "Miles"),
    # sets
    "asthma": w.ask_object(DRUGS, "asthma"),
    "gout": w.ask_object(DRUGS, "gout"),
    "orwell's": w.ask_object(BOOKS, "Orwell"),
    "austen's": w.ask_object(BOOKS, "Austen"),
    "shakespeare's": w.ask_object(BOOKS, "Shakespeare"),
    "ann": w.ask_object(LAND, "Ann"),
    "eve": w.ask_object(LAND, "Eve"),
    "neighbours": w.ask_object(BORDERS, "Germany"),
    "senegal": w.ask_object(BORDERS, "Senegal"),
    "serbia": w.ask_object(BORDERS, "Serbia"),
    "congo": w.ask_object(BORDERS, "Congo"),
    "beatles": w.ask_object(MEMBERS, "The Beatles"),
    "police": w.ask_object(MEMBERS, "The Police"),
    "acme": w.ask_object(OFFICES, "Acme"),
    "bolt": w.ask_object(OFFICES, "Bolt"),
    "cog": w.ask_object(OFFICES, "Cog"),
    "flu": w.ask_object(SYMPTOM, "flu"),
    "anaemia": w.ask_object(SYMPTOM, "anaemia"),
    "borg": w.ask_object(TITLES, "Borg"),
    "swiss": w.ask_object(w.SPEAKS, "Switzerland"),
    "islands": w.ask_subject(w.ISLANDS, "Caribbean"),
    # choices
    "mc ulm": w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "New York", "Paris"),
    "mc guinea": w.choose_subject(CAPITAL, "Conakry", "Papua New Guinea", "Guinea-Bissau", "Guinea", "Mexico"),
    "mc dc": w.choose(w.BORN, "Duke Ellington", "Paris", "Washington, D.C.", "New York"),
    "mc guitar": w.choose(INSTRUMENT, "Brian May", "bass guitar", "piano", "guitar", "trumpet"),
    "mc year": w.choose(YEAR, "Isaac Stern", "1815", "1882", "1920"),
    "mc c": w.choose(SCRIPT, "git", "Python", "C++", "C", "R"),
    "mc two": w.choose(CAPITAL, "Ukraine", "Ankara", "Kyiv"),
    "mc author": w.choose(
        AUTHOR, "War and Peace", "Anton Chekhov", "Leo Tolstoy", "Mary Shelley", "Alexandre Dumas, fils"
    ),
    "mc fils": w.choose(AUTHOR, "Camille", "Alexandre Dumas", "Alexandre Dumas, fils", "Albert Camus"),
    "mc yes": w.choose(ALBUM, "Tragic Kingdom", "Yes", "No Doubt", "The Who"),
    "mc yen": w.choose(MONEY, "Norway", "Danish krone", "Japanese yen", "Norwegian krone", "Iraqi dinar"),
    "mc keats": w.choose(DEATH, "Keats", "London", "Paris", "Missolonghi", "Rome"),
    "mc iron": w.choose(ELEMENT, "iron", "I", "Fe", "As", "He"),
    "mc jazz": w.choose(GENRE, "Miles", "disco", "grunge", "jazz"),
    # statements
    "true": w.true_or_false(w.BORN, "Albert Einstein", "Ulm"),
    "false": w.true_or_false(w.BORN, "Albert Einstein", "Paris"),
    "true band": w.true_or_false(ALBUM, "Tragic Kingdom", "No Doubt"),
    "false band": w.true_or_false(ALBUM, "Tragic Kingdom", "Yes"),
}
"""Questions by a short name; "mc" ones offer choices."""
