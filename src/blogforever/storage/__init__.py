"""9 storage: what any store of blogs must do, table by table, and the values it keeps; the database is one of them."""
