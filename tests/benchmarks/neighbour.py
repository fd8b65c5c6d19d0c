"""`doll preflight --staged` beside the precheck of projectmem, on as many records of the same kind.

    python -m tests.benchmarks.neighbour --pjm PATH/bin/pjm [--records 10000] [--runs 9]

Ten staged files in a repository with as many commits as such a log comes from; the two are run by
turns, so that both see the same machine. projectmem is no dependency: install 0.3.4 from PyPI into
an environment of its own and name its program.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.benchmarks.figures import DOLL, alone, write_code
from tests.benchmarks.generated_vault import WORDS, write_vault

# In logs that the tool wrote there are two to three events for each commit.
EVENTS = 4
MINUTES = 3  # between two events
KINDS = ("issue", "attempt", "attempt", "fix", "decision", "note")


def main() -> None:
    """Generate, measure by turns, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pjm", type=Path, required=True)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault, code = Path(folder) / "vault", Path(folder) / "code"
        write_vault(vault, arguments.records)
        write_code(code)
        subprocess.run(["git", "commit", "-q", "-m", "before"], cwd=code, check=True)
        write_commits(code, arguments.records // EVENTS)
        for place in sorted((code / "migrations").iterdir())[:10]:
            place.write_text(place.read_text() + "-- once more\n")
        subprocess.run(["git", "add", "-A"], cwd=code, check=True)
        write_log(code, arguments.pjm, arguments.records)
        time.sleep(2.5)  # what was written just now counts as racy and is read again
        doll = [*DOLL, "preflight", "--vault", str(vault), "--project", "project-03", "--staged"]
        commands = {
            "git status": ["git", "status", "--porcelain"],
            "doll preflight --staged": doll,
            "pjm precheck": [str(arguments.pjm), "precheck"],
        }
        medians = by_turns(commands, code, arguments.runs)
    for name, seconds in medians.items():
        print(f"{name:28} {seconds:7.3f} s")
    ratio = medians["pjm precheck"] / medians["doll preflight --staged"]
    print(f"{'precheck / preflight':28} {ratio:7.1f}")


def write_commits(code: Path, number: int) -> None:
    """Add that many commits to `main`, each of one migration, over the weeks of the log."""
    begin = int(datetime.now(UTC).timestamp()) - number * EVENTS * MINUTES * 60
    with subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=code, stdin=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        for count in range(number):
            at = begin + count * EVENTS * MINUTES * 60
            parent = "" if count else "from refs/heads/main^0\n"
            lines = (
                f"commit refs/heads/main\ncommitter Bench <bench@example.org> {at} +0000\n"
                f"data 7\nchange\n{parent}M 644 inline migrations/{count * 7 % 500:04}.sql\n"
                f"data 15\n-- {count:011}\n\n"
            )
            process.stdin.write(lines.encode())
    assert process.returncode == 0
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=code, check=True)


def write_log(code: Path, pjm: Path, events: int) -> None:
    """Write a log of issues, attempts, fixes, decisions and notes, in the tool's own form.

    Typed events name a place, every fourth is one that a hook wrote and names files. All are of the
    last weeks, since older ones are not looked at.
    """
    subprocess.run([str(pjm), "init"], cwd=code, check=True, capture_output=True, input=b"")
    now = datetime.now(UTC)
    lines = []
    for number in range(events):
        kind = KINDS[number % len(KINDS)]
        at = now - timedelta(minutes=MINUTES * (events - number))
        paths = [f"migrations/{(number + step) * 7 % 500:04}.sql" for step in range(3)]
        about = {"location": f"{paths[0]}:{number % 90 + 1}"} if number % 4 else {"files": paths}
        event = {
            **about,
            "git_commit": f"{number:07x}",
            "id": f"evt_{number:020x}",
            "issue_id": f"{number // len(KINDS):04}",
            "summary": " ".join(WORDS[number * step % len(WORDS)] for step in (1, 3, 7, 11, 13)),
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "type": kind,
        }
        event |= {"outcome": "failed"} if kind == "attempt" else {}
        lines.append(json.dumps(event, sort_keys=True))
    (code / ".projectmem" / "events.jsonl").write_text("\n".join(lines) + "\n")


def by_turns(commands: Mapping[str, Sequence[str]], cwd: Path, runs: int) -> dict[str, float]:
    """Return the median seconds of each command, run by turns after a warm-up."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(command, cwd=cwd, capture_output=True, check=False)
            if turn:
                seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(each) for name, each in seconds.items()}


if __name__ == "__main__":
    alone()
    main()
