//===-- rpc/tests/sequence_test.cpp - The notation of opcodes.def ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/sequence.h"
#include "gtest/gtest.h"

using namespace gpuexec::rpc;

// By the compiler: what an entry says is constant.
static_assert(sequence_of<RPC_NOOP>.inputs() == 0);
static_assert(!sequence_of<RPC_NOOP>.has_answer());
static_assert(sequence_of<RPC_EXIT>.inputs() == 1 &&
                  !sequence_of<RPC_EXIT>.has_answer(),
              "an empty packet of the server's belongs to the request");
static_assert(sequence_of<RPC_WRITE>.inputs() == 3 &&
                  sequence_of<RPC_WRITE>.input("offset").place == 2,
              "a word without a name counts for the place alone");
static_assert(sequence_of<RPC_OPEN_FILE>.request_words() == 8 &&
                  sequence_of<RPC_OPEN_FILE>.input("mode").field.is_text,
              "a string in eight words");
static_assert(sequence_of<RPC_OPEN_FILE>.error_value() == 0 &&
              sequence_of<RPC_OPEN>.error_value() == -1);
static_assert(sequence_of<RPC_STAT>.reply_step() == 2 &&
              sequence_of<RPC_READ>.reply_step() == 2 &&
              sequence_of<RPC_READ_FGETS>.reply_step() == Sequence::NONE);
static_assert(sequence_of<RPC_OPEN>.is_plain() &&
              !sequence_of<RPC_PRINTF_SLOTS>.is_plain() &&
              !sequence_of<RPC_TEST_INTERFACE>.is_plain());

TEST(Sequence, NumbersAndNamesAreUnique) {
  for (const OpcodeInfo &one : OPCODES)
    for (const OpcodeInfo &other : OPCODES)
      if (&one != &other) {
        EXPECT_NE(one.opcode, other.opcode) << std::string_view(one.name);
        EXPECT_NE(one.name, other.name);
      }
}

TEST(Sequence, OnlyOursNeedAFeature) {
  for (const OpcodeInfo &info : OPCODES)
    EXPECT_EQ(info.feature != RPC_FEATURE_NONE,
              RPC_OPCODE_CLASS(info.opcode) == 'G')
        << std::string_view(info.name);
}
