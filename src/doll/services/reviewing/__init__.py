"""Review: candidates are shown, compared, approved and rejected, one by one."""
