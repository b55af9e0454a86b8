//===-- toolchain/gpucc/gpucc.cpp - A C compiler for GPUs -----------------===//
// Picks the processor, then becomes clang 22 with the configuration file of its
// triple, which adds headers, start-up code and C library. Every argument that
// is not gpucc's own reaches clang as it is.
//===----------------------------------------------------------------------===//
#include "execute.h"
#include "host_machine.h"
#include "plan.h"

int main(int argc, char **argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  return gpuexec::execute(gpuexec::plan(arguments, gpuexec::HostMachine()));
}
