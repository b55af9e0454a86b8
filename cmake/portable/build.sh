#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the portable archive: gpuexec-VERSION-x86_64-linux.tar.xz, which runs on any x86-64 Linux with glibc 2.31 or later
# (Debian 11, Ubuntu 20.04, RHEL 9, ...). Run on Debian 12, after ./run has installed the packages.
#
# The sources are compiled as always and linked with the glibc of Debian 11, whose packages are fetched into the build folder.
# `gpucc` in the archive needs clang-22 of the machine, and gpuexec-relay (servers on other machines) its OpenSSL 3, which the system's
# updates keep well; everything else needs glibc alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${GPUEXEC_PORTABLE_BUILD:-$root/build-portable}
sysroot=$build/sysroot
mirrors=(http://deb.debian.org/debian http://archive.debian.org/debian)
[[ -z ${GPUEXEC_DEBIAN_11:-} ]] || mirrors=("$GPUEXEC_DEBIAN_11")

say() { printf 'portable: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

# Debian 11's C library and its headers' counterpart for the linker, below $sysroot.
make_sysroot() {
  [[ -e $sysroot/.complete ]] && return
  local work=$build/packages mirror options=() file link target
  rm -rf "$sysroot" "$work"
  mkdir -p "$sysroot" "$work/lists/partial" "$work/cache/archives/partial"
  : >"$work/status"
  for mirror in "${mirrors[@]}"; do
    say "fetching the C library of Debian 11 from $mirror"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s bullseye main\n' "$mirror" >"$work/sources.list"
    options=(-o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$work/lists"
      -o "Dir::State::status=$work/status" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false)
    if apt-get "${options[@]}" -q update >"$work/log" 2>&1 &&
      (cd "$work" && apt-get "${options[@]}" -q download libc6 libc6-dev libcrypt1 libcrypt-dev >>"$work/log" 2>&1); then
      break
    fi
  done
  compgen -G "$work/libc6-dev_*.deb" >/dev/null || { tail -n 5 "$work/log" >&2; die "no packages of Debian 11 (GPUEXEC_DEBIAN_11=URL names a mirror)"; }
  for file in "$work"/*.deb; do dpkg-deb -x "$file" "$sysroot"; done
  while read -r link; do # a link to /lib/... is to stay in the folder
    target=$(readlink "$link")
    [[ $target = /* ]] && ln -sfr "$sysroot$target" "$link"
  done < <(find "$sysroot" -type l)
  touch "$sysroot/.complete"
}

configure() {
  local gcc archives
  gcc=$(dirname "$(clang-22 -print-libgcc-file-name -rtlib=libgcc)")
  archives=$(for name in z zstd; do clang-22 -print-file-name=lib$name.a; done | tr '\n' ' ')
  clang-22 -O2 -fPIC -Wall -Wextra -Wno-unused-parameter -c "$root/cmake/portable/glibc_2_31.c" -o "$build/glibc_2_31.o"
  local flags="--sysroot=$sysroot --gcc-install-dir=$gcc -static-libstdc++ -static-libgcc -fuse-ld=lld -Wl,--as-needed -Wl,--allow-shlib-undefined -Wno-unused-command-line-argument $archives"
  local hide=-Wl,--exclude-libs,ALL # archives in a shared library are its own; their code need not be made for symbols that others replace
  local last="$build/glibc_2_31.o -lm -ldl -lpthread"
  say "configuring $(basename "$build")/"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    -DGPUEXEC_PORTABLE=ON \
    "-DCMAKE_EXE_LINKER_FLAGS=$flags" "-DCMAKE_SHARED_LINKER_FLAGS=$flags $hide" "-DCMAKE_MODULE_LINKER_FLAGS=$flags $hide" \
    "-DCMAKE_C_STANDARD_LIBRARIES=$last" "-DCMAKE_CXX_STANDARD_LIBRARIES=$last" >"$build/configure.log" 2>&1 || {
    grep -A12 -m3 'CMake Error' "$build/configure.log" >&2 || tail -n 20 "$build/configure.log" >&2
    die "configuring failed; all of it is in $build/configure.log"
  }
}

# The newest version of glibc that the files of a folder ask for, and what they need besides glibc.
check_needs() {
  local file versions newest others
  while read -r file; do
    readelf -h "$file" >/dev/null 2>&1 || continue
    readelf -h "$file" | grep -q 'Machine: *Advanced Micro Devices X86-64' || continue
    case $file in */gpucc-ld | */libgpuexec-passes.so | */libgpuexec-frontend.so) continue ;; esac # clang's own library loads them
    versions=$(readelf -V "$file" | grep -oE 'GLIBC_[0-9.]+|GLIBC_ABI_[A-Z_]+' | sort -Vu)
    newest=$(tail -n 1 <<<"$versions")
    [[ $(printf '%s\nGLIBC_2.31\n' "${newest:-GLIBC_2.2.5}" | sort -V | tail -n 1) = GLIBC_2.31 ]] || die "$file needs $newest"
    others=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so') || true
    [[ $file != */gpuexec-relay ]] || others=$(grep -vxE 'lib(ssl|crypto)\.so\.3' <<<"$others") || true
    [[ -z $others ]] || die "$file needs ${others//$'\n'/, }"
  done < <(find "$1" -type f)
}

mkdir -p "$build"
make_sysroot
configure
say "building (what ninja says is in $build/build.log)"
ninja -C "$build" products >"$build/build.log" 2>&1 || { grep -A20 -m1 '^FAILED' "$build/build.log" >&2; die "the build failed; all of it is in $build/build.log"; }
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
name=gpuexec-$version-x86_64-linux
rm -rf "${build:?}/$name"
cmake --install "$build" --strip --prefix "$build/$name" >"$build/install.log" 2>&1 || { tail -n 5 "$build/install.log" >&2; die "installing failed"; }
check_needs "$build/$name"
tar -C "$build" --sort=name --owner=0 --group=0 --numeric-owner -cJf "$build/$name.tar.xz" "$name"
say "$(du -sm --apparent-size "$build/$name" | cut -f 1) MB in $(find "$build/$name" -type f | wc -l) files; packed $(du -m "$build/$name.tar.xz" | cut -f 1) MB"
printf '%s\n' "$build/$name.tar.xz"
