"""Records to files and back, where each file lies, and the locks that keep two processes apart."""

from factprobe.storage.files import (
    BOM,
    UNREADABLE,
    Lines,
    Problems,
    file_hash,
    open_utf8,
    read_json,
    whole_file,
    write_csv,
    write_json,
    write_lines,
)
from factprobe.storage.layout import SUPERSEDED, Layout, inside, jsonl_files, made, safe_name
from factprobe.storage.spool import Spool, spool

__all__ = [
    "BOM",
    "SUPERSEDED",
    "UNREADABLE",
    "Layout",
    "Lines",
    "Problems",
    "Spool",
    "file_hash",
    "inside",
    "jsonl_files",
    "made",
    "open_utf8",
    "read_json",
    "safe_name",
    "spool",
    "whole_file",
    "write_csv",
    "write_json",
    "write_lines",
]
