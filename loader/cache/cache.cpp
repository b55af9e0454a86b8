//===-- loader/cache/cache.cpp - See cache.h ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/cache/cache.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_table.h"
#include "loader/command_line/units.h"
#include "support/cache_folder.h"
#include "support/cache_kinds.h"
#include "support/failure.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <sys/stat.h>

namespace gpuexec::cache {
namespace {

using namespace llvm::opt;

#define OPTIONS_INC "loader/cache/options.inc"
#include "loader/command_line/option_table.inc"

/// Where this kind of cache is; "off" or "": nowhere.
std::string folder_of(const CacheKind &kind) {
  const char *named = std::getenv(kind.variable);
  return named && *named ? named : CacheFolder::default_path(kind.name);
}

/// Opens a folder that is there. None, and no error, where there is none.
llvm::Expected<CacheFolder> open_existing(const std::string &path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT)
    return CacheFolder();
  std::string warning;
  CacheFolder folder = CacheFolder::open(path, warning);
  if (!folder)
    return failure(Reason::failed, "cache: {0}: it is not used, and left alone",
                   warning);
  return std::move(folder);
}

llvm::Error show(const CacheKind &kind, const std::string &path,
                 const CacheFolder &folder) {
  uint64_t others;
  const CacheFolder::Contents found =
      folder.contents(kind.prefix, kind.suffix, others);
  say(llvm::formatv("{0}: {1}\n  {2} in {3} files, at most {4} ({5})\n",
                    kind.name, path, print_size(found.bytes), found.files,
                    print_size(kind.largest), kind.holds)
          .str());
  return llvm::Error::success();
}

llvm::Error clear(const CacheKind &kind, const std::string &path,
                  const CacheFolder &folder) {
  const CacheFolder::Contents gone = folder.clear(kind.prefix, kind.suffix);
  uint64_t others;
  const CacheFolder::Contents left =
      folder.contents(kind.prefix, kind.suffix, others);
  std::string text =
      llvm::formatv("{0}: {1}\n  removed {2} in {3} files", kind.name, path,
                    print_size(gone.bytes), gone.files);
  if (others)
    text +=
        llvm::formatv("; left alone: {0} that are not gpuexec's", others).str();
  say(text + "\n");
  if (left.files)
    return failure(Reason::failed, "cache: {0}: {1} files could not be removed",
                   path, left.files);
  return llvm::Error::success();
}

} // namespace

llvm::Error run(llvm::ArrayRef<const char *> argv) {
  bool wants_clear = false, help = false;
  auto apply = [&](const Arg &arg) {
    const unsigned id = arg.getOption().getUnaliasedOption().getID();
    wants_clear |= id == OPT_clear;
    help |= id == OPT_help;
  };
  if (llvm::Error error = parse_switches(Table(), argv, "cache", apply))
    return failure(Reason::failed, "{0}", llvm::toString(std::move(error)));
  if (help) {
    print_command_help(llvm::outs(), Command::cache, Table(), {"Options"});
    return llvm::Error::success();
  }
  llvm::Error errors = llvm::Error::success();
  for (const CacheKind &kind : {LINK_CACHE, JIT_CACHE}) {
    const std::string path = folder_of(kind);
    if (path.empty() || path == "off") {
      say(llvm::formatv("{0}: switched off ({1})\n", kind.name,
                        path.empty() ? "no HOME" : kind.variable)
              .str());
      continue;
    }
    llvm::Expected<CacheFolder> folder = open_existing(path);
    errors = llvm::joinErrors(std::move(errors),
                              !folder       ? folder.takeError()
                              : wants_clear ? clear(kind, path, *folder)
                                            : show(kind, path, *folder));
  }
  return errors;
}

} // namespace gpuexec::cache
