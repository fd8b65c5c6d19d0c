"""Receive: whether a repository on a server takes a push, by what the vault's branch had before."""
