//===-- loader/ensemble/output.cpp - See output.h -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/ensemble/output.h"
#include "support/failure.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>
#include <cstring>
#include <vector>

namespace gpuexec::ensemble {
namespace {

/// A longer text stays in its file until it is passed on.
constexpr uint64_t LARGEST_KEPT = 64 * 1024;
constexpr size_t CHUNK = 256 * 1024;

llvm::Error cannot_open(const std::string &path) {
  return failure(Reason::failed, "{0}: {1}", path, std::strerror(errno));
}

std::string temporary_folder() {
  const char *named = std::getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

/// Passes text on in pieces, and puts a tag before each line.
class Writer {
public:
  Writer(int to, const std::string &tag) : to(to), tag(tag) {}

  int write(std::string_view text) {
    if (tag.empty())
      return write_all(to, text);
    std::string tagged;
    while (!text.empty()) {
      if (at_line_begin)
        tagged += tag;
      const size_t end = text.find('\n');
      at_line_begin = end != text.npos;
      tagged += text.substr(0, end);
      if (at_line_begin)
        tagged += '\n';
      text.remove_prefix(at_line_begin ? end + 1 : text.size());
    }
    return write_all(to, tagged);
  }
  /// The next instance begins a line of its own.
  int finish() {
    return tag.empty() || at_line_begin ? 0 : write_all(to, "\n");
  }

private:
  const int to;
  const std::string &tag;
  bool at_line_begin = true;
};

} // namespace

llvm::Expected<Output> Output::make_temporary() {
  Output output;
  const std::string folder = temporary_folder();
  output.file =
      UniqueFd(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!output.file) { // not every file system has files without a name
    std::string path = folder + "/gpuexec-XXXXXX";
    output.file = UniqueFd(::mkostemp(path.data(), O_CLOEXEC));
    if (!output.file)
      return cannot_open(folder);
    ::unlink(path.c_str());
  }
  return output;
}

llvm::Expected<Output> Output::make(const std::string &path) {
  Output output;
  output.file = UniqueFd(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!output.file)
    return cannot_open(path);
  return output;
}

uint64_t Output::size() const {
  struct stat status;
  if (!file)
    return kept.size();
  return ::fstat(file.get(), &status) == 0 ? uint64_t(status.st_size) : 0;
}

void Output::settle() {
  if (size() > LARGEST_KEPT)
    return;
  kept = read_all(file.get(), LARGEST_KEPT);
  file.close();
}

int Output::pass_on(int to, const std::string &tag) {
  Writer writer(to, tag);
  if (!file) {
    if (int error = writer.write(kept))
      return error;
    return writer.finish();
  }
  std::vector<char> chunk(CHUNK);
  for (off_t at = 0;;) {
    const ssize_t count = ::pread(file.get(), chunk.data(), chunk.size(), at);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    if (count == 0)
      return writer.finish();
    if (int error = writer.write({chunk.data(), size_t(count)}))
      return error;
    at += count;
  }
}

std::string Results::path(uint64_t number, const char *name) const {
  return folder + "/" + std::to_string(number) + "/" + name;
}

llvm::Error Results::begin(uint64_t number) const {
  const std::string path = folder + "/" + std::to_string(number);
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return failure(Reason::failed, "--results: {0}: {1}", path,
                   error.message());
  // That of an earlier run must not outlive a run that is ended.
  ::unlink(this->path(number, "exit").c_str());
  return llvm::Error::success();
}

llvm::Error Results::end(uint64_t number, int status) const {
  const std::string name = path(number, "exit");
  UniqueFd file(
      ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file || write_all(file.get(), std::to_string(status) + "\n") != 0)
    return cannot_open(name);
  return llvm::Error::success();
}

} // namespace gpuexec::ensemble
