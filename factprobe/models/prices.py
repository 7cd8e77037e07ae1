"""Prices of models from the lists in the package genai-prices."""

from __future__ import annotations

import re

from factprobe.models.base import Price

_MILLION = 1e6
_LOCALHOST = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)", re.IGNORECASE)


def listed_price(model: str, base_url: str | None = None, provider: str | None = None) -> Price | None:
    """Return the price at an address, or else of a provider, in the lists of genai-prices; None if it is not listed."""
    if base_url and _LOCALHOST.match(base_url):
        return None  # local servers have no listed price, and loading the lists is slow
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    thousand = 1_000  # few enough tokens to avoid surcharges on long prompts
    try:
        tokens = Tokens(input_tokens=thousand, output_tokens=thousand)
        if base_url is None:
            price = calc_price(tokens, model, provider_id=provider)
        else:
            price = calc_price(tokens, model, provider_api_url=base_url)
    except LookupError:
        return None
    if price.total_price > price.input_price + price.output_price:
        return None  # the model has further charges, e.g. for each request
    return Price(float(price.input_price) / thousand * _MILLION, float(price.output_price) / thousand * _MILLION)
