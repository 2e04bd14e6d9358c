"""What pages, PDF and command line share: languages, figures, words and the Jinja environment."""
