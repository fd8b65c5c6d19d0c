"""What `authority.signed: required` costs preflight, beside the same vault without it.

    python -m tests.benchmarks.signed_figures [--records 10000] [--commits 2000] [--runs 9]

Every commit signs a path of its own, so that each signature has to be verified once. Making them
takes minutes. Cold processes, medians of the runs after a warm-up, as in `figures`.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, show
from tests.benchmarks.generated_vault import write_vault
from tests.signing import line_for, make_key, trust

POLICY = "---\nsummary: Rule {0}\neffect: advise\nactions: [x.y{0}]\n---\n"


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--commits", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vault = folder / "signed"
        write_vault(vault, arguments.records)
        _sign(vault, folder, arguments.commits)
        _measure(vault, _without(vault, folder / "off"), arguments.runs)


def _git(vault: Path, *arguments: str, feed: str = "") -> str:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=vault, check=True, capture_output=True, input=feed.encode())
    return done.stdout.decode().strip()


def _sign(vault: Path, folder: Path, commits: int) -> None:
    key = make_key(folder / "keys", "bench")
    trust(vault, folder / "home" / "signers", line_for(key))
    _git(vault, "config", "gpg.format", "ssh")
    _git(vault, "config", "user.signingKey", str(key))
    settings = vault / "doll.yaml"
    settings.write_text(settings.read_text() + "authority:\n  signed: required\n")
    _git(vault, "commit", "-qaS", "-m", "ask")
    nothing = _git(vault, "commit-tree", "-m", "Nothing", _git(vault, "mktree"))
    merge = ("merge", "-qS", "-s", "ours", "--allow-unrelated-histories", "-m", "all", nothing)
    _git(vault, *merge)
    parent = _git(vault, "rev-parse", "HEAD")
    for number in range(commits):
        oid = _git(vault, "hash-object", "-w", "--stdin", feed=POLICY.format(number))
        path = f"authority/policies/rule-{number:05}.md"
        _git(vault, "update-index", "--add", "--cacheinfo", f"100644,{oid},{path}")
        tree = _git(vault, "write-tree")
        parent = _git(vault, "commit-tree", "-S", "-p", parent, "-m", "rule", tree)
    _git(vault, "reset", "-q", "--hard", parent)


def _without(vault: Path, other: Path) -> Path:
    """Make a vault of the same files that never asked."""
    _git(vault, "clone", "-q", str(vault), str(other))
    settings = other / "doll.yaml"
    settings.write_text(settings.read_text().partition("authority:")[0])
    _git(other, "add", "-A")
    commit = _git(other, "commit-tree", "-m", "all", _git(other, "write-tree"))
    _git(other, "reset", "-q", "--hard", commit)
    _git(other, "config", "doll.branch", "main")
    return other


def _measure(signed: Path, off: Path, runs: int) -> None:
    preflight = [*DOLL, "preflight", "--action", "db.read"]

    def forget() -> None:
        shutil.rmtree(signed / ".doll" / "cache", ignore_errors=True)

    def forget_walk() -> None:
        shutil.rmtree(signed / ".doll" / "cache" / "signed", ignore_errors=True)

    def more() -> None:
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=signed, check=True)

    print(f"{os.cpu_count()} processors")
    show("preflight, no signatures asked, warm", preflight, off, runs)
    show("preflight, signed, warm", preflight, signed, runs)
    show("preflight, signed, one more commit", preflight, signed, runs, before=more)
    show("preflight, signed, verified before", preflight, signed, min(runs, 3), before=forget_walk)
    show("preflight, signed, no cache", preflight, signed, 1, before=forget)


if __name__ == "__main__":
    alone()
    main()
