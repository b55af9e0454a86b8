/* With --sandbox the program sees no variable but those of --env, and not the machine's name; without, --env adds.

REQUIRES: emulator, landlock
RUN: %gpucc -O2 %s -o %t
RUN: env SECRET=key %gpuexec --sandbox %t > %t.out && FileCheck %s --check-prefix=NONE --match-full-lines < %t.out
NONE: host localhost
NONE-NOT: {{.+}}
RUN: env SECRET=key LANG=de %gpuexec --sandbox --env LANG --env=SIZE=a=b --env NO_SUCH_NAME %t > %t.out
RUN: FileCheck %s --check-prefix=SOME --match-full-lines < %t.out
SOME: host localhost
SOME-NEXT: LANG=de
SOME-NEXT: SIZE=a=b
SOME-NOT: {{.+}}
RUN: env -i SECRET=key LANG=de %gpuexec --env LANG=fr %t | grep -v '^host\|^PWD\|^_\|^SHLVL' > %t.out
RUN: FileCheck %s --check-prefix=ALL --match-full-lines < %t.out
ALL: SECRET=key
ALL-NEXT: LANG=fr
ALL-NOT: {{.+}}
RUN: %python %inputs/one_line.py 125 "--env: '=x' is not NAME or NAME=VALUE" %gpuexec --env =x %t
*/
#include <stdio.h>
#include <unistd.h>

extern char **environ;

int main(void) {
  char name[100];
  gethostname(name, sizeof name);
  printf("host %s\n", name);
  for (char **entry = environ; entry && *entry; ++entry)
    puts(*entry);
  return 0;
}
