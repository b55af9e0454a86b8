//===-- emulator/ptx/tool/link.cpp - A code object by ld.lld --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/tool/compile.h"
#include "support/find_program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// The path of ld.lld; empty when there is none.
std::string find_lld() {
  if (const char *named = std::getenv("GPUEXEC_LLD"); named && *named)
    return named;
  for (StringRef name : {"ld.lld-22", "ld.lld"})
    if (ErrorOr<std::string> found = find_our_program(name))
      return *found;
  static constexpr StringRef DEBIAN = "/usr/lib/llvm-22/bin/ld.lld";
  return sys::fs::can_execute(DEBIAN) ? DEBIAN.str() : "";
}

} // namespace

Expected<SmallVector<char, 0>> link_object(ArrayRef<char> object,
                                           bool is_host) {
  const std::string lld = find_lld();
  if (lld.empty())
    return createStringError(
        "error: ld.lld-22 not found (Debian: apt-get install lld-22)");
  SmallString<128> input, output;
  int descriptor;
  if (std::error_code error =
          sys::fs::createTemporaryFile("gpuexec-ptx", "o", descriptor, input))
    return createFileError("temporary file", error);
  FileRemover remove_input(input);
  {
    raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out.write(object.data(), object.size());
    out.close();
    if (out.has_error())
      return createFileError(input, out.error());
  }
  if (std::error_code error =
          sys::fs::createTemporaryFile("gpuexec-ptx", "co", output))
    return createFileError("temporary file", error);
  FileRemover remove_output(output);
  std::string message;
  const int status = sys::ExecuteAndWait(
      lld,
      // Host code finds memcpy and its like in the process.
      {lld, "-shared",
       is_host ? "--unresolved-symbols=ignore-all" : "--no-undefined", "-O1",
       input, "-o", output},
      std::nullopt, {}, 0, 0, &message);
  if (status)
    return createStringError("error: " + lld + " failed: " + message);
  ErrorOr<std::unique_ptr<MemoryBuffer>> made =
      MemoryBuffer::getFile(output, /*IsText=*/false, false);
  if (!made)
    return createFileError(output, made.getError());
  const StringRef bytes = (*made)->getBuffer();
  return SmallVector<char, 0>(bytes.begin(), bytes.end());
}

} // namespace gpuexec::ptx
