// Names in an image cannot command a terminal, nor pretend to be another line: every control is shown, in all output
// that tells of an image. What the program writes itself is passed on unchanged.
// REQUIRES: emulator
// RUN: %gpucc -g1 -O1 %s -o %t
// RUN: %gpuexec %t > %t.out 2> %t.err; test $? -eq 139; FileCheck --check-prefix=FAULT %s < %t.err
// RUN: printf 'own \033[31m\302\233\377\n' | cmp - %t.out
// FAULT: in de\x1b[31m\xc2\x9b\x0dep ev\x1b[31mil.c:3
//
// RUN: %gpuexec --stats %t ok 2> %t.err; FileCheck --check-prefix=STATS %s < %t.err
// STATS: region r\x1b[2J\xff:
// RUN: %gpuexec --stats-json=%t.json %t ok && %python -m json.tool %t.json | grep 'r.u001b\[2J.ufffd'
// RUN: %bin/gpuexec-info --symbols --functions %t > %t.table
// RUN: FileCheck --check-prefix=TABLE %s < %t.table
// TABLE: k\x1b[2J\xc3
// TABLE: de\x1b[31m\xc2\x9b\x0dep
// TABLE: v\x1b]0;x\x07
// RUN: %bin/gpuexec-info --csv %t > %t.csv && grep -F 'kernel,k\x1b[2J\xc3,' %t.csv
// RUN: %bin/gpuexec-info --json %t > %t.info && FileCheck --check-prefix=JSON %s < %t.info
// JSON-DAG: "name": "k\u001b[2J{{.*}}"
// JSON-DAG: "name": "de\u001b[31m\u009b\rep"
// RUN: %bin/gpuexec-info --max-registers 0 %t 2> %t.findings; test $? -eq 1; grep -F 'de\x1b[31m\xc2\x9b' %t.findings || \
// RUN:   grep -F 'k\x1b[2J\xc3' %t.findings
// RUN: %gpuexec --junit=%t.xml %t > /dev/null 2>&1; %python -c "import xml.dom.minidom as m; m.parse(r'%t.xml')"
// No control but the line's end in any of them.
// RUN: %python %S/Inputs/no_controls.py %t.err %t.json %t.table %t.csv %t.info %t.findings %t.xml
#include <gpuexec.h>
#include <stdio.h>

int deep(int *p) __asm__("de\033[31m\302\233\rep");
__attribute__((amdgpu_kernel)) void kernel(void) __asm__("k\033[2J\303");
int var __asm__("v\033]0;x\007");
__attribute__((amdgpu_kernel)) void kernel(void) { var = 1; }

#line 3 "ev\033[31mil.c"
__attribute__((noinline)) int deep(int *p) { return *p; }
int main(int argc, char **argv) {
  puts("own \033[31m\302\233\377");
  fflush(stdout);
  gpuexec_roi_begin("r\033[2J\377");
  int value = argc > 1 ? 0 : deep((int *)0x1234567890 + argc);
  gpuexec_roi_end("r\033[2J\377");
  return value;
}
