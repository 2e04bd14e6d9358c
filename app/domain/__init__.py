"""Everything that is true without a computer: standard library only, no clock, no files, no web."""
