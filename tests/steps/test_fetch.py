"""The full data of a graph, fetched from a server on loopback and read from then on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from factprobe.config import compose, from_omegaconf, user_cache
from factprobe.storage import file_hash
from tests.command_line import CommandLine
from tests.kgs.archives.server import LAMA, Served, serving, zipped

pytest.importorskip("pooch")


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(zipped(LAMA)) as served:
        yield served


def test_the_graph_reads_what_was_fetched(factprobe: CommandLine, served: Served) -> None:
    base = ("kg=trex", f"fetch.url={served.url}")
    assert "extract: 16 relations" in factprobe("step=extract", "kg=trex").out  # the small graph
    done = factprobe("step=fetch", *base)
    folder = user_cache() / "data/trex"
    assert f"fetch: 2 files, which kg=trex reads from now on → {folder}" in done.out, done.err
    assert sorted(path.name for path in folder.iterdir()) == ["P19.jsonl", "relations.jsonl"]
    assert "extract: 1 relation, 1 triplet" in factprobe("step=extract", "kg=trex").out
    [archive] = (user_cache() / "archives").glob("*.zip")
    manifest = json.loads((factprobe.folder / "outputs/trex/manifest.json").read_text())
    assert manifest["fetch"]["counts"] == {
        "url": served.url,
        "sha256": file_hash(archive),
        "bytes": archive.stat().st_size,
        "files": 2,
    }
    assert "is there already" in factprobe("step=fetch", *base).out
    assert served.starts == [0]


def test_a_folder_that_is_named(factprobe: CommandLine, served: Served) -> None:
    command = ("step=fetch", "kg=google_re", f"fetch.url={served.url}", "kg.data_dir=full")
    assert factprobe(*command).code == 0
    assert (factprobe.folder / "full/place_of_birth_test.jsonl").exists()
    assert "full: is there already; set kg.data_dir= to another folder, or remove it" in factprobe.fails(*command)
    assert not (user_cache() / "data").exists()


def test_one_archive_serves_two_graphs(factprobe: CommandLine, served: Served) -> None:
    for name in ("trex", "google_re"):
        assert factprobe("step=fetch", f"kg={name}", f"fetch.url={served.url}").code == 0
    assert served.starts == [0]


def test_an_archive_in_another_layout(factprobe: CommandLine, served: Served) -> None:
    command = ("step=fetch", "kg=trex", f"fetch.url={served.url}")
    assert "holds no TREx; list files that it has" in factprobe.fails(*command, "kg.archive.paths=[TREx]")
    message = factprobe.fails(*command, "kg.archive.paths=[data/TREx]")
    assert "holds no data that kg=trex reads: has no relations.jsonl; name what it has" in message
    served.content = b"<html></html>"
    assert "is neither a zip nor a tar archive; it is deleted" in factprobe.fails(*command, f"fetch.url={served.url}?2")
    assert list((user_cache() / "data").iterdir()) == []


def test_a_checksum(factprobe: CommandLine, served: Served) -> None:
    message = factprobe.fails("step=fetch", "kg=trex", f"fetch.url={served.url}", f"fetch.sha256={'0' * 64}")
    assert "has another checksum than before or than published" in message
    assert not (user_cache() / "data").exists()


def test_a_graph_whose_data_nobody_publishes(factprobe: CommandLine) -> None:
    message = "step=fetch: no archive is known for kg=umls; name one with fetch.url="
    assert message in factprobe.fails("step=fetch", "kg=umls")


@pytest.mark.parametrize("name", ["trex", "google_re", "bear", "ctd", "wiki_bio"])
def test_what_is_known_of_archives(name: str) -> None:
    archive = from_omegaconf(compose([f"kg={name}"])).kg.archive
    assert archive.url is not None
    assert archive.url.startswith("https://")
    assert archive.sha256 is None
    assert archive.paths
