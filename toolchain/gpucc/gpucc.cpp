//===-- toolchain/gpucc/gpucc.cpp - A C compiler for GPUs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc chooses the processor, then runs clang 22 with the configuration file
// of the processor's triple, which adds headers, start-up code and C library.
// clang gets every argument that is not gpucc's own.
//===----------------------------------------------------------------------===//
#include "toolchain/gpucc/advice.h"
#include "toolchain/gpucc/blank_assembly.h"
#include "toolchain/gpucc/host_machine.h"
#include "toolchain/gpucc/plan.h"
#include "toolchain/gpucc/ptx_link.h"
#include "toolchain/gpucc/run.h"
#include "toolchain/gpucc/self_run.h"
#include <cstdio>
#include <cstdlib>

namespace gpuexec {

namespace {

int fail(const std::string &message) {
  fprintf(stderr, "gpucc: error: %s\n", message.c_str());
  return 1;
}

/// Carries out the steps of a plan that follow a successful clang. Returns
/// gpucc's exit status.
int finish(const Plan &plan) {
  if (!plan.checked_ptx.empty()) {
    if (int status = check_linked_ptx(plan.checked_ptx))
      return status;
    if (std::string problem = make_ptx_program(plan.checked_ptx);
        !problem.empty())
      return fail(problem);
  }
  if (fputs(plan.text_after.c_str(), stdout) < 0 || fflush(stdout))
    return 1;
  return plan.self_run.empty() ? 0
                               : make_self_run(plan.self_run, plan.launcher);
}

/// Carries out a plan and returns gpucc's exit status.
int execute(const Plan &plan) {
  if (fputs(plan.text.c_str(), stdout) < 0)
    return 1;
  fflush(stdout);
  if (!plan.warning.empty())
    fprintf(stderr, "gpucc: warning: %s\n", plan.warning.c_str());
  if (!plan.error.empty())
    return fail(plan.error);
  if (plan.dry_run) {
    print_commands(plan.steps);
    return 0;
  }
  if (!plan.steps.empty())
    return run_and_tidy_up(plan.steps);
  if (!plan.clang)
    return 0;
  for (const auto &[name, value] : plan.clang->variables)
    setenv(name.c_str(), value.c_str(), 1);
  const std::string advice =
      plan.plain_image.empty() ? "" : advice_for(plan.plain_image);
  Command clang = *plan.clang;
  if (plan.preprocessed_assembly)
    replace_blank_assembly(clang);
  if (int status = run_and_tidy_up(clang))
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
