"""Calls of endpoints: rate limits, retries and errors."""
