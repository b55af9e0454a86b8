// On a terminal: its size, reading a key without Return and without echo, waiting for it, and its settings as they were.
// RUN: %hostcc -fno-builtin -w %s -o %t.host && %python %source/test/libc/inputs/on_terminal.py %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %python %source/test/libc/inputs/on_terminal.py %run %t > %t.out
// RUN: diff %t.expected %t.out && grep -q 'key x' %t.out
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int main(void) {
  struct winsize size = {0};
  struct termios before, raw, now;
  printf("%d %d %d\n", ioctl(0, TIOCGWINSZ, &size), size.ws_row, size.ws_col);
  printf("%d\n", tcgetattr(0, &before));
  printf("%x %x %x %x %d\n", before.c_iflag, before.c_oflag, before.c_cflag, before.c_lflag, before.c_cc[VINTR]);
  raw = before;
  cfmakeraw(&raw);
  raw.c_oflag |= OPOST;
  fflush(stdout);
  printf("%d\n", tcsetattr(0, TCSANOW, &raw));
  printf("%d\n", tcgetattr(0, &now));
  printf("%x %x %d %d\n", now.c_lflag, now.c_iflag, now.c_cc[VMIN], now.c_cc[VTIME]);
  struct pollfd file = {0, POLLIN};
  printf("%d\n", poll(&file, 1, 0));
  printf("type now\n");
  fflush(stdout);
  printf("%d\n", poll(&file, 1, -1));
  char key = 0;
  printf("%d\n", (int)read(0, &key, 1));
  printf("key %c\n", key);
  fflush(stdout);
  printf("%d %d\n", tcsetattr(0, TCSADRAIN, &before), tcdrain(1));
  printf("%d %d\n", tcgetattr(0, &now), memcmp(&now.c_iflag, &before.c_iflag, 4 * sizeof before.c_iflag));
  printf("%d\n", tcflush(0, TCIFLUSH));
  return 0;
}
