// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The system's types as in Linux on x86-64, because files, users and clocks are the host's. newlib's own types are for
   small systems: a uid_t of 16 bits cannot hold the host's user ids. */
#ifndef _MACHINE__TYPES_H
#define _MACHINE__TYPES_H
#include <machine/_default_types.h>

#define __machine_dev_t_defined
typedef unsigned long __dev_t;
#define __machine_ino_t_defined
typedef unsigned long __ino_t;
#define __machine_uid_t_defined
typedef unsigned int __uid_t;
#define __machine_gid_t_defined
typedef unsigned int __gid_t;
#define __machine_clock_t_defined
#define _CLOCK_T_ long
#define __machine_clockid_t_defined
#define _CLOCKID_T_ int
#endif
