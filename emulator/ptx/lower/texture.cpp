//===-- emulator/ptx/lower/texture.cpp - Textures and surfaces ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tex, tld4, txq, suld, sust, sured, suq: calls of the device library
// (emulator/ptx/device/texture.c). A handle is the address of a structure, and
// a .texref or .surfref is a variable that is such a structure. A PTX module's
// own samplers (.samplerref, "independent texturing mode") are not there.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/device/texture.h"
#include "emulator/ptx/lower/forms.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

/// What the modifiers .1d, .a2d and so on say.
struct Geometry {
  unsigned dimensions = 0; ///< 0: no such modifier
  bool is_layered = false, is_cube = false;
  unsigned coordinates() const { return is_cube ? 3 : dimensions; }
};

Geometry geometry_of(const Instruction &i) {
  static constexpr struct {
    const char *name;
    Geometry geometry;
  } ROWS[] = {{"1d", {1, false, false}}, {"2d", {2, false, false}},
              {"3d", {3, false, false}}, {"a1d", {1, true, false}},
              {"a2d", {2, true, false}}, {"cube", {2, false, true}},
              {"acube", {2, true, true}}};
  for (const auto &row : ROWS)
    if (i.has(row.name))
      return row.geometry;
  return {};
}

ArrayRef<Operand> elements_of(const Operand &operand) {
  if (operand.kind == Operand::Kind::list)
    return operand.parts;
  return ArrayRef(operand);
}

/// `[handle, {coordinates}]`; fails unless it is one.
struct Place {
  Value *object = nullptr;
  ArrayRef<Operand> coordinates; ///< the layer is the first one, if there is
  Geometry geometry;

  Place(Emitter &e, const Instruction &i, const Operand &operand)
      : geometry(geometry_of(i)) {
    if (operand.kind != Operand::Kind::list || operand.parts.size() != 2 ||
        operand.parts[0].kind != Operand::Kind::address) {
      e.fail(i, operand.kind == Operand::Kind::list && operand.parts.size() == 3
                    ? "samplers apart from textures are not supported"
                    : "an object and coordinates expected");
      return;
    }
    coordinates = elements_of(operand.parts[1]);
    if (!geometry.dimensions ||
        coordinates.size() < geometry.coordinates() + geometry.is_layered) {
      e.fail(i, geometry.dimensions ? "too few coordinates"
                                    : "its geometry is not known");
      return;
    }
    Operand handle = operand.parts[0];
    handle.kind = Operand::Kind::name;
    object = e.read(handle, Type::b64);
  }

  Value *layer(Emitter &e) const {
    return geometry.is_layered ? e.read(coordinates[0], Type::u32)
                               : e.ir.getInt32(0);
  }
  /// Coordinate n, or zero where there is none.
  Value *at(Emitter &e, unsigned n, Type type) const {
    if (n < geometry.coordinates())
      return e.read(coordinates[n + geometry.is_layered], type);
    return Constant::getNullValue(e.type(type));
  }
};

llvm::Type *four_words(Emitter &e) {
  return FixedVectorType::get(e.ir.getInt32Ty(), 4);
}

/// Writes the elements of a vector, and the predicate of a sparse fetch: all
/// memory of a texture is there.
void write_elements(Emitter &e, const Instruction &i, Value *vector) {
  const bool has_predicate = i.operands[0].kind == Operand::Kind::pair;
  const Operand &to = has_predicate ? i.operands[0].parts[0] : i.operands[0];
  for (auto [n, element] : enumerate(elements_of(to)))
    if (n < 4)
      e.write(element, e.ir.CreateExtractElement(vector, n), Type::b32);
  if (has_predicate)
    e.write(i.operands[0].parts[1], e.ir.getTrue(), Type::pred);
}

/// The level of detail of tex.level and tex.grad.
Value *detail_of(Emitter &e, const Instruction &i, const Place &place) {
  llvm::Type *f32 = e.ir.getFloatTy();
  if (i.has("level") && i.operands.size() > 2) {
    const Type type = i.type(1) == Type::s32 ? Type::s32 : Type::f32;
    Value *level = e.read(i.operands[2], type);
    return type == Type::f32 ? level : e.ir.CreateSIToFP(level, f32);
  }
  if (!i.has("grad") || i.operands.size() < 4)
    return ConstantFP::get(f32, 0);
  SmallVector<Value *, 7> arguments = {place.object};
  for (unsigned operand : {2, 3}) {
    const ArrayRef<Operand> gradient = elements_of(i.operands[operand]);
    for (unsigned n = 0; n < 3; ++n)
      arguments.push_back(n < place.geometry.coordinates() &&
                                  n < gradient.size()
                              ? e.read(gradient[n], Type::f32)
                              : ConstantFP::get(f32, 0));
  }
  return e.call("__gpuexec_ptx_detail", f32, arguments);
}

void fetch(Emitter &e, const Instruction &i) {
  const unsigned most = i.has("grad") ? 4 : i.has("level") ? 3 : 2;
  if (bits_of(i.type()) != 32 || i.type(1) == Type::none)
    return e.fail(i, "results of 32 bits, and coordinates, expected");
  if (i.operands.size() != most)
    return e.fail(i, "offsets and depths to compare with are not supported");
  const Place place(e, i, i.operands[1]);
  if (!place.object)
    return;
  Value *layer = place.layer(e), *detail = detail_of(e, i, place);
  if (i.type(1) == Type::s32)
    return write_elements(
        e, i,
        e.call("__gpuexec_ptx_texel", four_words(e),
               {place.object, layer, place.at(e, 0, Type::s32),
                place.at(e, 1, Type::s32), place.at(e, 2, Type::s32), detail}));
  Value *x = place.at(e, 0, Type::f32), *y = place.at(e, 1, Type::f32),
        *z = place.at(e, 2, Type::f32);
  Value *result;
  if (place.geometry.is_cube)
    result = e.call("__gpuexec_ptx_texture_cube", four_words(e),
                    {place.object, layer, x, y, z, detail});
  else if (place.geometry.dimensions == 3)
    result = e.call("__gpuexec_ptx_texture_3d", four_words(e),
                    {place.object, x, y, z, detail});
  else if (place.geometry.dimensions == 2)
    result = e.call("__gpuexec_ptx_texture_2d", four_words(e),
                    {place.object, layer, x, y, detail});
  else
    result = e.call("__gpuexec_ptx_texture_1d", four_words(e),
                    {place.object, layer, x, detail});
  write_elements(e, i, result);
}

void gather(Emitter &e, const Instruction &i) {
  if (i.operands.size() != 2 || bits_of(i.type()) != 32)
    return e.fail(i, "offsets and depths to compare with are not supported");
  const Place place(e, i, i.operands[1]);
  if (!place.object)
    return;
  const unsigned channel = i.has("g") ? 1 : i.has("b") ? 2 : i.has("a") ? 3 : 0;
  if (place.geometry.dimensions != 2 || place.geometry.is_cube)
    return e.fail(i, "only two dimensions are there");
  write_elements(
      e, i,
      e.call("__gpuexec_ptx_gather", four_words(e),
             {place.object, place.layer(e), place.at(e, 0, Type::f32),
              place.at(e, 1, Type::f32), e.ir.getInt32(channel)}));
}

/// txq and suq.
void query(Emitter &e, const Instruction &i) {
  static constexpr struct {
    const char *name;
    gpuexec_cuda_query query;
  } ROWS[] = {{"width", GPUEXEC_CUDA_WIDTH},
              {"height", GPUEXEC_CUDA_HEIGHT},
              {"depth", GPUEXEC_CUDA_DEPTH},
              {"array_size", GPUEXEC_CUDA_DEPTH},
              {"num_mipmap_levels", GPUEXEC_CUDA_LEVELS},
              {"normalized_coords", GPUEXEC_CUDA_NORMALIZED}};
  if (i.operands.size() < 2 || i.operands[1].kind != Operand::Kind::address)
    return e.fail(i, "an object expected");
  Operand handle = i.operands[1];
  handle.kind = Operand::Kind::name;
  for (const auto &row : ROWS)
    if (i.has(row.name))
      return e.write(
          i.operands[0],
          e.call("__gpuexec_ptx_texture_query", e.ir.getInt32Ty(),
                 {e.read(handle, Type::b64), e.ir.getInt32(row.query),
                  i.operands.size() > 2 ? e.read(i.operands[2], Type::u32)
                                        : e.ir.getInt32(0)}),
          Type::b32);
  e.fail(i, "only sizes, levels and normalized_coords are answered");
}

/// A pointer to where a surface has `bytes` bytes.
Value *surface_address(Emitter &e, const Instruction &i, const Operand &operand,
                       unsigned bytes, bool is_store) {
  const Place place(e, i, operand);
  if (!place.object)
    return nullptr;
  const unsigned boundary = i.has("zero")    ? GPUEXEC_CUDA_ZERO_OUTSIDE
                            : i.has("clamp") ? GPUEXEC_CUDA_CLAMP_OUTSIDE
                                             : GPUEXEC_CUDA_TRAP_OUTSIDE;
  Value *z =
      place.geometry.is_layered ? place.layer(e) : place.at(e, 2, Type::s32);
  Value *address =
      e.call("__gpuexec_ptx_surface", e.ir.getInt64Ty(),
             {place.object, e.ir.getInt32(bytes), e.ir.getInt32(boundary),
              e.ir.getInt32(is_store), place.at(e, 0, Type::s32),
              place.at(e, 1, Type::s32), z});
  return e.ir.CreateIntToPtr(address, PointerType::get(e.ir.getContext(), 1));
}

/// suld.b and sust.b: bytes as they are.
void access_surface(Emitter &e, const Instruction &i) {
  const bool is_store = i.opcode == "sust";
  const unsigned bytes = bits_of(i.type()) / 8;
  if (!i.has("b") || !bytes || i.operands.size() != 2)
    return e.fail(i, "only accesses to bytes (.b) are supported");
  const ArrayRef<Operand> elements = elements_of(i.operands[is_store]);
  Value *base = surface_address(e, i, i.operands[!is_store],
                                bytes * unsigned(elements.size()), is_store);
  if (!base)
    return;
  llvm::Type *type = e.ir.getIntNTy(bytes * 8);
  for (auto [n, element] : enumerate(elements)) {
    Value *at = e.ir.CreateConstGEP1_32(type, base, unsigned(n));
    if (is_store)
      e.ir.CreateAlignedStore(
          e.ir.CreateBitCast(e.read(element, i.type()), type), at,
          Align(bytes));
    else
      e.write(element, e.ir.CreateAlignedLoad(type, at, Align(bytes)),
              i.type());
  }
}

void reduce_surface(Emitter &e, const Instruction &i) {
  const Type type = i.type();
  const bool by_sign = is_signed(type);
  AtomicRMWInst::BinOp operation;
  if (i.has("add"))
    operation = AtomicRMWInst::Add;
  else if (i.has("min"))
    operation = by_sign ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  else if (i.has("max"))
    operation = by_sign ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  else if (i.has("and"))
    operation = AtomicRMWInst::And;
  else if (i.has("or"))
    operation = AtomicRMWInst::Or;
  else
    return e.fail(i, "an unknown operation");
  const unsigned bytes = bits_of(type) / 8;
  if (!i.has("b") || bytes < 4 || bytes > 8 || i.operands.size() != 2)
    return e.fail(i, "only numbers of 32 and 64 bits by bytes (.b)");
  Value *at = surface_address(e, i, i.operands[0], bytes, /*is_store=*/true);
  if (!at)
    return;
  Value *value = e.ir.CreateBitCast(e.read(elements_of(i.operands[1])[0], type),
                                    e.ir.getIntNTy(bytes * 8));
  e.ir.CreateAtomicRMW(operation, at, value, Align(bytes),
                       AtomicOrdering::Monotonic,
                       e.ir.getContext().getOrInsertSyncScopeID("agent"));
}

} // namespace

bool lower_texture(Emitter &e, const Instruction &i) {
  static constexpr struct {
    const char *opcode;
    void (*emit)(Emitter &, const Instruction &);
  } ROWS[] = {{"tex", fetch},           {"tld4", gather},
              {"txq", query},           {"suq", query},
              {"suld", access_surface}, {"sust", access_surface},
              {"sured", reduce_surface}};
  for (const auto &row : ROWS) {
    if (i.opcode != row.opcode)
      continue;
    if (i.operands.size() < 2)
      e.fail(i, "too few operands");
    else
      row.emit(e, i);
    return true;
  }
  return false;
}

} // namespace gpuexec::ptx
