//===-- rpc/services/text.h - Strings that a device sent --------*- C++ -*-===//
#ifndef GPUEXEC_RPC_SERVICES_TEXT_H
#define GPUEXEC_RPC_SERVICES_TEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuexec::rpc {

/// Up to the first NUL, or all where there is none.
inline std::string c_string(llvm::StringRef bytes) {
  return bytes.take_until([](char c) { return c == 0; }).str();
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_TEXT_H
