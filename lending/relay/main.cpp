//===-- lending/relay/main.cpp - gpuexec-relay ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuexec starts it (lending/transport/relay_process.h); nobody else does.
//   gpuexec-relay client ADDRESS     connects to a server
//   gpuexec-relay server             serves the connection that it inherits
//   gpuexec-relay check              says whether credentials can be used
//===----------------------------------------------------------------------===//
#include "lending/relay/relay.h"
#include "lending/transport/address.h"
#include "lending/transport/relay_process.h"
#include <csignal>
#include <cstdio>
#include <grp.h>
#include <sys/prctl.h>
#include <sys/stat.h>

using namespace gpuexec;

namespace {

constexpr std::chrono::seconds CONNECT_TIMEOUT(10);
constexpr uid_t NOBODY = 65534;

std::optional<lending::Credentials> take_credentials() {
  UniqueFd file(lending::CREDENTIALS);
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0)
    return std::nullopt;
  std::string bytes(size_t(facts.st_size), '\0');
  if (::pread(file.get(), bytes.data(), bytes.size(), 0) != facts.st_size)
    return std::nullopt;
  wire::Reader reader(bytes);
  lending::Credentials credentials = lending::take_credentials(reader);
  if (!reader.done())
    return std::nullopt;
  return credentials;
}

/// Writes to `local` why the credentials cannot be used; nothing if they can.
int check(const lending::Credentials &credentials, UniqueFd local) {
  const std::string why = llvm::toString(relay::Tls::check(credentials));
  return write_all(local.get(), why);
}

/// The name that the certificate of the server at `address` must have.
std::string certified_name(const lending::Address &address) {
  return address.kind == lending::Address::Kind::vsock ? "vsock-" + address.host
                                                       : address.host;
}

/// Gives up the rights of root, which a relay does not need, and keeps other
/// processes of the same user from reading its memory.
void drop_privileges(bool is_child) {
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 ||
                           ::setgid(NOBODY) != 0 || ::setuid(NOBODY) != 0))
    ::_exit(125);
  ::prctl(PR_SET_DUMPABLE, 0);
  if (is_child) // setuid() resets this signal
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

} // namespace

int main(int argc, char **argv) {
  const llvm::StringRef role = argc > 1 ? argv[1] : "";
  const bool is_client = role == "client" && argc == 3;
  if (!is_client && role != "server" && role != "check") {
    std::fputs("gpuexec-relay: gpuexec starts it, for --server=tcp://... and "
               "gpuexec serve --listen\n",
               stderr);
    return 125;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::optional<lending::Credentials> credentials = take_credentials();
  UniqueFd local(lending::LOCAL_SOCKET), network(lending::NETWORK_SOCKET);
  if (!credentials)
    return 125;
  if (role == "check")
    return check(*credentials, std::move(local));
  if (!is_client) {
    drop_privileges(/*is_child=*/true);
    lending::prepare_stream(network.get());
    relay::run_server_relay(std::move(network), std::move(local), *credentials);
    return 0;
  }
  std::string why_not, host;
  if (llvm::Expected<lending::Address> address =
          lending::Address::parse(argv[2])) {
    llvm::Expected<UniqueFd> connected =
        lending::connect_to(*address, CONNECT_TIMEOUT);
    host = certified_name(*address);
    if (connected)
      network = std::move(*connected);
    else
      why_not = "cannot connect: " + llvm::toString(connected.takeError());
  } else {
    why_not = llvm::toString(address.takeError());
  }
  drop_privileges(/*is_child=*/false);
  relay::run_client_relay(std::move(network), std::move(local), *credentials,
                          host, std::move(why_not));
}
