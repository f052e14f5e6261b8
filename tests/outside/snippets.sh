#!/usr/bin/env bash
# Every piece of C++ in docs/library.md is part of a program in examples/library, indentation aside, and
# so it is compiled and run.   snippets.sh DAMIER
set -euo pipefail
page=$1/docs/library.md
programs=$(cat "$1"/examples/library/*.cc | sed 's/^ *//')
count=0
while IFS= read -r -d '' piece; do
  count=$((count + 1))
  if [[ $programs != *"$piece"* ]]; then
    printf 'docs/library.md shows code that is in no program of examples/library:\n%s\n' "$piece"
    exit 1
  fi
done < <(sed 's/^ *//' "$page" | awk '
  /^```cpp$/ { inside = 1; piece = ""; next }
  /^```/ && inside { inside = 0; printf "%s%c", piece, 0; next }
  inside { piece = piece (piece == "" ? "" : "\n") $0 }')
[ "$count" -ge 5 ] || { echo "only $count pieces were found"; exit 1; }
echo "$count pieces"
