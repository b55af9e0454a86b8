// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain stream over TLS 1.3, as fast as one thread at each end can: what gpuexec-relay cannot beat. Records of 16 KiB, four of
// them to a call, AES-128-GCM, a certificate that nobody checks.
//
// usage: serve_tls ADDRESS PORT CERTIFICATE    receives one connection; prints MB/s
//        serve_tls ADDRESS PORT                sends for two seconds
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 20, TOGETHER = 64 << 10, READ_AHEAD = 128 << 10 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int connected(const char *host, const char *port, int listens) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
  int end = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  inet_pton(AF_INET, host, &address.sin_addr);
  setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (listens) {
    if (bind(end, (void *)&address, sizeof address) || listen(end, 1))
      return -1;
    puts("listens");
    fflush(stdout);
    end = accept(end, NULL, NULL);
  } else if (connect(end, (void *)&address, sizeof address)) {
    return -1;
  }
  setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return end;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  int receives = argc == 4;
  if (argc < 3)
    return 2;
  int end = connected(argv[1], argv[2], receives);
  SSL_CTX *context = SSL_CTX_new(receives ? TLS_server_method() : TLS_client_method());
  if (end < 0 || !context || !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256"))
    return 1;
  if (receives && (SSL_CTX_use_certificate_file(context, argv[3], SSL_FILETYPE_PEM) != 1 ||
                   SSL_CTX_use_PrivateKey_file(context, argv[3], SSL_FILETYPE_PEM) != 1))
    return 1;
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, READ_AHEAD);
  SSL *stream = SSL_new(context);
  BIO *sends = BIO_new(BIO_f_buffer());
  BIO_set_write_buffer_size(sends, TOGETHER);
  BIO_push(sends, BIO_new_socket(end, BIO_NOCLOSE));
  SSL_set_bio(stream, BIO_new_socket(end, BIO_NOCLOSE), sends);
  if ((receives ? SSL_accept(stream) : SSL_connect(stream)) != 1)
    return 1;
  static char buffer[BUFFER];
  memset(buffer, 7, sizeof buffer);
  size_t count;
  double begin = 0, bytes = 0;
  if (receives) {
    for (; SSL_read_ex(stream, buffer, sizeof buffer, &count); bytes += count)
      begin = begin ? begin : now();
    printf("%.0f\n", bytes / (now() - begin) / 1e6);
  } else {
    for (begin = now(); now() - begin < 2;)
      if (!SSL_write_ex(stream, buffer, sizeof buffer, &count))
        return 1;
    BIO_flush(sends);
  }
  return 0;
}
