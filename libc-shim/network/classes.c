//===-- libc-shim/network/classes.c - Networks of classes A, B and C ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inet_network() and the functions that split an address by its class, as
// programs from before CIDR do.
//===----------------------------------------------------------------------===//
#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <stdlib.h>

/// The number of bits of the host's part in an address of this class.
static unsigned host_bits(in_addr_t address) {
  return address >> 31 == 0 ? 24 : address >> 30 == 2 ? 16 : 8;
}

in_addr_t inet_lnaof(struct in_addr in) {
  const in_addr_t address = ntohl(in.s_addr);
  return address & ((1u << host_bits(address)) - 1);
}
in_addr_t inet_netof(struct in_addr in) {
  const in_addr_t address = ntohl(in.s_addr);
  return address >> host_bits(address);
}

struct in_addr inet_makeaddr(in_addr_t network, in_addr_t host) {
  const unsigned bits = network < 128       ? 24
                        : network < 1 << 16 ? 16
                        : network < 1 << 24 ? 8
                                            : 0;
  const in_addr_t kept = bits ? host & ((1u << bits) - 1) : host;
  return (struct in_addr){htonl(network << bits | kept)};
}

/// Reads up to four bytes: "10.1.2" is 0x0a0102. Each is decimal, octal or
/// hexadecimal.
in_addr_t inet_network(const char *text) {
  in_addr_t result = 0;
  for (int parts = 1; parts <= 4; ++parts) {
    if (!isdigit((unsigned char)*text))
      return INADDR_NONE;
    char *end;
    const unsigned long part = strtoul(text, &end, 0);
    if (part > 0xff || (end[-1] == 'x' || end[-1] == 'X'))
      return INADDR_NONE;
    result = result << 8 | (in_addr_t)part;
    if (*end != '.') {
      while (isspace((unsigned char)*end))
        ++end;
      return *end ? INADDR_NONE : result;
    }
    text = end + 1;
  }
  return INADDR_NONE;
}
