//===-- emulator/cuda/tests/source_test.cpp - Images without a length -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/code.h"
#include "gtest/gtest.h"

#include <cstring>
#include <elf.h>
#include <sys/mman.h>

using namespace gpuexec::cuda;

namespace {

constexpr uint64_t BASE = 0x10000;

/// An image at BASE, and what reading it gives.
struct Reading {
  explicit Reading(std::string memory) {
    auto read = [&](uint64_t address, void *to, size_t size) {
      if (address < BASE || address - BASE > memory.size() ||
          size > memory.size() - (address - BASE))
        return false;
      memcpy(to, memory.data() + (address - BASE), size);
      return true;
    };
    error = read_source(BASE, read, source, problem);
  }
  Source source;
  std::string problem;
  SourceError error;
};

template <typename T> std::string bytes(T value) {
  return std::string(reinterpret_cast<char *>(&value), sizeof(value));
}

std::string wrapper(uint32_t version, uint64_t offset) {
  return bytes(uint32_t(0x466243b1)) + bytes(version) + bytes(BASE + offset) +
         bytes(uint64_t(0));
}

/// An entry of PTX for sm_`target`, not packed, or of machine code.
std::string entry(bool is_ptx, uint32_t target, std::string payload) {
  std::string header(64, '\0');
  auto put = [&](size_t at, auto value) {
    memcpy(header.data() + at, &value, sizeof(value));
  };
  put(0, uint16_t(is_ptx ? 1 : 2));
  put(2, uint16_t(0x101));
  put(4, uint32_t(64));
  put(8, uint64_t(payload.size()));
  put(28, target);
  return header + payload;
}

std::string ptx(unsigned target) {
  return ".version 7.0\n.target sm_" + std::to_string(target) +
         "\n.address_size 64\n";
}

std::string fat_binary(const std::string &entries) {
  return bytes(uint32_t(0xba55ed50)) + bytes(uint16_t(1)) +
         bytes(uint16_t(16)) + bytes(uint64_t(entries.size())) + entries;
}

/// Whether the device can use the fat binary; the reason in `log`.
CodeError check(const std::string &image, std::string &log) {
  Reading reading(image);
  EXPECT_EQ(reading.error, SourceError::none) << reading.problem;
  return check_source(reading.source,
                      {.processor = "gfx1100", .capability = 80}, log);
}

TEST(Source, TextEndsAtItsZeroByte) {
  Reading reading("// a comment\n.version 8.0\n" + std::string("\0x", 2) +
                  std::string(8192, 'x'));
  EXPECT_EQ(reading.error, SourceError::none);
  EXPECT_EQ(reading.source.kind, SourceKind::ptx);
  EXPECT_EQ(reading.source.bytes, "// a comment\n.version 8.0\n");
}

TEST(Source, TextWithoutAZeroByteIsRefused) {
  EXPECT_EQ(Reading(".version 8.0").error, SourceError::invalid);
}

TEST(Source, OtherTextIsRefused) {
  Reading reading("hello" + std::string(8192, '\0'));
  EXPECT_EQ(reading.error, SourceError::invalid);
  EXPECT_EQ(reading.problem, "the image is no fat binary, ELF file or PTX");
}

TEST(Source, AWrapperLeadsToItsFatBinary) {
  const std::string fat = fat_binary(entry(true, 50, ptx(50)));
  Reading reading(wrapper(1, 24) + fat + "behind");
  EXPECT_EQ(reading.error, SourceError::none);
  EXPECT_EQ(reading.source.bytes, fat);
}

TEST(Source, AWrapperOfPartsToLinkIsRefused) {
  EXPECT_EQ(Reading(wrapper(2, 24) + fat_binary("")).error,
            SourceError::relocatable);
}

TEST(Source, ASizeThatLiesIsAnError) {
  std::string fat = fat_binary(entry(true, 50, ptx(50)));
  fat[13] = 1; // 1 TiB
  EXPECT_EQ(Reading(fat).error, SourceError::invalid);
}

TEST(Source, ACubinIsMachineCode) {
  Elf64_Ehdr header{};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 190;
  EXPECT_EQ(Reading(bytes(header)).error, SourceError::machine_code);
}

TEST(Source, AnElfFileEndsWhereItsHeadersSay) {
  Elf64_Ehdr header{};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 224;
  header.e_phoff = sizeof(header);
  header.e_phnum = 1;
  header.e_phentsize = sizeof(Elf64_Phdr);
  Elf64_Phdr segment{};
  segment.p_offset = 128;
  segment.p_filesz = 72;
  const std::string file = bytes(header) + bytes(segment);
  EXPECT_EQ(Reading(file + std::string(200, 'x')).source.bytes.size(), 200U);
  EXPECT_EQ(Reading(file).error, SourceError::invalid);
}

TEST(Source, MemoryThatIsNotMappedIsNotRead) {
  char byte = 0;
  EXPECT_TRUE(read_own_memory(reinterpret_cast<uint64_t>(&byte), &byte, 1));
  void *page =
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_FALSE(read_own_memory(reinterpret_cast<uint64_t>(page), &byte, 1));
  munmap(page, 4096);
}

TEST(Code, PtxForAnOlderDeviceIsTaken) {
  std::string log;
  EXPECT_EQ(
      check(fat_binary(entry(true, 50, ptx(50)) + entry(true, 90, ptx(90))),
            log),
      CodeError::none);
}

TEST(Code, PtxForANewerDeviceIsRefusedWithItsNumber) {
  std::string log;
  EXPECT_EQ(check(fat_binary(entry(true, 90, ptx(90))), log),
            CodeError::no_binary);
  EXPECT_NE(log.find("sm_90 at least, and the device is sm_80"),
            std::string::npos)
      << log;
}

TEST(Code, PtxForANewerDeviceIsTakenWhereThatIsWantedAndThereIsNoOther) {
  const auto chosen = [](const std::string &entries) {
    Reading reading(fat_binary(entries));
    std::string found, log;
    EXPECT_EQ(find_ptx(reading.source,
                       {.processor = "gfx1100", .takes_newer = true}, found,
                       log),
              CodeError::none)
        << log;
    return found;
  };
  EXPECT_EQ(chosen(entry(true, 100, ptx(100)) + entry(true, 90, ptx(90))),
            ptx(90));
  EXPECT_EQ(chosen(entry(true, 90, ptx(90)) + entry(true, 70, ptx(70))),
            ptx(70));
}

TEST(Code, MachineCodeAloneIsRefused) {
  std::string log;
  EXPECT_EQ(check(fat_binary(entry(false, 80, "\177ELF code")), log),
            CodeError::no_binary);
  EXPECT_NE(log.find("no PTX"), std::string::npos) << log;
}

TEST(Code, AFatBinaryWhoseEntriesLieIsInvalid) {
  std::string broken = entry(true, 50, ptx(50)), log;
  broken[8] = char(255);
  EXPECT_EQ(check(fat_binary(broken), log), CodeError::invalid_image);
}

} // namespace
