// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/nl_types.h - Catalogs of messages: there are none -*- C -*-===*/
#ifndef GPUEXEC_NL_TYPES_H
#define GPUEXEC_NL_TYPES_H

#define NL_SETD 1
#define NL_CAT_LOCALE 1

typedef void *nl_catd;
#ifndef _NL_ITEM_DECLARED
#define _NL_ITEM_DECLARED
typedef int nl_item;
#endif

#ifdef __cplusplus
extern "C" {
#endif
nl_catd catopen(const char *, int);             /* (nl_catd)-1, ENOENT */
char *catgets(nl_catd, int, int, const char *); /* the last argument */
int catclose(nl_catd);                          /* -1, EBADF */
#ifdef __cplusplus
}
#endif

#endif
