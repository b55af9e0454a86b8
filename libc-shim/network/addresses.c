//===-- libc-shim/network/addresses.c - Internet addresses as text --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_state.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct in6_addr in6addr_any, in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

#undef htonl
#undef htons
#undef ntohl
#undef ntohs
uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }
uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }
uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }
uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

//===-- Text to address ---------------------------------------------------===//

/// Reads one to four numbers in C's notation; the last one fills the remaining
/// bytes. A space may end the text.
int inet_aton(const char *text, struct in_addr *to) {
  const int error_before = errno;
  uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    if (*text < '0' || *text > '9')
      return 0;
    char *end;
    errno = 0;
    const unsigned long number = strtoul(text, &end, 0);
    const bool last = *end != '.';
    const int bits = last ? 32 - 8 * part : 8;
    const bool fits = !errno && !(number >> bits);
    errno = error_before;
    if (!fits)
      return 0;
    address |= (uint32_t)number << (last ? 0 : 24 - 8 * part);
    text = end + 1;
    if (!last)
      continue;
    if (*end && !strchr(" \t\n\v\f\r", *end))
      return 0;
    if (to)
      to->s_addr = __builtin_bswap32(address);
    return 1;
  }
  return 0;
}

in_addr_t inet_addr(const char *text) {
  struct in_addr address;
  return inet_aton(text, &address) ? address.s_addr : INADDR_NONE;
}

/// Reads four decimal numbers without leading zeros.
static bool parse_ipv4(const char *text, unsigned char to[4]) {
  for (int part = 0; part < 4; ++part) {
    unsigned number = 0;
    int digits = 0;
    for (; *text >= '0' && *text <= '9' && digits < 4; ++digits)
      number = number * 10 + (unsigned)(*text++ - '0');
    const bool leading_zero = digits > 1 && text[-digits] == '0';
    if (!digits || number > 255 || leading_zero ||
        *text++ != (part < 3 ? '.' : '\0'))
      return false;
    to[part] = (unsigned char)number;
  }
  return true;
}

static int hexadecimal(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

static bool parse_ipv6(const char *text, unsigned char to[16]) {
  unsigned char bytes[16] = {0};
  int at = 0, gap = -1;
  if (*text == ':' && *++text != ':')
    return false;
  while (*text) {
    if (*text == ':') { // the second colon of "::", which stands for zeros
      if (gap >= 0)
        return false;
      gap = at;
      ++text;
      continue;
    }
    const char *group = text;
    unsigned value = 0;
    for (; hexadecimal(*text) >= 0 && text - group < 5; ++text)
      value = value << 4 | (unsigned)hexadecimal(*text);
    if (*text == '.' && at <= 12 && parse_ipv4(group, bytes + at)) {
      at += 4;
      break;
    }
    const long digits = text - group;
    if (!digits || digits > 4 || at > 14)
      return false;
    bytes[at++] = (unsigned char)(value >> 8);
    bytes[at++] = (unsigned char)value;
    if (*text && (*text != ':' || !*++text))
      return false;
  }
  if (gap < 0 ? at != 16 : at == 16)
    return false;
  const int tail = gap < 0 ? 0 : at - gap;
  memset(to, 0, 16);
  memcpy(to, bytes, (size_t)(at - tail));
  memcpy(to + 16 - tail, bytes + at - tail, (size_t)tail);
  return true;
}

int inet_pton(int family, const char *restrict text, void *restrict to) {
  unsigned char bytes[16];
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  if (family == AF_INET ? !parse_ipv4(text, bytes) : !parse_ipv6(text, bytes))
    return 0;
  memcpy(to, bytes, family == AF_INET ? 4 : 16);
  return 1;
}

//===-- Address to text ---------------------------------------------------===//

static int print_ipv4(char *to, const unsigned char *bytes) {
  return sprintf(to, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
}

/// Finds the longest run of two or more groups that are zero. Returns its
/// length, 0 if there is none; *start becomes its first group.
static int longest_zeros(const unsigned *groups, int *start) {
  int best = 0;
  for (int i = 0; i < 8; ++i) {
    int length = 0;
    while (i + length < 8 && !groups[i + length])
      ++length;
    if (length > best) {
      best = length;
      *start = i;
    }
  }
  return best < 2 ? 0 : best;
}

static void print_ipv6(char *to, const unsigned char *bytes) {
  unsigned groups[8];
  for (int i = 0; i < 8; ++i)
    groups[i] = (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1];
  int gap = -1;
  const int zeros = longest_zeros(groups, &gap);
  // ::1.2.3.4 and ::ffff:1.2.3.4
  const bool ends_as_ipv4 =
      zeros && gap == 0 && (zeros == 6 || (zeros == 5 && groups[5] == 0xffff));
  for (int i = 0; i < 8; ++i) {
    if (zeros && i == gap) {
      *to++ = ':';
      i += zeros - 1;
      if (i == 7)
        *to++ = ':';
      continue;
    }
    if (i)
      *to++ = ':';
    if (ends_as_ipv4 && i == 6) {
      to += print_ipv4(to, bytes + 12);
      break;
    }
    to += sprintf(to, "%x", groups[i]);
  }
  *to = '\0';
}

const char *inet_ntop(int family, const void *restrict from, char *restrict to,
                      socklen_t size) {
  char text[INET6_ADDRSTRLEN];
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  if (family == AF_INET)
    print_ipv4(text, from);
  else
    print_ipv6(text, from);
  if (strlen(text) >= size) {
    errno = ENOSPC;
    return NULL;
  }
  return strcpy(to, text);
}

char *inet_ntoa(struct in_addr address) {
  char *to = __thread_state()->address;
  print_ipv4(to, (const unsigned char *)&address);
  return to;
}
