"""Steps on replies from files, and the web app."""
