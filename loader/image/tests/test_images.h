//===-- loader/image/tests/test_images.h - Reads the made images ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_IMAGE_TESTS_TEST_IMAGES_H
#define GPUEXEC_LOADER_IMAGE_TESTS_TEST_IMAGES_H

#include "loader/image/image.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace gpuexec {

inline std::unique_ptr<llvm::MemoryBuffer> load(const std::string &name) {
  auto file = Image::read_file(std::string(TEST_IMAGES "/") + name);
  if (file)
    return std::move(*file);
  ADD_FAILURE() << llvm::toString(file.takeError());
  return llvm::MemoryBuffer::getMemBuffer("");
}

/// An image together with the bytes that it refers to.
struct Loaded {
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::vector<Image> images;
  const Image &only() const { return images.at(0); }
};

inline Loaded parse(std::unique_ptr<llvm::MemoryBuffer> file) {
  Loaded loaded{std::move(file), {}};
  auto images = Image::parse_all(loaded.file->getMemBufferRef());
  if (images)
    loaded.images = std::move(*images);
  else
    ADD_FAILURE() << llvm::toString(images.takeError());
  return loaded;
}
inline Loaded parse(const std::string &name) { return parse(load(name)); }
inline Loaded parse_text(llvm::StringRef text) {
  return parse(llvm::MemoryBuffer::getMemBufferCopy(text, "text.ptx"));
}

/// The error of bytes that are to be refused, or "" when they were taken.
inline std::string refusal(llvm::StringRef bytes) {
  auto image = Image::parse(llvm::MemoryBufferRef(bytes, "file"));
  return image ? "" : llvm::toString(image.takeError());
}

#define SKIP_WITHOUT_PTXAS()                                                   \
  if (!HAS_PTXAS)                                                              \
  GTEST_SKIP() << "no ptxas on this machine"

} // namespace gpuexec

#endif
