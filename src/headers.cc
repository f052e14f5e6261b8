// Nothing: a source for the targets that only precompile headers.
