"""Recording: new records by the user or a model, checked and screened before they are written."""
