"""Everything that is one person's: as one file to take away, brought in again elsewhere, or deleted for good."""
