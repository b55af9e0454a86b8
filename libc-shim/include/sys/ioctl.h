// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/ioctl.h - Questions about terminals -*- C -*-===*/
#ifndef GPUEXEC_SYS_IOCTL_H
#define GPUEXEC_SYS_IOCTL_H

#include <sys/types.h>

struct winsize {
  unsigned short ws_row, ws_col;
  unsigned short ws_xpixel, ws_ypixel;
};
#define TCGETS 0x5401
#define TCSETS 0x5402
#define TCSETSW 0x5403
#define TCSETSF 0x5404
#define TCSBRK 0x5409
#define TCXONC 0x540A
#define TCFLSH 0x540B
#define TIOCSCTTY 0x540E
#define TIOCGPGRP 0x540F
#define TIOCSPGRP 0x5410
#define TIOCOUTQ 0x5411
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define FIONREAD 0x541B
#define TIOCINQ FIONREAD
#define FIONBIO 0x5421
#define TIOCNOTTY 0x5422
#define TCSBRKP 0x5425
#define FIONCLEX 0x5450
#define FIOCLEX 0x5451
#define SIOCATMARK 0x8905

#ifdef __cplusplus
extern "C" {
#endif
/* TCGETS ... TCFLSH, TCSBRKP, TIOCGPGRP, TIOCOUTQ, TIOCGWINSZ, TIOCSWINSZ, FIONREAD,
   SIOCATMARK, FIONBIO, FIOCLEX, FIONCLEX; ENOTTY for the others. */
int ioctl(int, unsigned long, ...);
#ifdef __cplusplus
}
#endif

#endif
