//===-- toolchain/link/own_functions.cpp - See own_functions.h ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/own_functions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuexec {

/// Precedes the name of a function whose own the program takes.
static constexpr StringLiteral PREFIX = "__gpuexec_own.";

DefinedTwice find_defined_twice(StringRef messages, StringRef folder) {
  DefinedTwice found;
  SmallVector<StringRef> lines;
  messages.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef symbol = lines[i];
    if (!symbol.consume_front("ld.lld: error: duplicate symbol: "))
      return {};
    // Two places, the second one that of the later file: ">>> defined in
    // FOLDER/libc.a(x.o)". With debug information there are more lines.
    StringRef last;
    while (i + 1 < lines.size() && lines[i + 1].starts_with(">>>"))
      last = lines[++i];
    if (const size_t at = last.find(folder); at != StringRef::npos)
      last = last.drop_front(at);
    else
      return {};
    const StringRef archive = last.split('(').first;
    if (!archive.ends_with(".a"))
      return {};
    found[archive.str()].insert(symbol.str());
  }
  return found;
}

/// Renames what the module defines or uses of `symbols`.
static void rename(Module &module, const std::set<std::string> &symbols) {
  for (const std::string &symbol : symbols) {
    GlobalValue *value = module.getNamedValue(symbol);
    if (!value)
      continue;
    value->setName(PREFIX + symbol);
    if (value->isDeclaration())
      continue;
    GlobalAlias::create(value->getValueType(), value->getAddressSpace(),
                        GlobalValue::WeakAnyLinkage, symbol, value, &module)
        ->setVisibility(value->getVisibility());
  }
}

/// The bitcode with other names for `symbols`; null when it has none of them.
static Expected<std::unique_ptr<MemoryBuffer>>
rename(MemoryBufferRef bitcode, const std::set<std::string> &symbols) {
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module =
      getLazyBitcodeModule(bitcode, context);
  if (!module)
    return module.takeError();
  if (none_of(symbols, [&](const std::string &symbol) {
        return (*module)->getNamedValue(symbol);
      }))
    return nullptr;
  if (Error error = (*module)->materializeAll())
    return std::move(error);
  rename(**module, symbols);
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  WriteBitcodeToFile(**module, stream);
  return MemoryBuffer::getMemBufferCopy(bytes, bitcode.getBufferIdentifier());
}

Error yield_symbols(StringRef archive, StringRef copy,
                    const std::set<std::string> &symbols) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(archive);
  if (!file)
    return createFileError(archive, file.getError());
  Expected<std::unique_ptr<object::Archive>> read =
      object::Archive::create(**file);
  if (!read)
    return read.takeError();
  std::vector<NewArchiveMember> members;
  Error error = Error::success();
  for (const object::Archive::Child &child : (*read)->children(error)) {
    Expected<NewArchiveMember> member =
        NewArchiveMember::getOldMember(child, /*Deterministic=*/true);
    if (!member)
      return joinErrors(std::move(error), member.takeError());
    if (identify_magic(member->Buf->getBuffer()) == file_magic::bitcode) {
      Expected<std::unique_ptr<MemoryBuffer>> renamed =
          rename(*member->Buf, symbols);
      if (!renamed)
        return joinErrors(std::move(error), renamed.takeError());
      if (*renamed) {
        member->Buf = std::move(*renamed);
        member->MemberName = member->Buf->getBufferIdentifier();
      }
    }
    members.push_back(std::move(*member));
  }
  if (error)
    return error;
  return writeArchive(copy, members, SymtabWritingMode::NormalSymtab,
                      object::Archive::K_GNU, /*Deterministic=*/true,
                      /*Thin=*/false);
}

} // namespace gpuexec
