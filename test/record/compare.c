// REQUIRES: emulator
// Two recordings of one wave are compared call by call. What an optimiser has done to a value is shown with both values, the call, and
// the place in both programs.
// RUN: rm -rf %t && mkdir -p %t && cd %t && unset _ && %gpucc -O0 -g %s -o p0 && %gpucc -O2 -g -DOTHER_VALUE %s -o p2 && echo text > file
// RUN: %gpuexec --record a p0 file > out 2> err && %gpuexec --record b p2 file > out 2> err
// RUN: %gpuexec --compare a b > found; test $? -eq 1 && FileCheck %s < found
// CHECK: note: program: expected "p0", found "p2"
// CHECK-NEXT: note: image: another one, of {{[0-9]+}} and of {{[0-9]+}} bytes
// CHECK-NEXT: differs: WRITE: lane 0: data: expected "sum 0.299999952\x0a", found "sum 0.300000012\x0a" (byte 6 is the first that differs)
// CHECK-NEXT: a: call [[CALL:[0-9]+]]: WRITE(descriptor 1, offset -1, data "sum 0.299999952\x0a")
// CHECK-NEXT: block (0,0,0), wave 0
// CHECK: in say{{.*}}compare.c:[[#SAY:]]
// CHECK-NEXT: in main{{.*}}compare.c:[[#SAY + 7]]
// CHECK: b: call [[CALL]]: WRITE(descriptor 1, offset -1, data "sum 0.300000012\x0a")
// CHECK-NEXT: block (0,0,0), wave 0
// CHECK: in write
// CHECK-NOT: differs
//
// The same run twice, and a recording with itself, are equal.
// RUN: %gpuexec --record again p0 file > out 2> err && %gpuexec --compare a again > found && grep -x "no difference in .* calls" found
// RUN: %gpuexec --compare a a
//
// Other arguments and another environment are said; the calls are compared all the same.
// RUN: echo other > other && NEW=1 %gpuexec --record c p0 other > out 2> err; %gpuexec --compare a c > found; test $? -eq 1
// RUN: FileCheck %s --check-prefix=GIVEN < found
// GIVEN: note: environment: expected no such variable, found "NEW=1"
// GIVEN: differs: arguments: number 1: expected "file", found "other"
// GIVEN: differs: OPEN: lane 0: path: expected "file\x00", found "other\x00"
//
// What the host answered comes before what the program made of it.
// RUN: echo more > file && %gpuexec --record d p0 file > out 2> err; %gpuexec --compare a d > found; test $? -eq 1
// RUN: FileCheck %s --check-prefix=ANSWER < found
// ANSWER: differs: READ: answer: lane 0: data: expected "text\x0a", found "more\x0a"
// ANSWER: differs: WRITE: lane 0: data: expected "text\x0a", found "more\x0a"
//
// One that goes on and one that ends otherwise.
// RUN: %gpuexec --record e p0 file longer > out 2> err; test $? -eq 7 && %gpuexec --compare d e > found; test $? -eq 1
// RUN: FileCheck %s --check-prefix=LONGER < found
// LONGER: differs: arguments: expected 1, found 2
// LONGER: differs: expected no more calls, found WRITE(descriptor 1, offset -1, data "longer\x0a")
// LONGER-NEXT: e: call {{[0-9]+}}: WRITE
// LONGER: in main{{.*}}compare.c
// LONGER: differs: end: expected exited with 0, found exited with 7
// RUN: %gpuexec --compare e d > found; grep "^differs: expected WRITE(.*longer.*), found no more calls" found && grep "^e: call" found
//
// On two devices nothing differs but the devices; blocks of memory are the same block wherever they are.
// RUN: %gpucc -O0 --arch=gfx90a %s -o p90 && %bin/gpuexec --record f p90 file > out 2> err && %gpuexec --compare d f > found
// RUN: grep "^note: device target: expected \"gfx942.*\", found \"gfx90a" found && grep "^no difference" found
//
// A device that the image does not run on: the rest is printed.
// RUN: %bin/gpuexec --compare a b --device=cuda > found 2>&1; test $? -eq 125
// RUN: %bin/gpuexec --device=cuda:77 --compare a b > found; test $? -eq 1 && grep -c "where it was is not known: .*cuda" found | grep -x 2
//
// Cut off: compared up to there, and said.
// RUN: %gpuexec --timeout 0.5 --record whole p0 file wait > out 2> err; test $? -eq 124
// RUN: %python -c "import os; os.truncate('whole', os.path.getsize('whole') - 3)"
// RUN: %gpuexec --compare d whole > found; test $? -eq 1 && grep "^differs: end: expected exited, found cut off after [0-9]* calls" found
// RUN: grep -c ^differs found | grep -x 2
// RUN: head -c 500 a > cut && %python %inputs/one_line.py 125 "cut: cut off before the program began" %gpuexec --compare a cut
//
// RUN: %python %inputs/one_line.py 125 "none: No such file" %gpuexec --compare a none
// RUN: %python %inputs/one_line.py 125 "not a recording" %gpuexec --compare %s a
// RUN: %python %inputs/one_line.py 125 "takes two recordings, found 1" %gpuexec --compare a
// RUN: %python %inputs/one_line.py 125 "takes two recordings, found 3" %gpuexec --compare a b c
// RUN: %python %inputs/one_line.py 125 "options come before --compare" %gpuexec --compare --timeout 8 a b
// RUN: %python %inputs/one_line.py 125 "not with --record" %gpuexec --record x --compare a b
// RUN: %gpuexec --compare a b > /dev/full; test $? -eq 125
//
// --until-call is there for everybody.
// RUN: %gpuexec --replay a --until-call 1 > out 2> err && test ! -s out && grep "in main" err
// RUN: %python %inputs/one_line.py 125 "a has 5 calls" %gpuexec --replay a --until-call 1000
// RUN: %python %inputs/one_line.py 125 "only with --replay" %gpuexec --until-call 1 p0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void say(const char *text) {
  write(1, text, strlen(text));
}

int main(int argc, char **argv) {
#ifdef OTHER_VALUE
  say("sum 0.300000012\n");
#else
  say("sum 0.299999952\n");
#endif
  char *block = calloc(1, 1 << 20);
  read(open(argv[1], O_RDONLY), block, 100);
  say(block);
  volatile int forever = argc > 2 && !strcmp(argv[2], "wait");
  while (forever)
    ;
  if (argc > 2)
    say("longer\n");
  return argc > 2 ? 7 : 0;
}
