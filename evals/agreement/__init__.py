"""Agreement of any grader with the labelled answers: the run, its figures, what is printed and stored."""
