// inet_network, inet_makeaddr, inet_netof, inet_lnaof: as on the host.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>

int main(void) {
  static const char *const texts[] = {"10",       "10.1",  "10.1.2", "10.1.2.3", "10.1.2.3.4", "",      "256", "010.0x10", "0x", "1.",
                                      "127.0.0.1", " 1",    "1 ",     "a",        "1.2x",       "1..2", "0",   "0x1f.7",   "08"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
    printf("%s: %x\n", texts[i], inet_network(texts[i]));
  static const char *const addresses[] = {"10.1.2.3", "127.0.0.1", "128.1.2.3", "172.16.5.6", "192.168.1.2", "224.1.2.3", "255.255.255.255", "0.0.0.1"};
  for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; ++i) {
    struct in_addr in;
    inet_aton(addresses[i], &in);
    const in_addr_t network = inet_netof(in), host = inet_lnaof(in);
    printf("%s: %x %x", addresses[i], network, host);
    printf(" %s\n", inet_ntoa(inet_makeaddr(network, host)));
  }
  static const in_addr_t numbers[] = {0, 1, 127, 128, 65535, 65536, 0xffffff, 0x1000000, 0xffffffff};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    printf("%x: %s\n", numbers[i], inet_ntoa(inet_makeaddr(numbers[i], 0x01020304)));
  return 0;
}
