"""Notes in Markdown as candidates: folders of notes, Obsidian vaults, files that agents read.

No note is an instruction here, no property a field of authority, no link the name of a record.
"""
