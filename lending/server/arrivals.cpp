//===-- lending/server/arrivals.cpp - See arrivals.h ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/arrivals.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <sys/socket.h>

namespace gpuexec::serve {

llvm::StringRef host_of(llvm::StringRef address) {
  return address.rsplit(':').first;
}

/// If there are too many connections, closes one: the oldest that has sent
/// nothing, or else the oldest.
void Arrivals::make_room(llvm::StringRef host) {
  auto is_of_host = [&](const Arrival &arrival) {
    return host_of(arrival.address) == host;
  };
  const bool is_many = size_t(llvm::count_if(all, is_of_host)) >= MOST_OF_HOST;
  if (!is_many && all.size() < MOST)
    return;
  auto may_go = [&](const Arrival &arrival) {
    return !is_many || is_of_host(arrival);
  };
  auto goes = llvm::find_if(all, [&](const Arrival &arrival) {
    return may_go(arrival) && !arrival.has_spoken;
  });
  all.erase(goes != all.end() ? goes : llvm::find_if(all, may_go));
  ++forgotten;
}

void Arrivals::add(UniqueFd connection, std::string address,
                   Clock::time_point now) {
  make_room(host_of(address));
  all.push_back({std::move(connection), std::move(address), now});
}

void Arrivals::watch(std::vector<pollfd> &watched) const {
  for (const Arrival &arrival : all)
    if (!arrival.has_spoken)
      watched.push_back({arrival.connection.get(), POLLIN, 0});
}

void Arrivals::look(Clock::time_point now) {
  forgotten += all.remove_if([&](Arrival &arrival) {
    char byte;
    const ssize_t got =
        ::recv(arrival.connection.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    arrival.has_spoken |= got > 0;
    const bool has_gone =
        got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    return has_gone || now - arrival.since > TIMEOUT;
  });
}

bool Arrivals::any_has_spoken() const {
  return llvm::any_of(
      all, [](const Arrival &arrival) { return arrival.has_spoken; });
}

std::optional<Arrivals::Arrival>
Arrivals::take(llvm::function_ref<bool(llvm::StringRef host)> may_start) {
  auto found = llvm::find_if(all, [&](const Arrival &arrival) {
    return arrival.has_spoken && may_start(host_of(arrival.address));
  });
  if (found == all.end())
    return std::nullopt;
  Arrival arrival = std::move(*found);
  all.erase(found);
  return arrival;
}

} // namespace gpuexec::serve
