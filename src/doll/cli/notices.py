"""Notices about the recall index, on stderr: never a part of an answer."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from doll.cli.options import warn

if TYPE_CHECKING:
    from doll.reconcile.shelf import Notice


def say(notices: Iterable["Notice"]) -> None:
    """Print each notice with the line that mends it."""
    from doll.render.text import visible

    for message, hint in notices:
        warn(f"doll: {visible(message)}", *([f"      {visible(hint)}"] if hint else []))
