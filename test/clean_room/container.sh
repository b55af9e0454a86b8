#!/usr/bin/env bash
# Builds the Containerfile with buildah, which runs in a root file system of Debian 12 made from nothing, as the base image is, and runs
# programs in the image: gpuexec --help, gpucc and gpuexec on the emulated device. No daemon and no registry is asked. Needs root and
# mmdebstrap; half an hour, most of it to build gpuexec. Ends with 'N passed, N failed'.
#
# usage: test/clean_room/container.sh [PREFIX]     PREFIX: an installed copy, which then stands for the image's first stage
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
prefix=${1:+$(realpath "$1")}
work=$(mktemp -d "${TMPDIR:-/var/tmp}/gpuexec-container.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
mirrors=("deb http://deb.debian.org/debian bookworm main" "deb http://deb.debian.org/debian bookworm-updates main"
  "deb http://deb.debian.org/debian-security bookworm-security main") # as Debian's own image has them

say() { printf 'container: %s\n' "$*" >&2; }

make_root() { # TARGET PACKAGES
  mmdebstrap --mode=root --variant=minbase --include="$2" bookworm "$1" "${mirrors[@]}" >"$work/log" 2>&1 ||
    { say "error: no root file system: $(tail -n 1 "$work/log")"; exit 1; }
}

say "making the base image and the room for buildah"
make_root "$work/base.tar" ca-certificates
mkdir "$work/room"
make_root "$work/room" buildah,ca-certificates
mkdir -p "$work/room/t/source"
mv "$work/base.tar" "$work/room/t"
git -C "$root" archive HEAD | tar -C "$work/room/t/source" -xf -
cp -L /etc/resolv.conf "$work/room/etc/resolv.conf"
if [[ -n $prefix ]]; then
  mkdir -p "$work/room/t/built/opt"
  cp -a "$prefix" "$work/room/t/built/opt/gpuexec"
  sed -n 's/^\(clang-22\|lld-22\|clang-tools-22\|llvm-22\|libclc-22\) .*/\1/p' "$root/cmake/packages.txt" >"$work/room/t/built/opt/gpuexec.packages"
  sed -i '/ AS build$/,/^$/c FROM localhost/built AS build\n' "$work/room/t/source/Containerfile"
fi

# What runs in the room: one line on standard output for each part that ended as it should.
cat >"$work/room/t/steps.sh" <<'END'
set -u
b() { command=$1; shift; buildah --storage-driver vfs "$command" "$@"; }
image_of() { # NAME ARCHIVE-OR-FOLDER
  made=$(b from scratch) && b add -q "$made" "$2" / >&2 && b commit -q --rm "$made" "$1" >&2
}
image_of localhost/debian:12 /t/base.tar && rm /t/base.tar || exit 1
[ ! -d /t/built ] || image_of localhost/built /t/built || exit 1
b bud -q --isolation chroot --build-arg DEBIAN=localhost/debian:12 -t gpuexec -f /t/source/Containerfile /t/source >&2 && echo build
container=$(b from gpuexec) || exit 1
in_it() { b run --isolation chroot "$container" -- "$@"; }
in_it gpuexec --help | grep -q USAGE && echo help
printf '#include <stdio.h>\nint main(int c, char **v) { printf("%%s of %%d\\n", v[1], c); return 3; }\n' > /t/two.c
b copy -q "$container" /t/two.c /two.c >&2
in_it sh -c 'gpucc --arch=gfx942 -O2 /two.c -o /two && gpuexec --device=emulator /two second' > /t/out
[ $? = 3 ] && [ "$(cat /t/out)" = "second of 2" ] && echo program
in_it sh -c 'gpuexec-info /two' | grep -q _start && echo info
END

# buildah remounts its root folder, which has to be a mount for that.
ended=$(unshare -m -p -f --kill-child sh -c 'mount --make-rprivate / && mount --bind "$2" "$2" && exec sh "$@"' sh "$root/test/clean_room/enter.sh" "$work/room" -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /t/steps.sh) || true
passed=0 failed=0
for name in build help program info; do
  if grep -qx "$name" <<<"$ended"; then passed=$((passed + 1)); else failed=$((failed + 1)) && say "$name failed"; fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
