"""Large stores: time and memory stay within bounds."""

import subprocess
import sys
import time

import pytest

from doll.interchange.base import Document, Options
from doll.interchange.pam.adapter import PamAdapter
from tests.pam_documents import encoded, full_memory, relation, store

DECODE = """
import sys, time
from pathlib import Path
from doll.interchange.base import Document, Options
from doll.interchange.registry import adapter
data = sys.stdin.buffer.read()
started = time.process_time()
found = adapter("pam").decode(Document("export.json", data), Options())
status = Path("/proc/self/status")
lines = status.read_text().split("\\n") if status.exists() else ["VmHWM: 0 kB"]
peak = next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
print(len(found.candidates), time.process_time() - started, peak)
"""


def large_store(count: int) -> bytes:
    text = "The user prefers tea, walks to work, and reads about databases. " * 8
    memories = [full_memory(id=f"mem-{n}", content=f"{n}: {text}") for n in range(count)]
    edges = [relation(f"mem-{n}", "mem-0", id=f"rel-{n}") for n in range(0, count, 3)]
    return encoded(store(*memories, relations=edges))


def measured(count: int) -> tuple[float, int]:
    """Return seconds and peak MiB of decoding a store in a process of its own.

    The peak is 0 where the system does not say it. (`ru_maxrss` would count the parent's.)
    """
    done = subprocess.run(
        [sys.executable, "-c", DECODE], input=large_store(count), capture_output=True, check=True
    )
    found, seconds, peak = done.stdout.split()
    assert int(found) == count
    return float(seconds), int(peak)


def test_a_thousand_memories_in_a_process_of_their_own() -> None:
    seconds, peak = measured(1_000)
    assert seconds < 8
    assert peak < 120


@pytest.mark.soak
def test_ten_thousand_memories() -> None:
    seconds, peak = measured(10_000)
    assert seconds <= 8
    assert peak <= 200


@pytest.mark.soak
def test_fifty_thousand_memories() -> None:
    seconds, peak = measured(50_000)
    assert seconds <= 40
    assert peak <= 500


def test_a_store_in_which_everything_is_wrong_is_refused_quickly() -> None:
    data = large_store(2_000).replace(b'"preference"', b'"opinion"')
    started = time.process_time()
    with pytest.raises(Exception, match=r"2000 problems|\+1\d{3} more"):
        PamAdapter().decode(Document("export.json", data), Options())
    assert time.process_time() - started < 10
