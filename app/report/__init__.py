"""What people are shown of an assessment: one frozen, formatted view per page, and the same as a PDF."""
