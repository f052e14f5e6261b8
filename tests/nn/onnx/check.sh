#!/usr/bin/env bash
# Holds ONNX export against programs that are not ours:  check.sh WRITE_CASES
# WRITE_CASES is the built write_cases.cc. The onnx package of Python, where it is installed
# (python3-onnx), checks the files; ONNX Runtime, from npm into a temporary folder, runs them.
# Exit code 0: all the same, 77: ONNX Runtime cannot be had here, anything else: a fault.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 WRITE_CASES" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=1.30.0

"$1" "$work/cases"

# Debian's package belongs to Debian's Python, which need not be the first in PATH.
checked=
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import onnx' 2> /dev/null; then
    "$python" "$here/check.py" "$work/cases"
    checked=yes
    break
  fi
done
[ -n "$checked" ] || echo "python3-onnx is not installed: the files are not checked with it"

skip() {
  echo "skipped: $1"
  exit 77
}
command -v node > /dev/null || skip "there is no node"
command -v npm > /dev/null || skip "there is no npm"
mkdir "$work/npm"
echo '{"private": true}' > "$work/npm/package.json"
# Its install script fetches a GPU version; the package itself holds all that is needed.
(cd "$work/npm" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error \
  "onnxruntime-node@$version") > "$work/npm.log" 2>&1 ||
  skip "npm cannot install onnxruntime-node $version: $(head -n 1 "$work/npm.log")"
(cd "$work/npm" && node -e 'require("onnxruntime-node")') 2> /dev/null ||
  skip "onnxruntime-node $version does not run on this system"

node "$here/compare.mjs" "$work/cases" "$work/npm"
