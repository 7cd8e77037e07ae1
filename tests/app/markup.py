"""What must show as text; apart from the plugin, which a test run that imports it would have registered for good."""

from __future__ import annotations

MARKUP = "<script>alert(1)</script><img src=x onerror=alert(1)> {{ 7*7 }} <b>bold</b>"
