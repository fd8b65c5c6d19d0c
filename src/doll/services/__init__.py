"""The flows: each a function of plain values that returns a report value and prints nothing."""
