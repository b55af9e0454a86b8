//===-- emulator/cuda/driver/link.h - Links of the driver -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuLinkCreate() makes: it takes images and gives one that can be loaded.
// Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_LINK_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_LINK_H

#include "emulator/cuda/driver/code.h"
#include "emulator/cuda/driver/jit_log.h"

#include <mutex>
#include <vector>

namespace gpuexec::cuda {

class Link {
public:
  Link(CodeSettings settings, JitLog log)
      : log(log), settings(std::move(settings)) {}

  /// Adds an image. `name` is for messages.
  CUresult add(CUjitInputType kind, std::string bytes, const std::string &name);
  /// Checks that the image can be translated. `bytes` are the link's, and end
  /// with a zero byte where they are text.
  CUresult complete(const std::string *&bytes);

  const JitLog log;

private:
  CUresult refuse(CUresult error, const std::string &name,
                  const std::string &why);

  const CodeSettings settings;
  std::mutex mutex; // guards what follows
  std::vector<Source> sources;
  std::string image;
};

} // namespace gpuexec::cuda

#endif
