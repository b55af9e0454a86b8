//===-- toolchain/cuda/fatbin/fatbin.h - CUDA's fat binaries ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fat binary is a header of 16 bytes and entries, each with a header of its
// own: PTX text that ends with a zero byte, or a cubin. clang puts it into the
// host's object, where libcudart reads it. Nothing is compressed here.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_CUDA_FATBIN_FATBIN_H
#define GPUEXEC_TOOLCHAIN_CUDA_FATBIN_FATBIN_H

#include <string>
#include <vector>

namespace gpuexec {

/// One image of a fat binary.
struct FatbinEntry {
  enum Kind { PTX, CUBIN } kind = PTX;
  unsigned sm = 0;          ///< 80 for sm_80 and compute_80
  std::string bytes;        ///< the PTX text, without a zero byte, or the cubin
  bool relocatable = false; ///< may use device code of other files
};

/// The fat binary of these images.
std::string make_fatbin(const std::vector<FatbinEntry> &entries);

/// The functions and variables that the PTX text declares and does not define,
/// demangled, in its order. What every device has, such as vprintf, is none.
std::vector<std::string> undefined_in(const std::string &ptx);

/// Reads "ptx,80,FILE" or "cubin,80,FILE" and the file. On an error returns an
/// entry without bytes and sets `problem`.
FatbinEntry read_entry(const std::string &description, std::string &problem);

} // namespace gpuexec

#endif
