/* Reports go to the files that were there when the program began, whatever it makes of their names.

REQUIRES: landlock, emulator
RUN: %gpucc -O2 %s -o %t
RUN: for option in timings stats-json trace junit; do rm -rf %t.dir && mkdir -p %t.dir/rw && cd %t.dir && echo precious > file || { echo "failed: option=$option" >&2; exit 1; }; \
RUN:   for sandbox in "" "--sandbox --dir rw:rw"; do \
RUN:     rm -f rw/report; %gpuexec $sandbox --$option rw/report %t $PWD/rw/report ../file > out 2> err; \
RUN:     grep -qx precious file && test $(wc -l < file) -eq 1 && test -L rw/report || { echo "failed: option=$option, sandbox=$sandbox" >&2; exit 1; }; done; done

What nobody can find any more was not written, and that is said.
RUN: cd %t.dir && rm -f rw/report; not %gpuexec --timings rw/report %t $PWD/rw/report ../file 2>&1 | FileCheck %s
CHECK: gpuexec: error: rw/report: No such file or directory

Outside of what was granted, and to a FIFO whose reader comes late.
RUN: cd %t.dir && rm -rf rw/report && %gpuexec --sandbox --timings timings --stats-json stats --trace trace %t
RUN: grep -q phases timings && grep -q '{' stats && grep -q traceEvents trace || grep -q '"ph"' trace
RUN: cd %t.dir && rm -f fifo && mkfifo fifo && (sleep 1; cat fifo > got) & cd %t.dir; sleep 0.3; %gpuexec --sandbox --timings fifo %t; wait; grep -q phases got
*/
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 2) {
    unlink(argv[1]);
    symlink(argv[2], argv[1]);
  }
  return 0;
}
