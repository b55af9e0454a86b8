// The whole environment of gpuexec is the program's: through getenv, main's third argument and environ.
// RUN: %gpucc %s -o %t
// RUN: env -i FRANCE=Paris GERMANY=Berlin EMPTY= ODD=a=b %run %t | sort | FileCheck %s
// CHECK-DAG: getenv: Paris Berlin <> a=b <unset>
// CHECK-DAG: envp: FRANCE=Paris
// CHECK-DAG: envp: GERMANY=Berlin
// CHECK-DAG: envp: EMPTY={{$}}
// CHECK-DAG: envp: ODD=a=b
// CHECK-DAG: environ agrees
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **envp) {
  printf("getenv: %s %s <%s> %s %s\n", getenv("FRANCE"), getenv("GERMANY"), getenv("EMPTY"), getenv("ODD"),
         getenv("FRANC") ? "set" : "<unset>");
  int same = 1, i = 0;
  for (; envp[i]; i++) {
    printf("envp: %s\n", envp[i]);
    same &= environ[i] && strcmp(environ[i], envp[i]) == 0;
  }
  if (same && !environ[i])
    puts("environ agrees");
  return 0;
}
