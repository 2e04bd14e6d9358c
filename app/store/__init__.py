"""Where everything is kept: engine, tables, repositories (all SQL) and original files."""
