"""Recall: text to terms, a read model over Whoosh, scores. The only code that knows Whoosh."""
