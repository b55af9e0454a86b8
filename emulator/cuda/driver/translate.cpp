//===-- emulator/cuda/driver/translate.cpp - PTX by gpuexec-ptx -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts gpuexec-ptx and keeps its results in a folder of the user, by a hash
// of the text, the processor and the translator's own file.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/driver/code.h"
#include "emulator/cuda/driver/own_folder.h"
#include "emulator/ptx/host/abi.h"
#include "support/cache_folder.h"
#include "support/cache_kinds.h"
#include "support/child_process.h"
#include "support/printable.h"
#include "support/trusted_path.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpuexec::cuda {

namespace {

/// The most bytes of a code object, or of messages.
constexpr uint64_t LARGEST_RESULT = 1ull << 30;

/// The beginning of each kept file; the code object follows.
struct Header {
  char magic[8] = {'g', 'p', 'u', '-', 'p', 't', 'x', '1'};
  uint64_t size = 0, hash = 0; ///< of the code object
};

class Kept {
public:
  Kept() {
    path = CacheFolder::path_of(PTX_CACHE);
    std::string warning;
    if (!path.empty() && path != "off")
      folder = CacheFolder::open(path, warning);
    if (!warning.empty() && getenv(PTX_CACHE.variable))
      warn_once(warning);
  }

  bool find(const std::string &key, std::string &object) const {
    std::string warning;
    if (!folder)
      return false;
    UniqueFd file = folder.open_file(key, O_RDONLY, warning);
    Header wanted, header;
    if (!file)
      return false;
    const std::string bytes = read_all(file.get(), PTX_CACHE.largest);
    if (bytes.size() < sizeof(header))
      return false;
    memcpy(&header, bytes.data(), sizeof(header));
    object = bytes.substr(sizeof(header));
    ::futimens(file.get(), nullptr); // trim() removes the oldest
    return memcmp(header.magic, wanted.magic, sizeof(header.magic)) == 0 &&
           header.size == object.size() &&
           header.hash == llvm::xxh3_64bits(object);
  }

  void keep(const std::string &key, const std::string &object) const {
    std::string warning;
    if (!folder)
      return;
    const std::string name =
        key + "." + std::to_string(::getpid()) + PTX_CACHE.suffix;
    UniqueFd file =
        folder.open_file(name, O_WRONLY | O_CREAT | O_EXCL, warning);
    if (!file)
      return;
    Header header;
    header.size = object.size();
    header.hash = llvm::xxh3_64bits(object);
    const std::string from = path + "/" + name, to = path + "/" + key;
    const std::string_view head(reinterpret_cast<char *>(&header),
                                sizeof(header));
    if (write_all(file.get(), head) != 0 ||
        write_all(file.get(), object) != 0 ||
        ::rename(from.c_str(), to.c_str()) != 0)
      ::unlink(from.c_str());
    folder.trim(PTX_CACHE.suffix, PTX_CACHE.largest);
  }

private:
  /// Says why the folder that the user named is not used.
  static void warn_once(const std::string &why) {
    static std::once_flag said;
    std::call_once(said, [&] {
      fprintf(stderr, "gpuexec cuda: warning: %s: %s\n", PTX_CACHE.variable,
              printable(why).c_str());
    });
  }

  std::string path;
  CacheFolder folder;
};

/// What host code depends on beside the text: the processor's features.
std::string host_processor() {
  std::string all = llvm::sys::getHostCPUName().str();
  std::vector<std::string> features;
  for (const auto &[name, is_there] : llvm::sys::getHostCPUFeatures())
    if (is_there)
      features.push_back(name.str());
  std::sort(features.begin(), features.end());
  for (const std::string &feature : features)
    all += " " + feature;
  return all + " " + std::to_string(ptx::host::ABI_VERSION);
}

std::string key_of(const std::string &ptx, const CodeSettings &settings,
                   Made made, const std::string &tool) {
  struct stat status {};
  ::stat(tool.c_str(), &status);
  llvm::BLAKE3 hash;
  auto add = [&](const std::string &text) {
    hash.update(text);
    hash.update(llvm::StringRef("\0", 1));
  };
  add(std::to_string(status.st_size) + " " +
      std::to_string(status.st_mtim.tv_sec) + " " +
      std::to_string(status.st_mtim.tv_nsec));
  add(made == Made::host_code ? host_processor() : settings.processor);
  add(made == Made::part ? "part" : "");
  add(ptx);
  return llvm::toHex(hash.final(), /*LowerCase=*/true) + PTX_CACHE.suffix;
}

/// Runs the translator from one anonymous file to another. Its exit status; -1
/// when it cannot be started.
int run(const std::string &tool, const CodeSettings &settings, Made made,
        int input, int output, int messages) {
  const ChildDescriptor descriptors[] = {
      {input, 0}, {output, 1}, {messages, 2}};
  ChildSettings child;
  child.descriptors = descriptors;
  std::vector<const char *> arguments = {tool.c_str()};
  if (made == Made::host_code)
    arguments.push_back("--host");
  else
    arguments.insert(arguments.end(),
                     {"--processor", settings.processor.c_str()});
  if (made == Made::part)
    arguments.push_back("--external-variables");
  arguments.insert(arguments.end(), {"-o", "-", "-", nullptr});
  const pid_t process = fork_child(child);
  if (process < 0)
    return -1;
  if (process == 0) {
    ::execv(tool.c_str(), const_cast<char *const *>(arguments.data()));
    ::_exit(CHILD_FAILED);
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

CodeError start(const std::string &tool, const std::string &ptx,
                const CodeSettings &settings, Made made, std::string &object,
                std::string &log) {
  UniqueFd input(::memfd_create("module.ptx", MFD_CLOEXEC)),
      output(::memfd_create("module.co", MFD_CLOEXEC)),
      messages(::memfd_create("messages", MFD_CLOEXEC));
  if (!input || !output || !messages || write_all(input.get(), ptx) != 0 ||
      ::lseek(input.get(), 0, SEEK_SET) != 0) {
    log = "no memory for the text";
    return CodeError::no_compiler;
  }
  const int status =
      run(tool, settings, made, input.get(), output.get(), messages.get());
  log = read_all(messages.get(), LARGEST_RESULT);
  if (status == 0) {
    object = read_all(output.get(), LARGEST_RESULT);
    return CodeError::none;
  }
  if (status == 1)
    return CodeError::invalid_ptx;
  log += tool + (status < 0 || status == CHILD_FAILED
                     ? " cannot be started"
                     : " ended with status " + std::to_string(status));
  return CodeError::no_compiler;
}

} // namespace

CodeError translate(const std::string &ptx, const CodeSettings &settings,
                    Made made, std::string &object, std::string &log) {
  const std::string tool = own_folder() + "/../gpuexec-ptx";
  if (std::string problem = distrust(tool); !problem.empty()) {
    log = problem;
    return CodeError::no_compiler;
  }
  const Kept kept;
  const std::string key = key_of(ptx, settings, made, tool);
  if (kept.find(key, object))
    return CodeError::none;
  const CodeError error = start(tool, ptx, settings, made, object, log);
  if (error == CodeError::none)
    kept.keep(key, object);
  return error;
}

} // namespace gpuexec::cuda
