"""Results of checks for continuous integration: as Markdown for GitHub, and as JUnit XML."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from factprobe.metrics.gate import Check
from factprobe.reports.markdown import plain_markdown


def github(checks: Sequence[Check]) -> str:
    """Return the checks as a Markdown table."""
    failed = sum(check.has_failed for check in checks)
    rows = [
        f"| {plain_markdown(check.model)} | `{check.name}` | {plain_markdown(check.text)} | "
        f"{'failed' if check.has_failed else 'passed'} |"
        for check in checks
    ]
    head = f"**factprobe: {failed} of {len(checks)} checks failed**"
    return "\n".join([head, "", "| model | check | found | result |", "|---|---|---|---|", *rows])


def junit(checks: Sequence[Check]) -> bytes:
    """Return the checks as a test suite in JUnit's XML."""
    failed = sum(check.has_failed for check in checks)
    suite = Element("testsuite", name="factprobe", tests=str(len(checks)), failures=str(failed))
    for check in checks:
        case = SubElement(suite, "testcase", classname=f"factprobe.{check.name}", name=check.model)
        if check.has_failed:
            SubElement(case, "failure", message=check.text)
    indent(suite)
    text: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return text + b"\n"
