"""Proposals: what a model offers as text becomes one candidate in staging, and nothing else."""
