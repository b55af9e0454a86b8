//===-- emulator/amdgpu/kernel.cpp - Kernels and their waves ----*- C++ -*-===//
// The kernel descriptor and the registers a wave starts with, as LLVM's "User
// Guide for AMDGPU Backend" says (Kernel Descriptor, Initial Kernel Execution
// State).
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/code.h"
#include "emulator/amdgpu/isa.h"
#include "emulator/amdgpu/jit/finder.h"
#include "emulator/amdgpu/slow.h"
#include "emulator/amdgpu/table.h"

#include <cstring>
#include <map>

namespace gpuexec::emulator::amdgpu {

namespace {

struct Descriptor {
  u32 group_segment, private_segment, kernarg_size, reserved0;
  i64 entry; // from the descriptor's address
  u32 reserved1[5];
  u32 rsrc3, rsrc1, rsrc2;
  u16 properties;
  u16 kernarg_preload; // length in dwords (6:0), offset in dwords (15:7)
  u32 reserved2;
};
static_assert(sizeof(Descriptor) == 64 && offsetof(Descriptor, entry) == 16 &&
                  offsetof(Descriptor, rsrc3) == 44 &&
                  offsetof(Descriptor, properties) == 56,
              "the code object's ABI");

enum Property : u32 {
  PRIVATE_BUFFER = 1,
  DISPATCH_PTR = 2,
  QUEUE_PTR = 4,
  KERNARG_PTR = 8,
  DISPATCH_ID = 16,
  FLAT_SCRATCH_INIT = 32,
  PRIVATE_SIZE = 64,
  WAVE32 = 1 << 10,
  DYNAMIC_STACK = 1 << 11,
};

/// What distinguishes the processors as far as a wave's start goes.
struct Processor {
  const char *name;
  bool architected_flat_scratch; // no scratch registers to set up
  bool packed_ids;               // x, y, z in v0
  bool unified_vgprs;            // AGPRs follow at accum_offset
};
constexpr Processor PROCESSORS[] = {
    {"gfx942", true, true, true},
    {"gfx90a", false, true, true},
    {"gfx9-4-generic", true, true, true},
    {"gfx9-generic", false, false, false},
};

class Isa;

/// State is large and mostly untouched: waves reuse it.
class StatePool {
public:
  ~StatePool() {
    for (State *s : free)
      destroy(s);
  }
  State *take() {
    {
      std::lock_guard lock(mutex);
      if (!free.empty()) {
        State *s = free.back();
        free.pop_back();
        return s;
      }
    }
    return static_cast<State *>(
        ::operator new(sizeof(State), std::align_val_t(alignof(State))));
  }
  void give(State *s) {
    std::lock_guard lock(mutex);
    if (free.size() < 64)
      free.push_back(s);
    else
      destroy(s);
  }

private:
  static void destroy(State *s) {
    ::operator delete(s, std::align_val_t(alignof(State)));
  }
  std::mutex mutex;
  std::vector<State *> free;
};

class Kernel;

class AmdWave final : public Wave {
public:
  AmdWave(Kernel &kernel, const Workgroup &group, uint32_t wave);
  ~AmdWave() override;
  Stop run(uint64_t budget) override;
  uint64_t last_run_length() const override {
    return uint64_t(given - state.budget);
  }
  const Fault &fault() const override { return failure; }
  uint64_t pc() const override { return state.code_base + state.resume->pc; }
  std::string instruction() const override { return state.code->print(pc()); }
  std::vector<uint64_t> callers() const override;
  bool restart(const Workgroup &group, uint32_t wave) override {
    count = Counters();
    alone = 0;
    rois.clear();
    failure = Fault();
    start(kernel, group, wave);
    return true;
  }
  uint64_t active_lanes() const override { return state.exec(); }
  const Counters *counters() const override { return state.counters; }

  std::vector<RegionOfInterest> regions_of_interest() const override {
    std::vector<RegionOfInterest> all;
    for (const Roi &roi : rois) {
      Counters inside = roi.inside;
      if (roi.depth) { // still open at the end: up to there
        inside += count;
        inside -= roi.at_begin;
      }
      all.push_back({roi.name, inside});
    }
    return all;
  }

private:
  void start(Kernel &kernel, const Workgroup &group, uint32_t wave);
  Kernel &kernel;
  State &state;
  RegionCache regions;
  Fault failure;
  Counters count;
  std::vector<Roi> rois;
  i64 given = 0;      // the last slice's budget
  unsigned alone = 0; // see jit::Finder::sample
};

class Kernel final : public KernelCode {
public:
  Kernel(Isa &isa, const Descriptor &descriptor, u64 entry,
         llvm::StringRef name, std::shared_ptr<Code> code);
  const Sizes &sizes() const override { return size; }
  const std::string &name() const override { return label; }
  std::unique_ptr<Wave> make_wave(const Workgroup &group,
                                  uint32_t wave) override {
    return std::make_unique<AmdWave>(*this, group, wave);
  }

  Isa &isa;
  Descriptor descriptor;
  u64 entry;
  std::string label;
  Sizes size;
  std::shared_ptr<Code> code; // keeps its blocks until the last wave is gone
  std::shared_ptr<Code> counting();

private:
  std::mutex mutex;
  std::shared_ptr<Code> counting_code;
};

class Isa final : public InstructionSet {
public:
  explicit Isa(const Processor &processor)
      : processor(processor), coverage(Coverage::from_environment()) {}
  llvm::Expected<std::unique_ptr<KernelCode>>
  load(uint64_t descriptor, llvm::StringRef name,
       AddressSpace &memory) override;
  void forget(uint64_t begin, uint64_t end) override;
  llvm::Expected<std::shared_ptr<Code>> code(u64 begin, u64 end, bool counting);

  const Processor &processor;
  StatePool states;
  jit::Finder hot; // gone before the code it compiled from

private:
  std::unique_ptr<Coverage> coverage;
  std::mutex mutex;
  std::map<std::pair<u64, bool>, std::shared_ptr<Code>> codes; // by begin
};

} // namespace

// Waves.

AmdWave::AmdWave(Kernel &kernel, const Workgroup &group, uint32_t wave)
    : kernel(kernel), state(*kernel.isa.states.take()),
      regions(*group.dispatch->memory) {
  start(kernel, group, wave);
}

AmdWave::~AmdWave() {
  state.~State();
  kernel.isa.states.give(&state);
}

static std::pair<unsigned, unsigned> vector_registers(const Processor &p,
                                                      const Descriptor &d) {
  unsigned granule = p.unified_vgprs ? 8 : 4;
  unsigned total = ((d.rsrc1 & 63) + 1) * granule;
  unsigned plain = p.unified_vgprs ? ((d.rsrc3 & 63) + 1) * 4 : total;
  plain = plain < total ? plain : total;
  plain = plain < 256 ? plain : 256;
  unsigned acc = total - plain;
  return {plain, acc < 256 ? acc : 256};
}

void AmdWave::start(Kernel &k, const Workgroup &group, uint32_t wave) {
  const Descriptor &d = k.descriptor;
  const Processor &processor = k.isa.processor;
  const Dispatch &dispatch = *group.dispatch;
  // Everything but the vector registers is set up afresh; of those, what the
  // kernel says it uses (hardware leaves them undefined; zero is reproducible).
  State &s = *new (&state) State;
  auto [plain, acc] = vector_registers(processor, d);
  std::memset(s.v, 0, plain * LANES * 4);
  std::memset(s.v + 256, 0, acc * LANES * 4);
  fill_constants(s);
  s.group = &group;
  s.dispatch = &dispatch;
  s.code = k.code.get();
  if (dispatch.count) {
    s.counters = &count;
    s.rois = &rois;
    if (std::shared_ptr<Code> counting = k.counting())
      s.code = counting.get();
  }
  s.code_base = s.code->begin();
  s.lds = reinterpret_cast<char *>(group.lds);
  s.lds_size = group.lds_size;
  s.private_size = dispatch.private_size & ~3u;
  s.scratch = reinterpret_cast<char *>(group.scratch_of(wave));
  s.regions = &regions;
  s.fault = &failure;
  s.wave_in_group = wave;
  s.hw_id = wave & 15;

  // FP_ROUND and FP_DENORM (19:12), DX10_CLAMP (21), IEEE_MODE (23).
  s.mode_register = (d.rsrc1 >> 12 & 0xff) | (d.rsrc1 >> 21 & 1) << 8 |
                    (d.rsrc1 >> 23 & 1) << 9;
  mode_changed(s);

  // User SGPRs, in the ABI's order.
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
  if (d.properties & PRIVATE_BUFFER) { // a swizzled buffer: see lane_address in
                                       // memory_access.h
    put64(u64(0x80000000u) << 32);
    put32(~0u);
    put32(0x00e00000u);
  }
  if (d.properties & DISPATCH_PTR)
    put64(dispatch.packet_address);
  if (d.properties & QUEUE_PTR)
    put64(dispatch.queue_address);
  if (d.properties & KERNARG_PTR)
    put64(dispatch.kernarg_address);
  if (d.properties & DISPATCH_ID)
    put64(dispatch.id);
  if (d.properties & FLAT_SCRATCH_INIT)
    put64(PRIVATE_APERTURE);
  if (d.properties & PRIVATE_SIZE)
    put32(dispatch.private_size);
  u64 entry = k.entry;
  if (unsigned words = d.kernarg_preload & 127) {
    // Kernels with preloaded arguments begin with 256 bytes for firmware that
    // cannot preload.
    entry += 256;
    u64 from = dispatch.kernarg_address + u64(d.kernarg_preload >> 7) * 4;
    for (unsigned w = 0; w < words; ++w, from += 4) {
      u32 value = 0;
      if (regions.find(from, 4))
        std::memcpy(&value, reinterpret_cast<const void *>(from), 4);
      put32(value);
    }
  }
  // System SGPRs follow the user SGPRs that the descriptor counts.
  r = d.rsrc2 >> 1 & 31;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (d.rsrc2 >> (7 + axis) & 1)
      put32(group.id[axis]);
  if (d.rsrc2 >> 10 & 1)
    put32(0);
  if ((d.rsrc2 & 1) && !processor.architected_flat_scratch)
    put32(0); // scratch wave offset: see PRIVATE_BUFFER
  s.mask(FLAT_SCRATCH) = PRIVATE_APERTURE;

  // Lanes and their ids.
  u32 threads = group.threads(), first = wave * LANES;
  u32 lanes =
      threads > first ? (threads - first < LANES ? threads - first : LANES) : 0;
  s.mask(EXEC) = lanes == LANES ? ~u64(0) : (u64(1) << lanes) - 1;
  s.exec_changed();
  unsigned dims = d.rsrc2 >> 11 & 3;
  u32 x = first % group.size[0], y = first / group.size[0] % group.size[1],
      z = first / group.size[0] / group.size[1];
  for (u32 l = 0; l < lanes; ++l) {
    if (processor.packed_ids)
      s.v[0][l] = x | y << 10 | z << 20;
    else {
      s.v[0][l] = x;
      if (dims >= 1)
        s.v[1][l] = y;
      if (dims >= 2)
        s.v[2][l] = z;
    }
    if (++x == group.size[0]) {
      x = 0;
      if (++y == group.size[1]) {
        y = 0;
        ++z;
      }
    }
  }
  // A wave of one lane keeps its private segment in one piece, for the cache's
  // sake; others dword by dword, so that a row of lanes is one piece.
  if (lanes == 1) {
    s.lane_stride = s.private_size;
    s.word_stride = 4;
  }
  static const Inst nowhere;
  const Inst *at = s.code->find(entry);
  if (!at) {
    s.resume = &nowhere;
    raise(s, &nowhere, Fault::Kind::bad_pc, "the kernel's entry point");
    failure.address = entry;
    return;
  }
  s.resume = at;
}

std::vector<uint64_t> AmdWave::callers() const {
  std::vector<uint64_t> all;
  for (u32 depth = state.call_depth; depth--;) {
    u64 call = state.calls[depth % CALLS];
    u64 address = call & ((u64(1) << 48) - 1);
    if (call != remembered_call(address, depth)) {
      all.push_back(0); // forgotten over deeper calls
      break;
    }
    all.push_back(address);
  }
  return all;
}

Stop AmdWave::run(uint64_t budget) {
  if (failure.kind != Fault::Kind::none)
    return Stop::fault;
  given = i64(budget < INT64_MAX ? budget : INT64_MAX);
  state.budget = given;
  best_level().enter(state, state.resume);
  if (state.stop == Stop::budget)
    kernel.isa.hot.sample(state, kernel.code, alone);
  return state.stop;
}

// Kernels.

Kernel::Kernel(Isa &isa, const Descriptor &descriptor, u64 entry,
               llvm::StringRef name, std::shared_ptr<Code> code)
    : isa(isa), descriptor(descriptor), entry(entry), label(name.str()),
      code(std::move(code)) {
  size.group_segment = descriptor.group_segment;
  size.private_segment = descriptor.private_segment;
  size.kernarg = descriptor.kernarg_size;
  size.wave_size = LANES;
  size.wave_bytes = sizeof(State);
  size.dynamic_stack = descriptor.properties & DYNAMIC_STACK;
}

std::shared_ptr<Code> Kernel::counting() {
  std::lock_guard lock(mutex);
  if (!counting_code) {
    auto made = isa.code(code->begin(), code->end(), true);
    if (made)
      counting_code = *made;
    else
      llvm::consumeError(made.takeError());
  }
  return counting_code;
}

llvm::Expected<std::shared_ptr<Code>> Isa::code(u64 begin, u64 end,
                                                bool counting) {
  std::lock_guard lock(mutex);
  std::shared_ptr<Code> &slot = codes[{begin, counting}];
  if (!slot || slot->end() != end) {
    auto made =
        Code::create(processor.name, begin, end, counting, coverage.get());
    if (!made)
      return made.takeError();
    slot = *made;
  }
  return slot;
}

void Isa::forget(uint64_t begin, uint64_t end) {
  std::lock_guard lock(mutex);
  for (auto it = codes.begin(); it != codes.end();)
    it = it->second->begin() < end && begin < it->second->end()
             ? codes.erase(it)
             : std::next(it);
}

llvm::Expected<std::unique_ptr<KernelCode>>
Isa::load(uint64_t address, llvm::StringRef name, AddressSpace &memory) {
  const Region *where = memory.find(address);
  if (!where || sizeof(Descriptor) > where->end - address)
    return llvm::createStringError(
        "kernel '%s': the descriptor at 0x%llx is not in loaded memory",
        name.str().c_str(), static_cast<unsigned long long>(address));
  Descriptor d;
  std::memcpy(&d, reinterpret_cast<const void *>(address), sizeof(d));
  if (d.properties & WAVE32)
    return llvm::createStringError(
        "kernel '%s': built for waves of 32 lanes, %s has 64",
        name.str().c_str(), processor.name);
  u64 entry = address + u64(d.entry);
  const Region *text = memory.find(entry);
  if (!text || entry % 4 != 0)
    return llvm::createStringError(
        "kernel '%s': the entry point 0x%llx is not in loaded code",
        name.str().c_str(), static_cast<unsigned long long>(entry));
  auto c = code(text->begin, text->end, false);
  if (!c)
    return c.takeError();
  return std::make_unique<Kernel>(*this, d, entry, name, *c);
}

llvm::Expected<std::unique_ptr<InstructionSet>>
create_instruction_set(llvm::StringRef cpu) {
  for (const Processor &processor : PROCESSORS)
    if (cpu == processor.name)
      return std::make_unique<Isa>(processor);
  return llvm::createStringError("no instruction set for '%s': gfx942, gfx90a, "
                                 "gfx9-4-generic and gfx9-generic are known",
                                 cpu.str().c_str());
}

} // namespace gpuexec::emulator::amdgpu
