//===-- emulator/cuda/driver/link.cpp - See link.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/link.h"
#include "emulator/cuda/driver/module.h"

namespace gpuexec::cuda {

CUresult Link::refuse(CUresult error, const std::string &name,
                      const std::string &why) {
  log.tell(name + ": " + why);
  return error;
}

CUresult Link::add(CUjitInputType kind, std::string bytes,
                   const std::string &name) {
  std::lock_guard guard(mutex);
  if (kind == CU_JIT_INPUT_OBJECT || kind == CU_JIT_INPUT_LIBRARY)
    return refuse(CUDA_ERROR_NOT_SUPPORTED, name,
                  "objects and libraries of the host are not linked: add PTX");
  if (kind != CU_JIT_INPUT_PTX && kind != CU_JIT_INPUT_FATBINARY &&
      kind != CU_JIT_INPUT_CUBIN)
    return refuse(CUDA_ERROR_INVALID_VALUE, name, "an unknown kind of input");
  bytes.push_back('\0'); // of a text whose size leaves it out
  Source read;
  std::string problem;
  switch (read_source(reinterpret_cast<uint64_t>(bytes.data()), read_own_memory,
                      read, problem)) {
  case SourceError::none:
    break;
  case SourceError::machine_code:
    return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, name, problem);
  default:
    return refuse(kind == CU_JIT_INPUT_PTX ? CUDA_ERROR_INVALID_PTX
                                           : CUDA_ERROR_INVALID_IMAGE,
                  name, problem);
  }
  if (read.kind == SourceKind::fat_binary) {
    std::string ptx, why;
    if (CodeError error = find_ptx(read, settings, ptx, why);
        error != CodeError::none)
      return refuse(result_of(error), name, why);
    read = {SourceKind::ptx, std::move(ptx)};
  }
  if (!sources.empty() &&
      (read.kind != SourceKind::ptx || sources.front().kind != SourceKind::ptx))
    return refuse(CUDA_ERROR_NOT_SUPPORTED, name,
                  "only PTX can be linked with other device code");
  sources.push_back(std::move(read));
  return CUDA_SUCCESS;
}

CUresult Link::complete(const std::string *&bytes) {
  std::lock_guard guard(mutex);
  if (sources.empty())
    return CUDA_ERROR_INVALID_VALUE;
  // gpuexec-ptx takes texts one behind the other.
  Source source;
  source.kind = sources.front().kind;
  for (const Source &each : sources)
    source.bytes += each.bytes + (sources.size() > 1 ? "\n" : "");
  Code code;
  std::string text;
  const CUresult error = result_of(make_code(source, settings, code, text));
  if (error != CUDA_SUCCESS) {
    log.tell(text);
    return error;
  }
  image = source.bytes;
  if (source.kind == SourceKind::ptx)
    image.push_back('\0');
  bytes = &image;
  return CUDA_SUCCESS;
}

} // namespace gpuexec::cuda
