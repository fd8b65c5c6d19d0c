"""Views of report values: text for people, JSON documents for scripts. Prints nothing."""
