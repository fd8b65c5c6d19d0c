"""Consolidating: records that may say the same are found, judged and proposed; never merged."""
