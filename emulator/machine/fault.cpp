//===-- emulator/machine/fault.cpp - Why a wave had to stop ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/fault.h"
#include "emulator/machine/memory.h"

namespace gpuexec::emulator {

const char *name_of(Fault::Kind kind) {
  switch (kind) {
  case Fault::Kind::none:
    return "no fault";
  case Fault::Kind::unmapped:
    return "unmapped memory";
  case Fault::Kind::freed:
    return "freed memory";
  case Fault::Kind::null_page:
    return "null page";
  case Fault::Kind::out_of_bounds:
    return "out of bounds";
  case Fault::Kind::misaligned:
    return "misaligned address";
  case Fault::Kind::read_only:
    return "write to read-only memory";
  case Fault::Kind::out_of_shared:
    return "outside the block's shared memory";
  case Fault::Kind::out_of_stack:
    return "stack overflow, or outside the thread's memory";
  case Fault::Kind::illegal_instruction:
    return "illegal instruction";
  case Fault::Kind::unsupported_instruction:
    return "unsupported instruction";
  case Fault::Kind::bad_register:
    return "register out of range";
  case Fault::Kind::bad_pc:
    return "execution left the code";
  case Fault::Kind::trap:
    return "trap";
  case Fault::Kind::uninitialized:
    return "use of an undefined value";
  }
  return "fault";
}

Fault::Kind classify(const AddressSpace &space, uint64_t address,
                     uint32_t size) {
  if (address < AddressSpace::NULL_PAGE_END)
    return Fault::Kind::null_page;
  if (auto nearest = space.nearest(address); nearest && nearest->distance == 0)
    return Fault::Kind::out_of_bounds; // it begins inside and the caller says
                                       // that it does not end inside
  if (space.freed(address))
    return Fault::Kind::freed;
  return Fault::Kind::unmapped;
}

} // namespace gpuexec::emulator
