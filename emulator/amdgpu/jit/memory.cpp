//===-- emulator/amdgpu/jit/memory.cpp - Loads, stores, atomics -----------===//
// Inst's fields are those of memory_access.h.
#include "emulator/amdgpu/jit/hot_code.h"

#include "emulator/amdgpu/jit/sites.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

/// What a load's or store's name says after "global_load_" and the like.
struct Shape {
  unsigned bytes = 0;
  bool sign = false;
  int half = 0; // 1: low half of the register, 2: high half
};
static std::optional<Shape> shape_of(StringRef suffix) {
  struct Line {
    const char *name;
    Shape shape;
  };
  static constexpr Line LINES[] = {
      {"ubyte", {1}},
      {"sbyte", {1, true}},
      {"ushort", {2}},
      {"sshort", {2, true}},
      {"ubyte_d16", {1, false, 1}},
      {"ubyte_d16_hi", {1, false, 2}},
      {"sbyte_d16", {1, true, 1}},
      {"sbyte_d16_hi", {1, true, 2}},
      {"short_d16", {2, false, 1}},
      {"short_d16_hi", {2, false, 2}},
      {"dword", {4}},
      {"dwordx2", {8}},
      {"dwordx3", {12}},
      {"dwordx4", {16}},
      {"byte", {1}},
      {"byte_d16_hi", {1, false, 2}},
      {"short", {2}},
      // DS
      {"u8", {1}},
      {"i8", {1, true}},
      {"u16", {2}},
      {"i16", {2, true}},
      {"u8_d16", {1, false, 1}},
      {"u8_d16_hi", {1, false, 2}},
      {"i8_d16", {1, true, 1}},
      {"i8_d16_hi", {1, true, 2}},
      {"u16_d16", {2, false, 1}},
      {"u16_d16_hi", {2, false, 2}},
      {"b8", {1}},
      {"b8_d16_hi", {1, false, 2}},
      {"b16", {2}},
      {"b16_d16_hi", {2, false, 2}},
      {"b32", {4}},
      {"b64", {8}},
      {"b96", {12}},
      {"b128", {16}},
  };
  for (const Line &line : LINES)
    if (suffix == line.name)
      return line.shape;
  return std::nullopt;
}

HotCode::Value *HotCode::address_of(const Inst *i, Space space) {
  if (space == Space::global || space == Space::flat) {
    Value *offset = constant64(i->imm);
    if (!i->src[1])
      return ir.CreateAdd(read64(i, i->src[0]), offset);
    Value *base = ir.CreateAdd(read64(i, i->src[1]), offset);
    return i->src[0]
               ? ir.CreateAdd(base, ir.CreateZExt(read32(i, i->src[0]), i64))
               : base;
  }
  Value *offset = constant32(u32(i->imm));
  if (i->src[0])
    offset = ir.CreateAdd(offset, read32(i, i->src[0]));
  if (space == Space::scratch && i->src[1])
    offset = ir.CreateAdd(offset, read32(i, i->src[1]));
  return ir.CreateZExt(offset, i64);
}

HotCode::Value *HotCode::global_place(const Inst *i, Value *address,
                                      unsigned bytes, bool write, bool flat) {
  u32 index = site_class(bytes, write) * State::SITES_PER_CLASS +
              sites++ % State::SITES_PER_CLASS;
  size_t site = offsetof(State, sites) + index * sizeof(State::Site);
  Block *slow = fresh("slow"), *good = fresh("good");
  Value *begin = state_field(site + offsetof(State::Site, begin), i64, "begin");
  Value *length =
      state_field(site + offsetof(State::Site, length), i64, "length");
  MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
  ir.CreateCondBr(ir.CreateICmpULT(ir.CreateSub(address, begin), length), good,
                  slow, likely);
  ir.SetInsertPoint(slow);
  auto *type = FunctionType::get(i1, {ptr, i32, i64, i32, i32, i32}, false);
  Value *fill = ConstantExpr::getIntToPtr(
      ir.getInt64(reinterpret_cast<u64>(request.fill_site)), ptr);
  CallInst *found = ir.CreateCall(type, fill,
                                  {state, constant32(index), address,
                                   constant32(bytes * 2 + write),
                                   constant32(flat), constant32(request.lane)});
  found->addRetAttr(Attribute::ZExt);
  found->addParamAttr(
      0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  ir.CreateCondBr(found, good, leaving(i, Way::again), likely);
  ir.SetInsertPoint(good);
  Value *delta = state_field(site + offsetof(State::Site, delta), i64, "delta");
  return ir.CreateIntToPtr(ir.CreateAdd(address, delta), ptr);
}

/// Where the access of `bytes` at address_of() + `offset` lies; leaves when it
/// may be a fault.
HotCode::Place HotCode::place(const Inst *i, Space space, unsigned bytes,
                              bool write, unsigned offset) {
  Value *address = address_of(i, space);
  if (offset)
    address =
        ir.CreateAnd(ir.CreateAdd(address, constant64(offset)), 0xffffffffu);
  if (space == Space::global || space == Space::flat)
    return Place{global_place(i, address, bytes, write, space == Space::flat)};
  bool linear = space == Space::lds || request.linear_scratch;
  Value *size = space == Space::lds ? lds_size : scratch_size;
  Value *good =
      ir.CreateICmpULE(ir.CreateAdd(address, constant64(bytes)), size);
  if (!linear) { // inside one dword, or whole dwords
    Value *low = ir.CreateAnd(address, 3);
    good = ir.CreateAnd(good, bytes < 4
                                  ? ir.CreateICmpULE(low, constant64(4 - bytes))
                                  : ir.CreateICmpEQ(low, constant64(0)));
  }
  Block *inside = fresh("inside");
  ir.CreateCondBr(good, inside, leaving(i, Way::again),
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(inside);
  if (linear)
    return Place{
        ir.CreateGEP(i8, space == Space::lds ? lds : scratch, address)};
  Value *byte =
      ir.CreateAdd(ir.CreateMul(ir.CreateLShr(address, 2), word_stride),
                   ir.CreateAnd(address, 3));
  return Place{ir.CreateGEP(i8, scratch, byte), word_stride};
}

static Value *dword(IRBuilder<> &ir, Value *base, Value *stride, unsigned k) {
  if (!k)
    return base;
  return stride ? ir.CreateGEP(ir.getInt8Ty(), base,
                               ir.CreateMul(stride, ir.getInt64(k)))
                : ir.CreateConstGEP1_64(ir.getInt8Ty(), base, 4 * k);
}

void HotCode::load(const Inst *i, const Place &place, unsigned bytes, bool sign,
                   int half, Operand dst) {
  u32 to = offset_of(dst);
  if (bytes < 4) {
    llvm::Type *type = bytes == 1 ? i8 : ir.getInt16Ty();
    Value *raw =
        ir.CreateAlignedLoad(type, place.base, Align(1), /*isVolatile=*/true);
    Value *v = sign ? ir.CreateSExt(raw, i32) : ir.CreateZExt(raw, i32);
    if (half == 1)
      v = ir.CreateOr(ir.CreateAnd(get(to), 0xffff0000u),
                      ir.CreateAnd(v, 0xffff));
    if (half == 2)
      v = ir.CreateOr(ir.CreateAnd(get(to), 0xffff), ir.CreateShl(v, 16));
    set(to, v);
    return;
  }
  u32 step = dst & ROW ? LANES * 4 : 4;
  SmallVector<Value *, 4> words;
  for (unsigned k = 0; k < bytes / 4; ++k) {
    if (!place.word_stride &&
        k + 2 <= bytes / 4) { // 64-bit loads are one access
      Value *both = ir.CreateAlignedLoad(i64, dword(ir, place.base, nullptr, k),
                                         Align(1), true);
      words.push_back(ir.CreateTrunc(both, i32));
      words.push_back(ir.CreateTrunc(ir.CreateLShr(both, 32), i32));
      ++k;
    } else
      words.push_back(ir.CreateAlignedLoad(
          i32, dword(ir, place.base, place.word_stride, k), Align(1), true));
  }
  for (unsigned k = 0; k < words.size(); ++k)
    set(to + k * step, words[k]);
}

void HotCode::store(const Inst *i, const Place &place, unsigned bytes, int half,
                    Operand data) {
  if (bytes < 4) {
    Value *v = read32(i, data);
    if (half == 2)
      v = ir.CreateLShr(v, 16);
    ir.CreateAlignedStore(ir.CreateTrunc(v, bytes == 1 ? i8 : ir.getInt16Ty()),
                          place.base, Align(1), true);
    return;
  }
  for (unsigned k = 0; k < bytes / 4; ++k) {
    Operand from = data + Operand(k * LANES * 4);
    if (!place.word_stride && k + 2 <= bytes / 4) {
      ir.CreateAlignedStore(read64(i, from), dword(ir, place.base, nullptr, k),
                            Align(1), true);
      ++k;
    } else
      ir.CreateAlignedStore(read32(i, from),
                            dword(ir, place.base, place.word_stride, k),
                            Align(1), true);
  }
}

HotCode::Flow HotCode::memory(const Inst *i, StringRef name) {
  auto [prefix, rest] = name.split('_');
  Space space;
  if (prefix == "global")
    space = Space::global;
  else if (prefix == "flat")
    space = Space::flat;
  else if (prefix == "scratch")
    space = Space::scratch;
  else if (prefix == "ds")
    space = Space::lds;
  else { // buffers
    leave(i);
    return Flow::ended;
  }
  bool write = rest.starts_with("store_") || rest.starts_with("write");
  bool read = rest.starts_with("load_") || rest.starts_with("read");
  if (!read && !write)
    return atomic(i, rest, space);
  auto [how, suffix] = rest.split('_');
  auto shape = shape_of(suffix);
  bool two = how == "read2" || how == "write2";
  if (!shape || !(two || how == "load" || how == "store" || how == "read" ||
                  how == "write")) {
    leave(i);
    return Flow::ended;
  }
  if (!on)
    return Flow::next;
  Place first = place(i, space, shape->bytes, write, 0);
  if (two) {
    Operand second_row = Operand(shape->bytes / 4 * LANES * 4);
    u32 between = u32(i->scond) - u32(i->imm);
    Place second = place(i, space, shape->bytes, write, between);
    if (write) {
      store(i, first, shape->bytes, 0, i->src[2]);
      store(i, second, shape->bytes, 0, i->src[1]);
    } else {
      load(i, first, shape->bytes, false, 0, i->dst);
      load(i, second, shape->bytes, false, 0, i->dst + second_row);
    }
  } else if (write)
    store(i, first, shape->bytes, shape->half, i->src[2]);
  else
    load(i, first, shape->bytes, shape->sign, shape->half, i->dst);
  return Flow::next;
}

HotCode::Flow HotCode::scalar_load(const Inst *i, StringRef name) {
  unsigned words = 1;
  StringRef suffix = name.drop_front(strlen("s_load_dword"));
  if (suffix.consume_front("x") && suffix.getAsInteger(10, words))
    words = 0;
  if (!words) {
    leave(i);
    return Flow::ended;
  }
  Value *address = ir.CreateAdd(read64(i, i->src[0]), constant64(i->imm));
  if (i->src[1])
    address = ir.CreateAdd(address, ir.CreateZExt(read32(i, i->src[1]), i64));
  address = ir.CreateAnd(address, ~u64(3));
  load(i, Place{global_place(i, address, words * 4, false, false)}, words * 4,
       false, 0, i->dst);
  return Flow::next;
}

HotCode::Flow HotCode::atomic(const Inst *i, StringRef name, Space space) {
  name.consume_front("atomic_");
  bool wide = name.consume_back("_x2") || name.consume_back("_u64") ||
              name.consume_back("_i64") || name.consume_back("_b64");
  bool unsign = name.consume_back("_u32") || name.ends_with("umin") ||
                name.ends_with("umax");
  name.consume_back("_i32");
  name.consume_back("_b32");
  name.consume_back("_rtn");
  (void)unsign;
  static constexpr std::pair<const char *, AtomicRMWInst::BinOp> SIMPLE[] = {
      {"swap", AtomicRMWInst::Xchg},    {"add", AtomicRMWInst::Add},
      {"sub", AtomicRMWInst::Sub},      {"and", AtomicRMWInst::And},
      {"or", AtomicRMWInst::Or},        {"xor", AtomicRMWInst::Xor},
      {"smin", AtomicRMWInst::Min},     {"smax", AtomicRMWInst::Max},
      {"umin", AtomicRMWInst::UMin},    {"umax", AtomicRMWInst::UMax},
      {"inc", AtomicRMWInst::UIncWrap}, {"dec", AtomicRMWInst::UDecWrap}};
  std::optional<AtomicRMWInst::BinOp> op;
  if (space == Space::global || space == Space::flat)
    for (auto [text, value] : SIMPLE)
      if (name == text)
        op = value;
  bool exchange =
      name == "cmpswap" && (space == Space::global || space == Space::flat);
  if (!op && !exchange) {
    leave(i);
    ways_in.insert(&trace_at({i + 1, on}));
    return Flow::ended;
  }
  if (!on)
    return Flow::next;
  unsigned bytes = wide ? 8 : 4;
  Value *address = address_of(i, space);
  Block *aligned = fresh("aligned");
  ir.CreateCondBr(
      ir.CreateICmpEQ(ir.CreateAnd(address, bytes - 1), constant64(0)), aligned,
      leaving(i, Way::again));
  ir.SetInsertPoint(aligned);
  Value *at = global_place(i, address, bytes, true, space == Space::flat);
  auto data = [&](Operand o) { return wide ? read64(i, o) : read32(i, o); };
  constexpr auto order = AtomicOrdering::SequentiallyConsistent;
  Value *old;
  if (exchange) {
    Operand expected = i->src[2] + Operand(bytes / 4 * LANES * 4);
    auto *both = ir.CreateAtomicCmpXchg(at, data(expected), data(i->src[2]),
                                        Align(bytes), order, order);
    both->setVolatile(true);
    old = ir.CreateExtractValue(both, 0);
  } else {
    auto *rmw =
        ir.CreateAtomicRMW(*op, at, data(i->src[2]), Align(bytes), order);
    rmw->setVolatile(true);
    old = rmw;
  }
  if (i->dst) {
    u32 to = offset_of(i->dst);
    set(to, wide ? ir.CreateTrunc(old, i32) : old);
    if (wide)
      set(to + LANES * 4, ir.CreateTrunc(ir.CreateLShr(old, 32), i32));
  }
  return Flow::next;
}

} // namespace gpuexec::emulator::amdgpu::jit
