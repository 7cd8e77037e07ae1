"""Page that checks a text: its claims, a reference, the verdict on each claim, and the place of each claim."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from factprobe.app.check_controller import CheckController
from factprobe.app.error_texts import EXTRACTOR_NOTES, FIELD_LABELS, UNREAD_REFERENCE_NOTE, format_fact
from factprobe.app.shell import Notice, card, page, text
from factprobe.app.widgets import show_key, show_score, show_text
from factprobe.records import CheckedText, Claim, ClaimedText, Item
from factprobe.text import format_count

_MARKS = {"Entailment": "✓", "Neutral": "?", "Contradiction": "✗", None: "!"}
_UNCLEAR = "No clean verdict"
_EXAMPLE = "Paris is the capital of France. Berlin is the capital of Italy. The weather is nice."


class CheckPage:
    """Check page of one visitor of the app."""

    def __init__(self, controller: CheckController) -> None:
        self._controller = controller
        self._claimed: ClaimedText | None = None
        self._checked: CheckedText | None = None
        with page("/", "Extracts the claims of a text and checks each against a reference or the knowledge graph."):
            self._make_text()
            self._make_reference()
            self._make_check()
            self._make_places()
        self._drop_claims()

    def _make_text(self) -> None:
        with card("Text", 1):
            self._text = _text_area("The text to check, such as a model's answer")
            self._question = ui.input("The question, if there is one").props("outlined dense")
            with ui.element("div").classes("actions"):
                self._extractor = _choice_field(self._controller, "claim_extractor")
                button = ui.button("Extract claims").props("no-caps unelevated")
                ui.button("Example", on_click=lambda: self._text.set_value(_EXAMPLE)).props("no-caps flat")
            self._text_notice = Notice()
            self._claims = ui.element("div").classes("result")
        self._text.on_value_change(self._drop_claims)
        self._question.on_value_change(self._drop_claims)
        button.on_click(partial(self._extract_claims, button))

    def _make_reference(self) -> None:
        with card("Reference", 2):
            self._reference = _text_area("Passages, with an empty line between two")
            with ui.element("div").classes("actions"):
                self._retriever = _choice_field(self._controller, "retriever", first="graph")
                button = ui.button("Retrieve").props("no-caps outline")
            self._reference_notice = Notice()
        self._reference.on_value_change(self._drop_verdicts)
        button.on_click(partial(self._retrieve_passages, button))

    def _make_check(self) -> None:
        with card("Check", 3):
            with ui.element("div").classes("actions"):
                self._checker = _choice_field(self._controller, "checker")
                self._aggregator = _choice_field(self._controller, "aggregator")
                button = ui.button("Check claims").props("no-caps unelevated")
            self._check_notice = Notice()
            self._verdicts = ui.element("div").classes("result")
        button.on_click(partial(self._check_claims, button))

    def _make_places(self) -> None:
        with card("Places of the claims", 4):
            with ui.element("div").classes("actions"):
                button = ui.button("Locate claims").props("no-caps unelevated")
                text("Marks what is nearest to a claim in the text and the reference; needs the extra quality.", "soft")
            self._places_notice = Notice()
            self._places = ui.element("div").classes("result")
        button.on_click(partial(self._locate_claims, button))

    def _make_item(self) -> Item:
        passages = tuple(part.strip() for part in (self._reference.value or "").split("\n\n") if part.strip())
        return Item("1", self._text.value or "", self._question.value or "", passages)

    def _is_current(self, item: Item) -> bool:
        """Return whether an item has the text and question that the page shows now."""
        now = self._make_item()
        return (now.response, now.question) == (item.response, item.question)

    def _drop_claims(self) -> None:
        """Discard the claims and verdicts of a text that has changed."""
        self._claimed = None
        self._claims.clear()
        self._text_notice.clear()
        self._drop_verdicts()

    def _drop_verdicts(self) -> None:
        """Discard the verdicts that used a reference that has changed."""
        self._checked = None
        for notice in (self._reference_notice, self._check_notice, self._places_notice):
            notice.clear()
        self._verdicts.clear()
        self._places.clear()

    async def _extract_claims(self, button: ui.button) -> None:
        self._drop_claims()
        item, extractor = self._make_item(), self._extractor.value
        if not item.response.strip():
            self._text_notice.show("There is no text yet; write one, or take the example")
            return
        claimed = await self._text_notice.run(
            lambda: self._controller.extract(item, extractor), button, "claim_extractor"
        )
        if claimed is None or not self._is_current(item):
            return
        self._claimed = claimed
        with self._claims:
            if claimed.fault:
                text(f"No claim could be extracted: {claimed.fault}", "notice")
            elif not claimed.claims:
                text(f"{extractor} finds no claims in this text. {EXTRACTOR_NOTES.get(extractor, '')}".strip(), "soft")
            else:
                text(format_count(len(claimed.claims), "claim"), "soft")
            for claim in claimed.claims:
                _show_claim(claim)

    async def _retrieve_passages(self, button: ui.button) -> None:
        item, retriever = self._make_item(), self._retriever.value
        claimed = self._claimed or ClaimedText(item)
        passages = await self._reference_notice.run(
            lambda: self._controller.retrieve(claimed, retriever), button, "retriever"
        )
        if passages is None or self._make_item() != item:
            return  # keep what was written in the meantime
        if passages:
            self._reference.set_value("\n\n".join(passages))
        else:
            self._reference_notice.show(f"{retriever} finds nothing for this text")

    async def _check_claims(self, button: ui.button) -> None:
        self._drop_verdicts()
        if self._claimed is None:
            self._check_notice.show("There are no claims yet; extract them first")
            return
        claimed = ClaimedText(self._make_item(), self._claimed.claims, self._claimed.fault)
        names = self._checker.value, self._aggregator.value
        checked = await self._check_notice.run(lambda: self._controller.check(claimed, *names), button, "checker")
        if checked is None or self._make_item() != claimed.item:
            return
        self._checked = checked
        with self._verdicts:
            show_score(checked.aggregate)
            if not checked.claimed.claims:
                text("There are no claims to check.", "soft")
            if self._controller.ignores_references(checked.claimed.item, names[0]):
                text(UNREAD_REFERENCE_NOTE.format(checker=names[0], field=FIELD_LABELS["checker"]), "soft")
            with ui.element("ol").classes("verdicts"):
                for claim, verdict in zip(checked.claimed.claims, checked.verdicts, strict=True):
                    with ui.element("li"):
                        text(f"{_MARKS[verdict.label]} {verdict.label or _UNCLEAR}", "chip", str(verdict.label))
                        with ui.element("div"):
                            _show_claim(claim)
                            if verdict.why:
                                text(verdict.why, "soft")
                            for fact in verdict.facts:
                                text(format_fact(fact), "evidence")

    async def _locate_claims(self, button: ui.button) -> None:
        self._places.clear()
        checked = self._checked
        if checked is None:
            self._places_notice.show("There are no verdicts yet; check the claims first")
            return
        located = await self._places_notice.run(lambda: self._controller.localise(checked), button)
        if located is None or self._checked is not checked:
            return
        with self._places:
            if not located.claimed.claims:
                text("There are no claims to locate.", "soft")
                return
            claims = {i: claim.text for i, claim in enumerate(located.claimed.claims)}
            chosen = ui.select(claims, label="Claim", value=0).props("outlined dense").classes("claim-choice")
            show_key()
            container = ui.element("div")
        chosen.on_value_change(lambda: _show_places(container, located, chosen.value))
        _show_places(container, located, 0)


def _show_places(container: ui.element, checked: CheckedText, number: int) -> None:
    """Show the text and its references, with the places of the claim of index `number` marked."""
    places, item = checked.locations[number], checked.claimed.item
    container.clear()
    with container:
        if not places:
            text("No sentence of the text or the reference is near enough to this claim.", "soft")
        for reference, passage in enumerate((item.response, *item.references), -1):
            here = [place for place in places if place.reference == (None if reference < 0 else reference)]
            text("Text" if reference < 0 else f"Reference {reference + 1}", "term")
            show_text(passage, here)


def _show_claim(claim: Claim) -> None:
    with ui.element("div").classes("claim"):
        for part in claim.parts:
            text(part, "part")
        if claim.score is not None:
            text(f"score {claim.score:.2f}", "soft").tooltip("probability that the text makes this claim")


def _text_area(label: str) -> ui.textarea:
    return ui.textarea(label).props("outlined autogrow").classes("area")


def _choice_field(controller: CheckController, group: str, first: str | None = None) -> ui.select:
    names = controller.names(group, first)
    return ui.select(names, label=FIELD_LABELS[group], value=names[0]).props("outlined dense").classes("choice")
