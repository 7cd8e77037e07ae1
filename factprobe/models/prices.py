"""What a model's tokens cost, by the published price lists."""

from __future__ import annotations

import re

from factprobe.models.base import Price

_MILLION = 1e6
_HERE = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)")


def listed_price(model: str, base_url: str | None = None, provider: str | None = None) -> Price | None:
    """What the package genai-prices says that a model's tokens cost, or None where it does not know it.

    Args:
        model: as the endpoint calls it.
        base_url: the endpoint's address, or None for a provider by name.
        provider: the provider's name, where the address does not tell it.
    """
    if base_url and _HERE.match(base_url):
        return None  # no list prices a server of one's own, and to load them takes a while
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    thousand = 1_000  # below the size from where long prompts cost more
    try:
        tokens = Tokens(input_tokens=thousand, output_tokens=thousand)
        if base_url is None:
            found = calc_price(tokens, model, provider_id=provider)
        else:
            found = calc_price(tokens, model, provider_api_url=base_url)
    except LookupError:
        return None
    if found.total_price > found.input_price + found.output_price:
        return None  # it asks for more than tokens: for each request, say
    return Price(float(found.input_price) / thousand * _MILLION, float(found.output_price) / thousand * _MILLION)
