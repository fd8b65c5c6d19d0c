"""Git hooks: putting preflight in, taking it out, saying what is there, and running it."""
