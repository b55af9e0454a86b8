//===-- toolchain/link/store.cpp - See store.h ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/store.h"
#include "support/cache_folder.h"
#include "support/cache_kinds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace gpuexec {

namespace {

/// The beginning of each file; the object follows.
struct Header {
  char magic[8] = {'g', 'p', 'u', 'c', 'c', '-', 'l', '1'};
  Registers registers;
  uint32_t unused = 0;
  uint64_t size = 0, hash = 0; ///< of the object
};

/// LLVM's pruneCache() removes only files with this prefix.
constexpr char PREFIX[] = "llvmcache-";

std::string path_in(const std::string &folder, const std::string &key) {
  return folder + "/" + PREFIX + key;
}

} // namespace

Store Store::open(const std::string &folder, std::string &warning) {
  Store store;
  if (CacheFolder::open(folder, warning))
    store.folder = folder;
  return store;
}

Store Store::open_named(StringRef tool) {
  const std::string folder = CacheFolder::path_of(LINK_CACHE);
  if (folder.empty() || folder == "off")
    return {};
  std::string problem;
  Store store = open(folder, problem);
  // No warning unless the user named the folder: a build in a clean container
  // has no home folder.
  const char *named = ::getenv(LINK_CACHE.variable);
  if (!problem.empty() && named && *named)
    WithColor::warning(errs(), tool) << "no link cache: " << problem << '\n';
  return store;
}

/// The size and the time of modification of a file, as text.
static std::string version_of(const char *path) {
  struct stat status;
  if (stat(path, &status))
    return "";
  return formatv("{0} {1} {2};", status.st_size, status.st_mtim.tv_sec,
                 status.st_mtim.tv_nsec);
}

/// version_of() of the executable or library that has the function.
static std::string file_of(void *function) {
  Dl_info info;
  return dladdr(function, &info) ? version_of(info.dli_fname) : "";
}

std::string Store::identity(const std::vector<std::string> &plugins) {
  // LLVM's version alone is not enough: an update by the distribution may have
  // the same version.
  std::string result = LLVM_VERSION_STRING " " +
                       file_of(reinterpret_cast<void *>(&pruneCache)) +
                       file_of(reinterpret_cast<void *>(&Store::identity));
  for (const std::string &path : plugins)
    result += version_of(path.c_str());
  return result;
}

std::string Store::key(StringRef bitcode, const std::string &settings) {
  BLAKE3 hash;
  hash.update(settings);
  hash.update(StringRef("\0", 1));
  hash.update(bitcode);
  return toHex(hash.final(), /*LowerCase=*/true);
}

std::optional<ObjectCode> Store::find(const std::string &key) const {
  if (folder.empty())
    return std::nullopt;
  const std::string path = path_in(folder, key);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  Header header;
  if (!file || (*file)->getBufferSize() < sizeof(header))
    return std::nullopt;
  memcpy(&header, (*file)->getBufferStart(), sizeof(header));
  const StringRef object = (*file)->getBuffer().drop_front(sizeof(header));
  if (memcmp(header.magic, Header().magic, sizeof(header.magic)) ||
      header.size != object.size() || header.hash != xxh3_64bits(object))
    return std::nullopt;
  // Sets the time of access, by which shrink() chooses: file systems update it
  // only once a day when a file is read (relatime).
  utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  ObjectCode code;
  code.object = object;
  code.registers = header.registers;
  return code;
}

void Store::keep(const std::string &key, const ObjectCode &code) const {
  if (folder.empty())
    return;
  Header header;
  header.registers = code.registers;
  header.size = code.object.size();
  header.hash = xxh3_64bits(code.object.str());
  // Writes a temporary file and renames it.
  consumeError(writeToOutput(path_in(folder, key), [&](raw_ostream &out) {
    out.write(reinterpret_cast<const char *>(&header), sizeof(header));
    out << code.object;
    return Error::success();
  }));
}

void Store::shrink(uint64_t largest) const {
  if (folder.empty())
    return;
  CachePruningPolicy policy;
  policy.Expiration = std::chrono::hours(30 * 24);
  policy.MaxSizeBytes = largest;
  pruneCache(folder, policy);
}

} // namespace gpuexec
