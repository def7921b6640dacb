"""Parts of the readers of tables: rows with quoted cells."""
