//===-- emulator/amdgpu/fuzz/code_fuzzer.cpp - Any machine code -----------===//
// The input is a kernel: eight bytes say how it is launched, the rest is code.
// It runs on waves that take turns, with registers that hold addresses inside
// and outside of memory, sizes and indices. Whatever it does must end in a
// fault of the device or at its end:
//  - memory that is not the kernel's is inaccessible, poisoned by the address
//    sanitizer, or holds a pattern that is looked at afterwards,
//  - so are what it may only read and what was freed under way.
// What was executed is counted and said at the end. GPUEXEC_FUZZ_INSTRUCTIONS=N
// ends the process when so many have been.
// "--write-corpus FOLDER" writes some inputs.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/fuzz/templates.h"
#include "emulator/amdgpu/isa.h"
#include "emulator/amdgpu/kernel.h"

#include "llvm/Support/Error.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/mman.h>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

namespace gpuexec::emulator::amdgpu::fuzz {
namespace {

constexpr size_t HEADER = 8; // bytes of the input before the code
constexpr size_t PAGE = 4096;

[[noreturn]] void finding(const char *what) {
  std::fprintf(stderr, "finding: %s\n", what);
  std::abort();
}

// Fixed addresses, so that an input does the same in every process.
constexpr u64 MEMORY = 0x2000'0000'0000;
enum : u64 {
  DATA = MEMORY + 0x10000,     // the kernel's own, PAGE bytes less 32
  CONSTANT = MEMORY + 0x20000, // it may only read that
  FREED = MEMORY + 0x30000,    // goes away under way
  CODE = MEMORY + 0x40000,
  HOST = MEMORY + 0x60000, // no region of the device
};
constexpr u64 DATA_SIZE = PAGE - 32, CODE_SIZE = 2 * PAGE;
constexpr u8 PATTERN = 0xc5;

u8 *at(u64 address) { return reinterpret_cast<u8 *>(address); }

void map(u64 address, size_t size, int protection) {
  void *p = mmap(at(address), size, protection,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != at(address))
    finding("addresses are taken");
}

bool is_pattern(const u8 *p, size_t size) {
  for (size_t k = 0; k < size; ++k)
    if (p[k] != PATTERN)
      return false;
  return true;
}

// Words that set up registers, run before the input's.
struct Prologue {
  std::vector<u32> words;
  u64 instructions = 0;
  void scalar(unsigned reg, u32 value) { // s_mov_b32 reg, value
    ++instructions;
    words.push_back(0xbe8000ff | reg << 16);
    words.push_back(value);
  }
  void pair(unsigned reg, u64 value) {
    scalar(reg, u32(value));
    scalar(reg + 1, u32(value >> 32));
  }
  void vector(unsigned reg, u32 value) { // v_mov_b32 reg, value
    ++instructions;
    words.push_back(0x7e0002ff | reg << 17);
    words.push_back(value);
  }
  void per_lane(unsigned reg, u32 shift, u64 base) { // base + lane << shift
    instructions += 2;
    words.push_back(0x24000080 | shift | reg << 17);    // v_lshlrev_b32 reg, v0
    words.push_back(0x680000ff | reg << 17 | reg << 9); // v_add_u32
    words.push_back(u32(base));
    if (base >> 32)
      vector(reg + 1, u32(base >> 32));
  }
};

const Prologue &prologue() {
  static const Prologue made = [] {
    Prologue p;
    const u64 pairs[] = {DATA,
                         CONSTANT,
                         FREED,
                         CODE,
                         HOST,
                         DATA + DATA_SIZE - 4,
                         PRIVATE_APERTURE,
                         SHARED_APERTURE,
                         PRIVATE_APERTURE + 0xfffffffc,
                         ~u64(0),
                         DATA - 4,
                         MEMORY + (u64(1) << 47)};
    unsigned reg = 0;
    for (u64 value : pairs) {
      p.pair(reg, value);
      reg += 2;
    }
    p.pair(24, DATA | u64(4) << 48);     // a buffer: base and stride,
    p.pair(26, 64 | u64(0x27000) << 32); // records and format
    p.pair(28, u64(0x80000000) << 32);   // one that is swizzled
    p.pair(30, 0x00e00000ffffffff);
    p.scalar(124, 0x00ff0003); // M0
    p.scalar(32, 255);
    p.scalar(33, 0xfffffffc);
    p.per_lane(2, 3, DATA);
    p.per_lane(4, 2, FREED);
    p.per_lane(6, 2, PRIVATE_APERTURE);
    p.per_lane(8, 4, SHARED_APERTURE);
    p.per_lane(10, 2, 0);
    p.per_lane(12, 2, 0xfffffff0);
    p.vector(14, u32(HOST));
    p.vector(15, u32(HOST >> 32));
    p.per_lane(16, 6, CONSTANT);
    p.vector(18, 0x7fc00000);
    p.vector(19, 0x3f800000);
    p.per_lane(20, 0, 0);
    p.vector(22, u32(DATA));
    p.vector(23, u32(DATA >> 32));
    return p;
  }();
  return made;
}
constexpr u32 END = 0xbf810000; // s_endpgm
constexpr u64 CODE_BEGIN = 256; // of the code behind the descriptor

u64 executed = 0; // instructions of inputs
u64 runs = 0, faults = 0;

void say_what_was_executed() {
  std::fprintf(stderr,
               "executed %llu instructions of %llu kernels, of which %llu "
               "ended in a fault\n",
               static_cast<unsigned long long>(executed),
               static_cast<unsigned long long>(runs),
               static_cast<unsigned long long>(faults));
}

/// How an input is launched.
struct Shape {
  explicit Shape(const u8 *bytes)
      : count(bytes[0] & 1), compiled(!count && (bytes[0] & 6) == 2),
        frees(bytes[0] & 32), older(bytes[0] & 64), writable(bytes[0] & 128) {
    static constexpr u16 THREADS[] = {1, 64, 200, 2, 63, 65, 128, 33};
    threads = THREADS[bytes[1] & 7];
    static constexpr u32 SIZES[] = {0, 4, 16, 60, 256, 1024, 4096, 8};
    lds = SIZES[bytes[2] & 7];
    scratch = SIZES[bytes[2] >> 3 & 7];
    // Code is compiled for the mode that kernels begin in, and for one lane.
    mode = compiled || bytes[5] & 1 ? 0xf0 : bytes[3];
    if (compiled && bytes[5] & 2)
      threads = 1;
    ends = bytes[5] & 4;
    cut = bytes[5] & 8;
    properties = u16(bytes[4] & 0x6f); // not the one for waves of 32
  }
  bool count, compiled, frees, older, writable, ends, cut;
  u16 threads;
  u32 lds, scratch;
  u8 mode;
  u16 properties;
};

class Machine {
public:
  Machine() {
    map(DATA - PAGE, 2 * PAGE, PROT_READ | PROT_WRITE);
    map(DATA + PAGE, PAGE, PROT_NONE);
    map(CONSTANT, PAGE, PROT_READ | PROT_WRITE);
    map(CONSTANT + PAGE, PAGE, PROT_NONE);
    map(FREED, PAGE, PROT_READ | PROT_WRITE);
    map(CODE, CODE_SIZE, PROT_READ | PROT_WRITE);
    map(CODE + CODE_SIZE, PAGE, PROT_NONE);
    map(HOST, PAGE, PROT_NONE);
    std::memset(at(DATA - PAGE), PATTERN, 2 * PAGE);
    std::memset(at(CONSTANT), PATTERN, PAGE);
    add(DATA, DATA_SIZE, true);
    add(CONSTANT, PAGE, false);
    for (unsigned k = 0; k < 2; ++k)
      for (Compiling how : {Compiling::never, Compiling::eagerly})
        sets[k][how == Compiling::eagerly] = make(k, how);
  }

  void run(const u8 *bytes, size_t size) {
    Shape shape(bytes);
    bytes += HEADER;
    size = (size - HEADER) & ~size_t(3);
    place(shape, bytes, size);
    auto &set = sets[shape.older][shape.compiled];
    auto kernel = set->load(CODE, "fuzz", memory);
    if (!kernel)
      finding("the kernel is not loaded");
    launch(shape, **kernel);
    kernel->reset();
    set->forget(CODE, CODE + CODE_SIZE);
    // Compiled code stays for as long as the set.
    if (shape.compiled && ++compiled % 8 == 0)
      set = make(shape.older, Compiling::eagerly);
    memory.remove(CODE);
    inspect();
  }

private:
  static std::unique_ptr<InstructionSet> make(bool older, Compiling how) {
    auto made = create_instruction_set(older ? "gfx90a" : "gfx942", how);
    if (!made)
      finding("no instruction set");
    return std::move(*made);
  }
  void add(u64 begin, u64 size, bool writable) {
    Region region;
    region.begin = begin;
    region.end = region.mapped_end = begin + size;
    region.writable = writable;
    region.code_end = region.end; // kernels may begin in any of them
    if (!memory.add(region))
      finding("a region cannot be added");
  }

  void place(const Shape &shape, const u8 *bytes, size_t size) {
    std::memset(at(CODE), 0, CODE_SIZE);
    Descriptor d = {};
    d.group_segment = shape.lds;
    d.private_segment = shape.scratch;
    d.entry = CODE_BEGIN;
    d.rsrc3 = 63; // 256 vector registers, then 256 more
    d.rsrc1 = 63 | u32(shape.mode) << 12 | 1u << 21 | 1u << 23;
    d.rsrc2 = 1u << 7 | 1;
    d.properties = shape.properties;
    std::memcpy(at(CODE), &d, sizeof(d));
    u64 to = CODE + CODE_BEGIN;
    const auto &words = prologue().words;
    std::memcpy(at(to), words.data(), words.size() * 4);
    to += words.size() * 4;
    size = std::min<size_t>(size, CODE + CODE_SIZE - to - 4);
    std::memcpy(at(to), bytes, size);
    if (shape.ends) // else it may run into zeroes, and off the end
      std::memcpy(at(to + size), &END, 4);
    // Off the end: the last page's rest is code.
    add(CODE, CODE_SIZE - (shape.cut ? 2 : 0), shape.writable);
    std::memcpy(code_before.data(), at(CODE), CODE_SIZE);
    code_writable = shape.writable;
  }

  void launch(const Shape &shape, KernelCode &kernel) {
    Dispatch dispatch;
    dispatch.memory = &memory;
    dispatch.kernel = &kernel;
    dispatch.grid[0] = dispatch.group[0] = shape.threads;
    dispatch.private_size = shape.scratch;
    dispatch.group_segment_size = shape.lds;
    dispatch.kernarg_address = DATA;
    dispatch.packet_address = CONSTANT;
    dispatch.count = shape.count;
    Workgroup group;
    group.dispatch = &dispatch;
    group.size[0] = shape.threads;
    group.waves = (shape.threads + LANES - 1u) / LANES;
    // Exactly as long as they must be: the sanitizer guards their ends.
    size_t lds_size = (size_t(shape.lds) + 64 + 63) & ~size_t(63);
    group.lds = static_cast<std::byte *>(std::aligned_alloc(64, lds_size));
    std::memset(group.lds, PATTERN, lds_size);
    group.lds_size = shape.lds;
    size_t scratch_size = size_t(shape.scratch) * LANES * group.waves;
    group.scratch = static_cast<std::byte *>(
        std::aligned_alloc(64, scratch_size ? scratch_size : 64));
    std::memset(group.scratch, 0, scratch_size);
    add(FREED, PAGE, true);
    freed = false;
    std::memset(at(FREED), 0, PAGE);
    std::memset(at(DATA), 0, DATA_SIZE);

    std::vector<std::unique_ptr<Wave>> waves;
    {
      AddressSpace::Reader reader(memory);
      reader.enter();
      for (u32 w = 0; w < group.waves; ++w)
        waves.push_back(kernel.make_wave(group, w));
      reader.leave();
    }
    take_turns(shape, waves);
    for (auto &wave : waves)
      if (const Counters *counters = wave->counters())
        if (u64 all = counters->total(); all > prologue().instructions)
          executed += all - prologue().instructions;
    waves.clear();
    if (!freed)
      free_region();
    if (mprotect(at(FREED), PAGE, PROT_READ | PROT_WRITE))
      finding("mprotect");
    if (!is_pattern(reinterpret_cast<u8 *>(group.lds) + shape.lds,
                    lds_size - shape.lds))
      finding("a write past the group segment");
    std::free(group.lds);
    std::free(group.scratch);
  }

  void take_turns(const Shape &shape,
                  std::vector<std::unique_ptr<Wave>> &waves) {
    enum class Is { ready, waiting, over };
    std::vector<Is> is(waves.size(), Is::ready);
    AddressSpace::Reader reader(memory);
    for (unsigned turn = 0; turn < (shape.compiled ? 6 : TURNS); ++turn) {
      bool any = false, all_wait = true;
      for (size_t w = 0; w < waves.size(); ++w) {
        if (is[w] != Is::ready)
          continue;
        any = true;
        reader.enter();
        Stop stop = waves[w]->run(SLICE);
        reader.leave();
        if (!shape.count)
          executed += std::min<u64>(waves[w]->last_run_length(), 4 * SLICE);
        if (stop == Stop::barrier)
          is[w] = Is::waiting;
        else if (stop == Stop::ended)
          is[w] = Is::over;
        else if (stop == Stop::fault) {
          look_at_fault(*waves[w]);
          return;
        }
        if (turn == 1 && shape.frees && !freed)
          free_region();
      }
      for (Is one : is)
        all_wait &= one != Is::ready;
      if (!any && !all_wait)
        return;
      if (all_wait) {
        bool waited = false;
        for (Is &one : is)
          if (one == Is::waiting) {
            one = Is::ready;
            waited = true;
          }
        if (!waited)
          return;
      }
    }
  }
  static void look_at_fault(Wave &wave) {
    ++faults;
    if (wave.fault().kind == Fault::Kind::none)
      finding("a fault of no kind");
    (void)wave.pc();
    (void)wave.instruction();
    (void)wave.callers();
    (void)wave.active_lanes();
  }
  void free_region() {
    memory.remove(FREED);
    if (mprotect(at(FREED), PAGE, PROT_NONE))
      finding("mprotect");
    freed = true;
  }

  void inspect() {
    if (!is_pattern(at(DATA - PAGE), PAGE) ||
        !is_pattern(at(DATA + DATA_SIZE), PAGE - DATA_SIZE))
      finding("a write beside the data");
    if (!is_pattern(at(CONSTANT), PAGE))
      finding("a write to what may only be read");
    if (!code_writable && std::memcmp(code_before.data(), at(CODE), CODE_SIZE))
      finding("a write to the code");
  }

  static constexpr unsigned TURNS = 24;
  static constexpr u64 SLICE = 512;
  AddressSpace memory;
  std::unique_ptr<InstructionSet> sets[2][2]; // by processor, compiling
  std::array<u8, CODE_SIZE> code_before;
  bool code_writable = false, freed = false;
  unsigned compiled = 0;
};

Templates &templates() {
  static Templates made("gfx942");
  return made;
}

void append(std::vector<u8> &bytes, const Words &words) {
  for (unsigned k = 0; k < words.count; ++k)
    for (unsigned shift = 0; shift < 32; shift += 8)
      bytes.push_back(u8(words.word[k] >> shift));
}

/// Instructions that make the others meet: loops, masks, indices, barriers.
Words glue(std::mt19937 &random) {
  auto below = [&](u32 n) { return u32(random()) % n; };
  u32 back = 0xfff0 + below(16), forth = below(8), r = below(34),
      mode = below(16), setting = below(0x10000) & 0xf83f;
  const u32 choices[] = {
      0xbf820000 | forth,           // s_branch
      0xbf840000 | back,            // s_cbranch_scc0
      0xbf850000 | back,            // s_cbranch_scc1
      0xbf860000 | forth,           // s_cbranch_vccz
      0xbf880000 | forth,           // s_cbranch_execz
      0xbf890000 | back,            // s_cbranch_execnz
      0xbf8a0000,                   // s_barrier
      0xbe80017e | (r & ~1u) << 16, // s_mov_b64 s[r], exec
      0xbefe0100 | (r & ~1u),       // s_mov_b64 exec, s[r]
      0xbefe01c1,                   // s_mov_b64 exec, -1
      0xbefe0181,                   // s_mov_b64 exec, 1
      0xbefe0180,                   // s_mov_b64 exec, 0
      0xbf110000 | mode << 8 | r,   // s_set_gpr_idx_on s[r]
      0xbf9c0000,                   // s_set_gpr_idx_off
      0xbefc0000 | r,               // s_mov_b32 m0, s[r]
      0xbe801d00 | (r & ~1u),       // s_setpc_b64
      0xbea01e00 | (r & ~1u),       // s_swappc_b64 s[32:33]
      0xbea01c00,                   // s_getpc_b64 s[32:33]
      0xba000000 | setting,         // s_setreg_imm32_b32
  };
  return {{choices[random() % std::size(choices)], u32(random())},
          random() % 8 ? 1u : 2u};
}

std::vector<u8> some_input(std::mt19937 &random, unsigned instructions) {
  std::vector<u8> bytes;
  for (size_t k = 0; k < HEADER; ++k)
    bytes.push_back(u8(random()));
  for (unsigned k = 0; k < instructions; ++k)
    append(bytes, random() % 6 ? templates().any(random) : glue(random));
  return bytes;
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::fuzz

using namespace gpuexec::emulator::amdgpu;
using namespace gpuexec::emulator::amdgpu::fuzz;

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  if (*argc == 3 && !std::strcmp((*argv)[1], "--write-corpus")) {
    std::mt19937 random(1);
    for (unsigned k = 0; k < 200; ++k) {
      std::vector<uint8_t> bytes = some_input(random, 20 + k % 60);
      std::ofstream(std::string((*argv)[2]) + "/seed-" + std::to_string(k),
                    std::ios::binary)
          .write(reinterpret_cast<const char *>(bytes.data()),
                 std::streamsize(bytes.size()));
    }
    std::exit(0);
  }
  std::atexit(say_what_was_executed);
  return 0;
}

// The compiler's library has an operator new of its own, and is not built with
// the sanitizer: which of new, delete, malloc and free of its calls the
// sanitizer gets to see is chance.
extern "C" const char *__asan_default_options() {
  return "alloc_dealloc_mismatch=0";
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Machine machine;
  static const char *enough = std::getenv("GPUEXEC_FUZZ_INSTRUCTIONS");
  static const uint64_t limit =
      enough ? std::strtoull(enough, nullptr, 10) : ~uint64_t(0);
  if (size <= HEADER)
    return 0;
  machine.run(data, size);
  ++runs;
  if (executed >= limit) { // exit() would be taken for the kernel's doing
    say_what_was_executed();
    std::_Exit(0);
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t max, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(data, data + size);
  if (bytes.size() < HEADER + 4)
    bytes = some_input(random, 8);
  unsigned changes = 1 + random() % 3;
  for (unsigned n = 0; n < changes; ++n) {
    size_t words = (bytes.size() - HEADER) / 4;
    auto place =
        bytes.begin() + long(HEADER + 4 * (words ? random() % words : 0));
    std::vector<uint8_t> fresh;
    append(fresh, random() % 4 ? templates().any(random) : glue(random));
    switch (random() % 8) {
    case 0: // how it is launched
      bytes[random() % HEADER] = uint8_t(random());
      break;
    case 1: // one thing less
      if (words > 2)
        bytes.erase(place, place + 4);
      break;
    case 2: { // any bits
      bytes.resize(std::max(bytes.size(), max));
      bytes.resize(LLVMFuzzerMutate(bytes.data(), size, max));
      if (bytes.size() < HEADER + 4)
        bytes = some_input(random, 8);
      break;
    }
    case 3: // another operand or so
      place[random() % 4] = uint8_t(random());
      break;
    case 4:
    case 5: // instead of one
      if (size_t(bytes.end() - place) >= fresh.size())
        std::copy(fresh.begin(), fresh.end(), place);
      break;
    default: // one more
      bytes.insert(place, fresh.begin(), fresh.end());
    }
    bytes.resize(std::min(bytes.size(), max));
    size = bytes.size();
  }
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}
