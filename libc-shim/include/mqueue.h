// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/mqueue.h - Message queues ---------------*- C -*-===*
 * The host's queues: programs of the host and of other devices open them by the
 * same names. A queue is a descriptor, which poll() and epoll take too. Under
 * --sandbox all of these fail with EPERM.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_MQUEUE_H
#define GPUEXEC_MQUEUE_H

#include <fcntl.h>
#include <sys/types.h>
#include <time.h>

typedef int mqd_t;
struct mq_attr {
  long mq_flags;   /* O_NONBLOCK or 0 */
  long mq_maxmsg;  /* most messages */
  long mq_msgsize; /* bytes of the longest */
  long mq_curmsgs; /* messages in the queue */
  long __pad[4];
};
struct sigevent;

#ifdef __cplusplus
extern "C" {
#endif
/* With O_CREAT the mode and the attributes follow; null stands for the host's
   defaults. -1 with errno: EINVAL for a name without a slash before it, EEXIST,
   ENOENT, EACCES, EMFILE as on the host. */
mqd_t mq_open(const char *, int, ...);
int mq_close(mqd_t);
int mq_unlink(const char *);
/* Wait while the queue is full, or empty, unless it is O_NONBLOCK: EAGAIN. A
   handler of a signal ends the wait: EINTR. Times are of CLOCK_REALTIME; EINVAL
   for one without nanoseconds below a second, ETIMEDOUT. EMSGSIZE: the message
   is longer than the queue takes, or the buffer shorter. */
int mq_send(mqd_t, const char *, size_t, unsigned);
int mq_timedsend(mqd_t, const char *, size_t, unsigned,
                 const struct timespec *);
ssize_t mq_receive(mqd_t, char *, size_t, unsigned *);
ssize_t mq_timedreceive(mqd_t, char *__restrict, size_t, unsigned *__restrict,
                        const struct timespec *__restrict);
/* mq_setattr() changes O_NONBLOCK, of this program's descriptor alone. */
int mq_getattr(mqd_t, struct mq_attr *);
int mq_setattr(mqd_t, const struct mq_attr *__restrict,
               struct mq_attr *__restrict);
/* The signal, or thread, comes when this program makes its next call of a queue
   after a message came to an empty one. EBUSY: somebody is registered. */
int mq_notify(mqd_t, const struct sigevent *);
#ifdef __cplusplus
}
#endif
#endif
