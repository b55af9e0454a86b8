// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/sysinfo.h - The host's state --------*- C -*-===*/
#ifndef GPUEXEC_SYS_SYSINFO_H
#define GPUEXEC_SYS_SYSINFO_H

#define SI_LOAD_SHIFT 16

/* Sizes are in units of mem_unit bytes. */
struct sysinfo {
  long uptime;            /* seconds */
  unsigned long loads[3]; /* of 1, 5 and 15 minutes, times 1 << SI_LOAD_SHIFT */
  unsigned long totalram, freeram, sharedram, bufferram;
  unsigned long totalswap, freeswap;
  unsigned short procs;
  unsigned long totalhigh, freehigh;
  unsigned mem_unit;
};

#ifdef __cplusplus
extern "C" {
#endif
/* Of the host, as its files in /proc say: ENOSYS where a sandbox hides them.
   malloc() takes memory of the device, which is another. */
int sysinfo(struct sysinfo *);
/* 1, as sysconf() says. */
int get_nprocs(void);
int get_nprocs_conf(void);
/* Pages of the host's memory, or -1. */
long get_phys_pages(void);
long get_avphys_pages(void);
#ifdef __cplusplus
}
#endif

#endif
