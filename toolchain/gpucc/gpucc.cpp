//===-- toolchain/gpucc/gpucc.cpp - A C compiler for GPUs -----------------===//
// Picks the processor, then becomes clang 22 with the configuration file of its
// triple, which adds headers, start-up code and C library. Every argument that
// is not gpucc's own reaches clang as it is.
//===----------------------------------------------------------------------===//
#include "advice.h"
#include "host_machine.h"
#include "plan.h"
#include "ptx_link.h"
#include "self_run.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace gpuexec {

namespace {

int fail(const std::string &message) {
  fprintf(stderr, "gpucc: error: %s\n", message.c_str());
  return 1;
}

/// The arguments as exec wants them; they point into `command`.
std::vector<char *> raw_arguments(const Command &command) {
  std::vector<char *> raw;
  for (const std::string &argument : command.arguments)
    raw.push_back(const_cast<char *>(argument.c_str()));
  raw.push_back(nullptr);
  return raw;
}

/// Runs the command and waits. Returns the status to end with.
int run(const Command &command) {
  pid_t child;
  int status = 0;
  if (int error = posix_spawn(&child, command.program.c_str(), nullptr, nullptr,
                              raw_arguments(command).data(), environ))
    return fail(command.program + ": " + strerror(error));
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

/// Becomes the command. Returns only when that fails.
int become(const Command &command) {
  execv(command.program.c_str(), raw_arguments(command).data());
  return fail(command.program + ": " + strerror(errno));
}

/// What a plan has to do when clang has succeeded. Returns the status to end
/// with.
int finish(const Plan &plan) {
  if (!plan.checked_ptx.empty()) {
    if (int status = check_linked_ptx(plan.checked_ptx))
      return status;
    // Linkers make programs executable; this one is text.
    if (std::string problem = make_executable(plan.checked_ptx);
        !problem.empty())
      return fail(problem);
  }
  if (fputs(plan.text_after.c_str(), stdout) < 0 || fflush(stdout))
    return 1;
  return plan.self_run.empty() ? 0
                               : make_self_run(plan.self_run, plan.launcher);
}

/// Does what a plan says and returns the status to end with. When the last step
/// is clang it does not return: the process becomes clang.
int execute(const Plan &plan) {
  if (fputs(plan.text.c_str(), stdout) < 0)
    return 1;
  fflush(stdout);
  if (!plan.warning.empty())
    fprintf(stderr, "gpucc: warning: %s\n", plan.warning.c_str());
  if (!plan.error.empty())
    return fail(plan.error);
  if (!plan.clang)
    return 0;
  for (const auto &[name, value] : plan.clang->variables)
    setenv(name.c_str(), value.c_str(), 1);
  const std::string advice =
      plan.plain_image.empty() ? "" : advice_for(plan.plain_image);
  if (plan.checked_ptx.empty() && plan.self_run.empty() &&
      plan.text_after.empty() && advice.empty())
    return become(*plan.clang);
  if (int status = run(*plan.clang))
    return status;
  if (int status = finish(plan))
    return status;
  if (!advice.empty())
    fprintf(stderr, "gpucc: note: %s\n", advice.c_str());
  return 0;
}

} // namespace
} // namespace gpuexec

int main(int argc, char **argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  return gpuexec::execute(gpuexec::plan(arguments, *gpuexec::host_machine()));
}
