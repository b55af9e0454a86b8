// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/_pthreadtypes.h - Types of pthread.h -*- C -*-===*/
#ifndef GPUEXEC_SYS_PTHREADTYPES_H
#define GPUEXEC_SYS_PTHREADTYPES_H

typedef unsigned long pthread_t;
typedef struct {
  unsigned long __owner; /* its number; 0: free */
  unsigned __count;      /* how often the owner has locked it */
  int __type;
  short __robust;  /* 0, or what threads/mutex.c says of a robust mutex */
  short __ceiling; /* the priority ceiling; 0: none */
} pthread_mutex_t;
typedef struct {
  int __type;
  short __shared, __robust;
  short __protocol, __ceiling;
} pthread_mutexattr_t;
typedef struct {
  unsigned long __writer; /* its number; 0: none */
  unsigned __readers;
  unsigned long __waves, __squares; /* sums over the readers' waves */
} pthread_rwlock_t;
typedef struct {
  int __shared;
} pthread_rwlockattr_t;
typedef struct {
  unsigned __lock; /* of the list */
  int __clock;     /* of pthread_cond_timedwait() */
  void *__first;   /* threads that wait */
  void *__last;
} pthread_cond_t;
typedef struct {
  int __clock;
  int __shared;
} pthread_condattr_t;
typedef struct {
  unsigned __threads; /* that it waits for */
  unsigned __arrived;
  unsigned __round;
} pthread_barrier_t;
typedef struct {
  int __shared;
} pthread_barrierattr_t;
typedef struct {
  unsigned long __stack_size, __guard_size;
  void *__stack; /* null: not set */
  int __detached;
  int __scope, __inherit, __policy, __priority;
} pthread_attr_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
typedef unsigned pthread_spinlock_t;

#endif
