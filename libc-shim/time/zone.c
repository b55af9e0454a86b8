//===-- libc-shim/time/zone.c - The zone that TZ names --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of zones only grows, and a zone in it does not change, so threads
// read it without a lock. If several threads see a new value of TZ at the same
// time, each makes the zone; one puts its zone on the list, the others use
// that.
//===----------------------------------------------------------------------===//
#include "libc-shim/time/zone.h"
#include "libc-shim/device/host_call.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DATABASE "/usr/share/zoneinfo/"
#define LOCAL_FILE "/etc/localtime"

enum { FILE_CAPACITY = 64 * 1024 }; // the largest are below 4 KiB

typedef struct zone zone;
struct zone {
  const zone *next; ///< older
  bool is_set;      ///< TZ was set; else this is the host's own zone
  uint8_t *bytes;   ///< contents of the zone's file; null: `rule` is the zone
  zone_file file;
  zone_rule rule;
  /// The values for tzset(): those of the last change to each kind of time.
  zone_time standard, summer;
  char value[]; ///< of TZ; behind it the copy in which `rule` has its names
};

// The zone of a program that has no memory for another one.
static const zone utc = {.rule = {.standard.name = "UTC", .summer.name = "UTC"},
                         .standard.name = "UTC",
                         .summer.name = "UTC"};
static const zone *zones;   // the list, newest first
static const zone *current; // the zone of the last tzset(); null before

char *tzname[2] = {(char *)"UTC", (char *)"UTC"};
long timezone;
int daylight;

//===-- Files -------------------------------------------------------------===//

/// Reads a file by open(), which a sandbox may refuse. Returns a block of
/// malloc of *size bytes, or null.
static uint8_t *read_own_file(const char *directory, const char *name,
                              size_t *size) {
  const size_t before = *name == '/' ? 0 : strlen(directory);
  const size_t length = strlen(name);
  char *const path = malloc(before + length + 2);
  uint8_t *const bytes = malloc(FILE_CAPACITY);
  *size = 0;
  if (path && bytes) {
    memcpy(path, directory, before);
    path[before] = '/';
    memcpy(path + before + (before > 0), name, length + 1);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t count = fd < 0 ? 0 : 1;
    while (count > 0 && *size < FILE_CAPACITY) {
      count = read(fd, bytes + *size, FILE_CAPACITY - *size);
      *size += count > 0 ? (size_t)count : 0;
    }
    if (fd >= 0)
      close(fd);
  }
  free(path);
  if (*size) // a file that was cut at FILE_CAPACITY is refused when checked
    return bytes;
  free(bytes);
  return NULL;
}

/// Asks the host for a file of its zone database, which works in a sandbox too.
/// An empty name means the host's own zone. Returns a block of malloc of *size
/// bytes, or null.
static uint8_t *read_database(const char *name, size_t *size) {
  uint8_t *const bytes = malloc(FILE_CAPACITY);
  *size = 0;
  if (bytes && HOST_HAS_POSIX()) {
    rpc_port port = __port_open(RPC_ZONE_FILE);
    __port_send_n(&port, name, strlen(name) + 1);
    const uint64_t received = __port_recv_n(&port, bytes, FILE_CAPACITY);
    const host_reply reply = host_reply_in(__port_recv(&port));
    __port_close(&port);
    if (!reply.words[0] && received <= FILE_CAPACITY)
      *size = received;
  }
  if (*size)
    return bytes;
  free(bytes);
  return NULL;
}

/// Reads the file of a zone, where glibc looks for it. Null if there is no such
/// file.
static uint8_t *read_bytes(const char *name, size_t *size) {
  if (!strcmp(name, LOCAL_FILE))
    return read_database("", size);
  const char *const directory = getenv("TZDIR");
  if (*name != '/' && directory && *directory)
    return read_own_file(directory, name, size);
  if (!strncmp(name, DATABASE, strlen(DATABASE)))
    name += strlen(DATABASE);
  if (*name == '/' || strstr(name, ".."))
    return read_own_file(DATABASE, name, size);
  return *name ? read_database(name, size) : NULL;
}

/// Reads and checks the file of a zone. Returns its bytes, to which `file` then
/// refers, or null.
static uint8_t *read_file(const char *name, zone_file *file) {
  size_t size;
  uint8_t *const bytes = read_bytes(name, &size);
  if (bytes && __zone_read_file(bytes, size, file))
    return bytes;
  free(bytes);
  return NULL;
}

//===-- Zones -------------------------------------------------------------===//

/// Sets `standard` and `summer` by the file's last changes to each.
static void note_last_changes(zone *made) {
  const zone_file *const file = &made->file;
  bool found[2] = {false, false};
  for (uint32_t i = file->changes; i-- && !(found[0] && found[1]);) {
    const zone_time begun = __zone_after(file, i);
    if (!found[begun.summer])
      *(begun.summer ? &made->summer : &made->standard) = begun;
    found[begun.summer] = true;
  }
  if (!found[0])
    made->standard = found[1] ? made->summer : __zone_by_file(file, 0);
  if (!found[1])
    made->summer = made->standard;
}

/// Reads the file or rule that made->value names; UTC if it names none.
static void read_zone(zone *made) {
  const char *name = made->value;
  name += *name == ':';
  if (made->is_set && !*name) {
    made->rule = utc.rule;
  } else if ((made->bytes =
                  read_file(made->is_set ? name : LOCAL_FILE, &made->file))) {
    note_last_changes(made);
    return;
  } else if (made->is_set && strcmp(name, LOCAL_FILE)) {
    char *const text = made->value + strlen(made->value) + 1;
    strcpy(text, name);
    __zone_read_rule(text, &made->rule);
  } else {
    made->rule = utc.rule;
  }
  made->standard = made->rule.standard;
  made->summer = made->rule.summer;
}

/// Makes the zone for a value of TZ; null if TZ is not set. Null without
/// memory.
static zone *make_zone(const char *value) {
  const size_t room = value ? strlen(value) + 1 : 1;
  zone *const made = malloc(sizeof *made + 2 * room);
  if (!made)
    return NULL;
  *made = (zone){.is_set = value != NULL};
  memcpy(made->value, value ? value : "", room);
  read_zone(made);
  return made;
}

static const zone *find_zone(const zone *newest, const char *value) {
  for (; newest; newest = newest->next)
    if (newest->is_set == (value != NULL) &&
        (!value || !strcmp(newest->value, value)))
      return newest;
  return NULL;
}

/// The zone of a value of TZ, from the list, to which a new one is added.
static const zone *zone_of(const char *value) {
  const zone *newest =
      __scoped_atomic_load_n(&zones, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  const zone *known = find_zone(newest, value);
  if (known)
    return known;
  zone *const made = make_zone(value);
  if (!made)
    return &utc;
  do {
    if ((known = find_zone(newest, value))) {
      free(made->bytes);
      free(made);
      return known;
    }
    made->next = newest;
  } while (!__scoped_atomic_compare_exchange_n(
      &zones, &newest, (const zone *)made, 0, __ATOMIC_ACQ_REL,
      __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE));
  return made;
}

/// Returns the zone that TZ names now and sets the variables of tzset(). These
/// are the same for all threads: the program must not change TZ while another
/// thread asks for local time.
static const zone *update_zone(void) {
  const zone *const named = zone_of(getenv("TZ"));
  if (named != __scoped_atomic_load_n(&current, __ATOMIC_ACQUIRE,
                                      __MEMORY_SCOPE_DEVICE)) {
    tzname[0] = (char *)named->standard.name;
    tzname[1] = (char *)named->summer.name;
    timezone = -named->standard.offset;
    // As in glibc: a file counts summer time of the past, too, even with the
    // offset that is the standard's now.
    daylight = named->bytes ? named->summer.summer
                            : named->standard.offset != named->summer.offset;
    __scoped_atomic_store_n(&current, named, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
  }
  return named;
}

void tzset(void) { update_zone(); }

zone_time __zone_at(int64_t when, bool update) {
  const zone *known = update
                          ? NULL
                          : __scoped_atomic_load_n(&current, __ATOMIC_ACQUIRE,
                                                   __MEMORY_SCOPE_DEVICE);
  if (!known)
    known = update_zone();
  return known->bytes ? __zone_by_file(&known->file, when)
                      : __zone_by_rule(&known->rule, when);
}
