#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the files of newlib that files.txt names into one archive of LLVM bitcode for one target.
#   build.sh SOURCE CONFIG-HEADERS LIST TRIPLE OBJECT-FOLDER ARCHIVE
# SOURCE is newlib's own folder (with libc/ and libm/). Bitcode holds no processor, so one archive serves all of a
# triple's processors: the link chooses. GPUEXEC_CC is clang, maybe with ccache before it; GPUEXEC_AR is llvm-ar.
set -eu
source=$1 config=$2 list=$3 triple=$4 objects=$5 archive=$6

# -finline-hint-functions: inlines only functions that are declared inline. The GPU inliners would copy sin or strtod into
# every caller, which makes programs larger and the link slower.
# -fno-builtin: memcpy must not become a call of itself. -fmath-errno: without it clang turns sin, pow and others into
# intrinsics that neither backend can lower. -w and the -Wno- options: newlib is written in old C.
flags="--target=$triple -O2 -flto -finline-hint-functions -mllvm -inlinehint-threshold=30 -nogpulib -nostdlibinc -fno-builtin -fmath-errno -ffp-contract=off -ffunction-sections
  -std=gnu11 -w -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion -Wno-incompatible-pointer-types
  -D_GNU_SOURCE -DPREFER_SIZE_OVER_SPEED -D_COMPILING_NEWLIB -D_LIBC -DHAVE_FCNTL -D__BUFSIZ__=1024 -DUSE_MALLOC_ALIGNED
  -isystem $config -isystem $source/libc/include"
mkdir -p "$objects"
rm -f "$archive" "$objects"/*.o
jobs=$(nproc)
export flags objects source
# A line is a file and, where needed, flags for it alone.
sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$list" | xargs -P "$jobs" -d '\n' -n 8 sh -c '
  for line; do
    set -- $line
    file=$1
    shift
    object=$objects/$(echo "$file" | tr / - | sed "s/\.c$/.o/")
    $GPUEXEC_CC $flags -I "$source/$(dirname "$file")" -I "$source/libm/common" -I "$source/libc/locale" \
      -I "$source/libc/stdlib" "$@" -c "$source/$file" -o "$object" || exit 255
  done' newlib
find "$objects" -name '*.o' | sort | xargs "$GPUEXEC_AR" rcs "$archive"
