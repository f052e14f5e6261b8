#!/usr/bin/env bash
# Every piece of C++ in a page of docs/ is part of a program in a folder of examples/, indentation
# aside, and so it is compiled and run.   snippets.sh DAMIER [PAGE FOLDER]
set -euo pipefail
page=$1/docs/${2:-library.md} folder=${3:-library}
programs=$(cat $(find "$1/examples/$folder" -name '*.h' -o -name '*.cc') | sed 's/^ *//')
count=0
while IFS= read -r -d '' piece; do
  count=$((count + 1))
  if [[ $programs != *"$piece"* ]]; then
    printf '%s shows code that is in no program of examples/%s:\n%s\n' "$page" "$folder" "$piece"
    exit 1
  fi
done < <(sed 's/^ *//' "$page" | awk '
  /^```cpp$/ { inside = 1; piece = ""; next }
  /^```/ && inside { inside = 0; printf "%s%c", piece, 0; next }
  inside { piece = piece (piece == "" ? "" : "\n") $0 }')
[ "$count" -ge 5 ] || { echo "only $count pieces were found"; exit 1; }
echo "$count pieces"
