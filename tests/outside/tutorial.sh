#!/usr/bin/env bash
# Follows docs/tutorial.md: runs its commands in their order, and looks for what it shows in what they
# print, and for its code in examples/my_game.
#   tutorial.sh quick DAMIER BUILD WORK   with the program of examples/my_game in place of building one
#   tutorial.sh whole DAMIER BUILD WORK   every command, from the installation on
# DAMIER is the folder of the sources, BUILD its build folder, WORK one to work in.
set -euo pipefail
mode=$1 damier=$2 build=$3 work=$4
page=$damier/docs/tutorial.md
rm -rf "$work"
mkdir -p "$work/clone/build" "$work/home"
ln -s "$build" "$work/clone/build/release"
ln -s "$damier/examples" "$work/clone/examples"

# The page as a script: blocks of sh are commands.
awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside { print }' "$page" > "$work/commands.sh"
awk '/^```text$/ { inside = 1; next } /^```/ { inside = 0 } inside { print }' "$page" > "$work/shown"

export HOME=$work/home XDG_STATE_HOME=$work/state
unset DAMIER_STATE DAMIER_STORE DAMIER_MODELS LD_LIBRARY_PATH
cd "$work/clone"
if [ "$mode" = quick ]; then
  mkdir -p "$HOME/hexapawn/build"
  ln -s "$build/examples/my_game/hexapawn" "$HOME/hexapawn/build/hexapawn"
  cmake() { :; }
  ctest() { :; }
  export -f cmake ctest
fi
bash -euxo pipefail "$work/commands.sh" < /dev/null > "$work/output" 2>&1 || {
  cat "$work/output"
  echo "the last command of docs/tutorial.md above has failed"
  exit 1
}

while IFS= read -r line; do
  grep -qF -- "$line" "$work/output" || { echo "docs/tutorial.md shows '$line', which no command printed"; exit 1; }
done < "$work/shown"
commands=$(grep -c '^build/hexapawn ' "$work/commands.sh")
[ "$commands" -ge 10 ] || { echo "only $commands commands were found in docs/tutorial.md"; exit 1; }

[ -s "$HOME/hexapawn/hexapawn.html" ]
"$damier/tests/outside/snippets.sh" "$damier" tutorial.md my_game
echo "$commands commands"
