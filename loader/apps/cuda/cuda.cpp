//===-- loader/apps/cuda/cuda.cpp - gpuexec cuda --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a native CUDA program with libcuda and libcudart of gpuexec before
// others: emulator/cuda/, or for a device that a server lends, lending/cuda/.
//===----------------------------------------------------------------------===//
#include "loader/apps/native/native.h"
#include "loader/command_line/option_values.h"
#include "support/failure.h"
#include <cstdlib>

namespace gpuexec {
namespace {

using native::Options;
using Elf = llvm::object::ELF64LEFile;

constexpr OptionRow ROWS[] = {
#include "loader/apps/cuda/options.def"
};

/// True if the program's dynamic section names a library that begins so.
bool needs(const Elf &file, llvm::StringRef library) {
  auto entries = file.dynamicEntries();
  auto headers = file.program_headers();
  if (!entries || !headers) {
    llvm::consumeError(entries.takeError());
    llvm::consumeError(headers.takeError());
    return false;
  }
  uint64_t strings = 0;
  for (const auto &entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      strings = entry.getVal();
  llvm::Expected<const uint8_t *> table = file.toMappedAddr(strings);
  if (!table) {
    llvm::consumeError(table.takeError());
    return false;
  }
  const uint8_t *end = file.base() + file.getBufSize();
  for (const auto &entry : *entries) {
    if (entry.getTag() != llvm::ELF::DT_NEEDED ||
        entry.getVal() >= uint64_t(end - *table))
      continue;
    const uint8_t *name = *table + entry.getVal();
    if (llvm::StringRef(reinterpret_cast<const char *>(name),
                        size_t(end - name))
            .starts_with(library))
      return true;
  }
  return false;
}

/// Refuses a program that has NVIDIA's runtime in it.
llvm::Error check(const std::string &path, const Elf &program) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(program.base()),
                              program.getBufSize());
  // The linked-in runtime looks for the driver's private tables, whose name it
  // has as a string; a program with libcudart.so has it in that library.
  if (bytes.contains("cuGetExportTable") && !needs(program, "libcudart.so") &&
      !needs(program, "libcuda.so"))
    return failure(Reason::not_runnable,
                   "cuda: {0} has NVIDIA's runtime linked in, which needs "
                   "private interfaces of NVIDIA's driver: compile it with "
                   "'nvcc -cudart shared', or with gpucc",
                   path);
  return llvm::Error::success();
}

/// Where libcuda for devices of a server is, if one is named.
llvm::StringRef first_folder(const Options &) {
  const char *server = std::getenv("GPUEXEC_SERVER"); // --server sets it
  return server && *server && llvm::StringRef(server) != "off" ? "lent" : "";
}

constexpr native::Library LIBRARY = {
    .file = "cuda/libcuda.so.1",
    .variable = "LD_LIBRARY_PATH",
    .by_folder = true,
    .ends = ":",
    .ends_are = "a colon",
    .lost = "it takes no libraries of gpuexec",
    .check = check,
    .prepare = nullptr,
    .first_folder = first_folder,
};

ExitResult start(const Call &call) {
  return native::start(call, ROWS, LIBRARY);
}

} // namespace

const App apps::cuda = {ROWS, start};

} // namespace gpuexec
