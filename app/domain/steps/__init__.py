"""The framework, read top to bottom: bandwidth, red lines, topology, platform."""
