//===-- toolchain/libstdcxx/terminate.cc - The last words -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What std::terminate() calls first, in the place of libsupc++'s file, with the
// same texts: the host knows the exception's type by a readable name.
//===----------------------------------------------------------------------===//
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <initializer_list>
#include <typeinfo>

extern "C" size_t __gpuexec_type_name(const char *mangled, char *name,
                                      size_t capacity); // libc-shim/abi

/// On standard error, without printf(): it would be in every program.
static void print(std::initializer_list<const char *> texts) {
  for (const char *text : texts)
    fputs(text, stderr);
}

/// The name of a type for people, or its mangled name.
static const char *readable(const char *mangled, char *name, size_t capacity) {
  const size_t length = __gpuexec_type_name(mangled, name, capacity - 1);
  name[length] = 0;
  return length ? name : mangled;
}

/// The second line: what an exception of the standard's says of itself.
static void print_what() {
  try {
    throw;
  } catch (const std::exception &exception) {
    print({"  what():  ", exception.what(), "\n"});
  } catch (...) {
  }
}

namespace __gnu_cxx {

void __verbose_terminate_handler() {
  static std::atomic<bool> terminating;
  if (terminating.exchange(true)) {
    print({"terminate called recursively\n"});
    abort();
  }
  // None when the program calls std::terminate(), or throws again what it does
  // not handle.
  if (const std::type_info *type = abi::__cxa_current_exception_type()) {
    char name[1024];
    print({"terminate called after throwing an instance of '",
           readable(type->name(), name, sizeof name), "'\n"});
    print_what();
  } else {
    print({"terminate called without an active exception\n"});
  }
  abort();
}

} // namespace __gnu_cxx
