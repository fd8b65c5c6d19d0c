"""The files in which people write to coding agents, by name: they are split at their headings.

Whatever such a file asks for, here it is a text like any other.
"""

NAMES = (
    "AGENT.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "copilot-instructions.md",
    "GEMINI.md",
    "MEMORY.md",
    "QWEN.md",
)

_FOLDED = frozenset(name.lower() for name in NAMES)


def is_agent_file(name: str) -> bool:
    """Return whether a file of this name is one that agents read; case does not matter."""
    return name.lower() in _FOLDED
