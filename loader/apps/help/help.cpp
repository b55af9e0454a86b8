//===-- loader/apps/help/help.cpp - gpuexec help --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec help [COMMAND]` prints what `gpuexec COMMAND --help` prints.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "support/failure.h"

namespace gpuexec {

static ExitResult start(const Call &call) {
  const llvm::StringRef name = call.words.empty() ? "" : call.words.front();
  const Command *command = find_command(name);
  if (call.words.empty() || name.starts_with("-"))
    print_brief_help(llvm::outs(), call.personality.command);
  else if (command)
    print_help(llvm::outs(), *command);
  else
    return call.end(failure(Reason::failed, "help: no command '{0}'; {1}", name,
                            advice_for(name)));
  return call.end(llvm::Error::success());
}

const App apps::help = {{}, start};

} // namespace gpuexec
