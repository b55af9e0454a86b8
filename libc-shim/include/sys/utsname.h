// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/utsname.h - Names of the host -------*- C -*-===*/
#ifndef GPUEXEC_SYS_UTSNAME_H
#define GPUEXEC_SYS_UTSNAME_H

#define _UTSNAME_LENGTH 65
struct utsname {
  char sysname[_UTSNAME_LENGTH];
  char nodename[_UTSNAME_LENGTH];
  char release[_UTSNAME_LENGTH];
  char version[_UTSNAME_LENGTH];
  char machine[_UTSNAME_LENGTH];
  char domainname[_UTSNAME_LENGTH];
};

#ifdef __cplusplus
extern "C" {
#endif
/* The host's; in a sandbox nothing but "Linux", "localhost" and "x86_64". */
int uname(struct utsname *);
#ifdef __cplusplus
}
#endif

#endif
