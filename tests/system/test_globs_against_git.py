"""Patterns against git itself: `git check-ignore` is what a gitignore pattern means."""

import random
import subprocess
from pathlib import Path

from doll.preflight.paths import PathIndex

_ATOMS = (
    *("a", "b", "c", "1", "A", ".", "-", "#", " "),
    *("*", "*", "?", "/", "/", "/**/", "**/", "/**"),
    *("[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "[[:digit:]-]", "[]a]", "[--0]", "[c-a]"),
    *("[\\]]", "[a", "[[:x:]]", "[a/b]", "\\*", "\\[", "\\\\", "\\", "["),
)
_NAMES = ("a", "b", "ab", "a.b", "abc", "x-1", "[a]", "a b", "aab", "#a", "a*b", "\\", "a\nb", "A")


def test_random_patterns_match_what_git_ignores(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    rnd = random.Random(20260820)
    paths = sorted(
        {"/".join(rnd.choice(_NAMES) for _ in range(rnd.randint(1, 4))) for _ in range(300)}
    )
    for pattern in sorted(_patterns(rnd)):
        index = {path: PathIndex([path]).first(pattern) for path in paths}
        matching = {path for path in paths if index[path]}
        assert matching == _ignored(tmp_path, pattern, paths), pattern


def _patterns(rnd: random.Random) -> set[str]:
    made = {"".join(rnd.choice(_ATOMS) for _ in range(rnd.randint(1, 5))) for _ in range(150)}
    # `#` and `!` at the start are git's own; `a**/b` is where git departs from its manual.
    return {
        pattern
        for pattern in made
        if pattern[0] not in "#! " and not any(f"{c}**" in pattern for c in "abc1A.-# ?]*[\\")
    }


def _ignored(repository: Path, pattern: str, paths: list[str]) -> set[str]:
    (repository / ".git/info/exclude").write_text(f"{pattern}\n")
    found = subprocess.run(
        ["git", "-C", repository, "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    return set(found.stdout.decode().split("\0")) - {""}
