"""Git: `plumbing` reads it by subprocess, `porcelain` writes it through GitPython.

This package itself loads neither, so that preflight pays for plumbing only.
"""
