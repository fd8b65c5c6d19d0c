"""Verify: whether history kept what it had to keep, and let in only what was reviewed."""
