//===-- rpc/services/machines.cpp - Names of machines and services --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opcodes RESOLVE, ADDRESS_NAME and NETWORK_NAME. The C library may ask other
// machines; a sandbox refuses.
//===----------------------------------------------------------------------===//
#include "rpc/services/serve.h"
#include <netdb.h>
#include <sys/socket.h>

using namespace gpuexec::rpc;

namespace {

template <typename T> void append(std::string &to, const T &value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

/// The answer of RESOLVE: for each entry an rpc_address_head, the address and
/// the canonical name.
std::string pack(const addrinfo *list) {
  std::string out;
  for (const addrinfo *entry = list; entry; entry = entry->ai_next) {
    const std::string name = entry->ai_canonname ? entry->ai_canonname : "";
    append(out, rpc_address_head{entry->ai_flags, entry->ai_family,
                                 entry->ai_socktype, entry->ai_protocol,
                                 uint32_t(entry->ai_addrlen),
                                 uint32_t(name.size())});
    out.append(reinterpret_cast<const char *>(entry->ai_addr),
               entry->ai_addrlen);
    out += name;
  }
  return out;
}

ResultBytes<> resolve(Services &services, const std::string &node,
                      const std::string &service, int flags, int family,
                      int type, int protocol, uint64_t given) {
  if (services.files.sandboxed())
    return Result::failure(EPERM);
  addrinfo hints = {}, *list = nullptr;
  hints.ai_flags = flags;
  hints.ai_family = family;
  hints.ai_socktype = type;
  hints.ai_protocol = protocol;
  const int result =
      getaddrinfo(given & RPC_RESOLVE_NODE ? node.c_str() : nullptr,
                  given & RPC_RESOLVE_SERVICE ? service.c_str() : nullptr,
                  given & RPC_RESOLVE_HINTS ? &hints : nullptr, &list);
  if (result == EAI_SYSTEM)
    return Result::failure(errno);
  if (result)
    return {-result, ""};
  std::string out = pack(list);
  freeaddrinfo(list);
  return {0, out};
}

ResultBytes<> address_name(Services &services, const Bytes &address,
                           int flags) {
  if (services.files.sandboxed())
    return Result::failure(EPERM);
  sockaddr_storage storage = {};
  if (address.size() > sizeof storage)
    return {-EAI_FAMILY, ""};
  memcpy(&storage, address.data(), address.size());
  char host[NI_MAXHOST], service[NI_MAXSERV];
  const int result = getnameinfo(reinterpret_cast<sockaddr *>(&storage),
                                 socklen_t(address.size()), host, sizeof host,
                                 service, sizeof service, flags);
  if (result == EAI_SYSTEM)
    return Result::failure(errno);
  if (result)
    return {-result, ""};
  return {0, std::string(host) + '\0' + service + '\0'};
}

/// Strings with their NUL: the name, the number, the protocol, other names.
std::string fields_of(const char *name, int number, const char *protocol,
                      char **aliases) {
  std::string out = std::string(name) + '\0' + std::to_string(number) + '\0' +
                    protocol + '\0';
  for (; aliases && *aliases; ++aliases)
    out += std::string(*aliases) + '\0';
  return out;
}

ResultBytes<> network_name(Services &services, const std::string &name,
                           const std::string &protocol, uint64_t kind,
                           int number) {
  if (services.files.sandboxed())
    return {0, ""};
  char buffer[4096];
  const char *with = protocol.empty() ? nullptr : protocol.c_str();
  if (kind == RPC_SERVICE_BY_NAME || kind == RPC_SERVICE_BY_PORT) {
    servent entry, *found = nullptr;
    if (kind == RPC_SERVICE_BY_NAME)
      getservbyname_r(name.c_str(), with, &entry, buffer, sizeof buffer,
                      &found);
    else
      getservbyport_r(number, with, &entry, buffer, sizeof buffer, &found);
    return {found != nullptr, found
                                  ? fields_of(found->s_name, found->s_port,
                                              found->s_proto, found->s_aliases)
                                  : ""};
  }
  if (kind != RPC_PROTOCOL_BY_NAME && kind != RPC_PROTOCOL_BY_NUMBER)
    return Result::failure(EINVAL);
  protoent entry, *found = nullptr;
  if (kind == RPC_PROTOCOL_BY_NAME)
    getprotobyname_r(name.c_str(), &entry, buffer, sizeof buffer, &found);
  else
    getprotobynumber_r(number, &entry, buffer, sizeof buffer, &found);
  return {found != nullptr,
          found ? fields_of(found->p_name, found->p_proto, "", found->p_aliases)
                : ""};
}

} // namespace

RPC_SERVE_IN_BACKGROUND(RESOLVE, resolve)
RPC_SERVE_IN_BACKGROUND(ADDRESS_NAME, address_name)
RPC_SERVE_IN_BACKGROUND(NETWORK_NAME, network_name)
