//===-- libc-shim/posix/terminal.c - ioctl and termios --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host asks its terminal. The data behind ioctl()'s pointer is sent and
// received in five words.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// The bytes of struct termios that the kernel uses: up to 19 elements of c_cc.
#define KERNEL_TERMIOS_BYTES 36u
_Static_assert(offsetof(struct termios, c_cc) + 19 == KERNEL_TERMIOS_BYTES,
               "the kernel's layout");

typedef struct {
  uint64_t words[5];
} payload;

static int exchange(int fd, unsigned long request, payload *data) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  rpc_port port = __port_open(RPC_IOCTL);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = (uint64_t)fd;
  packet->words[1] = request;
  memcpy(&packet->words[2], data, sizeof *data);
  __port_send_end(&port);
  const rpc_packet *answer = __port_recv(&port);
  host_reply reply = host_reply_in(answer);
  memcpy(data, &answer->words[1], sizeof *data);
  __port_close(&port);
  return (int)__host_result(reply);
}

/// In which direction the data behind the argument of ioctl() is copied.
typedef enum {
  NOTHING,   ///< neither: the host refuses the request
  TO_HOST,   ///< the argument points to data for the host
  FROM_HOST, ///< the argument points to memory for the host's data
  NUMBER,    ///< the argument is a number
} direction;

typedef struct {
  direction way;
  unsigned size; ///< bytes behind the pointer
} request_kind;

/// A switch instead of a table, so that the program needs no memory for it.
static request_kind kind_of(unsigned long request) {
  switch (request) {
  case TCGETS:
    return (request_kind){FROM_HOST, KERNEL_TERMIOS_BYTES};
  case TCSETS:
  case TCSETSW:
  case TCSETSF:
    return (request_kind){TO_HOST, KERNEL_TERMIOS_BYTES};
  case TIOCGWINSZ:
    return (request_kind){FROM_HOST, sizeof(struct winsize)};
  case TIOCSWINSZ:
    return (request_kind){TO_HOST, sizeof(struct winsize)};
  case FIONREAD:
  case SIOCATMARK:
  case TIOCOUTQ:
  case TIOCGPGRP:
    return (request_kind){FROM_HOST, sizeof(int)};
  case FIONBIO:
    return (request_kind){TO_HOST, sizeof(int)};
  case TCSBRK:
  case TCSBRKP:
  case TCXONC:
  case TCFLSH:
    return (request_kind){NUMBER, 0};
  default:
    return (request_kind){NOTHING, 0};
  }
}

static int control(int fd, unsigned long request, const void *argument,
                   void *result) {
  payload data = {0};
  const request_kind kind = kind_of(request);
  if (kind.way == TO_HOST)
    memcpy(&data, argument, kind.size);
  else if (kind.way == NUMBER)
    data.words[0] = (uint64_t)argument;
  const int status = exchange(fd, request, &data);
  if (kind.way == FROM_HOST && status >= 0)
    memcpy(result, &data, kind.size);
  return status;
}

int ioctl(int fd, unsigned long request, ...) {
  if (request == FIOCLEX || request == FIONCLEX) // children get no descriptors
    return 0;
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(fd, request, argument, argument);
}

int tcgetattr(int fd, struct termios *to) {
  memset(to, 0, sizeof *to);
  if (control(fd, TCGETS, NULL, to))
    return -1;
  to->c_ispeed = to->c_ospeed = to->c_cflag & CBAUD;
  return 0;
}
int tcsetattr(int fd, int when, const struct termios *from) {
  if (when < TCSANOW || when > TCSAFLUSH)
    return fail_with(EINVAL);
  return control(fd, TCSETS + (unsigned)when, from, NULL);
}

static int control_with(int fd, unsigned long request, int number) {
  return control(fd, request, (void *)(intptr_t)number, NULL);
}

int tcdrain(int fd) { return control_with(fd, TCSBRK, 1); }
int tcsendbreak(int fd, int duration) {
  (void)duration; // Linux ignores it too
  return control_with(fd, TCSBRK, 0);
}
int tcflow(int fd, int action) { return control_with(fd, TCXONC, action); }
int tcflush(int fd, int queue) { return control_with(fd, TCFLSH, queue); }

pid_t tcgetpgrp(int fd) {
  int group = -1;
  return control(fd, TIOCGPGRP, NULL, &group) ? -1 : group;
}

speed_t cfgetospeed(const struct termios *from) {
  return from->c_cflag & CBAUD;
}
speed_t cfgetispeed(const struct termios *from) { return cfgetospeed(from); }
int cfsetspeed(struct termios *to, speed_t speed) {
  if (speed & ~(speed_t)CBAUD)
    return fail_with(EINVAL);
  to->c_cflag = (to->c_cflag & ~(tcflag_t)CBAUD) | speed;
  to->c_ispeed = to->c_ospeed = speed;
  return 0;
}
int cfsetospeed(struct termios *to, speed_t speed) {
  return cfsetspeed(to, speed);
}
int cfsetispeed(struct termios *to, speed_t speed) {
  return speed ? cfsetspeed(to, speed) : 0; // 0: the same as the output's
}
void cfmakeraw(struct termios *to) {
  to->c_iflag &= (tcflag_t) ~(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR |
                              IGNCR | ICRNL | IXON);
  to->c_oflag &= (tcflag_t)~OPOST;
  to->c_lflag &= (tcflag_t) ~(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  to->c_cflag = (to->c_cflag & (tcflag_t) ~(CSIZE | PARENB)) | CS8;
  to->c_cc[VMIN] = 1;
  to->c_cc[VTIME] = 0;
}
