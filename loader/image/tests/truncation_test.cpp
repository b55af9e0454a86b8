//===-- loader/image/tests/truncation_test.cpp - Cut off anywhere ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every proper prefix of an image is refused with one line that names the file,
// except where it is an image in its own right. The copies end
// where their allocation ends, so that a sanitizer sees a read beyond.
#include "test_images.h"
#include "llvm/Support/FileSystem.h"

using namespace gpuexec;

class Truncation : public testing::TestWithParam<const char *> {};

TEST_P(Truncation, AtEveryByte) {
  std::string path = std::string(TEST_IMAGES "/") + GetParam();
  if (!llvm::sys::fs::exists(path) && !HAS_PTXAS)
    GTEST_SKIP() << "no ptxas on this machine";
  auto file = load(GetParam());
  llvm::StringRef whole = file->getBuffer();
  bool text = whole.starts_with("//") || whole.starts_with(".");
  bool divisible = text || llvm::StringRef(GetParam()) == "offload";
  auto declarations = [](const std::vector<Image> &images) {
    size_t count = 0;
    for (const Image &image : images)
      count += image.kernels().size() + image.functions().size() +
               image.globals().size();
    return count;
  };
  size_t all = divisible ? declarations(parse(GetParam()).images) : 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    std::unique_ptr<char[]> copy(new char[size]);
    std::copy_n(whole.data(), size, copy.get());
    auto images = Image::parse_all({llvm::StringRef(copy.get(), size), "file"});
    if (images) {
      // PTX that ends between two declarations is PTX, and offload binaries are
      // several in a row; what is missing then must be missing in the result.
      bool harmless = (divisible && declarations(*images) < all) ||
                      (text && !whole.substr(size).contains('}'));
      EXPECT_TRUE(harmless) << "cut at byte " << size << " of " << whole.size();
      continue;
    }
    std::string message = llvm::toString(images.takeError());
    EXPECT_TRUE(llvm::StringRef(message).starts_with("file")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Images, Truncation,
                         testing::Values("gfx942", "gfx1100", "gfx942.o",
                                         "old-cubin", "program.ptx", "sm_75",
                                         "sm_90", "offload", "bundle-packed"));
