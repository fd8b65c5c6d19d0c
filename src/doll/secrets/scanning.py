"""Runs the detectors over one text and puts their findings in order.

Text in, hits out: no files, no settings, no network. `pragma: allowlist secret` and its like are
text like any other. Time is linear in the text, whatever stands in it.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

from doll.secrets import assignments, blocks, formats, plugins
from doll.secrets.checks import is_blanked
from doll.secrets.hits import Hit, Span
from doll.secrets.names import lower
from doll.secrets.prefilter import may_hold_secret

# The most telling first: where two detectors see the same place, the first one names it.
DETECTORS: tuple[str, ...] = (
    "private-key",
    "anthropic-key",
    "openai-key",
    "model-service-key",
    "huggingface-token",
    "github-token",
    "gitlab-token",
    "aws-key",
    "azure-key",
    "google-key",
    "slack-token",
    "stripe-key",
    "npm-token",
    "pypi-token",
    "sendgrid-key",
    "twilio-key",
    "telegram-token",
    "discord-token",
    "digitalocean-token",
    "databricks-token",
    "artifactory-token",
    "mailchimp-key",
    "square-secret",
    "service-token",
    "jwt",
    "url-password",
    "authorization-header",
    "secret-assignment",
    "password-assignment",
    "secret-in-text",
)
_RANK = {detector: rank for rank, detector in enumerate(DETECTORS)}


def scan(text: str) -> tuple[Hit, ...]:
    """Return the places of `text` that look like secrets, sorted by place; none overlap."""
    lowered = lower(text)
    if not may_hold_secret(lowered):
        return ()
    spans = merge(find_all(text, lowered))
    return tuple(_locate(text, spans)) if spans else ()


def find_all(text: str, lowered: str) -> Iterator[Span]:
    """Yield what every detector finds, in no order; `lowered` has the length of `text`."""
    yield from blocks.find(lowered)
    for span in (*formats.find(text), *plugins.find(text)):
        if not is_blanked(text[span.start : span.end]):
            yield span
    yield from assignments.find(text, lowered)


def merge(spans: Iterable[Span]) -> list[Span]:
    """Join spans that overlap into one, named by the most telling of their detectors."""
    merged: list[Span] = []
    for span in sorted(spans):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
            continue
        last = merged[-1]
        name = min(last.detector, span.detector, key=_RANK.__getitem__)
        merged[-1] = Span(last.start, max(last.end, span.end), name)
    return merged


def _locate(text: str, spans: Iterable[Span]) -> Iterator[Hit]:
    lengths = (len(line) + 1 for line in text.split("\n"))
    starts = [0, *accumulate(lengths)]
    for span in spans:
        line = bisect_right(starts, span.start)
        column = span.start - starts[line - 1] + 1
        yield Hit(span.detector, line, column, start=span.start, end=span.end)
