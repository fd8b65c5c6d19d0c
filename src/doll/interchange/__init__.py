"""Foreign formats at the edge: bytes into candidates, parked entries, losses and problems.

Pure: no vault, no git, no files, no clock. Nothing foreign becomes a local id, status, confidence,
permission or instruction; what no field holds is kept as a claim and named as a loss.
"""
