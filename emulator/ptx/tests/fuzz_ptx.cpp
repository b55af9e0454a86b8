//===-- emulator/ptx/tests/fuzz_ptx.cpp - Any text as PTX -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text is parsed and lowered, or refused with a message.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/module.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include <cstdlib>

using namespace llvm;

/// Every message says where it is.
static void check(Error error) {
  if (!StringRef(toString(std::move(error))).starts_with("input:"))
    abort();
}

/// LLVM's own libraries do not unpoison what its allocators, here, poison.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const StringRef text(reinterpret_cast<const char *>(data), size);
  Expected<gpuexec::ptx::Module> module = gpuexec::ptx::parse(text, "input");
  if (!module) {
    check(module.takeError());
    return 0;
  }
  LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> lowered =
      gpuexec::ptx::lower(*module, "input", context);
  if (!lowered)
    check(lowered.takeError());
  else
    verifyModule(**lowered);
  return 0;
}
