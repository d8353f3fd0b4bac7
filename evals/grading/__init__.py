"""The built-in grader measured and fitted: data, metrics, fits, the page its figures stand on."""
