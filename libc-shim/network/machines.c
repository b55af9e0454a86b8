//===-- libc-shim/network/machines.c - getaddrinfo and its like -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host resolves names. Results in static memory are shared by all threads,
// as in glibc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/network/pack.h"
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

static int host_error_of(int code) {
  return code == EAI_AGAIN    ? TRY_AGAIN
         : code == EAI_NODATA ? NO_DATA
         : code == EAI_NONAME ? HOST_NOT_FOUND
                              : NO_RECOVERY;
}

static const void *address_in(const struct sockaddr *address) {
  return address->sa_family == AF_INET6
             ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
             : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
}

int gethostbyname2_r(const char *restrict name, int family,
                     struct hostent *restrict entry, char *restrict text,
                     size_t size, struct hostent **restrict result,
                     int *restrict error) {
  const struct addrinfo hints = {.ai_flags = AI_CANONNAME,
                                 .ai_family = family,
                                 .ai_socktype = SOCK_STREAM};
  struct addrinfo *answer;
  *result = NULL;
  const int code = getaddrinfo(name, NULL, &hints, &answer);
  if (code) {
    *error = host_error_of(code);
    return code == EAI_AGAIN ? EAGAIN : 0;
  }
  pack at = {text, text + size, false};
  int count = 0;
  for (struct addrinfo *one = answer; one; one = one->ai_next)
    ++count;
  char **list = pack_pointers(&at, count + 1), **none = pack_pointers(&at, 1);
  const size_t length =
      family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
  count = 0;
  for (struct addrinfo *one = answer; list && one; one = one->ai_next) {
    char *copy = pack_bytes(&at, length, sizeof(uint32_t));
    list[count++] =
        copy ? memcpy(copy, address_in(one->ai_addr), length) : NULL;
  }
  char *official =
      pack_text(&at, answer->ai_canonname ? answer->ai_canonname : name);
  freeaddrinfo(answer);
  if (at.full) {
    *error = NETDB_INTERNAL;
    return ERANGE;
  }
  *entry = (struct hostent){official, none, family, (int)length, list};
  *result = entry;
  *error = NETDB_SUCCESS;
  return 0;
}
int gethostbyname_r(const char *restrict name, struct hostent *restrict entry,
                    char *restrict text, size_t size,
                    struct hostent **restrict result, int *restrict error) {
  return gethostbyname2_r(name, AF_INET, entry, text, size, result, error);
}

struct hostent *gethostbyname2(const char *name, int family) {
  static char text[4096];
  static struct hostent found;
  struct hostent *result;
  gethostbyname2_r(name, family, &found, text, sizeof text, &result,
                   &host_error);
  return result;
}
struct hostent *gethostbyname(const char *name) {
  return gethostbyname2(name, AF_INET);
}

int gethostbyaddr_r(const void *restrict address, socklen_t size, int family,
                    struct hostent *restrict entry, char *restrict text,
                    size_t room, struct hostent **restrict result,
                    int *restrict error) {
  struct sockaddr_in four = {.sin_family = AF_INET};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6};
  const bool is_four = family == AF_INET && size == sizeof four.sin_addr;
  *result = NULL;
  if (!is_four && (family != AF_INET6 || size != sizeof six.sin6_addr)) {
    *error = NO_RECOVERY;
    return errno = EINVAL;
  }
  memcpy(is_four ? (void *)&four.sin_addr : (void *)&six.sin6_addr, address,
         size);
  char name[NI_MAXHOST];
  const int code =
      getnameinfo(is_four ? (struct sockaddr *)&four : (struct sockaddr *)&six,
                  is_four ? sizeof four : sizeof six, name, sizeof name, NULL,
                  0, NI_NAMEREQD);
  if (code) {
    *error = code == EAI_AGAIN ? TRY_AGAIN : HOST_NOT_FOUND;
    return code == EAI_AGAIN ? EAGAIN : 0;
  }
  pack at = {text, text + room, false};
  char **list = pack_pointers(&at, 2), **none = pack_pointers(&at, 1);
  char *copy = pack_bytes(&at, size, sizeof(uint32_t));
  char *official = pack_text(&at, name);
  if (at.full) {
    *error = NETDB_INTERNAL;
    return ERANGE;
  }
  list[0] = memcpy(copy, address, size);
  *entry = (struct hostent){official, none, family, (int)size, list};
  *result = entry;
  *error = NETDB_SUCCESS;
  return 0;
}
struct hostent *gethostbyaddr(const void *address, socklen_t size, int family) {
  static char text[2048];
  static struct hostent found;
  struct hostent *result;
  gethostbyaddr_r(address, size, family, &found, text, sizeof text, &result,
                  &host_error);
  return result;
}
void sethostent(int stays) { (void)stays; }
void endhostent(void) {}
