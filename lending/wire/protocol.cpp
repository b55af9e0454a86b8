//===-- lending/wire/protocol.cpp - Words between client and server -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/protocol.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec::lent {

using remote::Reader;
using remote::Writer;

static llvm::Error other_version(uint32_t version) {
  return failure(Reason::failed,
                 "it is of another version of gpuexec (protocol {0}, ours is "
                 "{1})",
                 version, PROTOCOL_VERSION);
}

void put(Writer &to, const Greeting &greeting) {
  to.put(MAGIC).put(PROTOCOL_VERSION).text(greeting.variables);
  to.put(uint32_t(greeting.devices.size()));
  for (const DeviceInfo &info : greeting.devices)
    put(to, info);
}

llvm::Expected<Greeting> take_greeting(llvm::StringRef body) {
  Reader from(body);
  uint32_t magic = from.take<uint32_t>(), version = from.take<uint32_t>();
  if (magic != MAGIC)
    return failure(Reason::failed, "it is no server of gpuexec's");
  if (version != PROTOCOL_VERSION)
    return other_version(version);
  Greeting greeting;
  greeting.variables = from.text().str();
  uint32_t count = from.take<uint32_t>();
  for (uint32_t i = 0; i < count && count <= MOST_DEVICES && from.ok(); ++i)
    greeting.devices.push_back(remote::take_info(from));
  if (!from.done() || count > MOST_DEVICES)
    return failure(Reason::failed, "its greeting makes no sense");
  return greeting;
}

void put(Writer &to, const Wish &wish) {
  to.put(PROTOCOL_VERSION).put(uint8_t(wish.fault_report));
  to.put(uint8_t(wish.isolate));
  to.put(uint32_t(wish.devices.size()));
  for (uint32_t index : wish.devices)
    to.put(index);
}

llvm::Expected<Wish> take_wish(llvm::StringRef body) {
  Reader from(body);
  uint32_t version = from.take<uint32_t>();
  if (from.ok() && version != PROTOCOL_VERSION)
    return other_version(version);
  Wish wish;
  wish.fault_report = from.take_flag();
  wish.isolate = from.take_flag();
  uint32_t count = from.take<uint32_t>();
  for (uint32_t i = 0; i < count && count <= MOST_DEVICES && from.ok(); ++i)
    wish.devices.push_back(from.take<uint32_t>());
  if (!from.done() || wish.devices.empty())
    return failure(Reason::failed, "a request that makes no sense");
  return wish;
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

} // namespace gpuexec::lent
