//===-- loader/relay/main.cpp - gpuexec-relay -----------------------------===//
// gpuexec starts it (loader/device/lent/relay_process.h); nobody else does.
//   gpuexec-relay client ADDRESS     connects
//   gpuexec-relay server             serves a connection that it has
//===----------------------------------------------------------------------===//
#include "loader/device/lent/address.h"
#include "loader/relay/relay.h"
#include <csignal>
#include <cstdio>
#include <grp.h>
#include <sys/prctl.h>

using namespace gpuexec;

namespace {

constexpr std::chrono::seconds CONNECT_PATIENCE(10);
constexpr uid_t NOBODY = 65534;

std::optional<lent::Key> take_key() {
  UniqueFd pipe(lent::KEY_PIPE);
  lent::Key key;
  const ssize_t got = ::read(pipe.get(), key.data(), key.size());
  if (got != ssize_t(key.size()))
    return std::nullopt;
  return key;
}

/// A relay needs no user's rights. Others of this user cannot look into it.
void drop_privileges(bool is_child) {
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 ||
                           ::setgid(NOBODY) != 0 || ::setuid(NOBODY) != 0))
    ::_exit(125);
  ::prctl(PR_SET_DUMPABLE, 0);
  if (is_child) // that ended with setuid()
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

} // namespace

int main(int argc, char **argv) {
  const llvm::StringRef role = argc > 1 ? argv[1] : "";
  const bool is_client = role == "client" && argc == 3;
  if (!is_client && role != "server") {
    std::fputs("gpuexec-relay: gpuexec starts it, for --server=tcp://... and "
               "gpuexec serve --listen\n",
               stderr);
    return 125;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<lent::Key> key = take_key();
  UniqueFd local(lent::LOCAL_SOCKET), network(lent::NETWORK_SOCKET);
  if (!key)
    return 125;
  if (!is_client) {
    drop_privileges(/*is_child=*/true);
    lent::prepare_stream(network.get());
    relay::run_server_relay(std::move(network), std::move(local), *key);
    return 0;
  }
  std::string why_not;
  if (llvm::Expected<lent::Address> address = lent::Address::parse(argv[2])) {
    llvm::Expected<UniqueFd> connected =
        lent::connect_to(*address, CONNECT_PATIENCE);
    if (connected)
      network = std::move(*connected);
    else
      why_not = "cannot connect: " + llvm::toString(connected.takeError());
  } else {
    why_not = llvm::toString(address.takeError());
  }
  drop_privileges(/*is_child=*/false);
  relay::run_client_relay(std::move(network), std::move(local), *key,
                          std::move(why_not));
}
