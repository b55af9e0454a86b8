//===-- debug-info/demangle.cpp - Names of C++ functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request is the mangled names and an answer the readable ones, each name
// followed by a zero byte. An empty answer to a name leaves the name as it is.
// Names of functions go through LLVM's demangler, and those of types, which do
// not begin with _Z, through that of the C++ library: std::terminate() of a
// program on the CPU prints its text.
//===----------------------------------------------------------------------===//
#include "debug-info/demangle.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Demangle/Demangle.h"

#include <cstdlib>
#include <cxxabi.h>

namespace gpuexec::debug_info {

using namespace llvm;

// Longer names, mangled or readable, are nothing that a person reads.
static constexpr size_t MOST_MANGLED = 4096, MOST_READABLE = 4096;

static std::string readable_name(StringRef mangled) {
  char *text = is_mangled(mangled)
                   ? itaniumDemangle({mangled.data(), mangled.size()})
                   : abi::__cxa_demangle(mangled.str().c_str(), nullptr,
                                         nullptr, nullptr);
  std::string result = text ? text : "";
  free(text);
  return result.size() <= MOST_READABLE ? result : "";
}

static std::string answer_to(StringRef request) {
  std::string answer;
  while (!request.empty()) {
    auto [name, rest] = request.split('\0');
    answer += readable_name(name);
    answer += '\0';
    request = rest;
  }
  return answer;
}

/// True of a name that a request can have.
static bool fits(StringRef name) {
  return name.size() <= MOST_MANGLED && !name.contains('\0');
}

static bool is_asked(StringRef name) { return is_mangled(name) && fits(name); }

static std::string request_for(const std::vector<std::string> &names) {
  std::string request;
  for (const std::string &name : names)
    if (is_asked(name))
      request.append(name.c_str(), name.size() + 1);
  return request;
}

/// Replaces the names that were asked for by the answers, which may be
/// anything.
static std::vector<std::string> replaced(std::vector<std::string> names,
                                         Expected<std::string> answer) {
  if (!answer) {
    consumeError(answer.takeError());
    return names;
  }
  StringRef left = *answer;
  for (std::string &name : names) {
    if (!is_asked(name))
      continue;
    auto [text, rest] = left.split('\0');
    if (!text.empty() && text.size() <= MOST_READABLE)
      name = text.str();
    left = rest;
  }
  return names;
}

std::vector<std::string> demangle(std::vector<std::string> names,
                                  const Limits &limits) {
  const std::string request = request_for(names);
  if (request.empty())
    return names;
  return replaced(std::move(names),
                  run_confined([&] { return answer_to(request); }, limits));
}

/// The request for the name of one type, or "".
static std::string request_for_type(const std::string &mangled) {
  if (mangled.empty() || is_mangled(mangled) || !fits(mangled))
    return "";
  return std::string(mangled.c_str(), mangled.size() + 1);
}

/// The name in an answer, which may be anything.
static std::string only_name(Expected<std::string> answer) {
  if (!answer) {
    consumeError(answer.takeError());
    return "";
  }
  const StringRef name = StringRef(*answer).split('\0').first;
  return name.size() <= MOST_READABLE ? name.str() : "";
}

std::string type_name(const std::string &mangled, const Limits &limits) {
  const std::string request = request_for_type(mangled);
  if (request.empty())
    return "";
  return only_name(run_confined([&] { return answer_to(request); }, limits));
}

PreparedDemangler::PreparedDemangler() {
  auto started = ConfinedServer::start(answer_to);
  if (started)
    server.emplace(std::move(*started));
  else
    consumeError(started.takeError()); // names stay as they are
}

std::vector<std::string>
PreparedDemangler::demangle(std::vector<std::string> names) {
  const std::string request = request_for(names);
  if (request.empty() || !server)
    return names;
  return replaced(std::move(names), server->ask(request));
}

std::string PreparedDemangler::type_name(const std::string &mangled) {
  const std::string request = request_for_type(mangled);
  return request.empty() || !server ? "" : only_name(server->ask(request));
}

} // namespace gpuexec::debug_info
