"""Watching a vault: what changes is checked and indexed, and whether anybody watches."""
