"""The command line: parses, calls one service, renders, returns an exit code. Nothing else.

Only this package knows click, the clock, the environment and the terminal.
"""

from doll.cli.boundary import run
from doll.cli.streams import prepare

__all__ = ["prepare", "run"]
