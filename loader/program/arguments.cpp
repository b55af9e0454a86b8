//===-- loader/program/arguments.cpp - argv and envp as bytes -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/arguments.h"
#include <cassert>
#include <cstring>

namespace gpuexec {

uint64_t ArgumentBlock::size() const {
  uint64_t total = 8 * (arguments.size() + 1 + environment.size() + 1);
  for (const auto *list : {&arguments, &environment})
    for (const std::string &text : *list)
      total += std::strlen(text.c_str()) + 1;
  return total;
}

void ArgumentBlock::fill(std::byte *host, DeviceAddress address) const {
  std::byte *pointer = host;
  uint64_t text_offset = 8 * (arguments.size() + 1 + environment.size() + 1);
  auto put_pointer = [&](DeviceAddress value) {
    std::memcpy(pointer, &value, sizeof(value));
    pointer += sizeof(value);
  };
  for (const auto *list : {&arguments, &environment}) {
    for (const std::string &text : *list) {
      put_pointer(address + text_offset);
      size_t length = std::strlen(text.c_str()) + 1;
      std::memcpy(host + text_offset, text.c_str(), length);
      text_offset += length;
    }
    put_pointer(DeviceAddress());
  }
}

std::vector<std::byte> StartArguments::bytes(uint64_t size) const {
  assert(size == BEGIN_SIZE || size == START_SIZE);
  std::vector<std::byte> block(START_SIZE);
  std::memcpy(block.data() + 0, &argc, sizeof(argc));
  std::memcpy(block.data() + 8, &argv, sizeof(argv));
  std::memcpy(block.data() + 16, &envp, sizeof(envp));
  std::memcpy(block.data() + 24, &ret, sizeof(ret));
  block.resize(size);
  return block;
}

} // namespace gpuexec
