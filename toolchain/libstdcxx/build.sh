#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the files of libstdc++ that files.txt names into archives of LLVM bitcode for one target, as gpuc++ compiles
# a program: with its configuration, headers and passes.
#   build.sh SOURCE LIST OURS ROOT TRIPLE OBJECT-FOLDER FOLDER
# SOURCE is GCC's folder, OURS gpuexec's, whose libc-shim/unwind/ is a part of libsupc++, ROOT has c++.cfg and TRIPLE.cfg, and
# FOLDER is where the archives go. GPUEXEC_CC is clang, maybe with ccache before it; GPUEXEC_AR is llvm-ar.
set -eu
source=$1 list=$2 ours=$3 root=$4 triple=$5 objects=$6 folder=$7

# Bitcode for NVPTX must run on the oldest supported processor.
case $triple in
nvptx64*) target="-march=sm_70 --cuda-feature=+ptx63" ;;
*) target= ;;
esac
# -w: what GCC's authors accept is no news here. The library always has what exceptions and type information need:
# a program without them leaves it behind.
flags="--config=$root/c++.cfg --config=$root/$triple.cfg $target -O2 -g0 -w -fexceptions -frtti -nostdinc++
  -I $source/libstdc++-v3/libsupc++ -I $source/libstdc++-v3/src/c++11 -I $source/libstdc++-v3/src/c++98
  -I $source/libstdc++-v3/src/c++17 -I $source/libstdc++-v3/src/filesystem -I $source/libstdc++-v3/config/locale/generic
  -I $source/libstdc++-v3 -I $source/libgcc"
rm -rf "$objects"
mkdir -p "$objects"
jobs=$(nproc)
own=$(dirname "$0")
export flags objects source own
# A line is a file and, where needed, flags for it alone.
sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$list" | xargs -P "$jobs" -d '\n' -n 4 sh -c '
  for line; do
    set -- $line
    file=$1
    shift
    case $file in
    src/c++98/* | config/*) standard=gnu++98 ;;
    src/c++11/*) standard=gnu++11 ;;
    src/c++20/*) standard=gnu++20 ;;
    # These read tables of virtual functions as data: inlined into a program, that must not count as another type.
    libsupc++/*) standard="gnu++17 -fno-strict-aliasing" ;;
    *.c) standard="gnu11 -I $source/include" ;;
    *) standard=gnu++17 ;;
    esac
    case $file in
    own/*) path=$own/${file#own/} ;;
    *) path=$source/libstdc++-v3/$file ;;
    esac
    object=$objects/$(echo "$file" "$@" | tr "/ " --).o
    $GPUEXEC_CC -std=$standard $flags "$@" -c "$path" -o "$object" || exit 255
  done' libstdcxx
for file in "$ours"/libc-shim/unwind/*.cpp; do
  # shellcheck disable=SC2086 # flags are words
  $GPUEXEC_CC $flags -std=gnu++17 -fno-strict-aliasing -I "$ours" -c "$file" -o "$objects/libsupc++-unwind-$(basename "$file").o"
done

# archive NAME PATTERN...: the objects whose names match one of the patterns.
archive() {
  name=$folder/$1
  shift
  rm -f "$name.new"
  (cd "$objects" && ls $*) | sed "s,^,$objects/," | xargs "$GPUEXEC_AR" rcs "$name.new"
  mv "$name.new" "$name"
}
archive libsupc++.a 'libsupc++*' '..-libiberty*' 'own-terminate*' 'own-thread_destructors*'
archive libstdc++fs.a 'src-filesystem*'
archive libstdc++.a 'libsupc++*' '..-libiberty*' 'config*' 'src-c++*' 'own*'
