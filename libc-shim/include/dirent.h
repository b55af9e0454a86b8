// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/dirent.h --------------------------------*- C -*-===*/
#ifndef GPUEXEC_DIRENT_H
#define GPUEXEC_DIRENT_H

#include <sys/types.h>

struct dirent {
  unsigned long d_ino;
  long d_off; /* telldir() behind this entry */
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino
#define _D_EXACT_NAMLEN(entry) __builtin_strlen((entry)->d_name)
#define _D_ALLOC_NAMLEN(entry) (_D_EXACT_NAMLEN(entry) + 1)
typedef struct __gpuexec_directory DIR;

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
#define IFTODT(mode) (((mode) & 0170000) >> 12)
#define DTTOIF(type) ((type) << 12)
#define MAXNAMLEN 255

#ifdef __cplusplus
extern "C" {
#endif
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int readdir_r(DIR *__restrict, struct dirent *__restrict,
              struct dirent **__restrict);
void rewinddir(DIR *);
/* Positions hold while nothing changes in the directory. */
long telldir(DIR *);
void seekdir(DIR *, long);
/* closedir() closes the descriptor. */
int dirfd(DIR *);
DIR *fdopendir(int);
int scandir(const char *__restrict, struct dirent ***__restrict,
            int (*)(const struct dirent *),
            int (*)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **, const struct dirent **);
int versionsort(const struct dirent **, const struct dirent **);
int closedir(DIR *);
#ifdef __cplusplus
}
#endif
#endif
