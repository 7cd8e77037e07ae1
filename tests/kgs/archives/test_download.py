"""Downloads from a server on loopback, which does all that servers do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from factprobe.errors import ConfigError, DataError, MissingExtraError
from factprobe.kgs.archives import download
from factprobe.kgs.archives.download import Archive, fetch, store_checksum
from tests.kgs.archives.server import Served, serving

pytest.importorskip("pooch")

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(download, "_WAIT", 0.0)
    monkeypatch.setattr(download, "_CHUNK", 1000)
    with serving(CONTENT) as served:
        yield served


@pytest.fixture
def archive(served: Served, tmp_path: Path) -> Archive:
    return Archive(served.url, None, tmp_path / "archives", 1.0)


def test_archive_is_fetched_once(served: Served, archive: Archive) -> None:
    assert fetch(archive) == SHA256
    assert fetch(archive) == SHA256
    assert archive.path.read_bytes() == CONTENT
    assert served.starts == [0]
    assert list(archive.folder.iterdir()) == [archive.path]


def test_broken_connection_is_resumed(served: Served, archive: Archive) -> None:
    served.cut = [100_000, 50_000]
    assert fetch(archive) == SHA256
    assert served.starts == [0, 100_000, 150_000]


def test_next_run_resumes_partial_download(served: Served, archive: Archive) -> None:
    served.cut = [10_000] * 5
    with pytest.raises(DataError, match=r"broke off.*; 50,000 bytes are here; run it again to resume"):
        fetch(archive)
    assert not archive.path.exists()
    assert fetch(archive) == SHA256
    assert served.starts[-1] == 50_000


@pytest.mark.parametrize("case", ["another file", "no validator", "no ranges"])
def test_download_restarts_if_it_cannot_resume(served: Served, archive: Archive, case: str) -> None:
    served.tag = None if case == "no validator" else '"v1"'
    served.cut = [10_000] * 5
    served.knows_ranges = case == "another file"
    with pytest.raises(DataError, match="broke off"):
        fetch(archive)
    if case == "another file":
        served.tag, served.content = '"v2"', CONTENT[::-1]
    fetch(archive)
    assert archive.path.read_bytes() == served.content
    assert served.starts[-1] == 0


def test_complete_partial_file_is_accepted(served: Served, archive: Archive) -> None:
    archive.folder.mkdir()
    archive.with_ending(".part").write_bytes(CONTENT)
    archive.with_ending(".etag").write_text('"v1"')
    assert fetch(archive) == SHA256


def test_wrong_range_is_an_error(served: Served, archive: Archive) -> None:
    archive.folder.mkdir()
    archive.with_ending(".part").write_bytes(CONTENT[:10])
    archive.with_ending(".etag").write_text('"v1"')
    served.status, served.knows_ranges = 206, False
    with pytest.raises(DataError, match="sent another part than requested"):
        fetch(archive)
    served.status = 200
    assert fetch(archive) == SHA256


def test_short_range_is_retried(served: Served, archive: Archive) -> None:
    served.cut, served.part = [20_000], 100
    with pytest.raises(DataError, match=r"broke off; 20,400 bytes are here; run it again to resume"):
        fetch(archive)
    served.part = None
    assert fetch(archive) == SHA256
    assert served.starts == [0, 20_000, 20_100, 20_200, 20_300, 20_400]


def test_partial_file_of_another_version_is_discarded(served: Served, archive: Archive) -> None:
    archive.folder.mkdir()
    archive.with_ending(".part").write_bytes(b"0" * 1000)
    assert fetch(archive._replace(limit=(len(CONTENT) + 500) / download.GB)) == SHA256


@pytest.mark.parametrize("length", ["many", "-5", "1.5"])
def test_invalid_content_length(served: Served, archive: Archive, length: str) -> None:
    served.length = length
    with pytest.raises(DataError, match=rf"{served.url}: states an invalid length: '{length}'; fetch it with"):
        fetch(archive)


def test_server_without_satisfiable_range(served: Served, archive: Archive) -> None:
    served.status = 416
    archive.folder.mkdir()
    archive.with_ending(".part").write_bytes(CONTENT[:10])
    with pytest.raises(DataError, match=r"HTTP 416 .*; check whether it has moved"):
        fetch(archive)


def test_published_checksum(served: Served, archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = archive._replace(sha256="0" * 64)
    with pytest.raises(DataError, match=rf"{served.url}: has another checksum .*expected 0{{64}} but got {SHA256}"):
        fetch(wrong)
    assert not any(archive.folder.iterdir())
    right = archive._replace(sha256=SHA256)
    store_checksum(right, fetch(right))
    assert capsys.readouterr().out == ""


def test_first_checksum_is_remembered(served: Served, archive: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    store_checksum(archive, fetch(archive))
    assert f"sha256 {SHA256}, of the first download" in capsys.readouterr().out
    archive.path.unlink()
    served.content = CONTENT[::-1]
    with pytest.raises(DataError, match=rf"has another checksum than before.*expected {SHA256} .*delete .*\.sha256"):
        fetch(archive)
    archive.with_ending(".sha256").unlink()
    store_checksum(archive, fetch(archive))
    assert archive.path.read_bytes() == CONTENT[::-1]


def test_non_archive_is_an_error(served: Served, archive: Archive) -> None:
    served.status = 404
    with pytest.raises(DataError, match=rf"{served.url}: HTTP 404 Client Error: Not Found; check whether it has moved"):
        fetch(archive)
    served.status, served.kind = 200, "text/html; charset=utf-8"
    with pytest.raises(DataError, match="is a web page, not an archive; fetch it with a browser"):
        fetch(archive)
    assert not archive.path.exists()


def test_redirect_to_file_url_is_refused(served: Served, archive: Archive) -> None:
    served.status, served.location = 302, "file:///etc/passwd"
    with pytest.raises(DataError, match=r"cannot be fetched: .*; fetch it with a browser"):
        fetch(archive)


@pytest.mark.parametrize("tells", [True, False])
def test_limit(served: Served, archive: Archive, tells: bool) -> None:
    served.tells_length = tells
    small = archive._replace(limit=1e-6)
    with pytest.raises(DataError, match=r"has .* GB or more, and the limit is 1e-06; .*fetch\.max_gb="):
        fetch(small)
    assert archive.with_ending(".part").stat().st_size == (0 if tells else 1000)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y.zip", "data.zip", "http:///x"])
def test_non_http_url_is_refused(archive: Archive, url: str) -> None:
    with pytest.raises(ConfigError, match=r"fetch\.url: is not an HTTP URL"):
        fetch(archive._replace(url=url))


def test_unreachable_server(archive: Archive) -> None:
    with pytest.raises(DataError, match=r"127\.0\.0\.1:1/x\.zip: cannot be reached; check the address"):
        fetch(archive._replace(url="http://127.0.0.1:1/x.zip"))


def test_without_pooch(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(
        MissingExtraError, match=r"step=fetch: pooch is not installed; pip install 'factprobe\[fetch\]'"
    ):
        fetch(archive)
