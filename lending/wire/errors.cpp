//===-- lending/wire/errors.cpp - Errors as replies -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/wire/errors.h"
#include "support/failure.h"

namespace gpuexec::wire {

uint32_t encode_error(llvm::Error error, std::string &body) {
  uint32_t kind = Failed::KIND;
  auto put_failure = [&](Reason reason, const std::string &text) {
    body = encode(Failed{int32_t(reason), shortened(text)});
  };
  llvm::handleAllErrors(
      std::move(error),
      [&](const DeviceFault &fault) {
        kind = Fault::KIND;
        body = encode(Fault{shortened(fault.message()),
                            shortened(fault.report()), fault.signal()});
      },
      [&](const Failure &failed) {
        put_failure(failed.reason(), failed.message());
      },
      [&](const ImageError &bad) {
        put_failure(Reason::not_runnable, bad.message());
      },
      [&](const llvm::ErrorInfoBase &other) {
        put_failure(Reason::failed, other.message());
      });
  return kind;
}

llvm::Error nonsense_of(const char *name) {
  return failure(Reason::failed, "{0} replies nonsense", name);
}

llvm::Error error_of(const Message &reply, const char *name) {
  if (reply.kind == Done::KIND)
    return llvm::Error::success();
  if (reply.kind == Failed::KIND)
    if (std::optional<Failed> failed = decode<Failed>(reply.body)) {
      Reason reason = Reason::failed;
      for (Reason known :
           {Reason::not_runnable, Reason::group_faulted, Reason::group_ended})
        if (failed->reason == int32_t(known))
          reason = known;
      return failure(reason, "{0}", failed->text);
    }
  if (reply.kind == Fault::KIND)
    if (std::optional<Fault> fault = decode<Fault>(reply.body)) {
      const bool is_known = fault->signal == SIGFPE || fault->signal == SIGABRT;
      return llvm::make_error<DeviceFault>(std::move(fault->text),
                                           std::move(fault->report),
                                           is_known ? fault->signal : SIGSEGV);
    }
  return nonsense_of(name);
}

} // namespace gpuexec::wire
