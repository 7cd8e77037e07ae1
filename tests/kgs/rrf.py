"""A small Metathesaurus in the published format: MRREL, MRCONSO, MRSTY and MRRANK, written row by row."""

from __future__ import annotations

from pathlib import Path


def row(*cells: str) -> str:
    """A line: every field ends in `|`."""
    return "".join(f"{cell}|" for cell in cells)


def related(first: str, rela: str, second: str, sab: str = "MED-RT", suppress: str = "N", rel: str = "RO") -> str:
    """A row of MRREL, which is read from right to left."""
    aui1, aui2, rui = f"A{first[1:]}", f"A{second[1:]}", "R7"
    return row(first, aui1, "AUI", rel, second, aui2, "AUI", rela, rui, "", sab, sab, "", "", suppress, "")


def named(
    cui: str, text: str, status: str = "P|PF|Y", aui: str = "A1", tty: str = "PT", suppress: str = "N", lat: str = "ENG"
) -> str:
    """A row of MRCONSO; the status is that of term, of string and whether the atom is the preferred one."""
    ts, stt, ispref = status.split("|")
    return row(cui, lat, ts, "L1", stt, "S1", ispref, aui, "", "", "", "MSH", tty, "D0", text, "0", suppress, "")


def typed(cui: str, name: str) -> str:
    """A row of MRSTY."""
    return row(cui, "T047", "B2.2.1.2.1", name, "AT1", "")


ASPIRIN, PAIN, FEVER, BRAIN, WARFARIN = "C0004057", "C0030193", "C0015967", "C0006104", "C0043031"
FILES = {
    "MRREL.RRF": [
        related(PAIN, "may_treat", ASPIRIN),
        related(ASPIRIN, "may_be_treated_by", PAIN),
        related(FEVER, "may_treat", ASPIRIN, sab="NCI"),
        related(PAIN, "may_treat", PAIN),  # of a concept with itself
        related(BRAIN, "may_treat", ASPIRIN, suppress="O"),
        related(BRAIN, "finding_site_of", PAIN, sab="SNOMEDCT_US"),
        related(FEVER, "", PAIN, rel="SIB", sab="MSH"),
        related(FEVER, "may_treat", WARFARIN),
    ],
    "MRCONSO.RRF": [
        named(ASPIRIN, "acetylsalicylic acid", "S|PF|Y", "A3", tty="SY"),
        named(ASPIRIN, "Aspirin", aui="A2"),
        named(ASPIRIN, "ASA", "S|PF|Y", "A4", tty="AB"),
        named(ASPIRIN, "Aspirine", lat="FRE"),
        named(ASPIRIN, "Aspro", "S|VO|N", suppress="Y"),
        named(PAIN, 'Pain, "dull"'),
        named(FEVER, "Fever"),
        named(BRAIN, "Brain"),
        named(WARFARIN, "Warfarin", suppress="O"),
        named("C0000000", "of no use"),
    ],
    "MRSTY.RRF": [
        typed(PAIN, "Sign or Symptom"),
        typed(ASPIRIN, "Organic Chemical"),
        typed(ASPIRIN, "Pharmacologic Substance"),
    ],
    "MRRANK.RRF": [row("0400", "MSH", "AB", "N"), row("0300", "MSH", "SY", "N"), row("0800", "MSH", "PT", "N")],
}


def metathesaurus(folder: Path, **changed: list[str]) -> Path:
    """Writes the files, some of them with other rows, by what they are called: `MRREL=[...]`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, usual in FILES.items():
        rows = changed.get(name.removesuffix(".RRF"), usual)
        (folder / name).write_text("".join(f"{line}\n" for line in rows), encoding="utf-8")
    return folder
