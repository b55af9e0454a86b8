//===-- test/support/no_threads.h - No more threads to be had ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TEST_SUPPORT_NO_THREADS_H
#define GPUEXEC_TEST_SUPPORT_NO_THREADS_H

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec::test {

/// While it lives this process gets no thread. (Who is root is not limited.)
class NoThreads {
public:
  NoThreads() : user(geteuid()) {
    rlimit none = {0, 0};
    setrlimit(RLIMIT_NPROC, &none);
    if (user == 0)
      (void)!setresuid(65534, 65534, 0);
  }
  ~NoThreads() {
    if (user == 0)
      (void)!setresuid(0, 0, 0);
  }

private:
  uid_t user;
};

/// Runs `body` in a process of its own, which ends with its value.
inline int in_child(int (*body)()) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace gpuexec::test

#endif // GPUEXEC_TEST_SUPPORT_NO_THREADS_H
