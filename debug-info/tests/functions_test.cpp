//===-- debug-info/tests/functions_test.cpp - Functions of an image -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "debug-info/functions.h"
#include "test/support/images_from_yaml.h"

#include <gmock/gmock.h>

using namespace gpuexec::debug_info;

TEST(Functions, AreFoundByAddress) {
  Functions functions;
  functions.add(image_with_lines());
  functions.sort();
  ASSERT_TRUE(functions.find(0x1000));
  EXPECT_EQ(functions.find(0x1000)->name, "walk");
  ASSERT_TRUE(functions.find(0x10ff));
  EXPECT_EQ(functions.find(0x10ff)->name, "walk");
  EXPECT_FALSE(functions.find(0x1100));
  EXPECT_FALSE(functions.find(0xfff));
  EXPECT_EQ(functions.find(0x2000)->name, "main");
}

TEST(Functions, NoBytesDoHarm) {
  const std::string image = image_with_lines();
  for (size_t size = 0; size < image.size(); ++size) {
    Functions functions;
    functions.add(llvm::StringRef(image).take_front(size));
  }
  for (size_t at = 0; at < image.size(); ++at)
    for (char value : {char(0), char(0x7f), char(0xff)}) {
      std::string broken = image;
      broken[at] = value;
      Functions functions;
      functions.add(broken);
      functions.sort();
      (void)functions.find(0x1000);
    }
}
