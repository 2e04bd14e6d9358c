"""`python -m app …` is the same as `linewise …`."""

from app.cli import main

main()
