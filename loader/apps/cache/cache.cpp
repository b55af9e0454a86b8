//===-- loader/apps/cache/cache.cpp - gpuexec cache -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows what gpucc and the emulator keep on disk, or clears it. A folder that
// another user owns or can write is an error, and left alone.
//===----------------------------------------------------------------------===//
#include "loader/apps/apps.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_values.h"
#include "support/cache_folder.h"
#include "support/cache_kinds.h"
#include <cstdlib>
#include <sys/stat.h>

namespace gpuexec {
namespace {

struct Options : CommandOptions {
  bool clear = false;
};

constexpr OptionRow ROWS[] = {OPTION_GROUP("Options") OPTION(
    "clear", "", 0, "",
    "Remove the files that are kept; programs and links are slower once",
    set(to.clear)) OPTION("help,h", "", STOPS, "", "Print this text and exit",
                          set(to.help))};

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

/// Does it for each kind of cache, also when one has failed.
llvm::Error show_or_clear(bool wants_clear) {
  llvm::Error errors = llvm::Error::success();
  for (const CacheKind &kind : CACHE_KINDS) {
    const std::string path = CacheFolder::path_of(kind);
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

ExitResult start(const Call &call) {
  Options options;
  if (std::optional<ExitResult> end = call.read_switches(options))
    return *end;
  return call.end(show_or_clear(options.clear));
}

} // namespace

const App apps::cache = {ROWS, start};

} // namespace gpuexec
