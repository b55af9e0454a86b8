// Sockets, which the host serves: pairs, TCP, UDP and Unix, options, time limits, poll, read and write on them, errors as on
// the host; and that a sandbox has none.
// RUN: rm -rf %t.h %t.d && mkdir -p %t.h %t.d
// RUN: %hostcc -fno-builtin -w %s -o %t.host && cd %t.h && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: cd %t.d && %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --sandbox %t refused > %t.refused && grep -q 'refused: 1 1 1 1' %t.refused
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "show.h"

static int refused(void) {
  int ends[2];
  struct addrinfo *list;
  printf("refused: %d", socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EPERM);
  printf(" %d", socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == -1 && errno == EPERM);
  printf(" %d", getaddrinfo("127.0.0.1", "80", NULL, &list) == EAI_SYSTEM && errno == EPERM);
  printf(" %d\n", gethostbyname("localhost") == NULL);
  return 0;
}

static void pair(void) {
  int ends[2];
  char text[20] = "";
  SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  SHOW(write(ends[0], "hello", 5));
  struct pollfd file = {ends[1], POLLIN | POLLOUT};
  SHOW(poll(&file, 1, 1000));
  printf("%d\n", file.revents);
  SHOW(recv(ends[1], text, 2, MSG_PEEK));
  SHOW(read(ends[1], text, sizeof text));
  puts(text);
  SHOW(recv(ends[1], text, 1, MSG_DONTWAIT));
  struct timeval limit = {0, 50000};
  SHOW(setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
  SHOW(recv(ends[1], text, 1, 0));
  SHOW(read(ends[1], text, 1));
  struct iovec parts[2] = {{"ab", 2}, {"cde", 3}}, into[2] = {{text, 3}, {text + 10, 5}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  SHOW(sendmsg(ends[0], &message, 0));
  message.msg_iov = into;
  SHOW(recvmsg(ends[1], &message, 0));
  printf("%.3s %.2s\n", text, text + 10);
  SHOW(shutdown(ends[0], SHUT_WR));
  SHOW(recv(ends[1], text, 1, 0));
  SHOW(send(ends[0], "x", 1, MSG_NOSIGNAL));
  SHOW(close(ends[0]) | close(ends[1]));
  SHOW(send(ends[0], "x", 1, 0));
}

static void tcp(void) {
  struct sockaddr_in address = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}}, peer;
  socklen_t size = sizeof address;
  char text[3000] = "";
  int on = 1, value = 0, server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  SHOW(setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  SHOW(bind(server, (struct sockaddr *)&address, sizeof address));
  SHOW(listen(server, 5));
  SHOW(getsockname(server, (struct sockaddr *)&address, &size));
  printf("%d %d %s\n", (int)size, address.sin_port != 0, inet_ntoa(address.sin_addr));
  int client = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
  SHOW(setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  size = sizeof value;
  SHOW(getsockopt(client, IPPROTO_TCP, TCP_NODELAY, &value, &size));
  printf("%d %d\n", value, (int)size);
  size = sizeof value;
  SHOW(getsockopt(client, SOL_SOCKET, SO_TYPE, &value, &size));
  printf("%d\n", value == SOCK_STREAM);
  SHOW(connect(client, (struct sockaddr *)&address, sizeof address));
  size = sizeof peer;
  int served = accept(server, (struct sockaddr *)&peer, &size);
  printf("%d %d %s\n", served > 0, (int)size, inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text));
  memset(text, 'q', sizeof text);
  SHOW(send(client, text, sizeof text, 0));
  SHOW(recv(served, text, sizeof text, MSG_WAITALL));
  SHOW(send(client, "u", 1, MSG_OOB));
  SHOW(recv(served, text, 1, MSG_OOB));
  SHOW(sockatmark(served));
  SHOW(sockatmark(-1));
  fd_set set;
  FD_ZERO(&set);
  FD_SET(client, &set);
  struct timeval now = {0, 0};
  SHOW(select(client + 1, &set, NULL, NULL, &now));
  FILE *stream = fdopen(served, "r+");
  fprintf(stream, "line %d\n", 1);
  fflush(stream);
  SHOW(recv(client, text, sizeof text, 0));
  SHOW(getpeername(client, (struct sockaddr *)&peer, &size));
  printf("%d\n", peer.sin_port == address.sin_port);
  fclose(stream);
  SHOW(read(client, text, 1));
  close(client);
  close(server);
  client = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(connect(client, (struct sockaddr *)&address, sizeof address));
  SHOW(getpeername(client, (struct sockaddr *)&peer, &size));
  close(client);
}

static void udp_and_unix(void) {
  struct sockaddr_in6 here = {AF_INET6, 0, 0, IN6ADDR_LOOPBACK_INIT}, from;
  struct sockaddr_in here4 = {AF_INET, 0, {htonl(INADDR_LOOPBACK)}}, from4;
  socklen_t size = sizeof here4;
  char text[10];
  int a = socket(AF_INET, SOCK_DGRAM, 0), b = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  SHOW(recv(b, text, 1, 0));
  SHOW(bind(a, (struct sockaddr *)&here4, sizeof here4));
  getsockname(a, (struct sockaddr *)&here4, &size);
  SHOW(sendto(b, "datagram of many", 16, 0, (struct sockaddr *)&here4, sizeof here4));
  size = sizeof from4;
  SHOW(recvfrom(a, text, 8, MSG_TRUNC, (struct sockaddr *)&from4, &size));
  printf("%.8s %d %d\n", text, (int)size, from4.sin_family);
  SHOW(send(b, "x", 1, 0));
  close(a);
  close(b);
  struct sockaddr_un name = {AF_UNIX, "a.socket"};
  a = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(connect(a, (struct sockaddr *)&name, sizeof name));
  SHOW(bind(a, (struct sockaddr *)&name, SUN_LEN(&name)));
  SHOW(bind(a, (struct sockaddr *)&name, SUN_LEN(&name)));
  SHOW(listen(a, 1));
  b = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(connect(b, (struct sockaddr *)&name, sizeof name));
  SHOW(access("a.socket", F_OK));
  SHOW(unlink("a.socket"));
  close(a);
  close(b);
  SHOW(socket(12345, SOCK_STREAM, 0));
  SHOW(socket(AF_INET, 99, 0));
  SHOW(listen(0, 1));
  SHOW(bind(99, (struct sockaddr *)&name, sizeof name));
}

static void addresses(void) {
  static const char *const texts[] = {"127.0.0.1", "1.2.3", "0x7f.1", "256.1.1.1", "1.2.3.4 x", "1.2.3.4x", "017.0.0.1", "", "::", "::1",
                                      "2001:db8::8:800:200c:417a", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "::1.2.3.4",
                                      "1::2::3", "12345::", "1:2:3", ":1:2", "fe80::1:0:0:1", "1:0:0:2:0:0:0:3", "::1.2.3.04", "1:2:3:4:5:6:7:8:9"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    struct in_addr four = {0};
    unsigned char bytes[16] = {0};
    char text[INET6_ADDRSTRLEN] = "";
    printf("[%s] %d %08x", texts[i], inet_aton(texts[i], &four), four.s_addr);
    printf(" %d", inet_pton(AF_INET, texts[i], bytes));
    int six = inet_pton(AF_INET6, texts[i], bytes);
    printf(" %d %s\n", six, six == 1 ? inet_ntop(AF_INET6, bytes, text, sizeof text) : "");
  }
  printf("%08x %04x %x\n", htonl(0x12345678), htons(0x1234), inet_addr("nothing"));
  char text[4];
  struct in_addr any = {0};
  SHOW(inet_ntop(AF_INET, &any, text, sizeof text) != NULL);
  SHOW(inet_pton(77, "1", text));
}

static void names(void) {
  struct addrinfo hints = {AI_NUMERICHOST | AI_PASSIVE, AF_UNSPEC, SOCK_STREAM}, *list = NULL;
  char host[100], service[100];
  printf("%d\n", getaddrinfo("192.0.2.7", "8080", &hints, &list));
  for (struct addrinfo *at = list; at; at = at->ai_next) {
    int code = getnameinfo(at->ai_addr, at->ai_addrlen, host, sizeof host, service, sizeof service,
                           NI_NUMERICHOST | NI_NUMERICSERV);
    printf("%d %d %d %d %d %s %s\n", at->ai_family, at->ai_socktype, at->ai_protocol, (int)at->ai_addrlen, code, host, service);
    printf("%d\n", getnameinfo(at->ai_addr, at->ai_addrlen, host, 2, service, sizeof service, NI_NUMERICHOST | NI_NUMERICSERV));
  }
  freeaddrinfo(list);
  printf("%s\n", gai_strerror(getaddrinfo("not numeric", "80", &hints, &list)));
  printf("%s\n", gai_strerror(getaddrinfo(NULL, NULL, &hints, &list)));
  hints.ai_family = 99;
  printf("%s\n", gai_strerror(getaddrinfo(NULL, "80", &hints, &list)));
  struct servent *found = getservbyname("http", "tcp");
  printf("%s %d %s\n", found ? found->s_name : "none", found ? ntohs(found->s_port) : 0, found ? found->s_proto : "");
  struct protoent *protocol = getprotobyname("tcp");
  printf("%d\n", protocol ? protocol->p_proto : -1);
  struct hostent *machine = gethostbyname("127.0.0.1");
  printf("%d %s\n", machine ? machine->h_length : 0, machine ? inet_ntoa(*(struct in_addr *)machine->h_addr) : "");
  struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
  machine = gethostbyaddr(&loopback, sizeof loopback, AF_INET);
  printf("%s\n", machine ? machine->h_name : "none");
  printf("%s %s\n", hstrerror(HOST_NOT_FOUND), hstrerror(TRY_AGAIN));
}

// The same in memory of the caller's.
static void names_in_memory(void) {
  struct in_addr loopback = {htonl(INADDR_LOOPBACK)};
  struct servent *found;
  struct protoent *protocol;
  char memory[2048];
  int error = 0;
  struct hostent host, *there;
  struct servent service;
  struct protoent entry;
  int result = gethostbyname_r("127.0.0.1", &host, memory, sizeof memory, &there, &error);
  printf("%d %d %s %d\n", result, error, there ? inet_ntoa(*(struct in_addr *)there->h_addr) : "none", there ? there->h_addrtype : 0);
  result = gethostbyaddr_r(&loopback, sizeof loopback, AF_INET, &host, memory, sizeof memory, &there, &error);
  printf("%d %d %s\n", result, error, there ? there->h_name : "none");
  printf("%d\n", gethostbyname_r("127.0.0.1", &host, memory, 8, &there, &error) == ERANGE && !there);
  result = getservbyname_r("domain", "udp", &service, memory, sizeof memory, &found);
  printf("%d %s %d %s\n", result, found ? found->s_name : "none", found ? ntohs(found->s_port) : 0, found ? found->s_proto : "");
  result = getservbyport_r(htons(443), "tcp", &service, memory, sizeof memory, &found);
  printf("%d %s\n", result, found ? found->s_name : "none");
  printf("%d\n", getservbyname_r("http", "tcp", &service, memory, 3, &found) == ERANGE && !found);
  result = getprotobyname_r("udp", &entry, memory, sizeof memory, &protocol);
  printf("%d %d %s\n", result, protocol ? protocol->p_proto : -1, protocol && protocol->p_aliases[0] ? protocol->p_aliases[0] : "");
  result = getprotobynumber_r(6, &entry, memory, sizeof memory, &protocol);
  printf("%d %s\n", result, protocol ? protocol->p_name : "none");
}

int main(int argc, char **argv) {
  if (argc > 1)
    return refused();
  pair();
  tcp();
  udp_and_unix();
  addresses();
  names();
  names_in_memory();
  return 0;
}
