//===-- rpc/services/type_names.cpp - Types of C++, for people ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcode TYPE_NAME. std::terminate() of a program asks for one name: that of
// the exception that nobody caught.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"

using namespace gpuexec::rpc;

namespace {

// Each answer may cost the embedder a process.
constexpr unsigned MOST_TYPE_NAMES = 64;

ResultBytes<> type_name(Services &services, const std::string &mangled) {
  if (!services.options.type_name)
    return Result::failure(ENOSYS);
  std::lock_guard guard(services.type_names.mutex);
  if (services.type_names.asked++ >= MOST_TYPE_NAMES)
    return Result::failure(ENOSPC);
  const std::string name = services.options.type_name(mangled);
  return {int64_t(name.size()), name};
}

} // namespace

RPC_SERVE_IN_BACKGROUND(TYPE_NAME, type_name)
