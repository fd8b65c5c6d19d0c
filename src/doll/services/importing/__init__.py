"""Import: a foreign document becomes candidates in `staging/`, with a ledger of what came."""
