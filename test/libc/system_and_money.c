// strfmon in the C locale, names of network interfaces, the state of the system: as on the host.
// RUN: %hostcc %s -o %t.host && %t.host > %t.expected
// RUN: %gpucc -O2 -w %s -o %t
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <monetary.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static void amounts(void) {
  static const char *const formats[] = {
      "%n",     "%i",     "%11n",     "%-11n|",  "%=*#5n",   "%=0#5n",     "%#5.0n",  "%.3n",     "%(n",      "%!n", "%^n",
      "%+n",    "%%",     "a%nb",     "%.0n",    "%(#5n",    "%=*(#5n",    "%14#5.4n", "%-14#5.4i|", "%+#3n", "%5n",
      "%=*15#5n", "%(15#3n", "%^+!8.1i", "%-(12n|", "%=x#10.2n"};
  static const double values[] = {1234.567, -1234.567, 0, 0.999, 1e20};
  char text[64];
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; ++i)
    for (unsigned k = 0; k < sizeof values / sizeof *values; ++k) {
      errno = 0;
      const int result = (int)strfmon(text, sizeof text, formats[i], values[k]);
      printf("%s %g: %d [%s] %d\n", formats[i], values[k], result, result >= 0 ? text : "", errno);
    }
  static const char *const wrong[] = {"%q", "%(+n", "%", "%#n", "%.n", "%=*#5!n"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    errno = 0;
    const int result = (int)strfmon(text, sizeof text, wrong[i], 1.5);
    printf("%s: %d %d\n", wrong[i], result, errno);
  }
  for (int size = 6; size <= 9; ++size)
    printf("%d: %d\n", size, (int)strfmon(text, (size_t)size, "%n", 1234.5));
  printf("%d [%s]\n", (int)strfmon(text, sizeof text, "%n %i", 1.5, 2.5), text);
  printf("%d [%s]\n", (int)strfmon(text, sizeof text, "%Ln", 1.5L), text);
  printf("%d [%s]\n", (int)strfmon_l(text, sizeof text, newlocale(LC_ALL_MASK, "C", 0), "%n", 7.0), text);
}

static void interfaces(void) {
  unsigned count = 0, equal = 0;
  struct if_nameindex *list = if_nameindex();
  for (struct if_nameindex *at = list; at->if_index; ++at, ++count) {
    char name[IF_NAMESIZE];
    equal += if_nametoindex(at->if_name) == at->if_index && !strcmp(if_indextoname(at->if_index, name), at->if_name);
  }
  printf("%u interfaces, %u equal, lo %u\n", count, equal, if_nametoindex("lo"));
  if_freenameindex(list);
  errno = 0;
  printf("%u %d\n", if_nametoindex("no-such"), errno);
  char name[IF_NAMESIZE];
  errno = 0;
  printf("%d %d\n", if_indextoname(99999, name) == NULL, errno);
}

static void state(void) {
  struct sysinfo now;
  printf("%d\n", sysinfo(&now));
  const unsigned long unit = now.mem_unit;
  printf("memory %lu swap %lu\n", now.totalram * unit >> 20, now.totalswap * unit >> 20);
  printf("%d %d %d\n", now.freeram > 0 && now.freeram <= now.totalram, now.uptime > 0, now.procs > 0);
  printf("%d\n", get_phys_pages() == (long)(now.totalram * unit / 4096));
  printf("%d %d\n", get_avphys_pages() > 0, get_nprocs() >= 1);
  printf("%d %d\n", sysconf(_SC_PHYS_PAGES) == get_phys_pages(), sysconf(_SC_AVPHYS_PAGES) > 0);
}

int main(void) {
  amounts();
  state();
  interfaces();
  return 0;
}
