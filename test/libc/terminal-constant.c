// What goes to the host only may be a constant: the terminal's size, its settings, whether to wait; what comes back need not be set.
// RUN: %hostcc -fno-builtin -w %s -o %t.host && %python %source/test/libc/inputs/on_terminal.py %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %python %source/test/libc/inputs/on_terminal.py %run %t > %t.out
// RUN: diff %t.expected %t.out && grep -q 'size 0 24 80' %t.out
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const struct winsize SIZE = {24, 80, 0, 0};
static const int OFF = 0;

int main(void) {
  struct winsize size;
  struct termios now;
  int group, count;
  printf("%d\n", ioctl(0, TIOCSWINSZ, &SIZE));
  printf("size %d %d %d\n", ioctl(0, TIOCGWINSZ, &size), size.ws_row, size.ws_col);
  printf("%d\n", ioctl(0, FIONBIO, &OFF));
  printf("%d %d\n", ioctl(0, FIONREAD, &count), count);
  printf("%d\n", ioctl(0, TIOCGPGRP, &group) || group != tcgetpgrp(0));
  printf("%d %d\n", tcgetattr(0, &now), tcsetattr(0, TCSANOW, &now));
  return 0;
}
