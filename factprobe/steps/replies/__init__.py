"""Steps on replies of any origin, and the web app."""
