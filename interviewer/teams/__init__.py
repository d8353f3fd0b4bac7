"""A cohort and its leads: how it is doing, interviews its members share, assignments."""
