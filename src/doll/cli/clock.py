"""The clock: read here and nowhere else; everything below gets the moment as a value."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)
