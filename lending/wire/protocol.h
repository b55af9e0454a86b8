//===-- lending/wire/protocol.h - Words between client and server ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a client and `gpuexec serve` say to each other before the client has a
// device. Afterwards the client talks with a worker of the server, over the
// same connection, in Requests (remote/channel.h).
//
//   server: greeting   who it is, which devices it lends
//   client: borrow     which of them would do, and how it wants to use one;
//                      requests for the worker may follow at once
//   server: refused    why not; or it hands the connection to a worker:
//   worker: lent       Facts, address and size of shared memory: all of an
//                      emulated device's, else some for the client's
//                      mailboxes, and where that is in its file (0, but for a
//                      relay); a socket for launches, the file
//
// A client of another machine says the same, through two relays
// (relay_process.h). For it even an emulated device's memory is not shared.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_PROTOCOL_H
#define GPUEXEC_LENDING_WIRE_PROTOCOL_H

#include "lending/wire/facts.h"

namespace gpuexec::lent {

/// Grows with every change of what is sent, by whom, in either direction.
inline constexpr uint32_t PROTOCOL_VERSION = 6;
/// What a greeting begins with.
inline constexpr uint32_t MAGIC = 0x75706765;

/// Kinds of messages; apart from those of remote::Request and remote::Reply.
enum class Word : uint32_t {
  greeting = 0x100, ///< MAGIC, version, variables, how many, DeviceInfos
  borrow,           ///< version, fault_report, how many, indices in greeting
  refused,          ///< text; also while a device is lent: it is taken back
  lent,             ///< Facts, begin, size, offset in the file
  status,           ///< -> status: text
  stop,             ///< at once? -> done, when the server ends
  done,
};

/// The most devices that a greeting names.
inline constexpr uint32_t MOST_DEVICES = 64;
/// Bytes of the largest message to a server: a wish for all of them has fewer.
inline constexpr uint32_t LARGEST_WISH = 1024;

struct Greeting {
  std::string variables; ///< emulator_variables() of the server
  std::vector<DeviceInfo> devices;
};
void put(remote::Writer &to, const Greeting &greeting);
/// Errors: Failure when it is no greeting, or one of another version.
llvm::Expected<Greeting> take_greeting(llvm::StringRef body);

struct Wish {
  bool fault_report = false;
  /// Nobody gets the context after this program, which nobody trusts.
  bool isolate = false;
  std::vector<uint32_t> devices; ///< indices in Greeting::devices
};
void put(remote::Writer &to, const Wish &wish);
/// Errors: Failure for nonsense, or another version.
llvm::Expected<Wish> take_wish(llvm::StringRef body);

/// The variables of the environment that change how the emulator works: a
/// device lent by a server whose variables differ is another one. Lines of
/// NAME=VALUE, sorted.
std::string emulator_variables(const char *const *environment);

} // namespace gpuexec::lent

#endif
