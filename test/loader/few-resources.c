// Where a process may open few files or start few threads, a run fails in words or works; nothing in between.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %python %inputs/few.py descriptors %gpuexec %t
// RUN: %python %inputs/few.py descriptors %gpuexec --no-parallelism %t
// The number of threads is limited for who is not root, and such a user may not come to the build folder (a clone in /root).
// RUN: if test $(id -u) = 0; then rm -rf $(cat %t.place 2> %t.err || :); mktemp -d /tmp/gpuexec-few-XXXXXX > %t.place; fi
// RUN: if test $(id -u) = 0; then mkdir -p $(cat %t.place)/bin $(cat %t.place)/lib/gpuexec && chmod 755 $(cat %t.place); fi
// RUN: if test $(id -u) = 0; then cp %bin/gpuexec $(cat %t.place)/bin && cp -P %build/lib/gpuexec/*.so* $(cat %t.place)/lib/gpuexec; fi
// RUN: if test $(id -u) = 0; then cp %t $(cat %t.place)/image; fi
// RUN: if test $(id -u) = 0; then %python %inputs/few.py threads $(cat %t.place)/bin/gpuexec --device=emulator $(cat %t.place)/image; fi
// RUN: if test $(id -u) = 0; then rm -rf $(cat %t.place); fi
#include <stdio.h>

int main(void) {
  puts("works");
  return 0;
}
