//===-- loader/apps/native/program.cpp - See program.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/native/program.h"
#include "support/failure.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::native {

using llvm::object::ELF64LEFile;

llvm::Expected<std::string> find_program(llvm::StringRef command,
                                         llvm::StringRef name) {
  if (name.contains('/')) {
    if (::access(name.str().c_str(), F_OK) == 0)
      return name.str();
  } else if (llvm::ErrorOr<std::string> path =
                 llvm::sys::findProgramByName(name)) {
    return *path;
  }
  return failure(Reason::failed, "{0}: {1}: no such program", command, name);
}

namespace {

/// Of a program for this machine; other files are left to the kernel: scripts
/// have an interpreter that is dynamically linked.
llvm::Error check_elf(llvm::StringRef command, const std::string &path,
                      llvm::StringRef bytes, const Library &library) {
  llvm::Expected<ELF64LEFile> file = ELF64LEFile::create(bytes);
  if (!file)
    return failure(Reason::not_runnable, "{0}: {1}: {2}", command, path,
                   llvm::toString(file.takeError()));
  const unsigned machine = file->getHeader().e_machine;
  if (machine == llvm::ELF::EM_AMDGPU || machine == llvm::ELF::EM_CUDA)
    return failure(Reason::not_runnable,
                   "{0}: {1} is a program for a GPU, and 'gpuexec {0}' runs "
                   "native ones: run it with 'gpuexec {1}'",
                   command, path);
  llvm::Expected<ELF64LEFile::Elf_Phdr_Range> headers = file->program_headers();
  if (!headers)
    return failure(Reason::not_runnable, "{0}: {1}: {2}", command, path,
                   llvm::toString(headers.takeError()));
  for (const auto &header : *headers)
    if (header.p_type == llvm::ELF::PT_INTERP)
      return library.check ? library.check(path, *file)
                           : llvm::Error::success();
  return failure(Reason::not_runnable, "{0}: {1} is linked statically: {2}",
                 command, path, library.lost);
}

} // namespace

llvm::Error check_program(llvm::StringRef command, const std::string &path,
                          const Library &library) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return failure(Reason::not_runnable, "{0}: {1}: {2}", command, path,
                   llvm::errnoAsErrorCode().message());
  if (S_ISDIR(status.st_mode))
    return failure(Reason::not_runnable, "{0}: {1} is a directory", command,
                   path);
  const bool changes_user =
      (status.st_mode & S_ISUID) && status.st_uid != ::getuid();
  const bool changes_group =
      (status.st_mode & S_ISGID) && status.st_gid != ::getgid();
  if (changes_user || changes_group)
    return failure(Reason::not_runnable,
                   "{0}: {1} runs as another user (set-user-ID): the dynamic "
                   "linker takes no libraries from {2} for it",
                   command, path, library.variable);
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer) // one that may be run, but not read
    return llvm::Error::success();
  llvm::StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.starts_with(llvm::StringRef("\177ELF", 4)))
    return llvm::Error::success();
  if (bytes.size() > 4 && bytes[4] != llvm::ELF::ELFCLASS64)
    return failure(Reason::not_runnable,
                   "{0}: {1} is a program of 32 bits; the library has 64",
                   command, path);
  return check_elf(command, path, bytes, library);
}

} // namespace gpuexec::native
