/* The system's types as Linux has them on x86-64: the files, users and clocks that a program meets are the host's.
   newlib's own are for small systems: an uid_t of 16 bits is another user's. */
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
