//===-- toolchain/cuda/fatbin/fatbin.cpp - See fatbin.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/cuda/fatbin/fatbin.h"
#include "gpu/fat_binary.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <fstream>
#include <iterator>

namespace gpuexec {
namespace {

constexpr uint16_t ENTRY_VERSION = 0x101;
constexpr uint64_t FLAG_64_BIT = 0x1, FLAG_LINUX = 0x10;

/// The options for ptxas, behind the header of each PTX. Without it NVIDIA's
/// driver (580) ends with a fault of the host.
struct Options {
  uint32_t text; ///< offset from the entry's begin
  uint32_t size;
  uint64_t padding;
};
static_assert(sizeof(Options) == 16, "what libcuda reads");

template <typename T> void append(std::string &to, const T &value) {
  to.append((const char *)&value, sizeof value);
}

/// Stores the version that the text's .version directive names.
void read_version(const std::string &ptx, FatBinaryEntry &to) {
  const size_t at = ptx.find(".version");
  unsigned major = 0, minor = 0;
  if (at != ptx.npos)
    sscanf(ptx.c_str() + at, ".version %u.%u", &major, &minor);
  to.major = (uint16_t)major;
  to.minor = (uint16_t)minor;
}

void append_entry(std::string &to, const FatbinEntry &entry) {
  std::string payload = entry.bytes;
  FatBinaryEntry header = {};
  header.version = ENTRY_VERSION;
  header.header_size = sizeof header;
  header.sm = entry.sm;
  header.flags = FLAG_64_BIT | FLAG_LINUX;
  if (entry.relocatable)
    header.flags |= FAT_BINARY_RELOCATABLE;
  if (entry.kind == FatbinEntry::PTX) {
    header.kind = FAT_BINARY_PTX;
    read_version(payload, header);
    payload.push_back('\0');
    header.options = sizeof header;
    header.header_size += sizeof(Options);
  } else {
    header.kind = FAT_BINARY_CUBIN;
    header.major = 1;
    header.minor = 8;
  }
  payload.resize((payload.size() + 7) / 8 * 8);
  header.payload_size = payload.size();
  append(to, header);
  if (header.options)
    append(to, Options{uint32_t(header.options + offsetof(Options, padding)), 0,
                       0});
  to += payload;
}

bool is_part_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
         c == '%';
}

/// The name in "(RESULT) NAME (" or ".align 4 .u32 NAME;", behind the words
/// ".extern .func" or ".extern .global", which end at `from` of the text; "" in
/// a text that ends before.
std::string declared_after(const std::string &ptx, size_t from) {
  from = std::min(ptx.find_first_not_of(" \t\n", from), ptx.size());
  if (ptx[from] == '(') // a result
    from = std::min(ptx.find(')', from), ptx.size() - 1) + 1;
  size_t end = ptx.find_first_of("([;{", from);
  if (end == ptx.npos)
    return "";
  while (end > from && isspace((unsigned char)ptx[end - 1]))
    --end;
  size_t begin = end;
  while (begin > from && is_part_of_name(ptx[begin - 1]))
    --begin;
  return ptx.substr(begin, end - begin);
}

std::string demangled(const std::string &name) {
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string result = text ? text : name;
  free(text);
  return result;
}

} // namespace

std::vector<std::string> undefined_in(const std::string &ptx) {
  // gpuexec-ptx has these; the first four are NVIDIA's system functions.
  constexpr const char *KNOWN[] = {"vprintf",
                                   "malloc",
                                   "free",
                                   "__assertfail",
                                   "__cxa_pure_virtual",
                                   "__cxa_deleted_virtual"};
  std::vector<std::string> names;
  for (const std::string kind :
       {".extern .func", ".extern .global", ".extern .const"})
    for (size_t at = ptx.find(kind); at != ptx.npos;
         at = ptx.find(kind, at + 1)) {
      const std::string name = declared_after(ptx, at + kind.size());
      if (!name.empty() && std::find(std::begin(KNOWN), std::end(KNOWN),
                                     name) == std::end(KNOWN))
        names.push_back(demangled(name));
    }
  return names;
}

std::string make_fatbin(const std::vector<FatbinEntry> &entries) {
  std::string body;
  for (const FatbinEntry &entry : entries)
    append_entry(body, entry);
  std::string all;
  append(all, FatBinaryHeader{FAT_BINARY_MAGIC, 1, sizeof(FatBinaryHeader),
                              body.size()});
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
