"""Linewise: procurement advisor for the dedicated lines of large-model training and inference."""

__version__ = "0.1.0"
