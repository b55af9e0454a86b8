#!/bin/bash
# Compiles and runs programs for one target, inside a room: programs.sh TARGET BIN EXAMPLES
#   TARGET    gfx942 (runs on the emulator), sm_90 (a cubin; needs a CUDA toolkit) or ptx (sm_90 without a toolkit)
#   BIN       the folder of gpucc, gpuexec and gpuexec-info
#   EXAMPLES  the folder of hello.c, wc.c and cuda/vector_add.cu
# Ends with 1 and a line that names what failed.
set -uo pipefail
target=$1 examples=$3
export PATH=$2:$PATH
work=$(mktemp -d)
cd "$work" || exit 1
trap 'rm -rf "$work"' EXIT

# try WHAT COMMAND...: prints the command's output when it fails.
try() {
  local what=$1
  shift
  printf '  %s: %s\n' "$target" "$what"
  "$@" >log 2>&1 || { printf 'failed: %s: %s: %s\n' "$target" "$what" "$*"; cat log; exit 1; }
}
# wants WHAT TEXT FILE: the file has the text.
wants() { grep -qe "$2" "$3" || { printf 'failed: %s: %s: no "%s" in it\n' "$target" "$1" "$2"; head -c 2000 "$3"; exit 1; }; }

cat >class.cpp <<'CODE'
#include <stdio.h>
struct Greeting { Greeting() { puts("constructed"); } } greeting;
int main() { return 0; }
CODE
echo 'int part(int number) { return number * 7; }' >part.c
echo 'int part(int); int main(int argc, char **argv) { return part(argc) != 7; }' >main.c
echo 'int main(void) { volatile double x = 1; for (int i = 0; i < 20000000; i++) x = x * 1.5; return 0; }' >hot.c

build() { # build FLAGS...: one program of each kind
  try 'gpucc hello.c' gpucc "$@" -O2 "$examples/hello.c" -o hello
  try 'gpucc wc.c' gpucc "$@" -O2 "$examples/wc.c" -o wc
  try 'gpuc++ class.cpp' gpuc++ "$@" -O2 class.cpp -o class
  try 'gpucc -c part.c' gpucc "$@" -O2 -c part.c -o part.o
  try "llvm-ar-22" llvm-ar-22 rcs libpart.a part.o
  try 'gpucc with an archive' gpucc "$@" -O2 main.c -L. -lpart -o archive
  try 'gpucc -fno-lto' gpucc "$@" -O2 -fno-lto main.c part.c -o no-lto
  try 'gpucc -g' gpucc "$@" -O1 -g main.c part.c -o debug
}

case $target in
gfx942)
  build --arch=gfx942
  export GPUEXEC_DEVICE=emulator GPUEXEC_EMULATOR_JIT=verbose
  try 'gpuexec hello' gpuexec hello one two
  wants 'gpuexec hello' two log
  try 'gpuexec wc' gpuexec wc -l part.c main.c
  wants 'gpuexec wc' '2 total' log
  try 'gpuexec class' gpuexec class
  wants 'gpuexec class' constructed log
  for image in archive no-lto debug; do try "gpuexec $image" gpuexec $image; done
  try 'gpucc hot.c' gpucc -O2 hot.c -o hot
  try 'gpuexec hot' gpuexec hot
  wants 'the compiler of the emulator' '^jit: pc' log
  try 'gpucc --self-run' gpucc --arch=gfx942 --self-run main.c part.c -o self-run
  try './self-run' ./self-run
  if [[ -d /usr/include/c++ ]]; then # a CUDA program's host part needs the host's C++ library
    try 'gpucc vector_add.cu' gpucc -O2 "$examples/cuda/vector_add.cu" -o vector_add
    try './vector_add' ./vector_add
    wants './vector_add' ' 0 wrong' log
  else
    printf '  %s: %s\n' "$target" 'gpucc vector_add.cu: left out, no libstdc++-12-dev'
  fi
  try 'gpuexec-info' gpuexec-info hello
  wants 'gpuexec-info' _start log
  ;;
sm_90)
  build --arch=sm_90
  for image in hello class archive no-lto debug; do
    try "gpuexec-info $image" gpuexec-info $image
    wants "gpuexec-info $image" sm_90 log
    [[ $(head -c 4 $image) = $'\x7fELF' ]] || { echo "failed: sm_90: $image is no cubin"; exit 1; }
  done
  ;;
ptx)
  build --arch=sm_90
  for image in hello class archive no-lto debug; do
    wants "$image" '^\.target sm_90' $image
    wants "$image" '\.entry _start(' $image
  done
  ;;
esac
