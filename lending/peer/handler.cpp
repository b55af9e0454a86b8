//===-- lending/peer/handler.cpp - Who answers requests -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/handler.h"
#include "lending/wire/errors.h"

namespace gpuexec::lending {

llvm::Error Handler::nonsense() {
  return failure(Reason::failed, "a request that makes no sense");
}

template <typename R>
llvm::Error Handler::carry_out_as(llvm::StringRef body, Response &response) {
  std::optional<R> request;
  if (R::READERS & role)
    request = wire::decode<R>(body);
  if (!request)
    return nonsense();
  typename R::Reply reply;
  if (llvm::Error error = serve(*request, reply, response))
    return error;
  response.body = wire::encode(reply);
  return llvm::Error::success();
}

llvm::Error Handler::carry_out(const wire::Message &asked, Response &response) {
  if (llvm::Error error = check(asked.kind))
    return error;
  if (asked.descriptors.size() == 1)
    response.file = asked.descriptors.front().get();
  switch (asked.kind) {
#define FIELD(TYPE, NAME, ...)
#define FOREIGN(TYPE, FIELDS)
#define RECORD(NAME, FIELDS)
#define MESSAGE(NAME, NUMBER, SENT_BY, READ_BY, FIELDS)
#define REQUEST(NAME, NUMBER, READ_BY, FIELDS, REPLY)                          \
  case NUMBER:                                                                 \
    return carry_out_as<wire::NAME>(asked.body, response);
#include "lending/wire/requests.def"
  default:
    return nonsense();
  }
}

bool Handler::answer(const wire::Message &asked, wire::Channel &channel) {
  Response response;
  response.carry = [&](DeviceAddress address, uint64_t size) {
    channel.send(wire::Carry{address, size});
  };
  if (llvm::Error error = carry_out(asked, response)) {
    std::string body;
    const uint32_t kind = wire::encode_error(std::move(error), body);
    return channel.send(kind, body);
  }
  if (response.is_silent)
    return true;
  if (response.part &&
      !channel.send(response.part->place, {response.part->file}))
    return false;
  return channel.send(wire::Done::KIND, response.body);
}

} // namespace gpuexec::lending
