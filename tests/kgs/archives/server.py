"""Archives, and a server on loopback that gives one, as a good or a bad server would."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Compress = Callable[[bytes], bytes]
gzipped = partial(gzip.compress, mtime=0)
"""The same bytes at any time: they are part of the names of tests."""

RELATIONS = "".join(
    f'{{"relation": "{name}", "template": "[X] was born in [Y] .", "type": "N-1"}}\n'
    for name in ("P19", "place_of_birth")
)
FACT = '{"sub_uri": "Q1", "sub_label": "Ada", "obj_uri": "Q2", "obj_label": "London"}\n'
LAMA = {
    "data/relations.jsonl": RELATIONS,
    "data/TREx/P19.jsonl": FACT * 200,
    "data/Google_RE/place_of_birth_test.jsonl": FACT,
    "data/__MACOSX/x": "",
}
"""Files in the layout of LAMA's data.zip."""


def zipped(files: Mapping[str, str], method: int = zipfile.ZIP_STORED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return packed.getvalue()


def tarred(files: Mapping[str, str], *entries: tarfile.TarInfo, compress: Compress = gzipped) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content.encode()))
        for entry in entries:
            archive.addfile(entry)
    return compress(packed.getvalue())


@dataclass
class Served:
    """What the server gives, and what it was asked for."""

    content: bytes
    url: str = ""
    status: int = 200
    kind: str = "application/zip"
    tag: str | None = '"v1"'
    cut: list[int] = field(default_factory=list)
    """After so many bytes the connection breaks off, in the first answers."""
    knows_ranges: bool = True
    tells_length: bool = True
    length: str = ""
    """What it says of that, in place of the truth."""
    part: int | None = None
    """At most so many bytes of what was asked for a part."""
    location: str = ""
    starts: list[int] = field(default_factory=list)
    """From which byte on each request was answered."""


@contextmanager
def serving(content: bytes) -> Iterator[Served]:
    """A server on loopback."""
    served = Served(content)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            start = 0
            wanted = self.headers.get("Range")
            if wanted and served.knows_ranges and self.headers.get("If-Range") == served.tag:
                start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            served.starts.append(start)
            if start and start >= len(served.content):
                self.send_error(416)
                return
            end = start + served.part if start and served.part else len(served.content)
            self.send_response(served.status if served.status != 200 else 206 if start else 200)
            self.send_header("Content-Type", served.kind)
            if served.tells_length:
                self.send_header("Content-Length", served.length or str(end - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(served.content)}")
            if served.location:
                self.send_header("Location", served.location)
            if served.tag:
                self.send_header("ETag", served.tag)
            self.end_headers()
            self.wfile.write(served.content[start : start + served.cut.pop(0) if served.cut else end])

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.url = f"http://127.0.0.1:{server.server_port}/LAMA/data.zip"
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
