//===-- libc-shim/network/services.c - Services and protocols -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host looks them up. Results of the functions without _r are one for all
// threads, as in glibc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/network/pack.h"
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ALIASES = 16, FIELDS = 4096 };

/// An entry that RPC_NETWORK_NAME has found. `text` has its strings, one behind
/// the other.
typedef struct {
  char text[FIELDS];
  char *name, *protocol, *aliases[MOST_ALIASES + 1];
  int number;
} network_entry;

static _Bool find(rpc_network_kind kind, const char *name, const char *protocol,
                  int number, network_entry *to) {
  if (!HOST_HAS_POSIX())
    return 0;
  rpc_port port = __port_open(RPC_NETWORK_NAME);
  __port_send_n(&port, name, strlen(name) + 1);
  __port_send_n(&port, protocol, strlen(protocol) + 1);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = kind;
  packet->words[1] = (uint64_t)number;
  __port_send_end(&port);
  const uint64_t size = __port_recv_n(&port, to->text, FIELDS);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  if (reply.words[0] != 1 || size > FIELDS)
    return 0;
  char *at = to->text, *const end = to->text + size;
  char **aliases = to->aliases, **const last = aliases + MOST_ALIASES;
  for (int field = 0; at < end; ++field, at += strlen(at) + 1)
    if (field == 0)
      to->name = at;
    else if (field == 1)
      to->number = atoi(at);
    else if (field == 2)
      to->protocol = at;
    else if (aliases < last)
      *aliases++ = at;
  *aliases = NULL;
  return 1;
}

static struct servent *find_service(rpc_network_kind kind, const char *name,
                                    int port, const char *protocol) {
  static network_entry entry;
  static struct servent found;
  if (!find(kind, name, protocol ? protocol : "", port, &entry))
    return NULL;
  found =
      (struct servent){entry.name, entry.aliases, entry.number, entry.protocol};
  return &found;
}
struct servent *getservbyname(const char *name, const char *protocol) {
  return find_service(RPC_SERVICE_BY_NAME, name, 0, protocol);
}
struct servent *getservbyport(int port, const char *protocol) {
  return find_service(RPC_SERVICE_BY_PORT, "", port, protocol);
}

static struct protoent *find_protocol(rpc_network_kind kind, const char *name,
                                      int number) {
  static network_entry entry;
  static struct protoent found;
  if (!find(kind, name, "", number, &entry))
    return NULL;
  found = (struct protoent){entry.name, entry.aliases, entry.number};
  return &found;
}
struct protoent *getprotobyname(const char *name) {
  return find_protocol(RPC_PROTOCOL_BY_NAME, name, 0);
}
struct protoent *getprotobynumber(int number) {
  return find_protocol(RPC_PROTOCOL_BY_NUMBER, "", number);
}

//===-- In the caller's memory --------------------------------------------===//

/// Looks up an entry and moves its texts to the caller's memory. 0, ENOENT for
/// none, ERANGE where the memory is too small.
static int find_in(rpc_network_kind kind, const char *name,
                   const char *protocol, int number, network_entry *to,
                   pack *at, char ***aliases) {
  if (!find(kind, name, protocol ? protocol : "", number, to))
    return ENOENT;
  int count = 0;
  while (to->aliases[count])
    ++count;
  *aliases = pack_pointers(at, count + 1);
  for (int i = 0; *aliases && i < count; ++i)
    (*aliases)[i] = pack_text(at, to->aliases[i]);
  to->name = pack_text(at, to->name);
  to->protocol = pack_text(at, to->protocol);
  return at->full ? ERANGE : 0;
}

static int service_in(rpc_network_kind kind, const char *name, int port,
                      const char *protocol, struct servent *entry, pack at,
                      struct servent **result) {
  *result = NULL;
  network_entry *found = calloc(1, sizeof *found);
  char **aliases = NULL;
  const int error =
      found ? find_in(kind, name, protocol, port, found, &at, &aliases)
            : ENOMEM;
  if (!error) {
    *entry =
        (struct servent){found->name, aliases, found->number, found->protocol};
    *result = entry;
  }
  free(found);
  return error == ENOENT ? 0 : error;
}
int getservbyname_r(const char *restrict name, const char *restrict protocol,
                    struct servent *restrict entry, char *restrict text,
                    size_t size, struct servent **restrict result) {
  return service_in(RPC_SERVICE_BY_NAME, name, 0, protocol, entry,
                    (pack){text, text + size, 0}, result);
}
int getservbyport_r(int port, const char *restrict protocol,
                    struct servent *restrict entry, char *restrict text,
                    size_t size, struct servent **restrict result) {
  return service_in(RPC_SERVICE_BY_PORT, "", port, protocol, entry,
                    (pack){text, text + size, 0}, result);
}

static int protocol_in(rpc_network_kind kind, const char *name, int number,
                       struct protoent *entry, pack at,
                       struct protoent **result) {
  *result = NULL;
  network_entry *found = calloc(1, sizeof *found);
  char **aliases = NULL;
  const int error =
      found ? find_in(kind, name, "", number, found, &at, &aliases) : ENOMEM;
  if (!error) {
    *entry = (struct protoent){found->name, aliases, found->number};
    *result = entry;
  }
  free(found);
  return error == ENOENT ? 0 : error;
}
int getprotobyname_r(const char *restrict name, struct protoent *restrict entry,
                     char *restrict text, size_t size,
                     struct protoent **restrict result) {
  return protocol_in(RPC_PROTOCOL_BY_NAME, name, 0, entry,
                     (pack){text, text + size, 0}, result);
}
int getprotobynumber_r(int number, struct protoent *restrict entry,
                       char *restrict text, size_t size,
                       struct protoent **restrict result) {
  return protocol_in(RPC_PROTOCOL_BY_NUMBER, "", number, entry,
                     (pack){text, text + size, 0}, result);
}
