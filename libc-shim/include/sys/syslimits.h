// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/syslimits.h - Linux's limits --------*- C -*-===//
 * <limits.h> takes the system's limits from here. They are the host's, because
 * its files and names are those that a program uses.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_SYS_SYSLIMITS_H
#define GPUEXEC_SYS_SYSLIMITS_H
#define ARG_MAX 131072
#define LINK_MAX 127
#define MAX_CANON 255
#define MAX_INPUT 255
#define NAME_MAX 255
#define NGROUPS_MAX 65536
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define IOV_MAX 1024
#define SSIZE_MAX __LONG_MAX__
#define BC_BASE_MAX 99
#define BC_DIM_MAX 2048
#define BC_SCALE_MAX 99
#define BC_STRING_MAX 1000
#define COLL_WEIGHTS_MAX 255
#define EXPR_NEST_MAX 32
#define LINE_MAX 2048
#define RE_DUP_MAX 0x7fff
#endif
