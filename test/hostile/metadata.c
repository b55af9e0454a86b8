// Metadata that claims any size for arguments, group memory, stack, registers or a block: an error, or of no effect.
// REQUIRES: emulator, landlock, gfx9
// RUN: %gpucc -O1 %s -o %t && %python %S/Inputs/metadata.py %bin/gpuexec %t %t.changed
#include <stdio.h>
int main(void) {
  puts("works");
  return 0;
}
