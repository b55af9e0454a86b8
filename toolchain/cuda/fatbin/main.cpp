//===-- toolchain/cuda/fatbin/main.cpp - gpucc-fatbin ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpucc-fatbin [--relocatable] OUT ENTRY...: writes a fat binary. gpucc runs it
// between the compilations for the device and for the host. An ENTRY is
// ptx,80,FILE or cubin,80,FILE. --relocatable: the device code may use that of
// other files.
//===----------------------------------------------------------------------===//
#include "toolchain/cuda/fatbin/fatbin.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace {

int fail(const std::string &message) {
  fprintf(stderr, "gpucc-fatbin: error: %s\n", message.c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  const bool relocatable = argc > 1 && !strcmp(argv[1], "--relocatable");
  argc -= relocatable;
  argv += relocatable;
  if (argc < 3)
    return fail(
        "usage: gpucc-fatbin [--relocatable] OUT ENTRY... (ptx,80,FILE)");
  std::vector<gpuexec::FatbinEntry> entries;
  for (int i = 2; i < argc; ++i) {
    std::string problem;
    entries.push_back(gpuexec::read_entry(argv[i], problem));
    if (!problem.empty())
      return fail(problem);
    entries.back().relocatable = relocatable;
    if (entries.back().kind == gpuexec::FatbinEntry::PTX && !relocatable)
      for (const std::string &name :
           gpuexec::undefined_in(entries.back().bytes))
        return fail("device code uses '" + name +
                    "', which its file does not define: device code of several "
                    "files is linked with -rdc=true");
  }
  std::ofstream out(argv[1], std::ios::binary);
  out << gpuexec::make_fatbin(entries);
  if (!out.flush())
    return fail(argv[1] + std::string(": ") + strerror(errno));
  return 0;
}
