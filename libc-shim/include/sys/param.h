// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/param.h - BSD's limits and macros ---*- C -*-===*/
#ifndef GPUEXEC_SYS_PARAM_H
#define GPUEXEC_SYS_PARAM_H

#include <endian.h>
#include <limits.h>
#include <signal.h>
#include <sys/syslimits.h>
#include <sys/types.h>

#define NBBY 8
#define HZ 100
#define NOFILE 256
#define NCARGS ARG_MAX
#define NGROUPS NGROUPS_MAX
#define MAXPATHLEN PATH_MAX
#define MAXSYMLINKS 20
#define MAXHOSTNAMELEN 64
#define CANBSIZ MAX_CANON
#define DEV_BSIZE 512
#define EXEC_PAGESIZE 4096

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define howmany(x, y) (((x) + ((y)-1)) / (y))
#define roundup(x, y) ((((x) + ((y)-1)) / (y)) * (y))
#define powerof2(x) ((((x)-1) & (x)) == 0)
#define setbit(bits, i) ((bits)[(i) / NBBY] |= 1 << ((i) % NBBY))
#define clrbit(bits, i) ((bits)[(i) / NBBY] &= ~(1 << ((i) % NBBY)))
#define isset(bits, i) ((bits)[(i) / NBBY] & (1 << ((i) % NBBY)))
#define isclr(bits, i) (((bits)[(i) / NBBY] & (1 << ((i) % NBBY))) == 0)

#endif
