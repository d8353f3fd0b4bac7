"""The database: events of interviews and questions with their versions. SQLite by default, PostgreSQL by URL."""
