"""SPARQL endpoints: a real one on loopback, and whatever goes wrong between it and us."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs.rdf.rdf_graph import Rdf, RdfSettings
from factprobe.kgs.sparql.endpoint import SparqlSettings
from factprobe.kgs.sparql.queries import Cursor, NameListing
from factprobe.kgs.sparql.sparql_graph import Sparql, Wikidata, WikidataSettings
from factprobe.records import Triplet
from factprobe.storage import Problems
from tests.asking.test_kill import reached
from tests.command_line import CommandLine, process
from tests.kgs.oxigraph import Fault, before, forward, load, oxigraph
from tests.models.server import Behaviour, closed_port, endpoint, hang_up, send

pytest.importorskip("duckdb")

HERE = "http://example.org/"
TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:borders rdfs:label "shares a border with"@en, "grenzt an"@de .
:capital rdfs:label "capital"@en ; rdfs:comment "its seat of government"@en .
:France a :Country ; rdfs:label "France"@en, "Frankreich"@de ; skos:altLabel "French\\nRepublic"@en, "République"@fr .
:Peru a :Country ; rdfs:label "Peru" .
:Paris rdfs:label "Paris\\n(city)"@en-GB .
:Peru :borders [ :to :Chile ] .
:France :borders :Belgium, :Spain .
:France :capital :Paris .
:Peru :capital :Lima .
:France :founded "0843-08-10"^^xsd:date .
:Peru :founded "1821-07-28"^^xsd:date .
:Spain rdfs:label "Spain"@mul .
:France :motto "Liberty"@en, "Liberté"@fr .
:Peru :people 33_000_000 .
:Peru :borders :Gran_Colombia .
:Gran_Colombia <http://www.w3.org/2002/07/owl#deprecated> true .
""".replace("33_000_000", "33000000")
PREDICATES = ("borders", "capital", "founded", "motto", "people")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with oxigraph(TURTLE) as found:
        yield found


def opened(url: str, folder: Path, **settings: Any) -> Sparql:
    """The graph behind an endpoint, asked without waiting between tries."""
    given = {"name": "sparql", "endpoint": url, "store": str(folder), "retry_wait": 0.0, **settings}
    return Sparql(None, "sparql", Problems(), SparqlSettings(**given))


def every(kg: Sparql | Rdf) -> list[Triplet]:
    return [fact for relation in kg.load_relations() if kg.has_facts(relation) for fact in kg.facts(relation)]


def names(kg: Sparql | Rdf) -> list[tuple[str, str, str]]:
    return [(fact.relation_info.relation, fact.subject_label, fact.object_label) for fact in every(kg)]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"literals": True},
        {"lang": ("de", "en")},
        {"lang": ("DE", "EN-gb")},
        {"predicates": PREDICATES},
        {"predicates": ("http://example.org/capital", "rdf:type"), "types": ("rdf:type",)},
        {"predicates": "motto", "lang": "fr"},
        {"labels": ("skos:altLabel",), "aliases": ("rdfs:label",)},
        {"obsolete": (), "literals": True},
    ],
    ids=str,
)
def test_endpoint_equals_file_with_same_triples(url: str, tmp_path: Path, settings: dict[str, Any]) -> None:
    (tmp_path / "g.ttl").write_text(TURTLE, encoding="utf-8")
    file = RdfSettings(name="rdf", source=str(tmp_path / "g.ttl"), store=str(tmp_path), **settings)
    expected, kg = Rdf(None, "rdf", Problems(), file), opened(url, tmp_path, **settings)
    assert {found.relation: found for found in kg.load_relations()} == {
        found.relation: found for found in expected.load_relations()
    }

    def more(fact: Triplet) -> tuple[object, ...]:
        return fact.subject_types, fact.object_types, sorted(fact.subject_aliases), sorted(fact.object_aliases)

    def told(kg: Sparql | Rdf) -> list[tuple[object, ...]]:
        return sorted(
            (f.relation_info.relation, f.subject_uri, f.object_uri, f.subject_label, f.object_label, *more(f))
            for f in every(kg)
        )

    assert told(kg) == told(expected)
    assert told(kg)


@pytest.mark.slow
def test_endpoint_and_file_give_the_same_output(factprobe: CommandLine, tmp_path: Path) -> None:
    """Where the file is in the endpoint's order."""
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    rows = [f"<{HERE}{name}> <{label}> {json.dumps(name)}@en ." for name in ("Lima", "Paris", "Peru", "Sucre")]
    rows += [
        f"<{HERE}{a}> <{HERE}{p}> <{HERE}{b}> ." for p in "pq" for a in ("Lima", "Paris") for b in ("Peru", "Sucre")
    ]
    (tmp_path / "g.nt").write_text("\n".join(rows))
    with oxigraph(tmp_path / "g.nt", "application/n-triples") as url:
        for kg in ("kg=rdf kg.source=g.nt output_dir=a", f"kg=sparql kg.endpoint={url} output_dir=b"):
            for step in ("extract", "generate"):
                result = factprobe(f"step={step}", *kg.split(), "kg.name=places")
                assert result.code == 0, result.err
    made = {
        folder: {
            str(path.relative_to(tmp_path / folder)): path.read_bytes()
            for path in (tmp_path / folder).rglob("*.json*")
            if path.parts[-2] != folder and path.name != "manifest.json"
        }
        for folder in "ab"
    }
    assert made["a"] == made["b"]
    assert {"triplets/p.jsonl", "questions/template/q.jsonl"} <= set(made["a"])


def cut(url: str, rows: int) -> Fault:
    """An endpoint that sends no more than so many rows, whatever it is asked for."""
    return lambda query: forward(url, re.sub(r"LIMIT (\d+)", lambda m: f"LIMIT {min(int(m[1]), rows)}", query))


HUB = "".join(
    f'<{HERE}{subject}> <{HERE}p> "{n}"@en, "{n}"@en-GB, "{n}", <{HERE}{n}> .\n' for subject in "abc" for n in range(9)
) + "".join(f"<{HERE}only{n}> <{HERE}p> {n} .\n" for n in range(5))


@pytest.fixture(scope="module")
def hub() -> Iterator[str]:
    with oxigraph(HUB) as found:
        yield found


@pytest.fixture(scope="module")
def two_by_three() -> Iterator[str]:
    with oxigraph("".join(f"<{HERE}{s}> <{HERE}p> <{HERE}{o}> .\n" for s in "ab" for o in "xyz")) as found:
        yield found


@pytest.mark.parametrize(
    ("page_size", "rows"),
    [
        *((1000, 1000), (7, 1000), (36, 36)),
        *(pytest.param(*pages, marks=pytest.mark.slow) for pages in ((1000, 7), (1000, 1), (37, 5))),
    ],
)
def test_every_fact_comes_once_at_any_page_size(
    hub: str, tmp_path: Path, page_size: int, rows: int, caplog: pytest.LogCaptureFixture
) -> None:
    with before(hub, cut(hub, rows)) as server:
        kg = opened(server.base_url, tmp_path, page_size=page_size, predicates="p")
        found = Counter((fact.subject_uri, fact.object_uri, fact.object_types) for fact in every(kg))
        assert set(server.asked.values()) == {1}
    assert found.total() == 3 * 9 * 4 + 5
    assert max(found.values()) == 2  # "1"@en and "1"@en-GB, of one data type
    assert ("sends fewer rows than requested" in caplog.text) is (rows < page_size)


@pytest.mark.slow
def test_names_of_many_entities_come_through_small_pages(tmp_path: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    text = "".join(
        f"<{HERE}s{n:03}> <{HERE}p> <{HERE}o> . " + (f'<{HERE}s{n:03}> {label} "S{n}", "T{n}" .\n' if n % 7 else "")
        for n in range(450)
    )
    with oxigraph(text) as url, before(url, cut(url, 90)) as server:
        found = {f.subject_label: f.subject_aliases for f in every(opened(server.base_url, tmp_path, predicates="p"))}
    assert found == {f"S{n}" if n % 7 else f"s{n:03}": (f"T{n}",) if n % 7 else () for n in range(450)}


@pytest.mark.parametrize("page_size", [1, 3, 1000])
def test_name_order_does_not_depend_on_page_size(tmp_path: Path, page_size: int) -> None:
    label, alias = "<http://www.w3.org/2000/01/rdf-schema#label>", "<http://www.w3.org/2004/02/skos/core#altLabel>"
    with oxigraph(f'<a:a> <a:p> <a:b> ; {alias} "A" ; {label} "D", "C", "B" . <a:b> {label} "E" .') as url:
        [fact] = every(opened(url, tmp_path, page_size=page_size))
    assert fact.subject.names() == ("B", "C", "D", "A")


def test_query_does_not_depend_on_set_order() -> None:
    one, other = (
        NameListing(("a:b",), names, ("en",)).query(Cursor(), 9) for names in (("a:l", "a:m"), ("a:m", "a:l"))
    )
    assert one == other


def test_cached_pages_are_not_requested_again(url: str, tmp_path: Path) -> None:
    with before(url) as server:
        first = names(opened(server.base_url, tmp_path, predicates=f"{HERE}capital"))
        count = server.asked.total()
        assert names(opened(server.base_url, tmp_path, predicates=f"{HERE}capital")) == first
        assert server.asked.total() == count
        names(opened(server.base_url, tmp_path, predicates=(f"{HERE}capital", f"{HERE}borders")))
        assert sum(f"<{HERE}capital> ?o" in query for query in server.asked.elements()) == 3  # of the first time
        assert names(opened(server.base_url, tmp_path, predicates=f"{HERE}capital", snapshot="2026-11")) == first
        assert Counter(server.asked.values())[2] == count


def test_interrupted_run_is_resumed(url: str, tmp_path: Path) -> None:
    broken, answered = 0, Counter[str]()

    def fault(query: str) -> Behaviour:
        if answered.total() == broken:
            return send(b"out of memory", 500)
        answered[query] += 1
        return forward(url, query)

    settings = {"predicates": PREDICATES, "page_size": 1, "max_retries": 0, "max_concurrency": 1}
    with before(url, fault) as server:
        for broken in range(0, 40, 9):
            with pytest.raises(DataError, match=r"500: out of memory; .*fetched pages are kept, and the same command"):
                every(opened(server.base_url, tmp_path, **settings))
            assert answered.total() == broken
        broken = -1
        found = every(opened(server.base_url, tmp_path, **settings))
    assert set(answered.values()) == {1}
    assert len(found) == 8
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.slow
def test_damaged_pages_are_requested_again(url: str, tmp_path: Path) -> None:
    with before(url) as server:
        settings = {"predicates": PREDICATES, "page_size": 1}
        first = every(opened(server.base_url, tmp_path, **settings))
        damaged = sorted((tmp_path / "graphs").rglob("*.json.gz"))[:4]
        for path, content in zip(damaged, (b"", b"x", damaged[2].read_bytes()[:-9], b"\x1f\x8b\x08"), strict=True):
            path.write_bytes(content)
        for store in (tmp_path / "graphs").glob("*.duckdb"):
            store.unlink()
        assert every(opened(server.base_url, tmp_path, **settings)) == first
        assert Counter(server.asked.values())[2] == 4


@pytest.mark.slow
def test_ctrl_c_loses_no_page(url: str, factprobe: CommandLine, tmp_path: Path) -> None:
    def pages() -> int:
        return len(list(Path(os.environ["FACTPROBE_CACHE"]).rglob("*.json.gz")))

    settings = ["step=extract", "kg=sparql", f"kg.predicates=[{','.join(HERE + name for name in PREDICATES)}]"]
    with endpoint(lambda body: forward(url, body["query"]), 0.02, lambda body: {"query": unquoted(body)}) as server:
        settings += [f"kg.endpoint={server.base_url}", "kg.page_size=1", "kg.max_concurrency=1"]
        run = process(*settings, folder=tmp_path)
        reached(server, 8, run)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=20)
        assert run.returncode == 130, err
        assert "the same command resumes" in err
        kept = pages()
        asked = len(server.requests)
        assert kept >= asked - 1
        result = factprobe(*settings)
        assert "8 triplets" in result.out, result.err
        assert Counter(request["query"] for request in server.requests).most_common(2)[-1][1] == 1
        assert len(server.requests) == pages() + asked - kept


def unquoted(body: bytes) -> str:
    from urllib.parse import parse_qs

    return parse_qs(body.decode())["query"][0]


def once(*faults: Behaviour) -> Fault:
    """An endpoint that fails so at its first queries."""
    left = list(faults)
    return lambda query: left.pop(0) if left else None


HTML = b"<!DOCTYPE html><html><body>Welcome</body></html>"


@pytest.mark.parametrize(
    "faults",
    [
        [send(b"slow down", 429)] * 3,
        [send(b"slow down", 429, Retry_After="0.05")] * 2,
        [send(b"", 503, Retry_After="0.05"), send(HTML, 502)],
        [hang_up, send(b'{"head": {}, "results": {"bindings": [{"s"')],
        [send(b"\xff")],
    ],
    ids=["429", "429 with Retry-After", "503", "cut", "no UTF-8"],
)
def test_transient_fault_is_retried(url: str, tmp_path: Path, faults: list[Behaviour]) -> None:
    with before(url, once(*faults)) as server:
        found = names(opened(server.base_url, tmp_path, predicates=f"{HERE}capital", max_concurrency=1))
        assert found == [("capital", "France", "Paris (city)"), ("capital", "Peru", "Lima")]
        assert server.asked.most_common(1)[0][1] == len(faults) + 1


@pytest.mark.parametrize(
    ("fault", "said", "tries"),
    [
        (send(HTML), r"it sent HTML instead of results in JSON; check that kg\.endpoint is the address", 1),
        (send(b"<sparql/>"), r"it sent XML instead", 1),
        (send(b'{"boolean": true}'), r"unreadable results: .*results", 1),
        (send(b'{"results": {"bindings": [{"s": {"type": "uri", "value": "a:b"}}]}}'), r"unreadable results: 'o'", 1),
        (send(b'{"results": {"bindings": [{'), r"unreadable results: Input data was truncated", 3),
        (send(b" " * (33 << 20)), r"more than 32 MB for one call; a smaller kg\.page_size may help", 1),
        (hang_up, r"no connection", 3),
        (send(b"out of memory", 500), r"500: out of memory; a smaller kg\.page_size may help", 3),
        (send(HTML, 502), r"502: Bad Gateway", 3),
        (send(b"slow down", 429), r"429: slow down; set kg\.requests_per_minute", 3),
        (send(b"", 429, Retry_After="86400"), r"429.*it asks to wait 86,400 s", 1),
        (send(b"no FILTER", 400), r"400: no FILTER; check that kg\.endpoint is the address", 1),
        (send(HTML, 403), r"403: Forbidden; .*kg\.contact has your mail", 1),
        (send(b"", 404), r"404: .*; check that kg\.endpoint", 1),
        (send(b'{"results": {"bindings": []}}', 206), r"206: .*a smaller kg\.page_size", 1),
        (send(b"", 301, Location="https://x.example/"), r"it redirects calls to https://x\.example/", 1),
    ],
)  # fmt: skip
def test_permanent_fault_is_a_one_line_error(tmp_path: Path, fault: Behaviour, said: str, tries: int) -> None:
    with before("", lambda query: fault) as server:
        kg = opened(server.base_url, tmp_path, predicates="a:p", max_retries=2)
        with pytest.raises(DataError, match=said) as error:
            every(kg)
        assert str(error.value).startswith(f"{server.base_url}: ")
        assert "fetched pages are kept" in str(error.value)
        assert "\n" not in str(error.value)
        assert server.asked.total() == tries
    assert not list(tmp_path.rglob("*.json.gz"))


def test_endpoint_that_is_down(tmp_path: Path) -> None:
    kg = opened(f"http://127.0.0.1:{closed_port()}/query", tmp_path, predicates="a:p", max_retries=1)
    with pytest.raises(DataError, match=r"no connection: .*check that the server runs and kg\.endpoint is its"):
        every(kg)


BACKWARDS = ("BY STR(?s)", "BY DESC(STR(?s))")
NO_FILTER = ("FILTER(STR(?s) >= ", 'FILTER("" != ')
NO_OFFSET = ("OFFSET", "#")


@pytest.mark.parametrize(
    ("ignored", "page_size"),
    [(BACKWARDS, 4), (NO_FILTER, 2), (NO_OFFSET, 2)],
    ids=str,
)
def test_unordered_pages_are_an_error(
    two_by_three: str, tmp_path: Path, ignored: tuple[str, str], page_size: int
) -> None:
    """An endpoint that does not do part of what it is asked for."""
    with before(two_by_three, lambda query: forward(two_by_three, query.replace(*ignored))) as server:
        kg = opened(server.base_url, tmp_path, predicates=f"{HERE}p", page_size=page_size)
        with pytest.raises(DataError, match="its pages are not in sequence: it ignores ORDER BY"):
            every(kg)
        ignored = ("", "")
        mended = opened(server.base_url, tmp_path, predicates=f"{HERE}p", page_size=page_size)
        assert len(every(mended)) == 6, "the page that was wrong is asked for anew"


@pytest.mark.slow
@pytest.mark.parametrize("lie", ["its order", "its end"])
def test_missing_facts_are_reported_against_count(two_by_three: str, tmp_path: Path, lie: str) -> None:
    def answer(query: str) -> Behaviour:
        if lie == "its end" and f'>= "{HERE}b")' in query:
            return send(b'{"results": {"bindings": []}}')
        return forward(two_by_three, query.replace(*BACKWARDS) if lie == "its order" else query)

    with before(two_by_three, answer) as server:
        kg = opened(server.base_url, tmp_path, predicates=f"{HERE}p", page_size=2)
        found = len(every(kg))
        assert 0 < found < 6
        [message] = kg.problems.messages
        assert message.startswith(f"{server.base_url}: it sent {found} of the 6 facts that it counts of {HERE}p; check")
        kg = opened(server.base_url, tmp_path, predicates=f"{HERE}p", page_size=2)
        kg.problems = Problems(strict=True)
        with pytest.raises(DataError, match="of the 6 facts"):
            every(kg)


def test_predicates_are_not_listed_to_report_that_all_facts_are_missing(two_by_three: str, tmp_path: Path) -> None:
    """Where the settings name the relation in full, the endpoint is asked for nothing but this relation."""

    def answer(query: str) -> Behaviour:
        if f"<{HERE}p>" not in query:
            return hang_up
        return forward(two_by_three, query) if "COUNT" in query else send(b'{"results": {"bindings": []}}')

    with before(two_by_three, answer) as server:
        kg = opened(server.base_url, tmp_path, predicates=f"{HERE}p", max_retries=0)
        with pytest.raises(DataError, match="has no readable fact;"):
            every(kg)
        assert all(f"<{HERE}p>" in query for query in server.asked)


HOSTILE = ["> . ?s ?p ?o", "http://x/> ?o . ?s ?p ?o . #", "a b", 'x"y', "x\\u003e", "http://x/\n", "", "{x}"]


@pytest.mark.parametrize("relation", HOSTILE)
def test_invalid_iri_is_refused_before_any_query(tmp_path: Path, relation: str) -> None:
    line = re.escape(f"kg.predicates: {relation!r} is not an IRI; write it as http://example.org/capital or rdfs:label")
    with pytest.raises(ConfigError, match=line):
        opened("http://127.0.0.1:9", tmp_path, predicates=("capital", relation))
    with pytest.raises(ConfigError, match=r"relations: .* is not an IRI"):
        Wikidata(None, "wikidata", None, WikidataSettings(name="wikidata", predicates=(f"P36{relation} ",)))
    for kind in ("labels", "aliases", "descriptions", "types"):
        with pytest.raises(ConfigError, match=rf"kg\.{kind}: .* is not an IRI"):
            opened("http://127.0.0.1:9", tmp_path, **{kind: (relation,)})


def test_language_tag_cannot_break_a_query(url: str, tmp_path: Path) -> None:
    assert [relation.label for relation in opened(url, tmp_path, lang='en") || true || ("').load_relations()]


def test_invalid_iris_are_not_queried(tmp_path: Path) -> None:
    def answer(query: str) -> Behaviour:
        row = {"s": {"type": "uri", "value": "a:x> ?p ?o } #"}, "o": {"type": "uri", "value": "a:y"}}
        row["count"] = {"type": "literal", "value": "1"}
        first = "?s <a:p> ?o" in query and ">= " not in query
        return send(json.dumps({"results": {"bindings": [row] if first else []}}).encode())

    with before("", answer) as server:
        [fact] = every(opened(server.base_url, tmp_path, predicates="a:p"))
        assert fact.subject_uri == "a:x> ?p ?o } #"
        asked = [query for query in server.asked if "VALUES" in query and "a:y" in query]
    assert len(asked) == 1
    assert "a:x" not in asked[0]


def test_non_iri_subjects_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    subjects = [("uri", "a:s"), ("literal", "zz"), ("bnode", "zz"), ("uri", f"a:{'z' * 500}")]
    rows = [{"s": {"type": kind, "value": value}, "o": {"type": "uri", "value": "a:o"}} for kind, value in subjects]

    def answer(query: str) -> Behaviour:
        first = "?s <a:p> ?o" in query and ">= " not in query
        row = [{"count": {"type": "literal", "value": str(len(rows))}}] if "COUNT" in query else []
        page = sorted(rows, key=lambda row: row["s"]["value"]) if first and not row else row
        return send(json.dumps({"results": {"bindings": page}}).encode())

    with before("", answer) as server:
        [fact] = every(opened(server.base_url, tmp_path, predicates="a:p"))
    assert fact.subject_uri == "a:s"
    assert "3 triples are skipped" in caplog.text


@pytest.mark.parametrize("count", [("literal", "-5"), ("literal", "many"), ("uri", "5")])
def test_invalid_count(tmp_path: Path, count: tuple[str, str]) -> None:
    rows: list[dict[str, Any]] = [{"count": dict(zip(("type", "value"), count, strict=True))}]

    def answer(query: str) -> Behaviour:
        return send(json.dumps({"results": {"bindings": rows if "COUNT" in query else []}}).encode())

    with before("", answer) as server:
        with pytest.raises(DataError, match="returns no number of facts: ") as error:
            every(opened(server.base_url, tmp_path, predicates="a:p"))
        assert count[1] in str(error.value)
        rows[0]["count"] = {"type": "literal", "value": "0"}
        with pytest.raises(DataError, match="has no readable facts of a:p"):  # for it is asked again
            every(opened(server.base_url, tmp_path, predicates="a:p"))


def test_missing_count_is_told_in_rows(tmp_path: Path) -> None:
    with (
        before("", lambda query: send(b'{"results": {"bindings": []}}')) as server,
        pytest.raises(DataError, match="returns no number of facts: 0 rows"),
    ):
        every(opened(server.base_url, tmp_path, predicates="a:p"))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"endpoint": None}, r"kg\.endpoint: is not set; name the address for queries: kg=sparql kg\.endpoint="),
        ({"endpoint": "localhost:7878"}, r"kg\.endpoint: is not the address of an endpoint; write it as http://"),
        ({"endpoint": "http://[x/"}, r"kg\.endpoint: is not the address"),
        ({"endpoint": "http://me:secret@127.0.0.1/q"}, r"must not contain a key"),
        ({"endpoint": "http://127.0.0.1/q?key=0123456789abcdef"}, r"must not contain a key"),
        ({"endpoint": "http://127.0.0.1/q?token=abcd"}, r"must not contain a key"),
    ],
)
def test_invalid_endpoint(tmp_path: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        every(opened(**{"url": settings["endpoint"], "folder": tmp_path}))


def test_echoed_key_is_never_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_GRAPH", "s3cr3t-0123456789")
    label = {"type": "literal", "value": "Bearer s3cr3t-0123456789 knows é"}
    row = {"s": {"type": "uri", "value": "a:s"}, "o": {"type": "uri", "value": "a:o"}}

    def answer(query: str) -> Behaviour:
        found: list[dict[str, Any]] = []
        if "COUNT" in query:
            found = [{"count": {"type": "literal", "value": "1"}}]
        elif "?s <a:p> ?o" in query and ">= " not in query:
            found = [row]
        elif "<a:s>" in query and "OFFSET 1" not in query:
            found = [
                {"s": row["s"], "p": {"type": "uri", "value": "http://www.w3.org/2000/01/rdf-schema#label"}, "o": label}
            ]
        return send(json.dumps({"results": {"bindings": found}}, ensure_ascii=False).encode())

    with before("", answer) as server:
        [fact] = every(opened(server.base_url, tmp_path, token_env="MY_GRAPH", predicates="a:p"))
    assert re.fullmatch(r"Bearer \*+ knows é", fact.subject_label)
    pages = [gzip.decompress(path.read_bytes()) for path in tmp_path.rglob("*.json.gz")]
    assert pages
    assert not any(b"s3cr3t" in page for page in pages)


def test_unknown_predicates_and_entities_without_labels(
    url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(UnknownNameError, match=r"kg\.predicates: unknown predicate .*; did you mean 'capital'"):
        every(opened(url, tmp_path, predicates=("capital", "capitol")))
    caplog.clear()
    assert names(opened(url, tmp_path, predicates="borders")) == [
        ("borders", "France", "Belgium"),
        ("borders", "France", "Spain"),
    ]
    assert "1 entities have no label" in caplog.text


@pytest.mark.parametrize("picked", [("capitol",), "capitol", (f"{HERE}capital", "capitol")], ids=str)
def test_unknown_predicate_of_endpoint(url: str, tmp_path: Path, picked: str | tuple[str, ...]) -> None:
    """Before anything is asked about the others."""
    message = r"kg\.predicates: unknown predicate .* 'capitol'; did you mean 'capital'\?"
    with before(url) as server, pytest.raises(UnknownNameError, match=message):
        every(opened(server.base_url, tmp_path, predicates=picked))
    assert not any("<http://example.org/capital> ?o" in query for query in server.asked)


@pytest.mark.parametrize("picked", [("nothing",), ("capital", "nothing")], ids=str)
def test_relation_without_facts_is_an_error_before_names_are_fetched(
    url: str, tmp_path: Path, picked: tuple[str, ...]
) -> None:
    message = r": has no readable facts of http://example\.org/nothing; check its IRI and kg\.lang$"
    with before(url) as server, pytest.raises(DataError, match=message):
        every(opened(server.base_url, tmp_path, predicates=tuple(f"{HERE}{name}" for name in picked)))
    assert not any("VALUES" in query for query in server.asked)


@pytest.mark.parametrize("picked", [None, "p", f"{HERE}p"])
def test_missing_results_are_requested_again(tmp_path: Path, picked: str | None) -> None:
    """As when the endpoint was asked before its data was loaded."""
    with oxigraph("") as url:
        with pytest.raises((DataError, UnknownNameError)):
            every(opened(url, tmp_path, predicates=picked))
        load(url, f"<{HERE}a> <{HERE}p> <{HERE}b> .")
        assert names(opened(url, tmp_path, predicates=picked)) == [("p", "a", "b")]


def test_user_agent_and_authorization_headers(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heads: list[tuple[str, str | None]] = []

    def echo(here: Any, handler: Any) -> None:
        heads.append((handler.headers["User-Agent"], handler.headers["Authorization"]))
        send(f"no: {handler.headers['Authorization']}".encode(), 401)(here, handler)

    monkeypatch.setenv("MY_GRAPH", "s3cr3t-0123456789")
    with before(url, lambda query: echo) as server:
        kg = opened(server.base_url, tmp_path, contact="me@example.org", token_env="MY_GRAPH", predicates="a:p")
        with pytest.raises(DataError, match=r"401: no: .*check that MY_GRAPH holds valid credentials") as error:
            every(kg)
        assert heads == [("factprobe (me@example.org)", "Bearer s3cr3t-0123456789")]
        monkeypatch.setenv("MY_GRAPH", "Basic czNjcjN0OnMzY3IzdA==")
        with pytest.raises(DataError):
            every(opened(server.base_url, tmp_path, token_env="MY_GRAPH", predicates="a:p"))
        assert heads[1] == ("factprobe", "Basic czNjcjN0OnMzY3IzdA==")
    assert "s3cr3t" not in str(error.value) + caplog.text
    assert not any(b"s3cr3t" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    monkeypatch.delenv("MY_GRAPH")
    with pytest.raises(ConfigError, match="the environment variable MY_GRAPH is not set"):
        every(opened(url, tmp_path, token_env="MY_GRAPH", predicates="a:p"))


DECLARED = """
@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix wd: <http://www.wikidata.org/entity/> . @prefix wdt: <http://www.wikidata.org/prop/direct/> .
:in a owl:TransitiveProperty ; owl:inverseOf :has . :a rdfs:label "A" ; :in :b . :b rdfs:label "B" ; :has :c .
:c rdfs:label "C" . wd:P131 wdt:P31 wd:Q18647515 ; wdt:P1696 wd:P150 ; rdfs:label "lies in" .
wd:Q1 rdfs:label "Ulm" ; wdt:P131 wd:Q2 . wd:Q2 rdfs:label "Germany" ; wdt:P150 wd:Q3 . wd:Q3 rdfs:label "Bonn" .
"""


@pytest.mark.parametrize(
    ("picked", "pairs"),
    [
        (("in", "has"), {"in": "AB CB", "has": "BC BA"}),
        (
            tuple(f"http://www.wikidata.org/prop/direct/{name}" for name in ("P131", "P150")),
            {"P131": "UlmGermany BonnGermany", "P150": "GermanyBonn GermanyUlm"},
        ),
    ],
)
def test_declarations_of_relations_are_fetched(tmp_path: Path, picked: tuple[str, ...], pairs: dict[str, str]) -> None:
    with oxigraph(DECLARED) as url:
        kg = opened(url, tmp_path, predicates=picked)
        assert [relation.transitive for relation in kg.load_relations()] == [True, True]
        found: dict[str, list[str]] = {}
        for relation, subject, object_ in names(kg):
            found.setdefault(relation, []).append(subject + object_)
    assert {relation: " ".join(told) for relation, told in found.items()} == pairs


def test_works_inside_running_event_loop(url: str, tmp_path: Path) -> None:
    async def notebook() -> int:
        return len(every(opened(url, tmp_path, predicates="capital")))

    assert asyncio.run(notebook()) == 2


WIKIDATA = """
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
@prefix wikibase: <http://wikiba.se/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

wd:P36 a wikibase:Property ; wikibase:directClaim wdt:P36 ; rdfs:label "capital"@en, "Hauptstadt"@de ;
    schema:description "seat of government of a country"@en .
wd:P569 wikibase:directClaim wdt:P569 ; rdfs:label "date of birth"@en .
wd:Q142 wdt:P31 wd:Q6256 ; rdfs:label "France"@en, "Frankreich"@de ; wdt:P36 wd:Q90 ;
    skos:altLabel "French Republic"@en .
wd:Q419 rdfs:label "Peru"@en ; wdt:P36 wd:Q2868, <http://www.wikidata.org/.well-known/genid/0a1b> .
wd:Q90 rdfs:label "Paris"@en ; wdt:P1448 "Paris"@fr .
wd:Q2868 rdfs:label "Lima"@en .
wd:Q937 rdfs:label "Albert Einstein"@en ; wdt:P569 "1879-03-14T00:00:00Z"^^xsd:dateTime .
wd:Q1 wdt:P2 wd:Q2 .
"""


def test_wikidata(factprobe: CommandLine) -> None:
    """Its shape, that is: what is known for some value only is a blank node there."""
    with oxigraph(WIKIDATA) as url, before(url) as server:
        told = ["step=extract", "kg=wikidata", f"kg.endpoint={server.base_url}", "kg.requests_per_minute=null"]
        assert "relations: is not set; name properties of Wikidata" in factprobe.fails(*told)
        assert "is not an IRI" in factprobe.fails(*told, 'relations=["> . ?s ?p ?o"]')
        assert not server.requests
        result = factprobe(*told, "relations=[P36,P569]")
        assert "2 relations, 3 triplets" in result.out, result.err
        assert not any("P2>" in query for query in server.asked)
    folder = factprobe.folder / "outputs/wikidata/triplets"
    france, peru = (json.loads(line) for line in (folder / "P36.jsonl").read_text().splitlines())
    assert (france["subject_label"], france["subject_aliases"]) == ("France", ["French Republic"])
    assert france["subject_types"] == ["http://www.wikidata.org/entity/Q6256"]
    assert (peru["subject_label"], peru["object_label"]) == ("Peru", "Lima")
    summary = json.loads((folder / "P36.summary.json").read_text())
    assert "seat of government of a country" in json.dumps(summary)
    assert '"label":"capital"' in json.dumps(summary, separators=(",", ":"))
    assert "1879-03-14" in (folder / "P569.jsonl").read_text()
