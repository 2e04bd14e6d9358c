"""The formula library: one small pure function per published formula (see README.md in this folder)."""
