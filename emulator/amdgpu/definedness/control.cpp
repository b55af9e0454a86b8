//===-- emulator/amdgpu/definedness/control.cpp - Branches and calls ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches may not depend on undefined values. A return makes memory undefined:
// the stack of the function that returns and, if that is the program's
// allocator, the memory that it returns.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/amdgpu/definedness/check.h"

#include <algorithm>
#include <cstring>

namespace gpuexec::emulator::amdgpu::definedness {

static const char BRANCH[] = "a branch depends on it";
static const char OUTPUT[] = "it is handed to the host";
static const char TARGET[] = "the target of a jump depends on it";

bool branch_on_scc(Context &c) {
  return !c.shadow.scc || c.report(BRANCH, 0, c.shadow.scc_origin);
}

bool branch_on_vcc(Context &c) {
  Operand vcc = scalar_operand(VCC);
  const bool wave32 = c.plan.operation->branches_on == Condition::vccz_low ||
                      c.plan.operation->branches_on == Condition::vccnz_low;
  Bits mask = c.scalar(vcc, wave32 ? 4 : 8);
  return !maybe_zero(mask) ||
         c.report(BRANCH, mask.undef, c.shadow.scalar_origin(vcc));
}

/// The calling convention of LLVM's AMDGPU backend: the stack pointer, the
/// return address, and vector registers of parameters and results.
enum : unsigned {
  STACK_POINTER = 32,
  RETURN_ADDRESS = 30,
  ALLOCATED_SIZE = 2,
  ALLOCATED = 0,
  SENT = 2,
  SENT_SIZE = 4
};

static u64 vector_pair(const State &s, unsigned r, unsigned lane) {
  return s.v[r][lane] | u64(s.v[r + 1][lane]) << 32;
}

/// The shadow of `size` bytes of memory; null if they have none.
static u8 *shadow_of(Context &c, u64 address, u64 size) {
  c.s.regions->refresh();
  if (!address || !size || size > 0xffffffff)
    return nullptr;
  const Region *r = c.s.regions->find(address, u32(size));
  return r && r->shadow ? r->shadow + (address - r->begin) : nullptr;
}

/// Makes memory undefined that the allocator returns to the program.
static void hand_out(Context &c, u64 address, u64 size) {
  if (u8 *shadow = shadow_of(c, address, size))
    std::memset(shadow, 0, size);
}

/// Reports a fault if memory that is sent to the host has undefined bytes.
static bool check_sent(Context &c) {
  for (u64 rest = c.s.exec(); rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    u64 at = vector_pair(c.s, SENT, l), size = vector_pair(c.s, SENT_SIZE, l);
    const u8 *shadow = shadow_of(c, at, size);
    if (!shadow)
      continue;
    const u8 *end = shadow + size,
             *bad =
                 std::find_if(shadow, end, [](u8 b) { return b != DEFINED; });
    if (bad != end)
      return c.report(OUTPUT, u64(1) << l, at + u64(bad - shadow));
  }
  return true;
}

/// Called when the wave calls the function at `target`, which returns to
/// `back`.
static bool entered(Context &c, u64 target, u64 back) {
  const KnownFunctions &known = payload_of(*c.s.dispatch).known;
  for (u64 send : known.send)
    if (send && target == send)
      return check_sent(c);
  if (known.allocate && target == known.allocate) {
    Shadow::Allocation call;
    call.returns_to = back;
    call.lanes = c.s.exec();
    for (unsigned l = 0; l < LANES; ++l)
      call.sizes[l] = vector_pair(c.s, ALLOCATED_SIZE, l);
    c.shadow.allocations.push_back(call);
  }
  return true;
}

/// True if a jump to `pc` is a return of one of the last four calls.
static bool returns(const State &s, u64 pc) {
  for (u32 depth = s.call_depth, tries = 0; depth && tries < 4;
       --depth, ++tries)
    if (s.calls[(depth - 1) % CALLS] == remembered_call(pc, depth - 1))
      return true;
  return false;
}

bool jump(Context &c) {
  const Inst &i = c.inst;
  if (c.shadow.scalar(i.src[0], 8))
    return c.report(TARGET, 0, c.shadow.scalar_origin(i.src[0]));
  u64 pc = c.scalar(i.src[0], 8).value;
  if (!returns(c.s, pc)) // a tail call
    return entered(c, pc, c.scalar(scalar_operand(RETURN_ADDRESS), 8).value);
  if (!c.shadow.scalar(scalar_operand(STACK_POINTER), 4)) {
    u32 top = c.s.s[STACK_POINTER];
    // If the stack is accessed through a buffer, the stack pointer counts the
    // bytes of all lanes.
    c.shadow.drop_stack(c.s.stack_is_buffer ? top / (c.s.last_lane + 1) : top);
  }
  auto &all = c.shadow.allocations;
  auto made = std::find_if(all.begin(), all.end(), [&](const auto &call) {
    return call.returns_to == pc;
  });
  if (made == all.end())
    return true;
  for (u64 rest = made->lanes; rest; rest &= rest - 1) {
    unsigned l = unsigned(__builtin_ctzll(rest));
    hand_out(c, vector_pair(c.s, ALLOCATED, l), made->sizes[l]);
  }
  all.erase(made, all.end());
  return true;
}

bool call(Context &c) {
  const Inst &i = c.inst;
  if (c.shadow.scalar(i.src[0], 8))
    return c.report(TARGET, 0, c.shadow.scalar_origin(i.src[0]));
  if (!entered(c, c.scalar(i.src[0], 8).value, c.s.code_base + i.pc + 4))
    return false;
  c.shadow.set_scalar(i.dst, 8, 0, 0);
  return true;
}

bool mode_set(Context &c) {
  return !c.inst.src[0] || !c.shadow.scalar(c.inst.src[0], 4) ||
         c.report("a hardware register depends on it", 0,
                  c.shadow.scalar_origin(c.inst.src[0]));
}

bool index_set(Context &c) {
  if (c.shadow.scalar(c.inst.src[0], 4) & 0xff)
    return c.report("the number of a register depends on it", 0,
                    c.shadow.scalar_origin(c.inst.src[0]));
  return true;
}

} // namespace gpuexec::emulator::amdgpu::definedness
