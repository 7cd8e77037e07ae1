"""UMLS in its Rich Release Format, checked by hand, and whatever is broken."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError, UnknownNameError
from factprobe.kgs.umls.metathesaurus import Metathesaurus, RrfSettings, files_of
from factprobe.metrics.graphs.inverses import inverses, sketch
from factprobe.records import Triplet
from factprobe.storage import Problems
from tests.command_line import CommandLine
from tests.kgs.rrf import ASPIRIN, BRAIN, FEVER, FILES, PAIN, WARFARIN, metathesaurus, named, related, typed

pytest.importorskip("duckdb")


def opened(folder: Path, strict: bool = False, **settings: Any) -> Metathesaurus:
    """The graph in a folder, sorted beside it."""
    store = str(folder.parent / "sorted")
    chosen = RrfSettings(name="umls_rrf", source=str(folder), store=store, **settings)
    return Metathesaurus(None, "umls_rrf", Problems(strict), chosen)


def every(kg: Metathesaurus) -> list[Triplet]:
    return [fact for relation in kg.load_relations() for fact in kg.facts(relation)]


def facts(kg: Metathesaurus) -> list[tuple[str, str, str]]:
    return [(fact.subject_uri, fact.relation_info.relation, fact.object_uri) for fact in every(kg)]


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    return metathesaurus(tmp_path / "META")


def test_rows_are_read_from_right_to_left(meta: Path, caplog: pytest.LogCaptureFixture) -> None:
    kg = opened(meta)
    assert facts(kg) == [
        (ASPIRIN, "may_treat", PAIN),
        (ASPIRIN, "may_treat", FEVER),
        (WARFARIN, "may_treat", FEVER),
        (PAIN, "may_be_treated_by", ASPIRIN),
        (PAIN, "finding_site_of", BRAIN),
    ]
    relation = next(iter(kg.load_relations()))
    assert relation.template == "[X], may treat: [Y]."
    assert kg.problems.messages == []
    assert kg.inputs(relation) == [meta / name for name in FILES]


def test_names_and_types(meta: Path, caplog: pytest.LogCaptureFixture) -> None:
    pain, _, warfarin = opened(meta).triplets("may_treat")
    assert (pain.subject_label, pain.subject_aliases) == ("Aspirin", ("ASA", "acetylsalicylic acid"))  # as MRRANK says
    assert pain.subject_types == ("Organic Chemical", "Pharmacologic Substance")
    assert (pain.object_label, pain.object_types) == ('Pain, "dull"', ("Sign or Symptom",))
    assert (warfarin.subject_label, warfarin.subject_uri) == ("", WARFARIN)  # a code is no name
    assert "1 entities have no label" in caplog.text


def test_names_without_ranks(meta: Path) -> None:
    (meta / "MRRANK.RRF").unlink()
    pain, *_ = opened(meta).triplets("may_treat")
    assert (pain.subject_label, pain.subject_aliases) == ("Aspirin", ("acetylsalicylic acid", "ASA"))


def test_best_name_without_preferred_one(tmp_path: Path) -> None:
    names = [named(PAIN, "ache", "S|VO|N", "A1", tty="XX"), named(PAIN, "dolor", "S|PF|Y", "A2", tty="XX")]
    [fact] = opened(metathesaurus(tmp_path / "META", MRCONSO=names)).triplets("may_be_treated_by")
    assert (fact.subject_label, fact.subject_aliases) == ("dolor", ("ache",))


def test_chosen_vocabularies(meta: Path) -> None:
    assert facts(opened(meta, vocabularies=("SNOMEDCT_US", "NCI"))) == [
        (ASPIRIN, "may_treat", FEVER),
        (PAIN, "finding_site_of", BRAIN),
    ]
    message = r"kg\.vocabularies: unknown source vocabulary 'SNOMED'; did you mean 'SNOMEDCT_US'\? known: MED-RT, NCI, "
    with pytest.raises(UnknownNameError, match=message):
        every(opened(meta, vocabularies=("NCI", "SNOMED")))


def test_chosen_relations(meta: Path) -> None:
    assert {name for _, name, _ in facts(opened(meta, relations="finding_site_of"))} == {"finding_site_of"}
    message = r"relations: unknown relation 'may_threat'; did you mean 'may_treat'\? known: finding_site_of, may_be_"
    with pytest.raises(UnknownNameError, match=message):
        every(opened(meta, relations=("may_threat",)))
    assert not list((meta.parent / "sorted/graphs").glob("*.tmp"))


def test_rows_without_a_rela_on_request(meta: Path) -> None:
    assert set(facts(opened(meta, with_rel=True))) - set(facts(opened(meta))) == {(PAIN, "SIB", FEVER)}


def test_two_directions_are_inverses(tmp_path: Path) -> None:
    pairs = [(f"C{drug}", f"C{drug + 50}") for drug in range(10, 30)]
    rows = [related(ill, "may_treat", drug) for drug, ill in pairs]
    rows += [related(drug, "may_be_treated_by", ill) for drug, ill in pairs]
    rows += [related(f"C{n}", "has_x", f"C{n + 1}") for n in range(100, 110)]
    kg = opened(metathesaurus(tmp_path / "META", MRREL=rows))
    found = inverses(
        {
            relation.relation: sketch((fact.subject_uri, fact.object_uri) for fact in kg.facts(relation))
            for relation in kg.load_relations()
        }
    )
    assert [inverse.relation for inverse in found["may_treat"]] == ["may_be_treated_by"]
    assert found["has_x"] == ()


@pytest.mark.parametrize("name", ["MRREL", "MRCONSO", "MRSTY"])
def test_missing_or_empty_file(meta: Path, name: str) -> None:
    (meta / f"{name}.RRF").write_text("")
    with pytest.raises(DataError, match=rf"{name}\.RRF: is empty; copy"):
        every(opened(meta))
    (meta / f"{name}.RRF").unlink()
    with pytest.raises(DataError, match=rf"META: has no {name}\.RRF; set kg.source= to the folder META"):
        every(opened(meta))
    with pytest.raises(DataError, match=r"MRRANK\.RRF: is not a folder; set kg.source= to the folder META"):
        every(opened(meta / "MRRANK.RRF"))


SHORT = "C0000001|A1|AUI|RO|C0000002|"
LATIN = related("C0000001", "caf\udce9", "C0000002")


def test_broken_rows_are_skipped_and_reported(meta: Path) -> None:
    good = FILES["MRREL.RRF"]
    rows = [good[0], SHORT, good[0] + "more|", LATIN, good[1]]
    (meta / "MRREL.RRF").write_text("".join(f"{line}\n" for line in rows), encoding="utf-8", errors="surrogateescape")
    (meta / "MRSTY.RRF").write_text(f"{typed(PAIN, 'Sign')}\nC1|T1|\n")
    kg = opened(meta)
    assert facts(kg) == [(ASPIRIN, "may_treat", PAIN), (PAIN, "may_be_treated_by", ASPIRIN)]
    assert kg.problems.messages == [
        f"{meta}/MRREL.RRF:2: broken row: missing columns",
        f"{meta}/MRREL.RRF:3: broken row: too many columns",
        f"{meta}/MRREL.RRF:4: broken row: invalid encoding",
        f"{meta}/MRSTY.RRF:2: broken row: missing columns",
    ]
    again = opened(meta, vocabularies="MED-RT")
    assert len(every(again)) == 2
    assert len(again.problems.messages) == 4  # once each, though MRREL was looked into twice
    with pytest.raises(DataError, match=r"MRREL\.RRF:2: broken row: missing columns"):
        every(opened(meta, strict=True))


def test_file_of_another_format(meta: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factprobe.kgs.umls.metathesaurus._MAX_BROKEN_ROWS", 3)
    (meta / "MRREL.RRF").write_text("a,b,c\n" * 3)
    with pytest.raises(DataError, match=r"MRREL\.RRF: has 3 or more broken rows; check that it is in the Rich"):
        every(opened(meta))


def test_byte_order_mark_and_crlf(meta: Path) -> None:
    expected = every(opened(meta))
    for name, rows in FILES.items():
        (meta / name).write_bytes("\ufeff".encode() + "".join(f"{line}\r\n" for line in rows).encode())
    assert every(opened(meta)) == expected


@pytest.mark.parametrize("form", ["{}.gz", "{}.aa", "{}.aa.gz"])
def test_compressed_and_split_files(meta: Path, form: str) -> None:
    expected = every(opened(meta))
    for name, rows in FILES.items():
        (meta / name).unlink()
        for part, some in (("aa", rows[:2]), ("ab", rows[2:])) if "aa" in form else (("", rows),):
            text = "".join(f"{line}\n" for line in some).encode()
            path = meta / form.format(name).replace("aa", part)
            path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    assert every(opened(meta)) == expected


def test_parts_some_of_which_are_compressed(meta: Path) -> None:
    expected = every(opened(meta))
    lines = (meta / "MRREL.RRF").read_bytes().splitlines(keepends=True)
    (meta / "MRREL.RRF").unlink()
    (meta / "MRREL.RRF.aa.gz").write_bytes(gzip.compress(lines[0]))
    (meta / "MRREL.RRF.ab").write_bytes(b"".join(lines[1:3]))
    (meta / "MRREL.RRF.ac.gz").write_bytes(gzip.compress(b"".join(lines[3:])))
    assert every(opened(meta)) == expected
    (meta / "MRREL.RRF.aa").write_bytes(lines[0])
    assert [path.name for path in files_of(meta)][:3] == ["MRREL.RRF.aa", "MRREL.RRF.ab", "MRREL.RRF.ac.gz"]


def test_truncated_files_and_other_encodings(meta: Path) -> None:
    rows = "".join(f"{related(f'C{n}', 'may_treat', f'C{n + 1}')}\n" for n in range(20_000)).encode()
    (meta / "MRREL.RRF").unlink()
    (meta / "MRREL.RRF.gz").write_bytes(gzip.compress(rows)[:-1000])
    with pytest.raises(DataError, match=r"MRREL\.RRF\.gz: is cut off"):
        every(opened(meta))
    (meta / "MRREL.RRF.gz").write_bytes(rows)
    with pytest.raises(DataError, match=r"MRREL\.RRF\.gz: is not a \.gz file"):
        every(opened(meta))
    (meta / "MRREL.RRF").write_text(rows.decode()[:1000], encoding="utf-16")
    with pytest.raises(DataError, match=r"MRREL\.RRF: is UTF-16"):
        every(opened(meta))


def test_folder_name_with_glob_characters(tmp_path: Path) -> None:
    assert len(facts(opened(metathesaurus(tmp_path / "a[b]*?")))) == 5


def test_relations_that_a_run_picks_are_read_alone(factprobe: CommandLine) -> None:
    metathesaurus(factprobe.folder / "META")
    base = ("step=extract", "kg=umls_rrf", "kg.source=META")
    assert "extract: 3 relations, 5 triplets" in factprobe(*base).out
    assert "extract: 1 relation, 3 triplets" in factprobe(*base, "relations=[may_treat]").out
    assert "known: finding_site_of, may_be_treated_by, may_treat" in factprobe(*base, "relations=may_threat").err
    composed = factprobe(*base, "relations=[may_treat]", "compose=[may_be_treated_by/may_treat]")
    assert "extract: 3 relations" in composed.out, composed.err


def test_error_names_the_missing_step(factprobe: CommandLine) -> None:
    metathesaurus(factprobe.folder / "META")
    message = factprobe.fails("step=generate", "kg=umls_rrf", "kg.source=META", "relations=[may_treat]")
    assert "kg.source=META 'relations=[may_treat]' first" in message
    assert "kg.relations" not in message
