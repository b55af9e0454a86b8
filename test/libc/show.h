// Prints a call as it stands in the source, its result, and errno's message if it set errno.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SHOW(call)                                                                                                             \
  do {                                                                                                                         \
    errno = 0;                                                                                                                 \
    long result = (call);                                                                                                      \
    printf("%s: %ld %s\n", #call, result, errno ? strerror(errno) : "");                                                       \
  } while (0)
