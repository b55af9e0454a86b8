//===-- loader/image/tests/image_test.cpp - What is no image --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test_images.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace gpuexec;
using testing::StartsWith;

static std::pair<ImageError::Reason, std::string>
read_error(const std::string &path) {
  auto file = Image::read_file(path);
  EXPECT_FALSE(static_cast<bool>(file)) << path;
  std::pair<ImageError::Reason, std::string> result;
  llvm::handleAllErrors(file.takeError(), [&](const ImageError &error) {
    result = {error.reason(), error.message()};
  });
  return result;
}

TEST(ReadFile, NamesFileAndReason) {
  EXPECT_EQ(
      read_error("/nonexistent/x"),
      std::pair(ImageError::Reason::not_found,
                std::string("/nonexistent/x: No such file or directory")));
  EXPECT_EQ(read_error("/etc/passwd/x").first, ImageError::Reason::not_found);
  EXPECT_EQ(read_error("/tmp"), std::pair(ImageError::Reason::unreadable,
                                          std::string("/tmp: is a directory")));
  EXPECT_EQ(read_error("/dev/null"),
            std::pair(ImageError::Reason::no_image,
                      std::string("/dev/null: the file is empty")));
}

// What has no end is not read to its end.
TEST(ReadFile, Devices) {
  auto zero = Image::read_file("/dev/zero");
  ASSERT_TRUE(static_cast<bool>(zero));
  EXPECT_LE((*zero)->getBufferSize(), 1u << 20);
  EXPECT_EQ(refusal((*zero)->getBuffer()),
            "file: unknown file format: not a GPU image");
}

// A file of zeros without blocks that claims gigabytes.
TEST(ReadFile, SizesHaveALimit) {
  const std::string path = testing::TempDir() + "gpuexec-image-test.large";
  std::ofstream(path) << "\x7f"
                         "ELF";
  ASSERT_EQ(truncate(path.c_str(), off_t(3) << 30), 0);
  EXPECT_EQ(read_error(path).second,
            path + ": 3221225472 bytes, more than the limit of 2147483648");
  std::ofstream(path) << "no image";
  ASSERT_EQ(truncate(path.c_str(), off_t(1) << 30), 0);
  auto file = Image::read_file(path);
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_LE((*file)->getBufferSize(), 1u << 20) << "of a file of 1 GiB";
  unlink(path.c_str());
}

// What was checked is what is used: the file may change, or be cut off.
TEST(ReadFile, BytesStayWhateverHappensToTheFile) {
  const std::string path = testing::TempDir() + "gpuexec-image-test.cut";
  const std::string bytes(load("gfx942")->getBuffer());
  std::ofstream(path, std::ios::binary) << bytes << std::string(100000, 'x');
  auto file = Image::read_file(path);
  ASSERT_TRUE(static_cast<bool>(file));
  ASSERT_EQ(truncate(path.c_str(), 0), 0);
  EXPECT_TRUE((*file)->getBuffer().starts_with(bytes));
  EXPECT_TRUE((*file)->getBuffer().ends_with("xxx"));
  unlink(path.c_str());
}

TEST(ReadFile, Pipes) {
  std::string path = testing::TempDir() + "gpuexec-image-test.fifo";
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string bytes(load("gfx942")->getBuffer());
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  auto file = Image::read_file(path);
  writer.join();
  unlink(path.c_str());
  ASSERT_TRUE(static_cast<bool>(file));
  EXPECT_EQ((*file)->getBuffer(), bytes);
  EXPECT_EQ((*file)->getBufferIdentifier(), path);
}

TEST(Strangers, AreNamed) {
  EXPECT_EQ(refusal(""), "file: the file is empty");
  EXPECT_EQ(refusal("hello\n"), "file: text, and not PTX: not a GPU image");
  EXPECT_EQ(refusal("#!/bin/sh\n"), "file: a script: not a GPU image");
  EXPECT_EQ(refusal(std::string("\x01\x00\x02", 3)),
            "file: unknown file format: not a GPU image");
  EXPECT_EQ(refusal("!<arch>\n"), "file: an archive: not a GPU image");
  EXPECT_EQ(refusal(load("bitcode.bc")->getBuffer()),
            "file: LLVM bitcode, not linked: not a GPU image");
  EXPECT_EQ(refusal(load("host.o")->getBuffer()),
            "file: an ELF file for x86-64: not a GPU image");
  EXPECT_EQ(refusal(load("x86-32.o")->getBuffer()),
            "file: a 32-bit ELF file for x86: not a GPU image");
  EXPECT_EQ(refusal("\x7f"
                    "ELF"),
            "file: truncated: an ELF header of 4 bytes");
}

TEST(SelfRun, IsTheImageBehindTheLine) {
  const std::string image(load("gfx942")->getBuffer());
  for (const std::string &line :
       {std::string("#!/usr/bin/gpuexec\n"), "#!x" + std::string(4093, '\n')}) {
    const std::string bytes = line + image;
    auto found = Image::parse_all({bytes, "file"});
    ASSERT_TRUE(static_cast<bool>(found));
    ASSERT_EQ(found->size(), 1u);
  }
  // gpucc --self-run's script is of 4096 bytes.
  std::string script = "#!/bin/sh\nexec gpuexec \"$0\"\nexit 127\n";
  script.resize(4096, '\n');
  const std::string bytes = script + image;
  auto found = Image::parse_all({bytes, "file"});
  ASSERT_TRUE(static_cast<bool>(found));
  EXPECT_EQ(found->size(), 1u);
  // Neither a line without end nor an image in an image in an image ...
  EXPECT_EQ(refusal("#!" + std::string(5000, 'x') + "\n" + image),
            "file: a script: not a GPU image");
  EXPECT_EQ(refusal("#!/bin/sh\n#!/bin/sh\n" + image),
            "file: a script: not a GPU image");
  EXPECT_NE(refusal("#!/usr/bin/gpuexec\n\n\x7f"
                    "ELF"),
            "");
}

TEST(Strangers, CannotBreakTheLine) {
  std::string message = refusal(".version 7.0\n.target \"\x1b[31m\nred\"");
  EXPECT_EQ(message.find_first_of("\n\x1b"), std::string::npos) << message;
}

TEST(Strangers, ReasonsAreKinds) {
  auto reason = [](llvm::StringRef bytes) {
    ImageError::Reason result{};
    llvm::handleAllErrors(
        Image::parse({bytes, "file"}).takeError(),
        [&](const ImageError &error) { result = error.reason(); });
    return result;
  };
  EXPECT_EQ(reason("hello"), ImageError::Reason::no_image);
  EXPECT_EQ(reason(".version 7.0"), ImageError::Reason::malformed);
}
