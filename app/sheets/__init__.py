"""Vendor sheets become facts with evidence: documents, figures, words, offers. No scoring here."""
