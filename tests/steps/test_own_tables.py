"""Tables of one's own: several in one folder, and relations without a sentence."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine

TABLE = ["kg=csv", "model=scripted"]
CAPITALS = "subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\nJapan,capital,Tokyo\n"
BIRTHS = "subject,relation,object\nAda,born in,London\nMarie,born in,Warsaw\nEmmy,born in,Erlangen\n"


@pytest.fixture
def tables(factprobe: CommandLine) -> CommandLine:
    (factprobe.folder / "capitals.csv").write_text(CAPITALS, encoding="utf-8")
    (factprobe.folder / "births.csv").write_text(BIRTHS, encoding="utf-8")
    return factprobe


def test_another_table_in_the_same_folder_is_told(tables: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert tables("step=all", *TABLE, "kg.source=capitals.csv").code == 0
    assert "holds files made of" not in caplog.text
    assert tables("step=extract", *TABLE, "kg.source=./capitals.csv").code == 0
    assert "holds files made of" not in caplog.text
    assert tables("step=all", *TABLE, "kg.source=births.csv", "model.name=b").code == 0
    assert "outputs/csv: holds files made of capitals.csv" in caplog.text
    assert "kg.name=NAME or output_dir=FOLDER" in caplog.text
    error = tables.fails("step=compare", "kg=csv", "kg.source=births.csv")
    assert "there are no grades of scripted for the questions that are there now" in error


def test_relations_of_one_label_are_named(tables: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    rows = "a:p,capital,Bolivia,Sucre\nb:p,Capital,Bolivia,La Paz\nc:p,size,Peru,big\n"
    (tables.folder / "two.csv").write_text(f"relation_id,relation,subject,object\n{rows}")
    assert tables("step=extract", *TABLE, "kg.source=two.csv").code == 0
    [warning] = [message for message in caplog.messages if "same words" in message]
    assert "a:p, b:p are asked in the same words" in warning
    assert "relations=[a:p]" in warning
    caplog.clear()
    assert tables("step=extract", *TABLE, "kg.source=two.csv", 'kg.templates={b:p: "[Y] rules [X]."}').code == 0
    assert "same words" not in caplog.text


def test_a_relation_without_a_sentence_is_told_once(tables: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert tables("step=all", *TABLE, "kg.source=births.csv").code == 0
    [warning] = [message for message in caplog.messages if "template" in message]
    setting = """kg.templates={born in: "... [X] ... [Y]."}"""
    assert (
        warning == f"csv: no template for born in, asked as '[X], born in: [Y].'; for better sentences set '{setting}'"
    )
    caplog.clear()
    worded = setting.replace("... [X] ...", "[X] was born in")
    assert tables("step=extract", *TABLE, "kg.source=births.csv", worded).code == 0
    assert "template" not in caplog.text


def test_template_that_cannot_be_used_is_told_with_its_setting(tables: CommandLine) -> None:
    run = ["step=extract", *TABLE, "kg.source=capitals.csv"]
    line = tables.fails(*run, 'kg.templates={capital: "[X] is a country."}')
    assert "kg.templates: relation 'capital' has the template" in line
    assert "capitals.csv" not in line
    (tables.folder / "own.yaml").write_text('capital: "[X] is a country."')
    assert "own.yaml: relation 'capital' has the template" in tables.fails(*run, "kg.templates=own.yaml")


def test_table_of_things_is_told_how_to_become_facts(tables: CommandLine) -> None:
    (tables.folder / "rivers.csv").write_text("river,home country,km,mouth\nDanube,Germany,2850,Black Sea\n")
    line = tables.fails("step=extract", *TABLE, "kg.source=rivers.csv")
    assert "kg.columns.subject=river 'kg.columns.object=home country'" in line
    assert "several property columns" in line
