# Comments on a line of their own belong to what follows, those behind a declaration to it, the first
# one to its file. What doxygen would take for a command or for HTML is written as text.
/\/\// {
  # The end of a namespace, and slashes inside a string.
  /^}/b
  /"[^"]*\/\/[^"]*"/b
  s|//|\n|
  h
  s|^.*\n||
  s|[@\\<>&#]|\\&|g
  x
  s|\n.*||
  1 {
    s|$|/// @file\n///|
    b join
  }
  /^ *$/ {
    s|$|///|
    b join
  }
  s|$|///<|
  :join
  G
  s|\n\([^\n]*\)$|\1|
}
