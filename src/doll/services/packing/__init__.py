"""The context pack: what is accepted and concerns a task, within a budget of tokens."""
