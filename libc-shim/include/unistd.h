// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/unistd.h - POSIX calls of the host ------*- C -*-===//
 * Descriptors belong to the server; 0, 1 and 2 are the standard streams. A
 * program that calls fork or exec does not link; the linker's message says why.
 * With -D_GPUEXEC_FORK it links: gpuexec/fork.h.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_UNISTD_H
#define GPUEXEC_UNISTD_H

#define __need_size_t
#define __need_NULL
#include <gpuexec/confname.h>
#include <gpuexec/getopt.h>
#include <gpuexec/socklen.h>
#include <gpuexec/unavailable.h>
#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#ifndef F_LOCK
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#endif
#define _POSIX_VERSION 200809L
#define _POSIX_VDISABLE '\0'
/* Options: glibc's values. Not there: protection of memory, and what processes
   share; threads have no priorities. */
#define _POSIX_ADVISORY_INFO 200809L
#define _POSIX_ASYNCHRONOUS_IO 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_CHOWN_RESTRICTED 0
#define _POSIX_CLOCK_SELECTION 200809L
#define _POSIX_CPUTIME 0
#define _POSIX_FSYNC 200809L
#define _POSIX_JOB_CONTROL 1
#define _POSIX_MAPPED_FILES 200809L
#define _POSIX_MEMLOCK 200809L
#define _POSIX_MEMLOCK_RANGE 200809L
#define _POSIX_MESSAGE_PASSING 200809L
#define _POSIX_MONOTONIC_CLOCK 0
#define _POSIX_NO_TRUNC 1
#define _POSIX_PRIORITIZED_IO 200809L
#define _POSIX_PRIORITY_SCHEDULING 200809L
#define _POSIX_READER_WRITER_LOCKS 200809L
#define _POSIX_REALTIME_SIGNALS 200809L
#define _POSIX_REGEXP 1
#define _POSIX_SAVED_IDS 1
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_SHARED_MEMORY_OBJECTS 200809L
#define _POSIX_SHELL 1
#define _POSIX_SPAWN 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_SYNCHRONIZED_IO 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_THREAD_ATTR_STACKSIZE 200809L
#define _POSIX_THREAD_CPUTIME 0
#define _POSIX_THREAD_SAFE_FUNCTIONS 200809L
#define _POSIX_TIMEOUTS 200809L

#if __GNU_VISIBLE
/* The expression, evaluated again while it is -1 with EINTR in errno. */
#define TEMP_FAILURE_RETRY(expression)                                         \
  __extension__({                                                              \
    long __result;                                                             \
    do                                                                         \
      __result = (long)(expression);                                           \
    while (__result == -1 && errno == EINTR);                                  \
    __result;                                                                  \
  })
#endif

#ifdef __cplusplus
extern "C" {
#endif
extern char **environ;

ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int close(int);
int dup(int);
int dup2(int, int);
int pipe(int[2]);
#ifdef _GNU_SOURCE
int pipe2(int[2], int);
int dup3(int, int, int);
char *get_current_dir_name(void);
#endif
int isatty(int);
int lockf(int, int, off_t);
pid_t tcgetpgrp(int);
char *getlogin(void);
int getlogin_r(char *, size_t);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int fsync(int);
int fdatasync(int);
int access(const char *, int);
#ifdef _GNU_SOURCE
int eaccess(const char *, int);
int euidaccess(const char *, int);
pid_t gettid(void);
#endif
int unlink(const char *);
int rmdir(const char *);
int link(const char *, const char *);
int symlink(const char *, const char *);
ssize_t readlink(const char *__restrict, char *__restrict, size_t);
int chown(const char *, uid_t, gid_t);
int lchown(const char *, uid_t, gid_t);
int fchown(int, uid_t, gid_t);
int chdir(const char *);
int fchdir(int);
/* See openat(). */
int faccessat(int, const char *, int, int);
int fchownat(int, const char *, uid_t, gid_t, int);
int linkat(int, const char *, int, const char *, int);
int symlinkat(const char *, int, const char *);
ssize_t readlinkat(int, const char *__restrict, char *__restrict, size_t);
int unlinkat(int, const char *, int);
char *getcwd(char *, size_t);
int gethostname(char *, size_t);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
/* Success for what the program is already, else EPERM. */
int setuid(uid_t);
int seteuid(uid_t);
int setreuid(uid_t, uid_t);
int setresuid(uid_t, uid_t, uid_t);
int getresuid(uid_t *, uid_t *, uid_t *);
int setgid(gid_t);
int setegid(gid_t);
int setregid(gid_t, gid_t);
int setresgid(gid_t, gid_t, gid_t);
int getresgid(gid_t *, gid_t *, gid_t *);
int getgroups(int, gid_t *);
/* Of the host's server. It cannot be moved: EPERM. */
pid_t getpgrp(void);
pid_t getpgid(pid_t);
pid_t getsid(pid_t);
int setpgid(pid_t, pid_t);
int setpgrp(void);
pid_t setsid(void);
int nice(int);
void sync(void);
int syncfs(int);
char *ttyname(int);
int ttyname_r(int, char *, size_t);
char *ctermid(char *);
long sysconf(int);
long pathconf(const char *, int);
long fpathconf(int, int);
size_t confstr(int, char *, size_t);
int getpagesize(void);
int getdtablesize(void);
int getentropy(void *, size_t);
/* The default action of SIGALRM ends the program with status 142. A handler runs
   in a thread that waits in sleep(), nanosleep(), pause() or sigsuspend(). */
unsigned alarm(unsigned);
useconds_t ualarm(useconds_t, useconds_t);
int pause(void);
unsigned sleep(unsigned);
int usleep(useconds_t);
void swab(const void *__restrict, void *__restrict, ssize_t);
__attribute__((__noreturn__)) void _exit(int);

pid_t fork(void) __GPUEXEC_NO_PROCESSES(fork);
pid_t vfork(void) __GPUEXEC_NO_PROCESSES(vfork);
/* Have the host start the command, with the program's descriptors but those with
   FD_CLOEXEC; the program waits for it and ends as it does. The command has a
   number of its own. Return only after an error: -1 with errno, EPERM under
   --sandbox. */
int execv(const char *, char *const[]);
int execve(const char *, char *const[], char *const[]);
int execvp(const char *, char *const[]);
int execvpe(const char *, char *const[], char *const[]);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execle(const char *, const char *, ...);
/* ENOENT for a descriptor with FD_CLOEXEC. */
int fexecve(int, char *const[], char *const[]);
int daemon(int, int) __GPUEXEC_NO_PROCESSES(daemon);
void *sbrk(long) __GPUEXEC_NO_SYSTEM(sbrk);
int brk(void *) __GPUEXEC_NO_SYSTEM(brk);
long syscall(long, ...) __GPUEXEC_NO_SYSTEM(syscall);
int chroot(const char *) __GPUEXEC_NO_SYSTEM(chroot);
/* The host's: all that its libcrypt can. After an error, as in a sandbox, the
   result is "*0" or "*1", and errno says why. One hash for all threads. */
char *crypt(const char *__phrase, const char *__setting);
#if __SSP_FORTIFY_LEVEL > 0
#include <ssp/unistd.h>
#endif
#ifdef __cplusplus
}
#endif
#include <gpuexec/fork.h>
#endif
