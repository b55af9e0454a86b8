//===-- libc-shim/stdlib/getsubopt.c - Options within an option -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// POSIX's getsubopt. As in glibc, the value of an unknown suboption is its
// text.
//===----------------------------------------------------------------------===//
#include <stdlib.h>
#include <string.h>

int getsubopt(char **options, char *const *tokens, char **value) {
  char *word = *options;
  char *end = word + strcspn(word, ",");
  *options = *end ? end + 1 : end;
  *end = 0;
  char *equals = strchr(word, '=');
  const size_t length = equals ? (size_t)(equals - word) : (size_t)(end - word);
  for (int i = 0; tokens[i]; ++i)
    if (strlen(tokens[i]) == length && !memcmp(tokens[i], word, length)) {
      *value = equals ? equals + 1 : NULL;
      return i;
    }
  *value = word;
  return -1;
}
