//===-- loader/device/isolated/channel.cpp - Messages between processes ---===//
#include "loader/device/isolated/channel.h"
#include "support/descriptor.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace gpuexec::isolated {

using Clock = std::chrono::steady_clock;

namespace {
struct Header {
  uint32_t kind, size;
};
} // namespace

bool Channel::send(uint32_t kind, llvm::StringRef body) {
  if (body.size() > LARGEST_MESSAGE)
    return false;
  // In one piece: the other side wakes once.
  Header header{kind, uint32_t(body.size())};
  std::string message(reinterpret_cast<const char *>(&header), sizeof(header));
  message.append(body.begin(), body.end());
  return write_all(out, message) == 0;
}

/// Replies come within some ten microseconds, most often; to sleep and be woken
/// takes longer than that.
static void look_for_a_while(int in) {
  constexpr std::chrono::microseconds WHILE(50);
  const Clock::time_point end = Clock::now() + WHILE;
  pollfd watched = {in, POLLIN, 0};
  while (::poll(&watched, 1, 0) == 0 && Clock::now() < end)
    ;
}

bool Channel::read_all(void *to, size_t size,
                       std::optional<Clock::time_point> deadline) {
  for (size_t done = 0; done < size;) {
    if (deadline) {
      auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline -
                                                               Clock::now());
      pollfd watched = {in, POLLIN, 0};
      int ready = left.count() > 0 ? ::poll(&watched, 1, int(left.count())) : 0;
      if (ready == 0)
        return false;
      if (ready < 0)
        continue; // interrupted
    }
    ssize_t got = ::read(in, static_cast<char *>(to) + done, size - done);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += size_t(std::max<ssize_t>(got, 0));
  }
  return true;
}

std::optional<Message>
Channel::receive(std::optional<std::chrono::milliseconds> limit) {
  std::optional<Clock::time_point> deadline;
  if (limit)
    deadline = Clock::now() + *limit;
  Header header;
  look_for_a_while(in);
  if (!read_all(&header, sizeof(header), deadline) ||
      header.size > LARGEST_MESSAGE)
    return std::nullopt;
  Message message{header.kind, std::string(header.size, '\0')};
  if (!read_all(message.body.data(), header.size, deadline))
    return std::nullopt;
  return message;
}

} // namespace gpuexec::isolated
