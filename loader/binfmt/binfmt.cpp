//===-- loader/binfmt/binfmt.cpp - See binfmt.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/binfmt/binfmt.h"
#include "support/descriptor.h"
#include "support/failure.h"
#include "support/trusted_path.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

namespace gpuexec::binfmt {
namespace {

constexpr char FOLDER[] = "/proc/sys/fs/binfmt_misc";
/// The kernel's bound for the path of an interpreter.
constexpr size_t LONGEST_INTERPRETER = 126;

struct Entry {
  llvm::StringLiteral name, magic, mask, what;
};
constexpr Entry ENTRIES[] = {
#define ENTRY(NAME, MAGIC, MASK, WHAT) {NAME, MAGIC, MASK, WHAT},
#include "loader/binfmt/entries.def"
};

std::string path_of(llvm::StringRef file) {
  return (llvm::Twine(FOLDER) + "/" + file).str();
}

/// The path of this executable, as an entry can name it.
llvm::Expected<std::string> interpreter() {
  llvm::SmallString<256> path;
  if (std::error_code error = llvm::sys::fs::real_path("/proc/self/exe", path))
    return failure(Reason::failed, "--register: /proc/self/exe: {0}",
                   error.message());
  if (path.size() > LONGEST_INTERPRETER || path.str().contains(':'))
    return failure(Reason::failed,
                   "--register: {0}: binfmt_misc takes no path with a colon or "
                   "of more than {1} characters",
                   path, LONGEST_INTERPRETER);
  return path.str().str();
}

/// ":NAME:M::MAGIC:MASK:INTERPRETER:"
std::string line_of(const Entry &entry, llvm::StringRef interpreter) {
  return llvm::formatv(":{0}:M::{1}:{2}:{3}:", entry.name, entry.magic,
                       entry.mask, interpreter)
      .str();
}

/// Writes to a file of binfmt_misc in one piece. 0, or the errno.
int write_file(llvm::StringRef file, llvm::StringRef text) {
  UniqueFd fd(::open(path_of(file).c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd)
    return errno;
  return ::write(fd.get(), text.data(), text.size()) == ssize_t(text.size())
             ? 0
             : errno;
}

/// The program that the kernel starts for an entry; empty when there is no such
/// entry.
std::optional<std::string> interpreter_of(llvm::StringRef entry) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFileAsStream(path_of(entry));
  if (!file)
    return std::nullopt;
  for (llvm::StringRef left = (*file)->getBuffer(); !left.empty();) {
    auto [line, rest] = left.split('\n');
    if (line.consume_front("interpreter "))
      return line.str();
    left = rest;
  }
  return "";
}

/// The end of messages: what works without root.
constexpr char OTHERWISE[] =
    "without it: gpucc --self-run, or GPUCC_SELF_RUN=1 for a whole build";

/// Mounts binfmt_misc where that was not done yet. `option`: for messages.
llvm::Error mount_it(const char *option) {
  if (::access(path_of("register").c_str(), F_OK) == 0)
    return llvm::Error::success();
  if (::mount("binfmt_misc", FOLDER, "binfmt_misc", 0, nullptr) == 0)
    return llvm::Error::success();
  const int error = errno;
  if (error == EPERM && ::geteuid() != 0)
    return failure(Reason::failed,
                   "{0}: {1} is not mounted, which only root can do; {2}",
                   option, FOLDER, OTHERWISE);
  return failure(Reason::failed,
                 "{0}: {1} cannot be mounted: {2} (a container has the "
                 "registrations of its host: register there); {3}",
                 option, FOLDER, std::strerror(error), OTHERWISE);
}

llvm::Error cannot_write(const char *option, llvm::StringRef file, int error) {
  const bool forbidden = error == EACCES || error == EPERM || error == EROFS;
  return failure(Reason::failed, "{0}: {1}: {2}{3}{4}", option, path_of(file),
                 std::strerror(error),
                 forbidden ? " (only root can register programs); " : "; ",
                 OTHERWISE);
}

} // namespace

std::string distrust_interpreter() {
  char blamed[PATH_MAX];
  const char *const problem = gpuexec_distrust_own(blamed);
  if (!problem)
    return "";
  return llvm::formatv("{0}: {1} (whoever starts a GPU program would run what "
                       "is put there; register an installed gpuexec)",
                       blamed, problem)
      .str();
}

llvm::Error register_programs(llvm::raw_ostream &os) {
  static constexpr char OPTION[] = "--register";
  llvm::Expected<std::string> program = interpreter();
  if (!program)
    return program.takeError();
  if (std::string problem = distrust_interpreter(); !problem.empty())
    return failure(Reason::failed, "{0}: {1}", OPTION, problem);
  if (llvm::Error error = mount_it(OPTION))
    return error;
  for (const Entry &entry : ENTRIES) {
    const std::optional<std::string> old = interpreter_of(entry.name);
    if (old == *program) {
      os << entry.what << ": registered already\n";
      continue;
    }
    if (old)
      if (int error = write_file(entry.name, "-1"))
        return cannot_write(OPTION, entry.name, error);
    if (int error = write_file("register", line_of(entry, *program)))
      return cannot_write(OPTION, "register", error);
    os << entry.what << ": started by " << *program;
    if (old)
      os << ", no longer by " << *old;
    os << "\n";
  }
  os << "until the next boot; for longer: " << *program
     << " --register=print > /etc/binfmt.d/gpuexec.conf\n";
  return llvm::Error::success();
}

llvm::Error unregister_programs(llvm::raw_ostream &os) {
  bool any = false;
  for (const Entry &entry : ENTRIES) {
    if (!interpreter_of(entry.name))
      continue;
    any = true;
    if (int error = write_file(entry.name, "-1"))
      return cannot_write("--unregister", entry.name, error);
    os << entry.what << ": no longer registered\n";
  }
  if (!any)
    os << "nothing is registered\n";
  return llvm::Error::success();
}

llvm::Error print_registration(llvm::raw_ostream &os) {
  llvm::Expected<std::string> program = interpreter();
  if (!program)
    return program.takeError();
  for (const Entry &entry : ENTRIES)
    os << line_of(entry, *program) << "\n";
  return llvm::Error::success();
}

std::optional<std::string> registered_interpreter() {
  return interpreter_of(ENTRIES[0].name);
}

} // namespace gpuexec::binfmt
