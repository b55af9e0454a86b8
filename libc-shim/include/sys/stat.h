// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/stat.h ------------------------------*- C -*-===*/
#ifndef GPUEXEC_SYS_STAT_H
#define GPUEXEC_SYS_STAT_H

#include <sys/types.h>
#include <time.h>

struct stat {
  unsigned long st_dev;
  unsigned long st_ino;
  mode_t st_mode;
  unsigned st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  unsigned long st_rdev;
  off_t st_size;
  long st_blksize;
  long st_blocks; /* of 512 bytes */
  struct timespec st_atim, st_mtim, st_ctim;
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define S_BLKSIZE 512
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666
#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IRWXO 0007
#define UTIME_NOW 0x3fffffff
#define UTIME_OMIT 0x3ffffffe
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
/* As on Linux, no file is one of these. */
#define S_TYPEISMQ(status) ((status)->st_mode - (status)->st_mode)
#define S_TYPEISSEM(status) ((status)->st_mode - (status)->st_mode)
#define S_TYPEISSHM(status) ((status)->st_mode - (status)->st_mode)

#ifdef __cplusplus
extern "C" {
#endif
int stat(const char *__restrict, struct stat *__restrict);
int lstat(const char *__restrict, struct stat *__restrict);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
int mkfifo(const char *, mode_t);
/* FIFOs only; EPERM for other special files, as for users other than root. */
int mknod(const char *, mode_t, dev_t);
int chmod(const char *, mode_t);
int fstatat(int, const char *__restrict, struct stat *__restrict, int);
#if __MISC_VISIBLE
/* EOPNOTSUPP for a link: Linux's have no mode. */
int lchmod(const char *, mode_t);
int mknodat(int, const char *, mode_t, dev_t); /* as mknod() */
#endif
int mkdirat(int, const char *, mode_t);
int mkfifoat(int, const char *, mode_t);
int fchmodat(int, const char *, mode_t, int);
int fchmod(int, mode_t);
mode_t umask(mode_t);
/* ENOTSUP for AT_SYMLINK_NOFOLLOW. */
int utimensat(int, const char *, const struct timespec[2], int);
int futimens(int, const struct timespec[2]);
#ifdef __cplusplus
}
#endif
#endif
