//===-- lending/wire/link.cpp - The way to another process ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/link.h"
#include "support/failure.h"
#include "support/printable.h"

namespace gpuexec::remote {

llvm::Expected<Answer> answer_of(Message message, const char *name) {
  Reader reader(message.body);
  switch (Reply(message.kind)) {
  case Reply::done:
    return Answer{std::move(message.body), std::move(message.descriptors)};
  case Reply::failure: {
    bool not_runnable = reader.take<int32_t>() == int32_t(Reason::not_runnable);
    return failure(not_runnable ? Reason::not_runnable : Reason::failed, "{0}",
                   printable_lines(reader.text()));
  }
  case Reply::fault: {
    std::string text = printable_lines(reader.text());
    std::string report = printable_lines(reader.text());
    const int32_t signal = reader.take<int32_t>();
    const bool known = signal == SIGFPE || signal == SIGABRT;
    return llvm::make_error<DeviceFault>(std::move(text), std::move(report),
                                         known ? signal : SIGSEGV);
  }
  }
  return failure(Reason::failed, "{0} replies nonsense", name);
}

} // namespace gpuexec::remote
