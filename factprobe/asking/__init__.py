"""Requests to models: concurrent, rate-limited, cached and resumable."""
