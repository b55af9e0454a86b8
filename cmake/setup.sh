# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by ./run and ./check: everything between a clean clone and the tools in build/bin.
#
# Each step first asks whether there is anything to do and is silent when there is not, so that a second call costs a
# fraction of a second. What is said goes to standard error: standard output belongs to the program that ./run runs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
me=$(basename "$0")

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "error: $*"; exit 125; }

# packages_for run|check|long|clean-room|package: the names from cmake/packages.txt. What has no mark is needed by the
# first three; 'clean-room' and 'package' are what is needed besides, on the machine where they are asked for.
packages_for() {
  local line mark marks
  case $1 in
  run) marks='' ;;
  check) marks='[test]' ;;
  long) marks='[test] [long] [clean-room]' ;;
  *) marks="[$1]" ;;
  esac
  while read -r line; do
    [[ $line = \#* || -z $line ]] && continue
    if [[ $line = *']' ]]; then
      for mark in $marks; do
        if [[ $line = *"$mark"* ]]; then printf '%s\n' "${line%% *}"; break; fi
      done
    elif [[ $1 != clean-room && $1 != package ]]; then
      printf '%s\n' "${line%% *}"
    fi
  done <"$root/cmake/packages.txt"
}

install_packages() {
  command -v dpkg-query >/dev/null || { # not Debian: configure says what is missing
    say "no dpkg here: trusting that what cmake/packages.txt names is installed"
    return
  }
  local wanted missing=() installed package
  wanted=$(packages_for "$1")
  # One query for all; it exits 1 when some are unknown, which is what we want to find out.
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p') || true
  for package in $wanted; do
    [[ $'\n'$installed$'\n' = *$'\n'$package$'\n'* ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      die "missing packages; as root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${#missing[@]} Debian packages (once): ${missing[*]}"
  local log
  log=$(mktemp)
  {
    "${as_root[@]}" apt-get update &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends "${missing[@]}" # others may be installing
  } </dev/null >"$log" 2>&1 || {
    tail -n 15 "$log" >&2
    rm -f "$log"
    die "apt-get could not install the packages (Debian 12 with its security archive has them all)"
  }
  rm -f "$log"
  packages_changed=1 # what configuring did not find before may be there now
}

# configure PRESET BUILD-DIRECTORY
configure() {
  [[ -f $2/build.ninja && -z ${packages_changed:-} ]] && return
  say "configuring $(basename "$2")/"
  mkdir -p "$2"
  (cd "$root" && cmake --preset "$1") </dev/null >"$2/configure.log" 2>&1 || {
    grep -A12 -m3 'CMake Error' "$2/configure.log" >&2 || tail -n 20 "$2/configure.log" >&2
    die "configuring failed; all of it is in $2/configure.log"
  }
}

# build_targets BUILD-DIRECTORY TARGET...
build_targets() {
  local dir=$1 log=$1/build.log ninja step said= jobs=() waited=0
  shift
  [[ -n ${GPUEXEC_JOBS:-} ]] && jobs=(-j "$GPUEXEC_JOBS")
  # With globbed folders a dry run never says "nothing to do": the first real step is what is announced.
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" "${jobs[@]}" "$@" </dev/null >"$log" 2>&1 &
  ninja=$!
  trap 'kill "$ninja" 2>/dev/null; wait "$ninja"; exit 130' INT TERM
  while kill -0 "$ninja" 2>/dev/null; do
    step=$(grep -E '^\[[0-9]+/[0-9]+\] ' "$log" | grep -vE 'Re-checking globbed|Re-running CMake' | tail -n 1) || true
    # ninja tells of a step when it is done, and the first ones take long.
    if [[ -n $step ]] || ((waited++ > 20)); then
      [[ -n $said ]] || say "building in $(basename "$dir")/ (what ninja says is in $log)"
      said=1
      [[ -t 2 ]] && printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$step" >&2
      sleep 0.5
    else
      sleep 0.05
    fi
  done
  trap - INT TERM
  [[ -n $said && -t 2 ]] && printf '\r\033[K' >&2
  if ! wait "$ninja"; then
    awk '/^FAILED: |^CMake Error/{show=1} /^\[[0-9]+\/[0-9]+\] |^-- /{show=0} show' "$log" | head -n 60 >&2
    grep '^ninja: error' "$log" >&2 || true
    die "the build failed; all of it is in $log"
  fi
  grep -q 'no work to do' "$log" || touch "$dir/.built"
}

# set_up run|check|long PRESET BUILD-DIRECTORY TARGET...: one at a time per build folder, whoever calls.
set_up() {
  local for=$1 preset=$2 dir=$3
  shift 3
  install_packages "$for"
  mkdir -p "$dir"
  exec 9>"$dir/.lock"
  flock -n 9 || { say "waiting for another build in $(basename "$dir")/"; flock 9; }
  configure "$preset" "$dir"
  build_targets "$dir" "$@"
  exec 9>&-
}
