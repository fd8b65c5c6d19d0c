"""Measurements by hand, as cold processes beside a floor; not part of the suite."""
