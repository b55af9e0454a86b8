/*===-- libc-shim/include/fcntl.h - Linux's flags, as on the host -*- C -*-===*/
#ifndef GPUEXEC_FCNTL_H
#define GPUEXEC_FCNTL_H

#include <sys/types.h>

#define O_ACCMODE 03
#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC 1
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

/* Numbers are Linux's; the host holds the locks for the whole program. */
struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};

#ifdef __cplusplus
extern "C" {
#endif
int open(const char *, int, ...);
int creat(const char *, mode_t);
int fcntl(int, int, ...);
#ifdef __cplusplus
}
#endif
#endif
