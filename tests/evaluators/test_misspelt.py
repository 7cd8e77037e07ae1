"""Misspelt names in a graph: slips are accepted; other codes, opposites and terms are not."""

from __future__ import annotations

from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row

SLIPS = [
    ("Mississippi", "Missisippi"),
    ("Philippines", "Phillipines"),
    ("Nietzsche", "Nietsche"),
    ("Gorbachev", "Gorbachov"),
    ("Herzogenaurach", "Herzogenarauch"),
    ("Michael Jackson", "Micheal Jackson"),
    ("Stephen King", "Steven King"),
    ("AC/DC", "ACDC"),
    ("Pyotr Tchaikovsky", "Pyotr Chaikovsky"),
    ("BRCA1", "BRCA-1"),
    ("Boeing 747", "Boeing747"),
    ("Elizabeth II", "Elizabth II"),
    ("schizophrenia", "schizofrenia"),
    ("montelukast", "montelucast"),
    ("chlorpromazine", "clorpromazine"),
    ("cemetery", "cemetary"),
]
OTHERS = [
    ("John Kerry", "John Perry"),
    ("Richard Nixon", "Richard Dixon"),
    ("HTR2A", "HTR2B"),
    ("V600E", "V600K"),
    ("17p13", "17q13"),
    ("I10.21", "J10.21"),
    ("BRAF V600E", "BRAF V600K"),
    ("HMGCR", "HMGCL"),
    ("EGFR inhibitor", "EGFL inhibitor"),
    ("8:30 am", "8:30 pm"),
    ("hypokalemia", "hyperkalemia"),
    ("Hyponatremia", "Hypernatremia"),
    ("prednisone", "prednisolone"),
    ("phosphate", "phosphite"),
    ("sodium phosphate", "sodium phosphite"),
    ("hexane", "hexene"),
    ("glutamine", "glutamate"),
    ("north-west", "north-east"),
    ("northeastern", "northwestern"),
    ("intravenous", "intervenous"),
]


@for_each_row("name, reply", SLIPS)
def test_slip_is_accepted(name: str, reply: str) -> None:
    assert _verdict(name, reply) == "correct"


@for_each_row("name, reply", OTHERS)
def test_another_word_is_rejected(name: str, reply: str) -> None:
    assert _verdict(name, reply) != "correct"


def test_another_code_in_a_set_is_rejected() -> None:
    world = World("[X] targets [Y].", {"levodopa": ["HTR2A", "DRD2"], "aspirin": ["PTGS1"]})
    assert graded(ask_object(world, "levodopa"), "HTR2B, DRD2").verdict == "incorrect"


def _verdict(name: str, reply: str) -> str:
    world = World("The code of [X] is [Y].", {"Alba": [name], "Brun": ["Zorkmid"], "Cato": ["Filler"]})
    return graded(ask_object(world, "Alba"), reply).verdict
