"""Signatures, where the vault asks for them: what a commit has that no well-signed one made so.

`doll.services.signing` knows what counts; an unsigned change that was signed over is no fault.
"""

from doll.errors import Problem
from doll.services.opening import Vault
from doll.services.signing.effect import what_does_not_count
from doll.services.verifying.faults import Fault
from doll.vcs.plumbing.history import is_ancestor


def signature_faults(
    vault: Vault, tip: str, base: str | None
) -> tuple[list[Fault], tuple[Problem, ...]]:
    """Return what at `tip` is not signed as it has to be, and why that is not sure.

    With `base` only what came after it. GitError when git fails, also for history that is not here.
    """
    found = what_does_not_count(vault, tip)
    faults = [
        Fault(Problem(each.path, 0, 0, each.code, each.what), each.commit)
        for each in found.changes
        if base is None or not (each.commit and is_ancestor(vault.repository, each.commit, base))
    ]
    # What is about a file is wrong with the history; the rest is about this clone.
    faults += [Fault(problem, tip) for problem in found.problems if problem.path]
    return faults, tuple(problem for problem in found.problems if not problem.path)
