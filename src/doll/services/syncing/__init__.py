"""Sync: commit what changed, bring in what the remote has, and give it what it has not."""
