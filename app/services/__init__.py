"""What a person can do, one function an action: plain values in, records out, no HTML and no HTTP."""
