//===-- replay/player/packed/main.c - gpu-replay, packed ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The executable of gpu-replay: this code, and the rest of the program as a
// packed shared library, which it unpacks into memory and opens. It is kept
// small because each standalone executable of a recorded program contains a
// copy.
//===----------------------------------------------------------------------===//
#include "replay/player/packed/branches.h"
#include "replay/player/packed/inflate.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The size when unpacked, and the packed bytes.
__asm__(".section .rodata\n"
        "packed_begin: .incbin \"" GPUEXEC_PACKED_FILE "\"\n"
        "packed_end:\n"
        ".text\n");
extern const uint8_t packed_begin[], packed_end[];

enum { FAILED = 125 };

int main(int argc, char **argv) {
  uint64_t size;
  char path[32];
  memcpy(&size, packed_begin, sizeof size);
  const int file = memfd_create("gpu-replay", MFD_CLOEXEC);
  uint8_t *memory = MAP_FAILED;
  if (file >= 0 && ftruncate(file, (off_t)size) == 0)
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (memory != MAP_FAILED &&
      inflate_all(packed_begin + sizeof size,
                  (size_t)(packed_end - packed_begin) - sizeof size, memory,
                  size)) {
    move_branches(memory, size, -1u);
    munmap(memory, size);
    void *library = dlopen(path, RTLD_NOW);
    int (*run)(int, char **) = NULL;
    if (library)
      *(void **)&run = dlsym(library, "replay_main");
    close(file);
    if (run)
      return run(argc, argv);
  }
  fputs("gpu-replay: error: cannot unpack itself: it needs memfd_create() and "
        "/proc\n",
        stderr);
  return FAILED;
}
