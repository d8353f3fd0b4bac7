"""Many members practising at once at a real server."""
