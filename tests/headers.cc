// Nothing: the library of this file is there for its precompiled headers, which all tests share.
