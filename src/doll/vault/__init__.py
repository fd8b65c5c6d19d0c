"""The vault as files: layout, settings, snapshots, entries, writing, the sealed cache, the lock.

Knows nothing of git, of Whoosh, or of what flows do with the records.
"""
