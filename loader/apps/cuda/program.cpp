//===-- loader/apps/cuda/program.cpp - See program.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/cuda/program.h"
#include "support/failure.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

namespace gpuexec::cuda {

namespace {

using Elf = llvm::object::ELF64LEFile;

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

llvm::Error check_elf(const std::string &path, llvm::StringRef bytes) {
  llvm::Expected<Elf> file = Elf::create(bytes);
  if (!file)
    return failure(Reason::not_runnable, "cuda: {0}: {1}", path,
                   llvm::toString(file.takeError()));
  const unsigned machine = file->getHeader().e_machine;
  if (machine == llvm::ELF::EM_AMDGPU || machine == llvm::ELF::EM_CUDA)
    return failure(Reason::not_runnable,
                   "cuda: {0} is a program for a GPU, and 'gpuexec cuda' runs "
                   "native ones: run it with 'gpuexec {0}'",
                   path);
  llvm::Expected<Elf::Elf_Phdr_Range> headers = file->program_headers();
  if (!headers)
    return failure(Reason::not_runnable, "cuda: {0}: {1}", path,
                   llvm::toString(headers.takeError()));
  bool is_dynamic = false;
  for (const auto &header : *headers)
    is_dynamic |= header.p_type == llvm::ELF::PT_INTERP;
  if (!is_dynamic)
    return failure(Reason::not_runnable,
                   "cuda: {0} is linked statically: it takes no libraries of "
                   "gpuexec",
                   path);
  // The linked-in runtime looks for the driver's private tables, whose name it
  // has as a string; a program with libcudart.so has it in that library.
  if (bytes.contains("cuGetExportTable") && !needs(*file, "libcudart.so") &&
      !needs(*file, "libcuda.so"))
    return failure(Reason::not_runnable,
                   "cuda: {0} has NVIDIA's runtime linked in, which needs "
                   "private interfaces of NVIDIA's driver: compile it with "
                   "'nvcc -cudart shared', or with gpucc",
                   path);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::string> find_program(llvm::StringRef name) {
  if (name.contains('/')) {
    if (::access(name.str().c_str(), F_OK) == 0)
      return name.str();
  } else if (llvm::ErrorOr<std::string> path =
                 llvm::sys::findProgramByName(name)) {
    return *path;
  }
  return failure(Reason::failed, "cuda: {0}: no such program", name);
}

llvm::Error check_program(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer) // one that may be run, but not read; exec says what it is
    return llvm::Error::success();
  llvm::StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.starts_with(llvm::StringRef("\177ELF", 4)))
    return llvm::Error::success(); // a script
  return check_elf(path, bytes);
}

} // namespace gpuexec::cuda
