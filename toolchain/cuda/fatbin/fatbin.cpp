//===-- toolchain/cuda/fatbin/fatbin.cpp - See fatbin.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/cuda/fatbin/fatbin.h"
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace gpuexec {
namespace {

constexpr uint32_t MAGIC = 0xba55ed50;
constexpr uint16_t ENTRY_VERSION = 0x101;
constexpr uint64_t FLAG_64_BIT = 0x1, FLAG_LINUX = 0x10;

struct FileHeader {
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size; ///< of all entries
};
static_assert(sizeof(FileHeader) == 16, "what libcudart and libcuda read");

struct EntryHeader {
  uint16_t kind; ///< 1: PTX, 2: cubin
  uint16_t version;
  uint32_t header_size;
  uint64_t payload_size;    ///< a multiple of 8
  uint32_t compressed_size; ///< 0: not compressed
  uint32_t options;         ///< offset of ptxas's options; 0: none
  uint16_t minor, major;    ///< PTX's version, or the cubin format's
  uint32_t sm;              ///< 80 for sm_80
  uint32_t reserved[2];
  uint64_t flags;
  uint64_t reserved_too;
  uint64_t uncompressed_size; ///< 0: not compressed
};
static_assert(sizeof(EntryHeader) == 64 && offsetof(EntryHeader, sm) == 28 &&
                  offsetof(EntryHeader, flags) == 40,
              "what libcudart and libcuda read");

template <typename T> void append(std::string &to, const T &value) {
  to.append((const char *)&value, sizeof value);
}

/// Stores the version that the text's .version directive names.
void read_version(const std::string &ptx, EntryHeader &to) {
  const size_t at = ptx.find(".version");
  unsigned major = 0, minor = 0;
  if (at != ptx.npos)
    sscanf(ptx.c_str() + at, ".version %u.%u", &major, &minor);
  to.major = (uint16_t)major;
  to.minor = (uint16_t)minor;
}

void append_entry(std::string &to, const FatbinEntry &entry) {
  std::string payload = entry.bytes;
  EntryHeader header = {};
  header.version = ENTRY_VERSION;
  header.header_size = sizeof header;
  header.sm = entry.sm;
  header.flags = FLAG_64_BIT | FLAG_LINUX;
  if (entry.kind == FatbinEntry::PTX) {
    header.kind = 1;
    read_version(payload, header);
    payload.push_back('\0');
  } else {
    header.kind = 2;
    header.major = 1;
    header.minor = 8;
  }
  payload.resize((payload.size() + 7) / 8 * 8);
  header.payload_size = payload.size();
  append(to, header);
  to += payload;
}

} // namespace

std::string make_fatbin(const std::vector<FatbinEntry> &entries) {
  std::string body;
  for (const FatbinEntry &entry : entries)
    append_entry(body, entry);
  std::string all;
  append(all, FileHeader{MAGIC, 1, sizeof(FileHeader), body.size()});
  return all + body;
}

FatbinEntry read_entry(const std::string &description, std::string &problem) {
  FatbinEntry entry;
  const size_t first = description.find(',');
  const size_t second =
      first == description.npos ? first : description.find(',', first + 1);
  const std::string kind = description.substr(0, first);
  if (second == description.npos || (kind != "ptx" && kind != "cubin")) {
    problem = description + ": not ptx,SM,FILE or cubin,SM,FILE";
    return entry;
  }
  entry.kind = kind == "ptx" ? FatbinEntry::PTX : FatbinEntry::CUBIN;
  entry.sm = (unsigned)atoi(description.c_str() + first + 1);
  const std::string path = description.substr(second + 1);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    problem = path + ": " + strerror(errno);
  else
    entry.bytes.assign(std::istreambuf_iterator<char>(file), {});
  return entry;
}

} // namespace gpuexec
