"""A guard against hangs, which is no measurement: those are in tests/benchmarks.

Work that grows out of hand on hostile input uses many times this much processor time; a loaded or
slow machine does not.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

HANG = 20.0


@contextmanager
def no_hang() -> Iterator[None]:
    """Fail when the body has taken `HANG` seconds of processor time."""
    begin = time.process_time()
    yield
    assert time.process_time() - begin < HANG
