// crypt and crypt_r: the host's libcrypt. A phrase that is wrong, settings that do not exist, and the sandbox.
// RUN: %hostcc -D_GNU_SOURCE -w %s -lcrypt -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 %s -lcrypt -o %t
// RUN: %run %t | diff %t.expected -
// RUN: %run --sandbox %t | FileCheck %s --check-prefix=SANDBOX
// SANDBOX-COUNT-6: *0 1
// SANDBOX: 1 *1
#include <crypt.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  static const char *const settings[] = {
      "$6$saltstring",     "$5$rounds=1000$salt", "$1$abcdefgh", "ab",
      "$2b$04$abcdefghijklmnopqrstuu", "$6$rounds=5000$" /* and no salt */};
  static struct crypt_data data;
  for (unsigned i = 0; i < sizeof settings / sizeof *settings; ++i) {
    errno = 0;
    const char *hash = crypt("a long pass phrase", settings[i]);
    printf("%s %d\n", hash, errno);
    printf("%d\n", strcmp(crypt_r("a long pass phrase", hash, &data), hash) == 0);
  }
  errno = 0;
  const char *none = crypt("phrase", "*0");
  printf("%d %s\n", errno != 0, none);
  return 0;
}
