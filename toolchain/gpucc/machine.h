//===-- toolchain/gpucc/machine.h - Facts for a plan ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine answers plan()'s questions about the machine that gpucc runs on: its
// files, its environment and its GPU. gpucc asks the real machine
// (host_machine.h); unit tests describe one of their own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_MACHINE_H
#define GPUEXEC_GPUCC_MACHINE_H

#include <optional>
#include <string>

namespace gpuexec {

class Machine {
public:
  virtual ~Machine() = default;

  /// The folder of the sysroots, PREFIX/lib/gpuexec. Empty when it cannot be
  /// found, or when another user can change it; then `problem` says why.
  virtual std::string device_root(std::string &problem) const = 0;

  /// The processor of this machine's first GPU ("gfx942", "sm_90"); nothing
  /// when it has none. May load the vendor's driver, which takes a while.
  virtual std::optional<std::string> native_arch() const = 0;

  /// The value of an environment variable; nothing when it is not set.
  virtual std::optional<std::string> variable(const char *name) const = 0;

  virtual bool is_executable(const std::string &path) const = 0;

  /// 0 when the file can be read, else the errno that says why not.
  virtual int cannot_read(const std::string &path) const = 0;

  /// Why a folder's files must not be used: another user could have put them
  /// there. "" when they may be used, and when there is no such folder.
  virtual std::string distrust(const std::string &folder) const = 0;

  /// The text of a file; "" when it cannot be read.
  virtual std::string text_of(const std::string &path) const = 0;

  /// The path with symbolic links resolved; the path itself when that fails.
  virtual std::string real_path(const std::string &path) const = 0;

  /// e_machine of an ELF file, or of the first object in an archive; nothing
  /// for other files.
  virtual std::optional<unsigned>
  elf_machine(const std::string &path) const = 0;
};

} // namespace gpuexec

#endif
