//===-- emulator/ptx/host/table.cpp - See table.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/ptx/host/table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuexec::ptx::host {

namespace {

/// Constants of the module, as abi.h lays them out.
class Writer {
public:
  explicit Writer(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(PointerType::get(context, 0)) {}

  Constant *word(uint32_t value) {
    return ConstantInt::get(llvm::Type::getInt32Ty(context), value);
  }
  Constant *null() { return ConstantPointerNull::get(pointer); }

  Constant *keep(Constant *value) {
    return new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                              GlobalValue::PrivateLinkage, value, "table");
  }
  Constant *text(StringRef text) {
    return keep(ConstantDataArray::getString(context, text));
  }
  Constant *array(llvm::Type *type, ArrayRef<Constant *> values) {
    return values.empty() ? null()
                          : keep(ConstantArray::get(
                                ArrayType::get(type, values.size()), values));
  }
  Constant *structure(ArrayRef<Constant *> members) {
    return ConstantStruct::getAnon(context, members);
  }

  Constant *kernel(const TableRow &row) {
    SmallVector<Constant *, 8> regions, meetings, parameters;
    append_range(regions, row.cut.regions);
    for (const Meeting &each : row.cut.meetings)
      meetings.push_back(structure(
          {word(uint32_t(each.kind)), word(each.mask), word(each.arguments[0]),
           word(each.arguments[1]), word(each.result)}));
    for (const Parameter &each : row.parameters)
      parameters.push_back(structure({word(each.offset), word(each.size)}));
    const auto list = [&](ArrayRef<Constant *> values) {
      return values.empty() ? null() : array(values[0]->getType(), values);
    };
    return structure(
        {text(row.name), row.unfit.empty() ? null() : text(row.unfit),
         list(regions), list(meetings), list(parameters), word(regions.size()),
         word(parameters.size()), word(row.kernel.parameters_size),
         word(row.cut.capacity), word(row.cut.slot_bytes),
         word(row.cut.uniform_bytes), word(row.cut.frame_bytes),
         word(row.kernel.shared_bytes), word(row.kernel.max_threads)});
  }

  llvm::Module &module;
  LLVMContext &context;
  PointerType *pointer;
};

} // namespace

void emit_table(llvm::Module &module, const TableContent &content) {
  Writer writer(module);
  SmallVector<Constant *, 16> kernels, variables;
  for (const TableRow &row : content.rows)
    kernels.push_back(writer.kernel(row));
  for (const std::string &name : content.variables)
    variables.push_back(writer.text(name));
  const bool has_unfit = any_of(
      content.rows, [](const TableRow &row) { return !row.unfit.empty(); });
  Constant *table = writer.structure(
      {writer.word(ABI_VERSION), writer.word(kernels.size()),
       writer.word(variables.size()), writer.word(has_unfit),
       kernels.empty() ? writer.null()
                       : writer.array(kernels[0]->getType(), kernels),
       writer.array(writer.pointer, variables)});
  new GlobalVariable(module, table->getType(), /*isConstant=*/true,
                     GlobalValue::ExternalLinkage, table, TABLE);
}

} // namespace gpuexec::ptx::host
