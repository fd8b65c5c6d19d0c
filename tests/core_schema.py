"""Front matter as an editor reads it that validates YAML 1.2 against a JSON Schema.

Source: YAML 1.2.2, section 10.3.2 (core schema, tag resolution).
"""

import re
from typing import Any

import yaml

_TAG = "tag:yaml.org,2002:"


class _CoreLoader(yaml.SafeLoader):
    """PyYAML's loader with the resolution of YAML 1.2 in place of that of YAML 1.1."""

    yaml_implicit_resolvers = {}  # noqa: RUF012


def _integer(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    text = loader.construct_scalar(node)
    return int(text[2:], {"0o": 8, "0x": 16}[text[:2]]) if text[:2] in ("0o", "0x") else int(text)


def _number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> float:
    text = loader.construct_scalar(node).lower()
    return float(text.replace(".inf", "inf").replace(".nan", "nan"))


for name, pattern in {
    "null": r"(?:~|null|Null|NULL|)\Z",
    "bool": r"(?:true|True|TRUE|false|False|FALSE)\Z",
    "int": r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z",
    "float": r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z",
}.items():
    _CoreLoader.add_implicit_resolver(f"{_TAG}{name}", re.compile(pattern), None)
_CoreLoader.add_constructor(f"{_TAG}int", _integer)
_CoreLoader.add_constructor(f"{_TAG}float", _number)


def front_matter(data: bytes) -> Any:
    """Return the front matter of a record file as values of YAML 1.2."""
    block = re.split(r"(?m)^---[ \t]*\r?$", data.decode(), maxsplit=2)[1]
    return yaml.load(block, _CoreLoader)  # noqa: S506 - a SafeLoader
