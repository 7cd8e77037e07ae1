"""Phrasing of facts and relations by a model: requests, checks of the replies, and retries of rejected ones."""
