// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/error.h - GNU's messages of failures ----*- C -*-===*/
#ifndef GPUEXEC_ERROR_H
#define GPUEXEC_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif
/* The name of the program, the message and, where the second argument is not 0,
   the text of that errno on standard error. Ends the program where the first
   argument is not 0. Each message is one write. */
void error(int, int, const char *, ...)
    __attribute__((__format__(__printf__, 3, 4)));
/* The same with a file's name and a line before the message. */
void error_at_line(int, int, const char *, unsigned, const char *, ...)
    __attribute__((__format__(__printf__, 5, 6)));
/* Called instead of writing the program's name, unless null. */
extern void (*error_print_progname)(void);
extern unsigned error_message_count; /* messages so far */
/* Not 0: only the first of consecutive messages for the same line. */
extern int error_one_per_line;
#ifdef __cplusplus
}
#endif

#endif
