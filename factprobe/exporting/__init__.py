"""Export of exams and results in the formats of other tools."""
