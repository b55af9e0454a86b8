//===-- emulator/cuda/driver/jit_log.cpp - See jit_log.h ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/jit_log.h"
#include "support/printable.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace gpuexec::cuda {

JitLog::JitLog(unsigned count, CUjit_option *options, void **values) {
  for (unsigned i = 0; options && values && i < count; ++i) {
    Buffer &buffer = options[i] == CU_JIT_INFO_LOG_BUFFER ||
                             options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES
                         ? information
                         : errors;
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER ||
        options[i] == CU_JIT_INFO_LOG_BUFFER) {
      buffer.text = static_cast<char *>(values[i]);
    } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES ||
               options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES) {
      buffer.size =
          uint32_t(reinterpret_cast<size_t>(values[i])); // an unsigned
      buffer.written = &values[i];
    }
  }
  write("", "");
}

void JitLog::Buffer::write(const std::string &content) const {
  size_t length = 0;
  if (text && size) {
    length = std::min(content.size(), size - 1);
    memcpy(text, content.data(), length);
    text[length] = 0;
  }
  if (written)
    *written = reinterpret_cast<void *>(length);
}

void JitLog::write(const std::string &info, const std::string &problems) const {
  information.write(info);
  errors.write(problems);
}

void JitLog::tell(const std::string &text) const {
  errors.write(text);
  if (!(errors.text && errors.size) && !text.empty())
    fprintf(stderr, "gpuexec cuda: %s\n", printable_lines(text).c_str());
}

} // namespace gpuexec::cuda
