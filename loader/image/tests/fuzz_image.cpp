//===-- loader/image/tests/fuzz_image.cpp - Any bytes as an image ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, parsing ends in images or in one line of text; what is in
// the images can be read.

#include "loader/image/image.h"
#include <cstdlib>

using namespace gpuexec;

static void require(bool condition) {
  if (!condition)
    abort();
}

static void read_everything(const Image &image) {
  llvm::StringRef bytes = image.bytes();
  volatile char last = bytes.empty() ? 0 : bytes.back();
  (void)last;
  for (const Kernel &kernel : image.kernels()) {
    require(image.find_kernel(kernel.name));
    require(kernel.wave_size == 32 || kernel.wave_size == 64);
    require(kernel.arguments_size <= kernel.kernarg_size);
    for (const Argument &argument : kernel.arguments)
      require(uint64_t(argument.offset) + argument.size <= kernel.kernarg_size);
    for (const HiddenArgument &argument : kernel.hidden)
      require(uint64_t(argument.offset) + argument.size <=
                  kernel.kernarg_size &&
              !to_string(argument.kind).empty());
  }
  for (const Global &global : image.globals())
    require(image.find_global(global.name));
  uint16_t priority = 0;
  for (const InitObject &object : image.constructors()) {
    require(object.priority >= priority);
    priority = object.priority;
  }
  image.rpc_client();
  require(image.max_wave_size() == 32 || image.max_wave_size() == 64);
  for (const char *device : {"gfx942:sramecc+:xnack-", "sm_90"})
    llvm::consumeError(image.runs_on(device));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  auto images = Image::parse_all({bytes, "file"});
  if (!images) {
    std::string message = llvm::toString(images.takeError());
    require(llvm::StringRef(message).starts_with("file") &&
            message.find('\n') == std::string::npos);
    return 0;
  }
  require(!images->empty());
  for (const Image &image : *images)
    read_everything(image);
  auto chosen = Image::choose(*images, "sm_90");
  if (!chosen)
    llvm::consumeError(chosen.takeError());
  return 0;
}
