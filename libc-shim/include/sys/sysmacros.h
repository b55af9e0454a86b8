// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/sysmacros.h - A device's number -----*- C -*-===*/
#ifndef GPUEXEC_SYS_SYSMACROS_H
#define GPUEXEC_SYS_SYSMACROS_H

/* As Linux has them in a dev_t of 64 bits. */
#define gnu_dev_major(device)                                                  \
  ((unsigned)((((unsigned long)(device) >> 8) & 0xfff) |                       \
              (((unsigned long)(device) >> 32) & ~0xffful)))
#define gnu_dev_minor(device)                                                  \
  ((unsigned)(((unsigned long)(device)&0xff) |                                 \
              (((unsigned long)(device) >> 12) & ~0xfful)))
#define gnu_dev_makedev(major, minor)                                          \
  (((unsigned long)((major)&0xfffu) << 8) |                                    \
   ((unsigned long)((major) & ~0xfffu) << 32) |                                \
   ((unsigned long)((minor)&0xffu)) |                                          \
   ((unsigned long)((minor) & ~0xffu) << 12))
#define major(device) gnu_dev_major(device)
#define minor(device) gnu_dev_minor(device)
#define makedev(major, minor) gnu_dev_makedev(major, minor)

#endif
