/*===-- libc-shim/include/sys/_pthreadtypes.h - Types of pthread.h -*- C -*-===*/
#ifndef GPUEXEC_SYS_PTHREADTYPES_H
#define GPUEXEC_SYS_PTHREADTYPES_H

typedef unsigned long pthread_t;
typedef struct {
  unsigned long __owner; /* pthread_self(); 0: free */
  unsigned __count;      /* how often the owner has locked it */
  int __type;
} pthread_mutex_t;
typedef struct {
  int __type;
} pthread_mutexattr_t;
typedef struct {
  unsigned long __writer; /* pthread_self(); 0: none */
  unsigned __readers, __padding;
} pthread_rwlock_t;
typedef struct {
  int __reserved;
} pthread_rwlockattr_t, pthread_cond_t, pthread_condattr_t;
typedef struct {
  unsigned long __stack_size;
  int __detached;
} pthread_attr_t;
typedef int pthread_once_t;
typedef unsigned pthread_key_t;
typedef unsigned long pthread_spinlock_t;

#endif
