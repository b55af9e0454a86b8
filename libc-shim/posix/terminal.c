//===-- libc-shim/posix/terminal.c - ioctl and termios --------------------===//
// The host asks its terminal. What ioctl() points to travels in five words.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/// Of struct termios, what the kernel knows: up to the 19th character.
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

/// Is the argument a number?
static bool takes_number(unsigned long request) {
  return request == TCSBRK || request == TCSBRKP || request == TCXONC ||
         request == TCFLSH;
}

/// Bytes behind the pointer; 0: there is none, or the host does not know the
/// request either.
static size_t size_of(unsigned long request) {
  switch (request) {
  case TCGETS:
  case TCSETS:
  case TCSETSW:
  case TCSETSF:
    return KERNEL_TERMIOS_BYTES;
  case TIOCGWINSZ:
  case TIOCSWINSZ:
    return sizeof(struct winsize);
  case FIONREAD:
  case FIONBIO:
  case TIOCOUTQ:
  case TIOCGPGRP:
    return sizeof(int);
  default:
    return 0;
  }
}

static int control(int fd, unsigned long request, void *argument) {
  payload data = {0};
  const size_t size = size_of(request);
  if (size)
    memcpy(&data, argument, size);
  // The host refuses other requests without a look at what may be an address.
  else if (takes_number(request))
    data.words[0] = (uint64_t)argument;
  const int result = exchange(fd, request, &data);
  if (size && result >= 0)
    memcpy(argument, &data, size);
  return result;
}

int ioctl(int fd, unsigned long request, ...) {
  if (request == FIOCLEX || request == FIONCLEX) // children get no descriptors
    return 0;
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(fd, request, argument);
}

int tcgetattr(int fd, struct termios *to) {
  memset(to, 0, sizeof *to);
  if (control(fd, TCGETS, to))
    return -1;
  to->c_ispeed = to->c_ospeed = to->c_cflag & CBAUD;
  return 0;
}
int tcsetattr(int fd, int when, const struct termios *from) {
  if (when < TCSANOW || when > TCSAFLUSH)
    return fail_with(EINVAL);
  struct termios copy = *from;
  return control(fd, TCSETS + (unsigned)when, &copy);
}

static void *number(int value) { return (void *)(intptr_t)value; }

int tcdrain(int fd) { return control(fd, TCSBRK, number(1)); }
int tcsendbreak(int fd, int duration) {
  (void)duration; // Linux takes it for the default
  return control(fd, TCSBRK, number(0));
}
int tcflow(int fd, int action) { return control(fd, TCXONC, number(action)); }
int tcflush(int fd, int queue) { return control(fd, TCFLSH, number(queue)); }

pid_t tcgetpgrp(int fd) {
  int group = -1;
  return control(fd, TIOCGPGRP, &group) ? -1 : group;
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
  return speed ? cfsetspeed(to, speed) : 0; // 0: as fast as the output
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
