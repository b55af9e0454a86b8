#!/usr/bin/env bash
# Builds the portable archive (cmake/portable/build.sh) and runs programs from it in root file systems of Debian 11, 12 and 13 that
# are made from nothing: hello, sort and Lua on the emulated device, also lent through TLS where the system has OpenSSL 3. Needs root, mmdebstrap, and ./run once before (gpucc). It takes
# a quarter of an hour, most of it to build, and ends with 'N passed, N failed'.
#
# usage: test/clean_room/portable.sh [ARCHIVE]     ARCHIVE: one that is there already
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
archive=${1:-$("$root/cmake/portable/build.sh")}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/gpuexec-portable.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
passed=0 failed=0

say() { printf 'portable: %s\n' "$*" >&2; }

"$root/build/bin/gpucc" -O2 "$root/examples/hello.c" -o "$work/hello"
"$root/build/bin/gpucc" -O2 "$root/examples/sort.c" -o "$work/sort"
(cd "$work" && "$root/examples/lua/build.sh" >"$work/log" 2>&1) || { say "error: examples/lua/build.sh failed: $(tail -n 1 "$work/log")"; exit 1; }

# What runs in the room: one line on standard output for each program that ended as it should.
cat >"$work/programs.sh" <<'END'
export PATH=$(echo /t/gpuexec-*/bin):$PATH
[ "$(gpuexec /t/hello one)" = "Hello from /t/hello!
  argument 1: one" ] && echo hello
[ "$(printf 'b\na\n' | gpuexec /t/sort)" = "a
b" ] && echo sort
[ "$(gpuexec /t/lua -e 'local s = 0; for i = 1, 300000 do s = s + i end print(s)')" = 45000150000 ] && echo lua
[ "$(gpuexec --sandbox /t/hello)" = "Hello from /t/hello!" ] && echo sandbox
gpuexec-info /t/hello | grep -q _start && echo info
gpuexec serve --device emulator >&2 && gpuexec /t/hello >&2 && gpuexec serve --stop >&2 && echo serve
export GPUEXEC_SERVER_KEY=/root/key
(umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' > $GPUEXEC_SERVER_KEY)
if [ -e /usr/lib/x86_64-linux-gnu/libssl.so.3 ]; then
  gpuexec serve --device emulator --listen tcp://127.0.0.1:17117 >&2 &&
    [ "$(gpuexec --server=tcp://127.0.0.1:17117 /t/hello)" = "Hello from /t/hello!" ] && echo relay
  gpuexec serve --stop >&2
else # Debian 11's is older
  gpuexec --server=tcp://127.0.0.1:17117 /t/hello 2>&1 | grep -q 'gpuexec-relay cannot start: it needs OpenSSL 3' && echo relay
fi
END

declare -A openssl=([bookworm]=libssl3 [trixie]=libssl3t64)
for suite in bullseye bookworm trixie; do
  room=$work/$suite
  mkdir -p "$room"
  mmdebstrap --mode=root --variant=minbase ${openssl[$suite]:+--include="${openssl[$suite]}"} "$suite" "$room" "deb http://deb.debian.org/debian $suite main" >"$work/log" 2>&1 ||
    { say "error: no root file system of $suite: $(tail -n 1 "$work/log")"; exit 1; }
  mkdir "$room/t"
  tar -C "$room/t" -xf "$archive"
  cp "$work"/{hello,sort,lua,programs.sh} "$room/t"
  ended=$(unshare -m -p -f --kill-child bash -c 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" &&
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root chroot "$0" timeout 120 /bin/sh /t/programs.sh' "$room") || true
  for name in hello sort lua sandbox info serve relay; do
    if grep -qx "$name" <<<"$ended"; then passed=$((passed + 1)); else failed=$((failed + 1)) && say "$suite: $name failed"; fi
  done
  say "$suite: $(tr '\n' ' ' <<<"$ended")"
  rm -rf --one-file-system "$room"
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
