//===-- toolchain/link/undefined.cpp - Who needs what is missing ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last link sees pieces of a program in which functions have been inlined
// and files have been joined. The bitcode files of the first link still tell
// which function refers to an undefined symbol.
//===----------------------------------------------------------------------===//
#include "toolchain/link/undefined.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuexec {
namespace {

/// The most references to one symbol that are named.
constexpr size_t MOST_REFERENCES = 3;

/// A file's name for messages: "m.o", "libx.a(m.o)"; "" for a temporary object
/// of this call of gpucc.
std::string name_of_file(StringRef path, StringRef member) {
  SmallString<64> temporary;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  if (!member.empty())
    return (path + "(" + member + ")").str();
  return path.starts_with(temporary) ? "" : path.str();
}

/// Text that says where the user wrote an instruction: "main at m.c:3", or,
/// without debug information, "main of m.c".
std::string place_of(const Instruction &user) {
  const Function &function = *user.getFunction();
  std::string place = function.getName().str();
  const DebugLoc &line = user.getDebugLoc();
  if (line && line->getLine())
    return place + " at " + line->getFilename().str() + ":" +
           std::to_string(line->getLine());
  return place + " of " + function.getParent()->getSourceFileName();
}

/// The places in the files of a link that refer to a symbol.
class References {
public:
  explicit References(StringRef symbol) : symbol(symbol) {}

  /// Looks in the link's files until MOST_REFERENCES places are found.
  std::vector<std::string> find(const LinkCommand &command) {
    std::vector<StringRef> folders;
    for (size_t i = 0; i < command.arguments.size(); ++i) {
      StringRef argument = command.arguments[i];
      if (argument.consume_front("-L"))
        folders.push_back(argument);
      else if (argument.consume_front("-l"))
        add_library(argument, folders);
      else if (!argument.starts_with("-"))
        add_file(argument);
    }
    return std::move(found);
  }

private:
  bool enough() const { return found.size() >= MOST_REFERENCES; }

  void add_library(StringRef name, ArrayRef<StringRef> folders) {
    for (StringRef folder : folders) {
      const std::string path = (folder + "/lib" + name + ".a").str();
      if (sys::fs::exists(path))
        return add_file(path);
    }
  }

  void add_file(StringRef path) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
    if (enough() || !file)
      return;
    const MemoryBufferRef bytes = **file;
    if (identify_magic(bytes.getBuffer()) != file_magic::archive)
      return add_module(bytes, name_of_file(path, ""));
    Expected<std::unique_ptr<object::Archive>> archive =
        object::Archive::create(bytes);
    if (!archive)
      return consumeError(archive.takeError());
    Error error = Error::success();
    for (const object::Archive::Child &child : (*archive)->children(error)) {
      Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
      Expected<StringRef> name = child.getName();
      if (member && name)
        add_module(*member, name_of_file(sys::path::filename(path), *name));
      else
        consumeError(joinErrors(member.takeError(), name.takeError()));
    }
    consumeError(std::move(error));
  }

  void add_module(MemoryBufferRef bytes, const std::string &name) {
    if (enough() || identify_magic(bytes.getBuffer()) != file_magic::bitcode)
      return;
    LLVMContext context;
    Expected<std::unique_ptr<Module>> module =
        getLazyBitcodeModule(bytes, context);
    if (!module)
      return consumeError(module.takeError());
    GlobalValue *value = (*module)->getNamedValue(symbol);
    if (!value || !value->isDeclaration())
      return;
    if (Error error = (*module)->materializeAll())
      return consumeError(std::move(error));
    add_users(*value, name);
  }

  void add_users(const Value &value, const std::string &file) {
    for (const User *user : value.users()) {
      if (enough())
        return;
      if (const auto *instruction = dyn_cast<Instruction>(user))
        add(place_of(*instruction), file);
      else if (const auto *variable = dyn_cast<GlobalVariable>(user))
        add(("variable " + variable->getName()).str(), file);
      else
        add_users(*user, file);
    }
  }

  void add(std::string place, const std::string &file) {
    if (!file.empty())
      place += " in " + file;
    if (!is_contained(found, place))
      found.push_back(std::move(place));
  }

  StringRef symbol;
  std::vector<std::string> found;
};

/// The symbol that an error's line says is undefined, or "".
StringRef undefined_symbol(StringRef line) {
  for (StringRef kind : {"undefined hidden symbol: ",
                         "undefined protected symbol: ", "undefined symbol: "})
    if (const size_t at = line.find(kind); at != StringRef::npos)
      return line.substr(at + kind.size());
  return "";
}

} // namespace

std::string name_references(StringRef messages, const LinkCommand &command) {
  std::string text;
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    const StringRef symbol = undefined_symbol(lines[i]);
    if (symbol.empty()) {
      if (i + 1 < lines.size() || !lines[i].empty())
        text += (lines[i] + "\n").str();
      continue;
    }
    text += ("ld.lld: error: undefined symbol: " + symbol + "\n").str();
    const std::vector<std::string> places = References(symbol).find(command);
    for (const std::string &place : places)
      text += ">>> referenced by " + place + "\n";
    // If no file refers to the symbol, LLVM has added the reference: keep
    // ld.lld's own lines.
    std::vector<StringRef> said;
    for (; i + 1 < lines.size() && lines[i + 1].starts_with(">>>"); ++i)
      if (places.empty() && !is_contained(said, lines[i + 1])) {
        said.push_back(lines[i + 1]);
        text += (lines[i + 1] + "\n").str();
      }
  }
  return text;
}

} // namespace gpuexec
