# What ./damier and ./test share: install what is missing, configure, build. Sourced, not run.
# Everything it says goes to standard error; standard output belongs to the program.

say() { printf 'damier: %s\n' "$*" >&2; }

needed_packages() { sed -e 's/#.*//' -e '/^[?[:space:]]*$/d' -e '/^?/d' "$root/packages.txt" | awk '{print $1}'; }

# Installs the packages of packages.txt that are not there. Asked again only when the list changes.
install_missing() {
  local stamp="$root/build/.packages-checked" package missing=()
  if [ "$stamp" -nt "$root/packages.txt" ] || [ -n "${DAMIER_SKIP_INSTALL:-}" ]; then return; fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "this system has no apt. Damier needs these packages (by their Debian names):"
    needed_packages | sed 's/^/  /' >&2
    say "install them your system's way, then set DAMIER_SKIP_INSTALL=1 and run this again."
    exit 1
  fi
  for package in $(needed_packages); do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
      *' installed') ;;
      *) missing+=("$package") ;;
    esac
  done
  if [ ${#missing[@]} -gt 0 ]; then
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
      if ! command -v sudo >/dev/null; then
        say "these packages are missing, and there is no sudo to install them: ${missing[*]}"
        exit 1
      fi
      as_root=(sudo)
    fi
    say "installing with apt-get${as_root:+ and sudo}: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if ! { "${as_root[@]}" apt-get update -qq &&
           "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2; then
      say "the packages could not be installed; see the lines above."
      exit 1
    fi
  fi
  mkdir -p "$root/build"
  touch "$stamp"
}

# build PRESET [TARGET…]: configures once, then lets Ninja find out what changed.
build() {
  local preset=$1 folder="$root/build/$1" log="$root/build/$1.log"
  shift
  mkdir -p "$root/build"
  exec 9>"$root/build/.lock"
  flock 9
  # A clone that was copied or moved with its build would go on building the sources of the old place.
  if [ -f "$folder/build.ninja" ] &&
     [ "$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")" != "$root" ]; then
    say "the $preset build was configured in another place; beginning anew"
    rm -rf "$folder"
  fi
  if [ ! -f "$folder/build.ninja" ]; then
    say "configuring the $preset build"
    if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
      cat "$log" >&2
      say "CMake could not configure the build; see the lines above."
      exit 1
    fi
  fi
  if [ "$(ninja -C "$folder" -n "$@" 2>/dev/null | tail -n 1)" != 'ninja: no work to do.' ]; then
    say "building what has changed (all of it takes a few minutes on a small machine)"
    if [ -t 2 ]; then
      ninja -C "$folder" "$@" >&2 || build_failed
    else
      ninja -C "$folder" "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; build_failed; }
    fi
  fi
  exec 9>&-
}

build_failed() {
  say "the build failed; see the lines above."
  exit 1
}
