"""Cases of a test of which there are so many that listing them all costs each run of the suite."""

from collections.abc import Sequence
from typing import Any

import pytest


def cases(config: pytest.Config, every: Sequence[Any], step: int) -> list[Any]:
    """Return each so many of the cases; all, the others marked `soak`, where others are asked for.

    They run then as those that `pytest.mark.sampled` leaves out.
    """
    if config.getoption("markexpr") == "not soak":
        return list(every[::step])
    return [
        pytest.param(*case, marks=pytest.mark.soak if number % step else ())
        for number, case in enumerate(every)
    ]
