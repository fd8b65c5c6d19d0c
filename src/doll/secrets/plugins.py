"""The plugins of detect-secrets that doll uses, one by one, by their patterns alone.

Only a plugin's `denylist` is read. Its scanner is not run, so none of its global settings,
filters, baselines, allow-list comments (`pragma: allowlist secret` in foreign text is data) or
network checks takes part, and no setting of another user of the library changes what doll finds.

Left out, with the time each needs for 1 MB made to slow it down: JwtTokenDetector, NpmDetector,
OpenAIDetector, SoftlayerDetector and CloudantDetector (quadratic or worse, over 3 s),
AWSKeyDetector (0.5 s for its second pattern), IbmCloudIamDetector and IbmCosHmacDetector (any 44
or 48 characters after `key`). Also left out: ArtifactoryDetector (misses a token in backticks,
takes words in capitals), TelegramBotTokenDetector (takes `time:digest`),
BasicAuthDetector (takes placeholders), PrivateKeyDetector (takes the words without the block),
KeywordDetector, IPPublicDetector and the entropy plugins (digests and ids).
`doll.secrets.formats` and `doll.secrets.assignments` have patterns for those kinds that are linear.

Importing detect-secrets takes a quarter of a second, so a gate per plugin, a pattern of its
format, decides whether it is needed at all.
"""

import functools
import importlib
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from doll.secrets.checks import is_mixed
from doll.secrets.hits import Span

_SAFE = "[a-zA-Z0-9_-]"
_REST = re.compile(r"[A-Za-z0-9_-]*")


class Plugin(NamedTuple):
    """One plugin: where it lives, and the formats without which it finds nothing.

    Each gate is a pattern over the text that begins with a literal character.
    """

    detector: str
    module: str
    name: str
    gates: tuple[str, ...]
    accept: Callable[[str], bool] | None = None


PLUGINS: tuple[Plugin, ...] = (
    Plugin("github-token", "github_token", "GitHubTokenDetector", (r"gh[pousr]_[A-Za-z0-9_]{36}",)),
    Plugin(
        "gitlab-token",
        "gitlab_token",
        "GitLabTokenDetector",
        (
            r"gl(?:dt|ft|soat|cbt|imt|ptt|agent|oas)-[A-Za-z0-9_-]{20}",
            r"GR1348941[A-Za-z0-9_-]{20}",
        ),
    ),
    Plugin("azure-key", "azure_storage_key", "AzureStorageKeyDetector", ("AccountKey=",)),
    Plugin(
        "slack-token",
        "slack",
        "SlackDetector",
        (r"xox[abposr]-[0-9]{1,20}-", r"hooks\.slack\.com/services/T"),
    ),
    Plugin(
        "stripe-key",
        "stripe",
        "StripeDetector",
        (r"sk_live_[0-9a-zA-Z]{24}", r"rk_live_[0-9a-zA-Z]{24}"),
    ),
    Plugin("sendgrid-key", "sendgrid", "SendGridDetector", (r"SG\.[\w-]{22}\.[\w-]{43}",)),
    Plugin("twilio-key", "twilio", "TwilioKeyDetector", (r"AC[a-z0-9]{32}", r"SK[a-z0-9]{32}")),
    Plugin(
        "discord-token",
        "discord",
        "DiscordBotTokenDetector",
        tuple(
            rf"\.{_SAFE}{{6}}\.(?<=[MNO]{_SAFE}{{{size}}}\.{_SAFE}{{6}}\.){_SAFE}{{27}}"
            for size in (23, 24, 25)
        ),
        is_mixed,
    ),
    Plugin(
        "mailchimp-key",
        "mailchimp",
        "MailchimpDetector",
        (r"-us[0-9](?<=[0-9a-z]{32}-us[0-9])",),
    ),
    Plugin(
        "square-secret", "square_oauth", "SquareOAuthDetector", (r"sq0csp-[0-9A-Za-z\\_-]{43}",)
    ),
)


def find(text: str) -> Iterator[Span]:
    """Yield what the plugins find, each extended to the end of its token."""
    for plugin in PLUGINS:
        if not _gate(plugin.gates).search(text):
            continue
        for pattern in _patterns(plugin.module, plugin.name):
            yield from _matches(plugin, pattern, text)


def _matches(plugin: Plugin, pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    end = 0
    for match in pattern.finditer(text):
        if match.start() < end:
            continue
        rest = _REST.match(text, match.end())
        end = rest.end() if rest else match.end()
        if plugin.accept is None or plugin.accept(text[match.start() : end]):
            yield Span(match.start(), end, plugin.detector)


@functools.cache
def _gate(gates: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(gates))


@functools.cache
def _patterns(module: str, name: str) -> tuple[re.Pattern[str], ...]:
    detector = getattr(importlib.import_module(f"detect_secrets.plugins.{module}"), name)
    return tuple(detector.denylist)
