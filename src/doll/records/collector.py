"""The garbage collector, paused while very many records are held.

It would walk all of them again and again. Only for code that makes no cycles to speak of.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector, where it runs."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
