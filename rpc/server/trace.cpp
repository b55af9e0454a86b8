//===-- rpc/server/trace.cpp - Events in Chrome's JSON format -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/server/trace.h"
#include "support/descriptor.h"
#include "support/printable.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <errno.h>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

using namespace gpuexec::rpc;

// Events are collected until they have this many bytes, then written together.
static constexpr size_t CHUNK = 1 << 16;

struct Trace::Impl {
  std::string path;
  UniqueFd fd;
  int pid = getpid();
  Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::string text = "[\n";
  bool first = true;
  int error = 0;

  void write_out() {
    error = error ? error : write_all(fd.get(), text);
    text.clear();
  }
  void append(const std::string &line) {
    std::lock_guard lock(mutex);
    if (!fd)
      return;
    if (!first)
      text += ",\n";
    first = false;
    text += line;
    if (text.size() >= CHUNK)
      write_out();
  }
};

Trace::Trace(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}

llvm::Expected<std::unique_ptr<Trace>> Trace::create(llvm::StringRef path) {
  UniqueFd file(::open(path.str().c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file)
    return llvm::createStringError("%s: %s", path.str().c_str(),
                                   strerror(errno));
  return begin(std::move(file), path);
}

std::unique_ptr<Trace> Trace::begin(UniqueFd file, llvm::StringRef name) {
  auto impl = std::make_unique<Impl>();
  impl->path = name.str();
  impl->fd = std::move(file);
  return std::unique_ptr<Trace>(new Trace(std::move(impl)));
}

Trace::~Trace() { llvm::consumeError(close()); }

llvm::Error Trace::close() {
  std::lock_guard lock(impl->mutex);
  if (!impl->fd)
    return llvm::Error::success();
  impl->text += "\n]\n";
  impl->write_out();
  if (::close(impl->fd.release()) != 0 && !impl->error)
    impl->error = errno;
  if (impl->error)
    return llvm::createStringError("%s: %s", impl->path.c_str(),
                                   strerror(impl->error));
  return llvm::Error::success();
}

std::string Trace::quote(llvm::StringRef text) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  llvm::json::OStream(stream).value(llvm::json::fixUTF8(text));
  return gpuexec::printable_json(out);
}

void Trace::event(llvm::StringRef category, llvm::StringRef name,
                  uint64_t track, Clock::time_point begin,
                  Clock::time_point end, llvm::StringRef args) {
  auto microseconds = [](Clock::duration time) {
    return std::chrono::duration<double, std::micro>(time).count();
  };
  impl->append(llvm::formatv("{{\"name\":{0},\"cat\":{1},\"ph\":\"X\","
                             "\"pid\":{2},\"tid\":{3},\"ts\":{4:f3},"
                             "\"dur\":{5:f3}{6}}",
                             quote(name), quote(category), impl->pid, track,
                             microseconds(begin - impl->start),
                             microseconds(end - begin),
                             args.empty() ? std::string()
                                          : ",\"args\":{" + args.str() + "}")
                   .str());
}

void Trace::name_track(uint64_t track, llvm::StringRef name) {
  impl->append(
      llvm::formatv("{{\"name\":\"thread_name\",\"ph\":\"M\","
                    "\"pid\":{0},\"tid\":{1},\"args\":{{\"name\":{2}}}",
                    impl->pid, track, quote(name))
          .str());
}
