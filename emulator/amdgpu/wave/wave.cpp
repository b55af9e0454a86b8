//===-- emulator/amdgpu/wave/wave.cpp - One wave --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets up the registers that a wave starts with (LLVM's "User Guide for AMDGPU
// Backend", section "Initial Kernel Execution State"), and runs its slices.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/abi/launch_payload.h"
#include "emulator/amdgpu/wave/kernel.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gpuexec::emulator::amdgpu {

/// A slice of so many instructions that ended in a sleep may only have looked
/// for an answer, in vain.
static constexpr i64 LONGEST_WAIT = 64;

AmdWave::AmdWave(Kernel &kernel, const Block &block, uint32_t wave)
    : kernel(kernel), state(*kernel.instructions.states.take()),
      regions(*block.dispatch->memory) {
  fill_constants(state);
  start(block, wave);
}

AmdWave::~AmdWave() {
  state.~State();
  kernel.instructions.states.give(&state);
}

void AmdWave::start(const Block &block, uint32_t wave) {
  const Descriptor &d = kernel.descriptor;
  const VectorRegisters vectors = kernel.vectors;
  clear(vectors);
  connect(block, wave);
  State &s = state;
  // FP_ROUND and FP_DENORM (19:12), DX10_CLAMP (21), IEEE_MODE (23). From RDNA4
  // on these two are always in effect, and their bits mean something else.
  const u32 bits = kernel.instructions.processor.generation >= 12
                       ? d.compute_pgm_rsrc1 | 1u << 21 | 1u << 23
                       : d.compute_pgm_rsrc1;
  s.mode_register =
      (bits >> 12 & 0xff) | (bits >> 21 & 1) << 8 | (bits >> 23 & 1) << 9;
  mode_changed(s);
  const ScalarRegisters scalars = set_scalars(block);
  set_lanes(block, wave);
  if (s.dispatch->check_uninitialized)
    start_shadow(block, vectors, scalars);
  at_entry = true;
  // Kernels with preloaded arguments begin with 256 bytes for firmware that
  // cannot preload.
  const u64 entry = kernel.entry + (d.kernarg_preload & 127 ? 256 : 0);
  static const Inst nowhere;
  const Inst *at = s.code->find(entry);
  s.resume = at ? at : &nowhere;
  if (!at) {
    raise(s, &nowhere, Fault::Kind::bad_pc, "the kernel's entry point");
    failure.address = entry;
  }
}

/// Clears the first `used` rows, as far as this kernel's waves have lanes, and
/// behind them what is left of `before` rows.
void AmdWave::clear_rows(u32 (*rows)[LANES], unsigned used, unsigned before) {
  const size_t lanes = kernel.size.wave_size;
  for (unsigned v = 0; v < used; ++v)
    std::memset(rows[v], 0, lanes * sizeof(u32));
  if (before > used)
    std::memset(rows[used], 0, (before - used) * sizeof(*rows));
}

/// Constructs State anew. It clears the vector registers that this kernel says
/// it uses, and those that the kernel which had this State before said.
/// Hardware leaves them undefined; zeros are reproducible, and reveal nothing
/// of other kernels.
void AmdWave::clear(VectorRegisters vectors) {
  const unsigned before[] = {state.used_rows[0], state.used_rows[1]};
  State &s = *new (&state) State;
  s.used_rows[0] = u16(vectors.plain);
  s.used_rows[1] = u16(vectors.acc);
  clear_rows(s.v, vectors.plain, before[0]);
  clear_rows(s.v + 256, vectors.acc, before[1]);
}

/// Points State to the code and to the memory of the wave's block.
void AmdWave::connect(const Block &block, uint32_t wave) {
  State &s = state;
  const Dispatch &dispatch = *block.dispatch;
  s.block = &block;
  s.dispatch = &dispatch;
  code = kernel.code;
  if (dispatch.count || dispatch.check_uninitialized || dispatch.clock)
    code = kernel.watched({dispatch.count, dispatch.check_uninitialized,
                           dispatch.clock != nullptr});
  s.code = code.get();
  if (const BasicBlocks *basic_blocks = code->basic_blocks()) {
    if (executions)
      basic_blocks->clear(executions->begin());
    else
      executions = std::make_unique<ExecutionTable>(basic_blocks->capacity());
    s.counters = &count;
    s.executions = executions->begin();
    s.basic_blocks = basic_blocks;
    s.rois = &rois;
  }
  s.code_base = s.code->begin();
  s.code_size = s.code->end() - s.code->begin();
  s.blocks = s.code->visited_blocks();
  s.lds = reinterpret_cast<char *>(block.shared);
  s.lds_size = block.shared_size;
  s.private_size = dispatch.stack_size & ~3u;
  s.scratch = reinterpret_cast<char *>(block.stack_of(wave));
  s.regions = &regions;
  s.fault = &failure;
  s.wave_in_block = wave;
  s.last_lane = kernel.size.wave_size - 1;
  s.hw_id = wave & 15;
  s.stack_is_buffer = kernel.descriptor.kernel_code_properties &
                      gpu::AMD_PRIVATE_SEGMENT_BUFFER;
}

/// Sets the scalar registers, in the ABI's order.
AmdWave::ScalarRegisters AmdWave::set_scalars(const Block &block) {
  const Descriptor &d = kernel.descriptor;
  const LaunchPayload &payload = payload_of(*block.dispatch);
  State &s = state;
  unsigned r = 0;
  auto put32 = [&](u32 value) {
    if (r < 102)
      s.s[r] = value;
    ++r;
  };
  auto put64 = [&](u64 value) {
    put32(u32(value));
    put32(u32(value >> 32));
  };
  // A swizzled buffer: access/lane_address.h.
  if (s.stack_is_buffer) {
    put64(u64(0x80000000u) << 32);
    put32(~0u);
    put32(0x00e00000u);
  }
  if (d.kernel_code_properties & gpu::AMD_DISPATCH_PTR)
    put64(payload.packet);
  if (d.kernel_code_properties & gpu::AMD_QUEUE_PTR)
    put64(payload.queue);
  if (d.kernel_code_properties & gpu::AMD_KERNARG_SEGMENT_PTR)
    put64(payload.kernarg);
  if (d.kernel_code_properties & gpu::AMD_DISPATCH_ID)
    put64(payload.dispatch_id);
  if (d.kernel_code_properties & gpu::AMD_FLAT_SCRATCH_INIT)
    put64(PRIVATE_APERTURE);
  if (d.kernel_code_properties & gpu::AMD_PRIVATE_SEGMENT_SIZE)
    put32(block.dispatch->stack_size);
  u64 from = payload.kernarg + u64(d.kernarg_preload >> 7) * 4;
  for (unsigned words = d.kernarg_preload & 127; words; --words, from += 4) {
    u32 value = 0;
    if (regions.find(from, 4))
      std::memcpy(&value, reinterpret_cast<const void *>(from), 4);
    put32(value);
  }
  // System SGPRs follow the user SGPRs that the descriptor counts.
  ScalarRegisters set = {.user_end = r,
                         .system = d.compute_pgm_rsrc2 >> 1 & 31};
  r = set.system;
  if (kernel.instructions.processor.generation >= 12) {
    s.s[TTMP0 + 9] = block.id[0];
    s.s[TTMP0 + 7] = block.id[1] | block.id[2] << 16;
  } else
    for (unsigned axis = 0; axis < 3; ++axis)
      if (d.compute_pgm_rsrc2 >> (7 + axis) & 1)
        put32(block.id[axis]);
  if (d.compute_pgm_rsrc2 >> 10 & 1)
    put32(0);
  if ((d.compute_pgm_rsrc2 & 1) &&
      !kernel.instructions.processor.architected_flat_scratch)
    put32(0); // scratch wave offset: see AMD_PRIVATE_SEGMENT_BUFFER
  set.system_end = r;
  if (!kernel.instructions.processor.is_rdna())
    s.mask(FLAT_SCRATCH) = PRIVATE_APERTURE;
  return set;
}

/// Sets EXEC, the threads' numbers in the block and the layout of their stacks.
void AmdWave::set_lanes(const Block &block, uint32_t wave) {
  State &s = state;
  const u32 wave_size = kernel.size.wave_size;
  u32 threads = block.threads(), first = wave * wave_size;
  u32 lanes = threads > first ? std::min<u32>(threads - first, wave_size) : 0;
  s.mask(EXEC) = lanes == LANES ? ~u64(0) : (u64(1) << lanes) - 1;
  s.exec_changed();
  const unsigned ids = thread_id_registers();
  u32 x = first % block.size[0], y = first / block.size[0] % block.size[1],
      z = first / block.size[0] / block.size[1], lanes_set = 0;
  const bool packed = kernel.instructions.processor.packed_ids;
  if (packed && x + lanes <= block.size[0]) { // most blocks: one row of threads
    for (u32 l = 0; l < lanes; ++l)
      s.v[0][l] = (x + l) | y << 10 | z << 20;
    lanes_set = lanes;
  }
  for (u32 l = lanes_set; l < lanes; ++l) {
    if (kernel.instructions.processor.packed_ids)
      s.v[0][l] = x | y << 10 | z << 20;
    else {
      s.v[0][l] = x;
      if (ids > 1)
        s.v[1][l] = y;
      if (ids > 2)
        s.v[2][l] = z;
    }
    if (++x == block.size[0]) {
      x = 0;
      if (++y == block.size[1]) {
        y = 0;
        ++z;
      }
    }
  }
  // In a wave of one lane, its private segment is in one piece, which uses
  // fewer cache lines. Else the same dword of all lanes is in one piece.
  if (lanes == 1)
    s.word_stride = 4;
}

/// How many vector registers hold the threads' numbers in the block.
unsigned AmdWave::thread_id_registers() const {
  return kernel.instructions.processor.packed_ids
             ? 1
             : (kernel.descriptor.compute_pgm_rsrc2 >> 11 & 3) + 1;
}

/// Sets up the shadow for --check=uninit: all registers are undefined but those
/// that the wave starts with.
void AmdWave::start_shadow(const Block &block, VectorRegisters vectors,
                           ScalarRegisters scalars) {
  using definedness::Shadow;
  if (!shadow)
    shadow = std::make_unique<Shadow>();
  state.shadow = shadow.get();
  shadow->start(state.exec(), state.private_size,
                reinterpret_cast<char *>(block.shared_shadow), state.lds_size);
  for (unsigned v = thread_id_registers(); v < vectors.plain; ++v)
    shadow->undefine(Shadow::row_of(vector_operand(v)));
  for (unsigned a = 0; a < vectors.acc; ++a)
    shadow->undefine(Shadow::row_of(vector_operand(256 + a)));
  for (unsigned k = scalars.user_end; k < FLAT_SCRATCH; ++k)
    if (k < scalars.system || k >= scalars.system_end)
      shadow->set_scalar(scalar_operand(k), 4, ~u32(0), 0);
}

std::vector<uint64_t> AmdWave::callers() const {
  std::vector<uint64_t> all;
  for (u32 depth = state.call_depth; depth--;) {
    u64 call = state.calls[depth % CALLS];
    u64 address = call & ((u64(1) << 48) - 1);
    if (call != remembered_call(address, depth)) {
      all.push_back(0); // a deeper call has overwritten the entry
      break;
    }
    all.push_back(address);
  }
  return all;
}

/// After a fault: the instructions behind the faulting one were counted with
/// their basic block, but not executed. Subtracts them.
void AmdWave::uncount_rest() {
  const Inst *at = state.resume;
  // A copy of an instruction with indexed registers: the micro-op behind the
  // copy has the address of the one behind the original.
  if (at == state.indexed)
    at = static_cast<const Inst *>(state.indexed[1].data) - 1;
  Executions once = {1, 0, unsigned(__builtin_popcountll(state.exec()))};
  if (state.shape == ONE)
    once = {0, 1, 0};
  Counters rest;
  code->rest_of_basic_block(at).add_to(rest, once);
  count -= rest;
}

std::optional<Counters> AmdWave::counters() const {
  if (!state.counters)
    return std::nullopt;
  Counters all = count;
  state.basic_blocks->add_to(all, state.executions);
  return all;
}

std::set<const char *> AmdWave::inexact_instructions() const {
  return state.counters ? state.basic_blocks->inexact(state.executions)
                        : std::set<const char *>();
}

std::vector<RegionOfInterest> AmdWave::regions_of_interest() const {
  std::vector<RegionOfInterest> all;
  const Counters now = counters().value_or(Counters());
  for (const Roi &roi : rois) {
    Counters inside = roi.inside;
    if (roi.depth) { // not closed: it ends here
      inside += now;
      inside -= roi.at_begin;
    }
    all.push_back({roi.name, inside});
  }
  return all;
}

Stop AmdWave::run(uint64_t budget) {
  if (failure.kind != Fault::Kind::none)
    return Stop::fault;
  given = i64(budget < INT64_MAX ? budget : INT64_MAX);
  if (state.dispatch->clock)
    return run_in_lockstep();
  const i64 longest = std::min(given, kernel.instructions.hot.longest_slice(
                                          state, settled, slices_used_up));
  // Short waves may end before they come to a branch, where slices end.
  if (at_entry && unsampled >= longest) {
    kernel.instructions.hot.sample(state, code, alone, unsampled);
    unsampled = 0;
  }
  at_entry = false;
  given = std::max(longest - unsampled, i64(1));
  state.budget = given;
  enter();
  const auto length = i64(last_run_length());
  if (state.stop == Stop::budget) {
    ++slices_used_up;
    settled =
        kernel.instructions.hot.sample(state, code, alone, unsampled + given);
    unsampled = 0;
  } else if (state.stop != Stop::sleep) {
    // Only branches count instructions: a short wave may have none.
    unsampled += std::max(length, LONGEST_WAIT);
  } else if (length > LONGEST_WAIT) {
    unsampled += length;
  }
  return state.stop;
}

void AmdWave::enter() {
  best_level().enter(state, state.resume);
  if (state.stop == Stop::fault && state.counters)
    uncount_rest();
}

/// Runs a slice that ends after the same instructions however they are
/// executed.
Stop AmdWave::run_in_lockstep() {
  // Instructions are counted when their block is left, also those that were
  // executed in an earlier slice.
  state.budget = given + std::exchange(state.done_of_block, 0);
  enter();
  // Only at the beginning of a block: compiled code starts there.
  if (state.stop == Stop::budget && !state.done_of_block)
    kernel.instructions.hot.sample(state, code, alone, given);
  return state.stop;
}

} // namespace gpuexec::emulator::amdgpu
