#!/usr/bin/env bash
# The page's own tests, in a folder of the build: check.sh logic|browser FOLDER [PROGRAM [PROGRAM OF examples/my_game]]
# logic: types, unit tests, and that web/dist is what the sources make; browser: the page in Chromium.
# Without Node 20, npm or the packages there is nothing to test: exit code 77.
set -euo pipefail
what=$1 folder=$2
shift 2
web=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() { echo "skipped: $*"; exit 77; }
command -v npm >/dev/null || skip "npm is not installed"
major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
[ "$major" -ge 20 ] || skip "Node $major is too old; expected 20 or newer"
[ "$what" = logic ] || command -v chromium >/dev/null || skip "chromium is not installed"

mkdir -p "$folder"
exec 9>"$folder/.lock"
flock 9
for part in package.json package-lock.json index.html tsconfig.json svelte.config.js vite.config.ts \
            src tests public browser languages; do
  rm -rf "${folder:?}/$part"
  cp -rL "$web/$part" "$folder/$part"
done
cd "$folder"
if ! cmp -s package-lock.json .installed; then
  npm ci --no-audit --no-fund >npm.log 2>&1 || { tail -3 npm.log; skip "the packages cannot be had"; }
  cp package-lock.json .installed
fi
if [ "$what" = browser ]; then
  exec node browser/run.mjs "$@"
fi
npm run --silent check
npm test --silent
npm run --silent build
diff -r "$web/dist" dist || { echo "web/dist is not what web/src makes: npm run build in web/"; exit 1; }
