// --repeat, --until-fail and --junit: each run is one of its own, and the first failure decides.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O2 %s -o image && : > runs
// RUN: %gpuexec --repeat 5 image runs 2> err; test $? -eq 0
// RUN: FileCheck %s --check-prefix=ALL < err && test $(cat runs | wc -c) -eq 5
// ALL: gpuexec: image: 0 of 5 runs failed
//
// RUN: : > runs; %gpuexec --repeat=6 image runs 3 2> err; test $? -eq 43
// RUN: FileCheck %s --check-prefix=THIRD < err && test $(cat runs | wc -c) -eq 6
// THIRD: gpuexec: image: 1 of 6 runs failed, the first with: exit status 43
//
// RUN: : > runs; %gpuexec --until-fail image runs 4 2> err; test $? -eq 44
// RUN: FileCheck %s --check-prefix=UNTIL < err && test $(cat runs | wc -c) -eq 4
// UNTIL: gpuexec: image: 1 of 4 runs failed
//
// Every run reads the same input, and --timeout is each run's own.
// RUN: echo text > in; : > runs; %gpuexec --repeat 3 --timeout 60 image runs 0 read < in | FileCheck %s --check-prefix=READ
// READ-COUNT-3: read t
//
// RUN: : > runs; %gpuexec --repeat 3 --junit report.xml image runs 2 > out; test $? -eq 42
// RUN: %python -c "import xml.etree.ElementTree as e; s = e.parse('report.xml').getroot()[0]; print(s.attrib['tests'], s.attrib['failures'], s[1][0].attrib['message'], s[1].find('system-out').text)" | FileCheck %s --check-prefix=XML
// XML: 3 1 exit status 42 run <2> & done
// RUN: FileCheck %s --check-prefix=OUT < out
// OUT: run <1> & done
// OUT: run <2> & done
// OUT: run <3> & done
// RUN: cp image stdin-image; %gpuexec --repeat 2 - < stdin-image 2> err; test $? -eq 125
// RUN: FileCheck %s --check-prefix=STDIN < err
// STDIN: error: -: an image on standard input can be run only once
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "a+");
  fputc('x', file);
  fflush(file);
  fseek(file, 0, SEEK_END);
  long run = ftell(file);
  fclose(file);
  printf("run <%ld> & done\n", run);
  if (argc > 3)
    printf("read %c\n", getchar());
  return argc > 2 && atol(argv[2]) == run ? 40 + (int)run : 0;
}
