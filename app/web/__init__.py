"""The web room: composition root, security, errors, forms and one router a page."""
