// A program that is ended from outside takes what it started along.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O2 %s -o image
// RUN: %gpuexec --timeout 2 image "sleep 100 & echo \$\$ \$! > one; wait; echo late"; test $? -eq 124
// RUN: %gpuexec image "sleep 100 & echo \$\$ \$! > two; wait; echo late" & sleep 2; kill -TERM $!; wait $!; test $? -eq 143
// RUN: for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 $(cat one two) 2> err || break; sleep 0.2; done
// RUN: for p in $(cat one two); do not kill -0 $p || { echo "failed: p=$p" >&2; exit 1; }; done
#include <stdlib.h>

int main(int argc, char **argv) { return system(argv[1]) != 0; }
