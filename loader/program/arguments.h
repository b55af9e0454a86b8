//===-- loader/program/arguments.h - argv and envp as bytes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block of memory that device and host both see: the pointers of argv and
// of envp, each list ended by a null, then the strings back to back. Strings
// are bytes: empty, long or not UTF-8, all pass through. Also the argument
// blocks of _begin and _start. No side effects.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_PROGRAM_ARGUMENTS_H
#define GPUEXEC_LOADER_PROGRAM_ARGUMENTS_H

#include "support/device_address.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gpuexec {

class ArgumentBlock {
public:
  /// The strings must outlive the block.
  ArgumentBlock(llvm::ArrayRef<std::string> argv,
                llvm::ArrayRef<std::string> envp)
      : arguments(argv), environment(envp) {}

  /// Bytes of the whole block.
  uint64_t size() const;
  int32_t argc() const { return int32_t(arguments.size()); }
  /// Offsets of the pointer lists in the block, in bytes.
  uint64_t argv_offset() const { return 0; }
  uint64_t envp_offset() const { return 8 * (arguments.size() + 1); }
  /// Writes size() bytes to `host`, which the device sees at `address`.
  void fill(std::byte *host, DeviceAddress address) const;

private:
  const llvm::ArrayRef<std::string> arguments, environment;
};

/// The arguments of `_start`; `_begin` gets the first 24 bytes.
struct StartArguments {
  int32_t argc = 0;
  DeviceAddress argv;
  DeviceAddress envp;
  DeviceAddress ret; ///< of the 4-byte status

  static constexpr uint64_t BEGIN_SIZE = 24, START_SIZE = 32;
  /// The first `size` bytes of the block, BEGIN_SIZE or START_SIZE.
  std::vector<std::byte> bytes(uint64_t size) const;
};

} // namespace gpuexec

#endif
