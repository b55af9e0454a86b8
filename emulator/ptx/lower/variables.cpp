//===-- emulator/ptx/lower/variables.cpp - See variables.h ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/lower/variables.h"
#include "emulator/ptx/device/texture.h"
#include "emulator/ptx/lower/host.h"
#include "emulator/ptx/lower/module.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/AMDGPUAddrSpace.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace gpuexec::ptx {

/// The attribute of what is_static() finds.
static constexpr char STATIC[] = "gpuexec-static";

GlobalVariable *make_variable(ModuleState &module, const Variable &variable) {
  LLVMContext &context = module.target.getContext();
  if (variable.space == Space::local || variable.space == Space::param) {
    module.fail(variable.line, "'" + variable.name +
                                   "': such a variable belongs in a function");
    return nullptr;
  }
  const bool is_shared = variable.space == Space::shared;
  const bool is_dynamic = variable.is_array() && variable.elements() == 0;
  // The host writes what a texture or surface reference stands for.
  const bool is_reference =
      variable.type == Type::texref || variable.type == Type::surfref;
  auto *type = ArrayType::get(llvm::Type::getInt8Ty(context),
                              is_reference ? GPUEXEC_CUDA_TEXTURE_BYTES
                                           : variable.bytes());
  // The host finds every variable by its name.
  auto linkage = GlobalValue::ExternalLinkage;
  if (is_shared && !is_dynamic)
    linkage = GlobalValue::InternalLinkage;
  else if (variable.is_weak || variable.is_common)
    linkage = GlobalValue::WeakAnyLinkage;
  Constant *initial = nullptr;
  if (is_shared && !is_dynamic)
    initial = PoisonValue::get(type);
  else if (!is_shared && !variable.is_extern)
    initial = ConstantAggregateZero::get(type);
  auto *target = new GlobalVariable(
      module.target, type, /*isConstant=*/false, linkage, initial,
      variable.name, nullptr, GlobalValue::NotThreadLocal,
      address_space(variable.space, module.target),
      /*isExternallyInitialized=*/!is_shared);
  if (is_host(module.target))
    target->setSection(is_shared ? host::SHARED_SECTION
                                 : host::VARIABLE_SECTION);
  target->setAlignment(
      Align(std::max(variable.alignment_in_bytes(), is_dynamic ? 16u : 1u)));
  if (!is_shared && initial)
    target->setVisibility(GlobalValue::ProtectedVisibility);
  if (!variable.is_visible && !variable.is_extern &&
      linkage == GlobalValue::ExternalLinkage)
    target->addAttribute(STATIC);
  return target;
}

bool is_static(const GlobalVariable &variable) {
  return variable.hasAttribute(STATIC);
}

namespace {

bool is_in_shared(const GlobalValue &variable) {
  return variable.getAddressSpace() == AMDGPUAS::LOCAL_ADDRESS ||
         cast<GlobalObject>(variable).getSection() == host::SHARED_SECTION;
}

/// Bytes, and addresses among them.
class Image {
public:
  Image(ModuleState &module, const Variable &variable)
      : module(module), variable(variable), bytes(variable.bytes()) {}

  bool add(const Operand &value, uint64_t offset) {
    const unsigned size = element_size();
    switch (value.kind) {
    case Operand::Kind::integer:
    case Operand::Kind::real32:
    case Operand::Kind::real64: {
      const uint64_t bits = constant_bits(value);
      for (unsigned at = 0; at < size; ++at)
        bytes[offset + at] = at < 8 ? bits >> (8 * at) : 0;
      return true;
    }
    case Operand::Kind::list:
      if (value.name == "mask")
        return add_mask(value, offset);
      return size == 8 ? add_address(value.parts[0], offset) : fail();
    default:
      return size == 8 ? add_address(value, offset) : fail();
    }
  }

  /// Packed pieces of bytes and addresses.
  Constant *constant() {
    LLVMContext &context = module.target.getContext();
    if (addresses.empty())
      return ConstantDataArray::getRaw(text(0, bytes.size()), bytes.size(),
                                       llvm::Type::getInt8Ty(context));
    SmallVector<Constant *, 16> pieces;
    uint64_t done = 0;
    for (const auto &[offset, address] : addresses) {
      add_bytes(pieces, done, offset);
      pieces.push_back(address);
      done = offset + 8;
    }
    add_bytes(pieces, done, bytes.size());
    return ConstantStruct::getAnon(context, pieces, /*Packed=*/true);
  }

  unsigned element_size() const {
    return std::max(bits_of(variable.type) / 8, 1u);
  }

private:
  StringRef text(uint64_t from, uint64_t to) const {
    return StringRef(reinterpret_cast<const char *>(bytes.data()) + from,
                     to - from);
  }

  void add_bytes(SmallVectorImpl<Constant *> &pieces, uint64_t from,
                 uint64_t to) {
    if (to > from)
      pieces.push_back(ConstantDataArray::getRaw(
          text(from, to), to - from,
          llvm::Type::getInt8Ty(module.target.getContext())));
  }

  bool fail() {
    return module.fail(variable.line, "'" + variable.name +
                                          "' has an initial value that is "
                                          "not supported");
  }

  /// A real number in a float is rounded to it.
  uint64_t constant_bits(const Operand &value) const {
    if (value.kind != Operand::Kind::real64 || variable.type != Type::f32)
      return value.integer;
    APFloat real(APFloat::IEEEdouble(), APInt(64, uint64_t(value.integer)));
    bool loses;
    real.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &loses);
    return real.bitcastToAPInt().getZExtValue();
  }

  /// `0xFF(x), 0xFF00(x) ...` in bytes: the first one stands for all eight.
  bool add_mask(const Operand &value, uint64_t offset) {
    const uint64_t mask = value.parts[0].integer;
    if (element_size() != 1)
      return fail();
    if (mask == 0xff) {
      const Operand *inner = &value.parts[1];
      if (inner->kind == Operand::Kind::list && inner->name == "generic")
        inner = &inner->parts[0];
      return add_address(*inner, offset);
    }
    if (addresses.empty() || offset - addresses.back().first > 7 ||
        mask != uint64_t(0xff) << 8 * (offset - addresses.back().first))
      return fail();
    return true;
  }

  bool add_address(const Operand &value, uint64_t offset) {
    LLVMContext &context = module.target.getContext();
    GlobalValue *target = module.functions.lookup(value.name);
    if (!target)
      if (auto found = module.variables.find(value.name);
          found != module.variables.end())
        target = dyn_cast_or_null<GlobalVariable>(found->second.storage);
    if (!target)
      return module.fail(variable.line, "'" + value.name + "' is not declared");
    if (is_in_shared(*target) || offset + 8 > bytes.size())
      return fail();
    llvm::Type *word = llvm::Type::getInt64Ty(context);
    Constant *address = ConstantExpr::getPtrToInt(target, word);
    if (value.integer)
      address =
          ConstantExpr::getAdd(address, ConstantInt::get(word, value.integer));
    addresses.emplace_back(offset, address);
    return true;
  }

  ModuleState &module;
  const Variable &variable;
  std::vector<uint8_t> bytes;
  std::vector<std::pair<uint64_t, Constant *>> addresses; ///< by offset
};

} // namespace

bool initialize_variable(ModuleState &module, const Variable &variable,
                         GlobalVariable &target) {
  if (!variable.has_initializer || variable.initializer.empty())
    return true;
  // Nobody writes as much, and the image would be in memory several times.
  constexpr uint64_t MOST_BYTES = uint64_t(1) << 30;
  if (variable.bytes() > MOST_BYTES)
    return module.fail(variable.line,
                       "'" + variable.name + "' is too large for a value");
  Image image(module, variable);
  uint64_t offset = 0;
  for (const Operand &value : variable.initializer) {
    if (!image.add(value, offset))
      return false;
    offset += image.element_size();
  }
  Constant *constant = image.constant();
  if (constant->getType() == target.getValueType()) {
    target.setInitializer(constant);
    return true;
  }
  // Its type is one of bytes and addresses.
  auto *typed = new GlobalVariable(
      module.target, constant->getType(), false, target.getLinkage(), constant,
      "", &target, GlobalValue::NotThreadLocal, target.getAddressSpace(),
      target.isExternallyInitialized());
  typed->copyAttributesFrom(&target);
  typed->takeName(&target);
  target.replaceAllUsesWith(typed);
  for (auto &[name, place] : module.variables)
    if (place.storage == &target)
      place.storage = typed;
  target.eraseFromParent();
  return true;
}

} // namespace gpuexec::ptx
