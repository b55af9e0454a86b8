//===-- toolchain/gpucc/host_machine.h - The host as a Machine --*- C++ -*-===//
#ifndef GPUEXEC_GPUCC_HOST_MACHINE_H
#define GPUEXEC_GPUCC_HOST_MACHINE_H

#include "machine.h"

namespace gpuexec {

class HostMachine final : public Machine {
public:
  std::string device_root(std::string &problem) const override;
  std::optional<std::string> native_arch() const override;
  std::optional<std::string> variable(const char *name) const override;
  bool is_executable(const std::string &path) const override;
  int cannot_read(const std::string &path) const override;
  std::string real_path(const std::string &path) const override;
  std::optional<unsigned> elf_machine(const std::string &path) const override;
};

} // namespace gpuexec

#endif
