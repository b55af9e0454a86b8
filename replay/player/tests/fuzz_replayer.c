//===-- replay/player/tests/fuzz_replayer.c - Hostile recordings and devices ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever the bytes, gpu-replay ends with a status: it touches no memory that
// is not its own. Input: a recording, as it is or in pieces that get checksums
// that are right (a byte for the chunk's kind, two for its size, its bytes);
// then what the device writes into the mailbox while its calls are served, one
// write for each time that the server looks. The program's memory is a page.
//===----------------------------------------------------------------------===//
#include "replay/player/tests/fuzz_replayer.h"
#include "replay/player/live.h"
#include "replay/player/program.h"
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

//===-- The process: its end goes back to the fuzzer ----------------------===//

static jmp_buf ended;
static struct block {
  struct block *next, *previous;
  max_align_t data[];
} blocks;

static void *add(struct block *block) {
  if (!block)
    abort();
  block->next = blocks.next;
  block->previous = &blocks;
  if (blocks.next)
    blocks.next->previous = block;
  blocks.next = block;
  return block->data;
}

static struct block *take(void *data) {
  struct block *block =
      (struct block *)((char *)data - offsetof(struct block, data));
  block->previous->next = block->next;
  if (block->next)
    block->next->previous = block->previous;
  return block;
}

// A request for more is refused, as where there is no memory. While a recording
// is parsed, libFuzzer's own limit is smaller: a size that is believed is a
// finding. The program may ask for more than that later on.
enum { MOST_PARSING = 1 << 30, MOST_RUNNING = 64 << 20 };
static size_t most;

void *fuzz_calloc(size_t count, size_t size) {
  if (size && count > most / size)
    longjmp(ended, 1);
  struct block *block = real_realloc(NULL, sizeof *block + count * size);
  if (block)
    memset(block, 0, sizeof *block + count * size);
  return add(block);
}

void *fuzz_realloc(void *data, size_t size) {
  if (size > most)
    longjmp(ended, 1);
  return add(
      real_realloc(data ? take(data) : NULL, sizeof(struct block) + size));
}

void fuzz_free(void *data) {
  if (data)
    real_free(take(data));
}

void fuzz_exit(int status) { longjmp(ended, 1 + (status != 0)); }
ssize_t fuzz_write(int fd, const void *data, size_t size) {
  (void)fd, (void)data;
  return (ssize_t)size;
}
int fuzz_print(FILE *file, const char *format, ...) {
  (void)file, (void)format;
  return 0;
}

void fail(int status, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(text, sizeof text, format, arguments) < 0 || status < 125)
    abort();
  va_end(arguments);
  longjmp(ended, 1);
}

void say(const char *text) { (void)text; }

void *allocate(uint64_t count, uint64_t size) {
  return fuzz_calloc(count, size);
}
void *reallocate(void *data, uint64_t size) { return fuzz_realloc(data, size); }

//===-- The device --------------------------------------------------------===//

enum { PAGE = 4096, MEMORY = 0x10000 };

struct hostile {
  struct device device;
  struct bytes input; ///< what it is still to write
  struct server *server;
  uint8_t page[PAGE];
  unsigned kernels;
  void *host;
};

static uint8_t next_byte(struct hostile *h) {
  if (!h->input.size)
    longjmp(ended, 1);
  --h->input.size;
  return *h->input.data++;
}

/// Writes a few bytes of the input somewhere into the mailbox.
static void act(struct hostile *h) {
  const struct mailbox *m = &h->server->mailbox;
  const uint8_t action = next_byte(h), port = next_byte(h);
  if (!m->host)
    return;
  const uint64_t size = mailbox_size(m);
  if (action < 0xc0) { // as a client: hands a port over, with a packet
    struct port *p = &m->ports[port % m->port_count];
    const uint64_t outbox = m->doorbell_size + 4 * (uint64_t)m->port_count;
    const uint64_t headers = m->doorbell_size + 8 * (uint64_t)m->port_count;
    rpc_header *header = (rpc_header *)(m->host + headers) + p->index;
    uint64_t *words = packet_of(p, action % m->lanes)->words;
    if (p->state == UNUSED) {
      header->lane_mask = 1 | (uint64_t)1 << action % m->lanes;
      memcpy(&header->opcode, m->host + outbox, 0);
      header->opcode = (uint32_t)next_byte(h) << 24;
      header->opcode |= (uint32_t)next_byte(h) << 8 | next_byte(h);
      header->soa_words = (uint32_t)next_byte(h) << 2;
    }
    for (int i = 0; i < 4; ++i)
      words[i] = next_byte(h);
    if (words[1] > 0x80)
      words[1] = MEMORY + words[2];
    __atomic_store_n((uint32_t *)(m->host + outbox) + p->index, !p->own,
                     __ATOMIC_RELEASE);
  } else { // anything anywhere
    const uint64_t at = ((uint64_t)port << 8 | next_byte(h)) % size;
    m->host[at] = next_byte(h);
  }
}

static struct hostile *hostile_of(struct device *device) {
  return (struct hostile *)device;
}
static void load(struct device *device, const struct plan *plan,
                 struct bytes image) {
  (void)device, (void)plan, (void)image;
}
static bool find_global(struct device *device, const char *name,
                        uint64_t *address) {
  (void)device;
  *address = MEMORY + strlen(name);
  return true;
}
static struct host_memory allocate_host(struct device *device, uint64_t size) {
  (void)device;
  uint8_t *memory = fuzz_calloc(1, size);
  return (struct host_memory){memory, (uint64_t)memory};
}
static uint64_t allocate_memory(struct device *device, uint64_t size,
                                uint64_t alignment) {
  (void)device, (void)alignment;
  return size <= PAGE ? MEMORY : 0;
}
static bool free_memory(struct device *device, uint64_t address) {
  (void)device;
  return address == MEMORY;
}
static bool holds_page(struct device *device, uint64_t address, uint64_t size,
                       bool writes) {
  (void)device, (void)writes;
  return address >= MEMORY && in_range(address - MEMORY, size, PAGE);
}
static int read_page(struct device *device, void *to, uint64_t from,
                     uint64_t size) {
  if (!holds_page(device, from, size, false))
    return EFAULT;
  memcpy(to, hostile_of(device)->page + (from - MEMORY), size);
  return 0;
}
static int write_page(struct device *device, uint64_t to, const void *from,
                      uint64_t size) {
  if (!holds_page(device, to, size, true))
    return EFAULT;
  memcpy(hostile_of(device)->page + (to - MEMORY), from, size);
  return 0;
}
static uint64_t clock_frequency(struct device *device) {
  (void)device;
  return 1;
}
static void launch(struct device *device, const struct kernel *kernel,
                   const struct grid *grid, const void *arguments) {
  (void)kernel, (void)grid, (void)arguments;
  ++hostile_of(device)->kernels;
}
static bool runs(struct device *device) {
  struct hostile *h = hostile_of(device);
  act(h);
  return h->input.size > 8;
}

struct device *open_device(const char *name, const struct plan *plan) {
  (void)name, (void)plan;
  return NULL;
}
void back_off(uint64_t *since) { ++*since; }

// Nothing is served live: it would be this machine's files.
struct live *make_live(struct host *host) {
  (void)host;
  return NULL;
}
bool serve_live(struct live *live, struct call *call, struct buffer *answer) {
  (void)live, (void)call, (void)answer;
  return false;
}
void print_live(struct live *live, struct call *call, struct buffer *answer) {
  (void)live, (void)call, (void)answer;
}
bool flush_live(struct live *live) {
  (void)live;
  return true;
}

//===-- Inputs ------------------------------------------------------------===//

/// A chunk's head with checksums that are right.
static void add_chunk(struct buffer *file, uint32_t kind, struct bytes bytes) {
  struct {
    uint32_t kind, reserved;
    uint64_t stored, size, checksum, header_checksum;
  } head = {kind, 0, bytes.size, bytes.size, xxh3(bytes), 0};
  head.header_checksum = xxh3((struct bytes){(uint8_t *)&head, 32});
  append(file, &head, sizeof head);
  append(file, bytes.data, bytes.size);
}

/// The file that the input describes; the rest of the input is the device's.
static struct buffer make_file(struct bytes *input) {
  struct buffer file = {0};
  const uint32_t version[] = {1, ~1u};
  append(&file, "gpuexrec", 8);
  append(&file, version, sizeof version);
  while (input->size >= 3 && input->data[0] >= 1 && input->data[0] <= 4) {
    size_t size = (size_t)input->data[1] << 8 | input->data[2];
    const struct bytes chunk = {input->data + 3, size};
    if (size > input->size - 3)
      break;
    add_chunk(&file, input->data[0], chunk);
    input->data += 3 + size;
    input->size -= 3 + size;
  }
  return file;
}

/// As main.c, with the system's libzstd where there is one.
static bool unpack(uint8_t *to, size_t size, struct bytes packed,
                   struct error *error) {
  size_t (*decompress)(void *, size_t, const void *, size_t) = NULL;
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  if (library)
    *(void **)&decompress = dlsym(library, "ZSTD_decompress");
  return decompress ? decompress(to, size, packed.data, packed.size) == size
                    : set_error_text(error, "no libzstd");
}

static void replay(struct bytes input) {
  struct recording recording = {.name = "file"};
  struct error error;
  const struct bytes whole = input;
  const uint64_t begin = find_recording(whole);
  if (begin > whole.size)
    abort();
  const struct buffer file = make_file(&input);
  most = MOST_PARSING;
  if (!parse_recording(&recording, view(&file), unpack, &error))
    return;
  most = MOST_RUNNING;
  struct plan plan = {0};
  read_plan(&plan, &recording);
  recorded_heap(&recording);
  struct hostile *hostile = fuzz_calloc(1, sizeof *hostile);
  hostile->input = input;
  hostile->device = (struct device){.name = "hostile",
                                    .load = load,
                                    .find_global = find_global,
                                    .allocate_host = allocate_host,
                                    .allocate = allocate_memory,
                                    .free = free_memory,
                                    .holds = holds_page,
                                    .read = read_page,
                                    .write = write_page,
                                    .clock_frequency = clock_frequency,
                                    .launch = launch,
                                    .runs = runs};
  struct server *server = fuzz_calloc(1, sizeof *server);
  server->plan = &plan;
  server->host.device = &hostile->device;
  server->answers = make_answers(&recording, is_one_wave(server->plan));
  hostile->server = server;
  run_program(server, recording.image, read_names(&recording, "arguments", 0),
              read_names(&recording, "environment", 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct recording plain = {.name = "file"};
  struct error error;
  most = MOST_PARSING;
  if (!setjmp(ended))
    parse_recording(&plain, (struct bytes){data, size}, unpack, &error);
  if (!setjmp(ended))
    replay((struct bytes){data, size});
  while (blocks.next)
    real_free(take(blocks.next->data));
  return 0;
}
