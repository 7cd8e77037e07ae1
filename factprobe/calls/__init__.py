"""HTTP calls of endpoints: rate limits, retries and errors."""
