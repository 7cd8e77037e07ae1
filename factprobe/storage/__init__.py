"""Records to files and back, where each file lies, and the locks that keep two processes apart."""

from factprobe.storage.files import (
    UNREADABLE,
    Lines,
    decoded,
    file_hash,
    read_json,
    read_list,
    why_unreadable,
    write_json,
    write_lines,
)
from factprobe.storage.layout import SUPERSEDED, GradedFolder, Layout, inside, jsonl_files, made, safe_name
from factprobe.storage.opening import COMPRESSED, binary_kind, open_utf8, to_utf8, without_bom
from factprobe.storage.problems import AlreadyNamed, Problems, Untold
from factprobe.storage.spool import Spool, spool
from factprobe.storage.tables import csv_rows, write_csv
from factprobe.storage.whole import NO_ROOM, named, open_no_link, remove_left, whole_file

__all__ = [
    "COMPRESSED",
    "NO_ROOM",
    "SUPERSEDED",
    "UNREADABLE",
    "AlreadyNamed",
    "GradedFolder",
    "Layout",
    "Lines",
    "Problems",
    "Spool",
    "Untold",
    "binary_kind",
    "csv_rows",
    "decoded",
    "file_hash",
    "inside",
    "jsonl_files",
    "made",
    "named",
    "open_no_link",
    "open_utf8",
    "read_json",
    "read_list",
    "remove_left",
    "safe_name",
    "spool",
    "to_utf8",
    "whole_file",
    "why_unreadable",
    "without_bom",
    "write_csv",
    "write_json",
    "write_lines",
]
