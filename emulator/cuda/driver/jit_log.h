//===-- emulator/cuda/driver/jit_log.h - What compilers say -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options by which a program asks for the messages of a compilation or a
// link (CU_JIT_ERROR_LOG_BUFFER and its like). Other options have no meaning
// here, and are ignored.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_JIT_LOG_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_JIT_LOG_H

#include "emulator/cuda/driver/types.h"
#include <string>

namespace gpuexec::cuda {

/// Where the program wants messages. Its buffers must live as long as this.
class JitLog {
public:
  JitLog() = default;
  /// Reads the options. Says at once that there are no messages yet.
  JitLog(unsigned count, CUjit_option *options, void **values);
  /// Writes errors to the program's buffer, cut to its size and with a zero
  /// byte, or to standard error where the program has named none.
  void tell(const std::string &text) const;

  /// Whether the program has named a buffer.
  bool is_wanted() const { return errors.text || information.text; }
  /// Writes both kinds of messages to the buffers that there are.
  void write(const std::string &info, const std::string &problems) const;

private:
  struct Buffer {
    char *text = nullptr;
    size_t size = 0;
    void **written = nullptr; ///< gets the number of bytes
    void write(const std::string &content) const;
  };
  Buffer errors, information;
};

} // namespace gpuexec::cuda

#endif
