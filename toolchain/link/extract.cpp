//===-- toolchain/link/extract.cpp - A piece as a module ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See extract() in split.h.
//===----------------------------------------------------------------------===//
#include "toolchain/link/split.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace gpuexec {

namespace {

/// Copies definitions into a new module. Everything that they mention is
/// declared there when it is first met.
class Extractor : ValueMaterializer {
public:
  Extractor(Module &source, StringRef name)
      : piece(std::make_unique<Module>(name, source.getContext())) {
    piece->setTargetTriple(source.getTargetTriple());
    piece->setDataLayout(source.getDataLayout());
    if (const NamedMDNode *flags = source.getModuleFlagsMetadata())
      for (const MDNode *flag : flags->operands())
        piece->getOrInsertModuleFlagsMetadata()->addOperand(
            const_cast<MDNode *>(flag));
  }

  void define(const std::vector<GlobalValue *> &definitions) {
    for (GlobalValue *value : definitions)
      values[value] = declare(*value);
    for (GlobalValue *value : definitions)
      define(*value);
    while (!copies.empty())
      define_variable(*copies.pop_back_val());
    // CloneFunctionInto() makes this list also for programs without debug
    // information, and LLVM's bitcode reader warns of an empty one.
    NamedMDNode *units = piece->getNamedMetadata("llvm.dbg.cu");
    if (units && !units->getNumOperands())
      units->eraseFromParent();
  }

  void add_assembly(StringRef text) { piece->setModuleInlineAsm(text); }
  const Module &module() const { return *piece; }

private:
  Value *materialize(Value *value) override {
    auto *global = dyn_cast<GlobalValue>(value);
    if (!global || global->getParent() == piece.get())
      return nullptr;
    auto *variable = dyn_cast<GlobalVariable>(global);
    if (!variable || !variable->hasLocalLinkage())
      return declare(*global);
    // split() has left local linkage only to constants that are copied into
    // each piece.
    auto *copy = cast<GlobalVariable>(declare(*variable));
    copy->setName("");
    copies.push_back(variable);
    values[variable] = copy;
    return copy;
  }

  /// Declares a global value in the piece; an alias as a function or variable.
  GlobalValue *declare(GlobalValue &value) {
    const auto linkage = value.hasExternalWeakLinkage()
                             ? GlobalValue::ExternalWeakLinkage
                             : GlobalValue::ExternalLinkage;
    GlobalValue *declared;
    if (auto *type = dyn_cast<FunctionType>(value.getValueType())) {
      auto *function = Function::Create(type, linkage, value.getAddressSpace(),
                                        value.getName(), piece.get());
      if (auto *source = dyn_cast<Function>(&value)) {
        function->copyAttributesFrom(source);
        function->setPersonalityFn(nullptr);
        function->setPrefixData(nullptr);
        function->setPrologueData(nullptr);
      }
      declared = function;
    } else {
      auto *source = dyn_cast<GlobalVariable>(&value);
      auto *variable = new GlobalVariable(
          *piece, value.getValueType(), source && source->isConstant(), linkage,
          nullptr, value.getName(), nullptr, value.getThreadLocalMode(),
          value.getAddressSpace());
      if (source)
        variable->copyAttributesFrom(source);
      declared = variable;
    }
    declared->setVisibility(value.getVisibility());
    declared->setDSOLocal(value.isDSOLocal());
    return declared;
  }

  void define(GlobalValue &value) {
    if (auto *function = dyn_cast<Function>(&value))
      define_function(*function);
    else if (auto *variable = dyn_cast<GlobalVariable>(&value))
      define_variable(*variable);
    else
      define_alias(value);
  }

  void define_function(Function &source) {
    auto *function = cast<Function>(&*values[&source]);
    function->setLinkage(source.getLinkage());
    auto to = function->arg_begin();
    for (Argument &argument : source.args())
      values[&argument] = &*to++;
    SmallVector<ReturnInst *> returns;
    CloneFunctionInto(function, &source, values,
                      CloneFunctionChangeType::DifferentModule, returns, "",
                      nullptr, nullptr, this);
  }

  void define_variable(GlobalVariable &source) {
    auto *variable = cast<GlobalVariable>(&*values[&source]);
    variable->setLinkage(source.getLinkage());
    if (source.hasInitializer())
      variable->setInitializer(
          MapValue(source.getInitializer(), values, RF_None, nullptr, this));
    SmallVector<std::pair<unsigned, MDNode *>, 1> attached;
    source.getAllMetadata(attached);
    for (auto [kind, node] : attached)
      variable->addMetadata(kind,
                            *MapMetadata(node, values, RF_None, nullptr, this));
  }

  /// Replaces the function or variable that declare() made for an alias or
  /// ifunc by the alias or ifunc.
  void define_alias(GlobalValue &source) {
    auto *declared = cast<GlobalValue>(&*values[&source]);
    GlobalValue *defined;
    if (auto *alias = dyn_cast<GlobalAlias>(&source))
      defined = GlobalAlias::create(
          alias->getValueType(), alias->getAddressSpace(), alias->getLinkage(),
          "", MapValue(alias->getAliasee(), values, RF_None, nullptr, this),
          piece.get());
    else
      defined =
          GlobalIFunc::create(source.getValueType(), source.getAddressSpace(),
                              source.getLinkage(), "",
                              MapValue(cast<GlobalIFunc>(source).getResolver(),
                                       values, RF_None, nullptr, this),
                              piece.get());
    defined->setVisibility(source.getVisibility());
    defined->setDSOLocal(source.isDSOLocal());
    defined->setUnnamedAddr(source.getUnnamedAddr());
    defined->takeName(declared);
    declared->replaceAllUsesWith(defined);
    declared->eraseFromParent();
    values[&source] = defined;
  }

  std::unique_ptr<Module> piece;
  ValueToValueMapTy values;
  SmallVector<GlobalVariable *> copies; ///< constants not yet copied
};

} // namespace

SmallString<0> extract(Module &module, const Piece &piece) {
  Extractor extractor(module, "piece");
  extractor.define(piece.definitions);
  if (piece.kernels)
    extractor.add_assembly(module.getModuleInlineAsm());
  SmallString<0> bitcode;
  raw_svector_ostream out(bitcode);
  WriteBitcodeToFile(extractor.module(), out);
  return bitcode;
}

} // namespace gpuexec
