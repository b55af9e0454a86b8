/*===-- libc-shim/include/dirent.h --------------------------------*- C -*-===*/
#ifndef GPUEXEC_DIRENT_H
#define GPUEXEC_DIRENT_H

#include <sys/types.h>

struct dirent {
  unsigned long d_ino;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
typedef struct __gpuexec_directory DIR;

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12

#ifdef __cplusplus
extern "C" {
#endif
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
void rewinddir(DIR *);
int closedir(DIR *);
#ifdef __cplusplus
}
#endif
#endif
