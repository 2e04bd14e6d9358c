"""One router a page."""
