"""Reading records: finding the one that is meant, listing, showing."""
