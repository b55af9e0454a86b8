//===-- toolchain/gpucc/cuda_arguments.h - A CUDA command line --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With a .cu file, with -x cuda, or called as gpu-nvcc, gpucc compiles a host
// program with kernels. Its options are then clang's and nvcc's, sorted here by
// the compilation that they concern.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_GPUCC_CUDA_ARGUMENTS_H
#define GPUEXEC_GPUCC_CUDA_ARGUMENTS_H

#include <set>
#include <string>
#include <vector>

namespace gpuexec {

struct CudaArguments {
  struct Input {
    std::string path;
    bool is_cuda;         ///< else C, C++ or assembly of the host
    std::string language; ///< of -x; "": what the name says
  };
  /// What the linker gets, in the order of the command line.
  struct LinkItem {
    std::string text;
    int input = -1; ///< the object of this input; -1: `text`
  };
  enum Stop {
    LINK,
    OBJECT,
    ASSEMBLY,
    PREPROCESS,
    SYNTAX,
    DEPENDENCIES,
    PTX,
    FATBIN,
    CUBIN,
    DEVICE_LINK
  } stop = LINK;

  std::vector<Input> inputs;
  std::vector<LinkItem> link;
  std::vector<std::string> both;   ///< for the device's and the host's clang
  std::vector<std::string> device; ///< for the device's alone
  std::vector<std::string> host;   ///< for the host's, and for files in C++
  std::vector<std::string> dependencies; ///< -M, -MD and its like
  std::vector<std::string> ptxas;
  std::set<unsigned> ptx_for;   ///< 80 for compute_80: PTX is made of these
  std::set<unsigned> cubin_for; ///< 80 for sm_80: machine code, too
  std::string output;
  bool cudart = true;       ///< link with libcudart
  bool relocatable = false; ///< device code may use that of other files
  bool shared = false;      ///< a shared library of the host
  bool dry_run = false, version = false;
};

/// Does this command line compile CUDA?
bool means_cuda(const std::vector<std::string> &argv);

/// Reads argv, including the name of the program. Stops at the first wrong
/// argument and says in `problem` what is wrong with it. `native` is the
/// processor of -arch=native; "": this machine has no NVIDIA GPU.
CudaArguments parse_cuda_arguments(const std::vector<std::string> &argv,
                                   const std::string &native,
                                   std::string &problem);

} // namespace gpuexec

#endif
