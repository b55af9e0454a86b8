//===-- toolchain/ptx/main.cpp - gpucc-split-ptx --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc-split-ptx TEXT MAIN TABLES [LEAST]: divides the PTX in TEXT (split.h),
// if it has LEAST functions, for gpucc's ptxas (toolchain/cuda/bin/ptxas). The
// status is 0 when the two files were written, 3 when TEXT is to be compiled as
// it is, and 1 after an error.
//===----------------------------------------------------------------------===//
#include "toolchain/ptx/split.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

/// Modules of more functions are divided: ptxas 13.0 takes 0.3 GB for 436 and
/// more than 12 GB for 2 033, of which most reach each other; it compiles the
/// two parts of the latter in 1.5 GB.
static constexpr size_t LEAST_FUNCTIONS = 1500;
static constexpr int NOT_DIVIDED = 3;

static bool write(const char *path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), std::streamsize(text.size()));
  file.close();
  if (!file)
    std::fprintf(stderr, "gpucc-split-ptx: error: %s: %s\n", path,
                 std::strerror(errno));
  return bool(file);
}

int main(int argc, char **argv) {
  char *end = nullptr;
  const size_t least =
      argc > 4 ? std::strtoul(argv[4], &end, 10) : LEAST_FUNCTIONS;
  if (argc < 4 || argc > 5 || (end && (*end || end == argv[4]))) {
    std::fputs("usage: gpucc-split-ptx TEXT MAIN TABLES [LEAST]\n", stderr);
    return 1;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    std::fprintf(stderr, "gpucc-split-ptx: error: %s: %s\n", argv[1],
                 std::strerror(errno));
    return 1;
  }
  const gpuexec::SplitPtx split = gpuexec::split_ptx(text, least);
  if (!split.moved)
    return NOT_DIVIDED;
  return write(argv[2], split.main) && write(argv[3], split.tables) ? 0 : 1;
}
