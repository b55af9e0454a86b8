// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/argp.h - Command lines with help --------*- C -*-===*/
/* glibc's argp. Options may stand behind operands only in a program of one
 * thread, as with getopt(): all threads share argv. */
#ifndef GPUEXEC_ARGP_H
#define GPUEXEC_ARGP_H

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>

#ifndef __error_t_defined
#define __error_t_defined 1
typedef int error_t;
#endif

struct argp;
struct argp_state;

struct argp_option {
  const char *name; /* of the long option, or null */
  int key;          /* what the parser gets; a printable one is a letter too */
  const char *arg;  /* the name of its argument, or null: it has none */
  int flags;
  const char *doc; /* without name and key: the header of a group */
  int group; /* 0: as the option before. Help shows 0, 1, ... and ..., -2, -1 */
};
#define OPTION_ARG_OPTIONAL 0x1
#define OPTION_HIDDEN 0x2   /* not in the help */
#define OPTION_ALIAS 0x4    /* another name for the option before */
#define OPTION_DOC 0x8      /* text of the help, not an option */
#define OPTION_NO_USAGE 0x10 /* not in the short help */

typedef error_t (*argp_parser_t)(int key, char *arg, struct argp_state *);
#define ARGP_ERR_UNKNOWN E2BIG /* from a parser that does not know the key */
#define ARGP_KEY_ARG 0
#define ARGP_KEY_ARGS 0x1000006 /* all arguments that are left */
#define ARGP_KEY_END 0x1000001
#define ARGP_KEY_NO_ARGS 0x1000002
#define ARGP_KEY_INIT 0x1000003
#define ARGP_KEY_SUCCESS 0x1000004
#define ARGP_KEY_ERROR 0x1000005
#define ARGP_KEY_FINI 0x1000007

struct argp_child {
  const struct argp *argp;
  int flags; /* ignored */
  const char *header;
  int group;
};

struct argp {
  const struct argp_option *options; /* the last one is all 0 */
  argp_parser_t parser;
  const char *args_doc; /* a line for each form of the command */
  const char *doc;      /* behind a '\v': for the end of the help */
  const struct argp_child *children;
  /* Another text for a part of the help, from malloc, or null for none. */
  char *(*help_filter)(int key, const char *text, void *input);
  const char *argp_domain;
};
#define ARGP_KEY_HELP_PRE_DOC 0x2000001
#define ARGP_KEY_HELP_POST_DOC 0x2000002
#define ARGP_KEY_HELP_HEADER 0x2000003
#define ARGP_KEY_HELP_EXTRA 0x2000004
#define ARGP_KEY_HELP_DUP_ARGS_NOTE 0x2000005
#define ARGP_KEY_HELP_ARGS_DOC 0x2000006

struct argp_state {
  const struct argp *root_argp;
  int argc;
  char **argv;
  int next; /* index in argv of the next argument; the parser may change it */
  unsigned flags;
  unsigned arg_num; /* of ARGP_KEY_ARG: how many came before */
  int quoted;       /* index of the first argument behind "--", or 0 */
  void *input;
  void **child_inputs; /* for the parser to set at ARGP_KEY_INIT */
  void *hook;          /* for the parser */
  char *name;
  FILE *err_stream, *out_stream;
  void *pstate;
};

#define ARGP_PARSE_ARGV0 0x01
#define ARGP_NO_ERRS 0x02
#define ARGP_NO_ARGS 0x04
#define ARGP_IN_ORDER 0x08
#define ARGP_NO_HELP 0x10
#define ARGP_NO_EXIT 0x20
#define ARGP_LONG_ONLY 0x40
#define ARGP_SILENT (ARGP_NO_EXIT | ARGP_NO_ERRS | ARGP_NO_HELP)

#define ARGP_HELP_USAGE 0x01
#define ARGP_HELP_SHORT_USAGE 0x02
#define ARGP_HELP_SEE 0x04
#define ARGP_HELP_LONG 0x08
#define ARGP_HELP_PRE_DOC 0x10
#define ARGP_HELP_POST_DOC 0x20
#define ARGP_HELP_DOC (ARGP_HELP_PRE_DOC | ARGP_HELP_POST_DOC)
#define ARGP_HELP_BUG_ADDR 0x40
#define ARGP_HELP_LONG_ONLY 0x80
#define ARGP_HELP_EXIT_ERR 0x100
#define ARGP_HELP_EXIT_OK 0x200
#define ARGP_HELP_STD_ERR (ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR)
#define ARGP_HELP_STD_USAGE                                                    \
  (ARGP_HELP_SHORT_USAGE | ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR)
#define ARGP_HELP_STD_HELP                                                     \
  (ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_EXIT_OK |                \
   ARGP_HELP_DOC | ARGP_HELP_BUG_ADDR)

#ifdef __cplusplus
extern "C" {
#endif
/* The program may define these. */
extern const char *argp_program_version;
extern void (*argp_program_version_hook)(FILE *__restrict,
                                         struct argp_state *__restrict);
extern const char *argp_program_bug_address;
extern error_t argp_err_exit_status;

/* Parses, and stores the index of the first argument that no parser took. */
error_t argp_parse(const struct argp *__restrict, int, char **__restrict,
                   unsigned flags, int *__restrict, void *__restrict input);
void argp_help(const struct argp *__restrict, FILE *__restrict, unsigned flags,
               char *__restrict name);
void argp_state_help(const struct argp_state *__restrict, FILE *__restrict,
                     unsigned flags);
void argp_usage(const struct argp_state *);
void argp_error(const struct argp_state *__restrict, const char *__restrict,
                ...) __attribute__((__format__(__printf__, 2, 3)));
void argp_failure(const struct argp_state *__restrict, int status, int error,
                  const char *__restrict, ...)
    __attribute__((__format__(__printf__, 4, 5)));
#ifdef __cplusplus
}
#endif

#endif
