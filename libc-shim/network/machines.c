//===-- libc-shim/network/machines.c - getaddrinfo and its like -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host resolves names. Results in static memory are shared by all threads,
// as in glibc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ANSWER = 64 << 10 };

/// The EAI_* code of a reply. The host answers 0, the code without its sign, or
/// -1 with errno, which is EAI_SYSTEM.
static int code_of(host_reply reply) {
  const long code = __host_result(reply);
  return code < 0 ? EAI_SYSTEM : (int)-code;
}

//===-- getaddrinfo -------------------------------------------------------===//

/// An element of getaddrinfo()'s list, with the memory to which it points.
typedef struct {
  struct addrinfo info;
  struct sockaddr_storage address;
  char name[];
} entry;

static entry *make_entry(const rpc_address_head *head, const char *bytes) {
  entry *made = calloc(1, sizeof *made + head->name_size + 1);
  if (!made)
    return NULL;
  made->info = (struct addrinfo){
      .ai_flags = head->flags,
      .ai_family = head->family,
      .ai_socktype = head->type,
      .ai_protocol = head->protocol,
      .ai_addrlen = head->address_size,
      .ai_addr = (struct sockaddr *)&made->address,
      .ai_canonname = head->name_size ? made->name : NULL,
  };
  memcpy(&made->address, bytes, head->address_size);
  memcpy(made->name, bytes + head->address_size, head->name_size);
  return made;
}

static int unpack(const char *at, const char *end, struct addrinfo **list) {
  while (at < end) {
    rpc_address_head head;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    entry *made = make_entry(&head, at);
    if (!made)
      return EAI_MEMORY;
    at += head.address_size + head.name_size;
    *list = &made->info;
    list = &made->info.ai_next;
  }
  return 0;
}

static host_reply ask(const char *node, const char *service,
                      const struct addrinfo *hints, char *to, uint64_t *size) {
  rpc_port port = __port_open(RPC_RESOLVE);
  __port_send_n(&port, node ? node : "", node ? strlen(node) + 1 : 1);
  __port_send_n(&port, service ? service : "",
                service ? strlen(service) + 1 : 1);
  rpc_packet *packet = __port_send_begin(&port);
  packet->words[0] = hints ? (uint64_t)hints->ai_flags : 0;
  packet->words[1] = hints ? (uint64_t)hints->ai_family : 0;
  packet->words[2] = hints ? (uint64_t)hints->ai_socktype : 0;
  packet->words[3] = hints ? (uint64_t)hints->ai_protocol : 0;
  packet->words[4] = (node ? RPC_RESOLVE_NODE : 0u) |
                     (service ? RPC_RESOLVE_SERVICE : 0u) |
                     (hints ? RPC_RESOLVE_HINTS : 0u);
  __port_send_end(&port);
  *size = __port_recv_n(&port, to, MAX_ANSWER);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  return reply;
}

int getaddrinfo(const char *restrict node, const char *restrict service,
                const struct addrinfo *restrict hints,
                struct addrinfo **restrict list) {
  if (!HOST_HAS_POSIX()) {
    errno = ENOSYS;
    return EAI_SYSTEM;
  }
  char *buffer = malloc(MAX_ANSWER);
  if (!buffer)
    return EAI_MEMORY;
  uint64_t size = 0;
  *list = NULL;
  int code = code_of(ask(node, service, hints, buffer, &size));
  if (!code)
    code = size > MAX_ANSWER ? EAI_MEMORY : unpack(buffer, buffer + size, list);
  free(buffer);
  if (code) {
    freeaddrinfo(*list);
    *list = NULL;
  }
  return code;
}

void freeaddrinfo(struct addrinfo *list) {
  while (list) {
    struct addrinfo *next = list->ai_next;
    free(list); // the first member of its entry
    list = next;
  }
}

const char *gai_strerror(int code) {
  static const char *const texts[] = {
      [-EAI_BADFLAGS] = "Bad value for ai_flags",
      [-EAI_NONAME] = "Name or service not known",
      [-EAI_AGAIN] = "Temporary failure in name resolution",
      [-EAI_FAIL] = "Non-recoverable failure in name resolution",
      [-EAI_NODATA] = "No address associated with hostname",
      [-EAI_FAMILY] = "ai_family not supported",
      [-EAI_SOCKTYPE] = "ai_socktype not supported",
      [-EAI_SERVICE] = "Servname not supported for ai_socktype",
      [9] = "Address family for hostname not supported",
      [-EAI_MEMORY] = "Memory allocation failure",
      [-EAI_SYSTEM] = "System error",
      [-EAI_OVERFLOW] = "Result too large for supplied buffer",
  };
  const unsigned index = (unsigned)-code;
  const char *text = index < sizeof texts / sizeof *texts ? texts[index] : NULL;
  return text ? text : "Unknown error";
}

int getnameinfo(const struct sockaddr *restrict address, socklen_t size,
                char *restrict host, socklen_t host_size,
                char *restrict service, socklen_t service_size, int flags) {
  if (!HOST_HAS_POSIX()) {
    errno = ENOSYS;
    return EAI_SYSTEM;
  }
  char names[NI_MAXHOST + NI_MAXSERV] = "";
  rpc_port port = __port_open(RPC_ADDRESS_NAME);
  __port_send_n(&port, address, size);
  __port_send_begin(&port)->words[0] = (uint64_t)flags;
  __port_send_end(&port);
  __port_recv_n(&port, names, sizeof names);
  host_reply reply = host_reply_in(__port_recv(&port));
  __port_close(&port);
  const int code = code_of(reply);
  if (code)
    return code;
  const char *second = names + strlen(names) + 1;
  if (host && host_size && strlcpy(host, names, host_size) >= host_size)
    return EAI_OVERFLOW;
  if (service && service_size &&
      strlcpy(service, second, service_size) >= service_size)
    return EAI_OVERFLOW;
  return 0;
}

//===-- gethostbyname -----------------------------------------------------===//

static int host_error;
int *__h_errno_location(void) { return &host_error; }

const char *hstrerror(int code) {
  static const char *const texts[] = {
      "Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
      "Unknown server error", "No address associated with name"};
  return code < 0 ? "Resolver internal error"
         : (unsigned)code < sizeof texts / sizeof *texts
             ? texts[code]
             : "Unknown resolver error";
}
void herror(const char *before) {
  fprintf(stderr, "%s%s%s\n", before && *before ? before : "",
          before && *before ? ": " : "", hstrerror(host_error));
}

struct hostent *gethostbyname(const char *name) {
  enum { MOST = 16 };
  static struct in_addr addresses[MOST];
  static char *list[MOST + 1], *no_aliases[1], official[NI_MAXHOST];
  static struct hostent found;
  const struct addrinfo hints = {.ai_flags = AI_CANONNAME,
                                 .ai_family = AF_INET,
                                 .ai_socktype = SOCK_STREAM};
  struct addrinfo *answer;
  const int code = getaddrinfo(name, NULL, &hints, &answer);
  if (code) {
    host_error = code == EAI_AGAIN    ? TRY_AGAIN
                 : code == EAI_NODATA ? NO_DATA
                 : code == EAI_NONAME ? HOST_NOT_FOUND
                                      : NO_RECOVERY;
    return NULL;
  }
  strlcpy(official, answer->ai_canonname ? answer->ai_canonname : name,
          sizeof official);
  int count = 0;
  for (struct addrinfo *at = answer; at && count < MOST; at = at->ai_next) {
    addresses[count] = ((struct sockaddr_in *)at->ai_addr)->sin_addr;
    list[count] = (char *)&addresses[count];
    ++count;
  }
  list[count] = NULL;
  freeaddrinfo(answer);
  found = (struct hostent){official, no_aliases, AF_INET,
                           sizeof(struct in_addr), list};
  return &found;
}

struct hostent *gethostbyaddr(const void *address, socklen_t size, int family) {
  static struct in6_addr copy;
  static char *list[2], *no_aliases[1], name[NI_MAXHOST];
  static struct hostent found;
  struct sockaddr_in four = {.sin_family = AF_INET};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6};
  const _Bool is_four = family == AF_INET && size == sizeof four.sin_addr;
  if (!is_four && (family != AF_INET6 || size != sizeof six.sin6_addr)) {
    errno = EINVAL;
    host_error = NO_RECOVERY;
    return NULL;
  }
  memcpy(is_four ? (void *)&four.sin_addr : (void *)&six.sin6_addr, address,
         size);
  const int code =
      getnameinfo(is_four ? (struct sockaddr *)&four : (struct sockaddr *)&six,
                  is_four ? sizeof four : sizeof six, name, sizeof name, NULL,
                  0, NI_NAMEREQD);
  if (code) {
    host_error = code == EAI_AGAIN ? TRY_AGAIN : HOST_NOT_FOUND;
    return NULL;
  }
  memcpy(&copy, address, size);
  list[0] = (char *)&copy;
  found = (struct hostent){name, no_aliases, family, (int)size, list};
  return &found;
}
void sethostent(int stays) { (void)stays; }
void endhostent(void) {}

//===-- Services and protocols --------------------------------------------===//

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
