//===-- lending/wire/session.cpp - Client and server meet -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/session.h"
#include "support/failure.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec::wire {

static llvm::Error other_version(uint32_t version) {
  return failure(Reason::failed,
                 "it is of another version of gpuexec (protocol {0}, ours is "
                 "{1})",
                 version, VERSION);
}

llvm::Expected<Greeting> take_greeting(llvm::StringRef body) {
  Reader start(body); // magic, version: as in all versions
  const auto magic = start.take<uint32_t>(), version = start.take<uint32_t>();
  if (magic != MAGIC)
    return failure(Reason::failed, "it is no server of gpuexec's");
  if (version != VERSION)
    return other_version(version);
  std::optional<Greeting> greeting = decode<Greeting>(body);
  if (!greeting)
    return failure(Reason::failed, "its greeting makes no sense");
  return std::move(*greeting);
}

llvm::Expected<Borrow> take_borrow(llvm::StringRef body) {
  Reader start(body);
  const auto version = start.take<uint32_t>();
  if (start.ok() && version != VERSION)
    return other_version(version);
  std::optional<Borrow> wish = decode<Borrow>(body);
  if (!wish || wish->devices.empty())
    return failure(Reason::failed, "a request that makes no sense");
  return std::move(*wish);
}

std::string emulator_variables(const char *const *environment) {
  std::vector<llvm::StringRef> found;
  for (const char *const *entry = environment; entry && *entry; ++entry)
    if (llvm::StringRef(*entry).starts_with("GPUEXEC_EMULATOR_"))
      found.push_back(*entry);
  llvm::sort(found);
  std::string lines;
  for (llvm::StringRef line : found)
    lines += line.str() + "\n";
  return lines;
}

} // namespace gpuexec::wire
