"""doll: plain-text, user-owned memory for people who work with AI assistants and coding agents."""

__version__ = "0.1.0"
