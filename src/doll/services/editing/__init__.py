"""Editing: records of the user changed in place, moved along, or renamed; every other byte kept."""
