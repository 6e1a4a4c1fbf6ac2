"""The host analyser: what is at an address, told from bytes and values alone, with reasons and a confidence."""
