//===-- rpc/services/plugins.h - Services from shared libraries -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --service FILE: a user's shared library serves opcodes
// (rpc/include/gpuexec_service.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_PLUGINS_H
#define GPUEXEC_RPC_SERVICES_PLUGINS_H

#include "rpc/server/port.h"
#include "rpc/server/registry.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace gpuexec::rpc {

class Services;

class Plugins {
public:
  /// Loads services.options.services and adds their opcodes to `registry`.
  static llvm::Expected<std::unique_ptr<Plugins>> load(Services &services,
                                                       Registry &registry);
  /// Tells the libraries that the program has ended. They stay loaded, because
  /// their threads may still run their code.
  ~Plugins();

private:
  struct Plugin;
  static Task<> serve(void *context, Port &port);
  Plugins();
  std::vector<std::unique_ptr<Plugin>> plugins;
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_PLUGINS_H
