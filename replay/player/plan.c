//===-- replay/player/plan.c - A recording's facts about the launch -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/plan.h"
#include "gpu/start_up.h"
#include "replay/player/process.h"
#include "rpc/protocol/protocol.h"
#include <string.h>

static const char *const hidden_names[] = {
#define HIDDEN_ARGUMENT(NAME) #NAME,
#include "gpu/amd_hidden_arguments.def"
};

enum { MOST_ARGUMENT_BYTES = 4096, MOST_SHARED = 1 << 20 };
/// Bytes of the arguments of _begin, of _start, and of _end.
enum { BEGIN_SIZE = 24, START_SIZE = 32, STATUS_SIZE = 4 };

uint64_t threads_of(const struct grid *grid) {
  return (uint64_t)grid->threads[0] * grid->threads[1] * grid->threads[2];
}
uint64_t blocks_of(const struct grid *grid) {
  const uint64_t plane = (uint64_t)grid->blocks[0] * grid->blocks[1];
  return plane > UINT64_MAX / grid->blocks[2] ? UINT64_MAX
                                              : plane * grid->blocks[2];
}
bool is_one_wave(const struct plan *plan) {
  // On an NVIDIA GPU lanes come apart in another way each time.
  const uint64_t most = plan->is_amd ? plan->lanes : 1;
  return blocks_of(&plan->grid) == 1 && threads_of(&plan->grid) <= most;
}

//===-- Facts -------------------------------------------------------------===//

/// The bytes before the first NUL, as a string that stays.
static char *text_of(struct bytes bytes) {
  const size_t size =
      bytes.size ? strnlen((const char *)bytes.data, bytes.size) : 0;
  char *text = allocate(size + 1, 1);
  if (size)
    memcpy(text, bytes.data, size);
  return text;
}

/// A fact of several strings: the next one. fail() where there is none.
static struct bytes next_string(const struct recording *recording,
                                struct packed *fact, const char *name) {
  const struct bytes text = read_bytes(fact);
  if (fact->failed)
    fail(STATUS_FAILED,
         "%s: what it says of '%s' is damaged, or from another version of "
         "gpuexec",
         recording->name, name);
  return text;
}

/// Reads a decimal number of at most `most`. False if the text is none.
static bool parse_number(struct bytes text, uint64_t most, uint64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.size; ++i) {
    const unsigned digit = text.data[i] - (unsigned)'0';
    if (digit > 9 || *number > (most - digit) / 10 || most < digit)
      return false;
    *number = *number * 10 + digit;
  }
  return text.size > 0;
}

/// The next string of a fact as a number.
static uint64_t next_fact_number(const struct recording *recording,
                                 struct packed *fact, const char *name) {
  uint64_t number;
  if (!parse_number(next_string(recording, fact, name), UINT64_MAX, &number))
    fail(STATUS_FAILED, "%s: what it says of '%s' is no number",
         recording->name, name);
  return number;
}

_Noreturn static void wrong(const struct recording *r, const char *what) {
  fail(STATUS_FAILED, "%s: what it says of its %s is damaged", r->name, what);
}

/// A number of a fact that is at most `most`.
static uint64_t number(const struct recording *r, struct packed *fact,
                       uint64_t most, const char *name) {
  const uint64_t value = next_fact_number(r, fact, name);
  if (value > most)
    wrong(r, name);
  return value;
}

/// The strings of a fact of exactly `count`.
static struct packed fact_of(const struct recording *r, const char *name,
                             uint64_t count) {
  struct packed fact = find_fact(r, name);
  if (read_number(&fact) != count)
    wrong(r, name);
  return fact;
}

static uint64_t single_number(const struct recording *r, const char *name,
                              uint64_t most) {
  struct packed fact = fact_of(r, name, 1);
  return number(r, &fact, most, name);
}

/// The number of a fact whose text may be empty: 0 then.
static uint64_t optional_number(const struct recording *r, const char *name) {
  struct packed fact = fact_of(r, name, 1);
  const struct bytes text = next_string(r, &fact, name);
  uint64_t value = 0;
  if (text.size && !parse_number(text, UINT64_MAX, &value))
    wrong(r, name);
  return value;
}

struct names read_names(const struct recording *r, const char *name,
                        size_t before) {
  struct packed fact = find_fact(r, name);
  const uint64_t count = fact.left.size ? read_number(&fact) : 0;
  if (count > fact.left.size) // each string is a byte at least
    wrong(r, name);
  struct names names = {allocate(before + count + 1, sizeof *names.all),
                        before + count};
  for (uint64_t i = 0; i < count; ++i)
    names.all[before + i] = text_of(next_string(r, &fact, name));
  return names;
}

/// The processor of a fact that holds a target, `gfx90a:xnack-`; NULL without.
static const char *processor_of(const struct recording *r, const char *name) {
  const struct names targets = read_names(r, name, 0);
  if (!targets.count)
    return NULL;
  const char *target = targets.all[0];
  return text_of((struct bytes){(const uint8_t *)target, strcspn(target, ":")});
}

static enum hidden_kind kind_of(struct bytes name) {
  for (unsigned i = 0; i < sizeof hidden_names / sizeof *hidden_names; ++i)
    if (is_text(name, hidden_names[i]))
      return (enum hidden_kind)i;
  return HIDDEN_unknown;
}

static void read_hidden(const struct recording *r, struct packed *fact,
                        struct kernel *kernel) {
  static const char name[] = "launches";
  kernel->hidden_count = (unsigned)number(r, fact, MOST_HIDDEN, name);
  for (unsigned i = 0; i < kernel->hidden_count; ++i) {
    struct hidden_argument *hidden = &kernel->hidden[i];
    hidden->kind = kind_of(next_string(r, fact, name));
    hidden->offset = (uint32_t)number(r, fact, UINT32_MAX, name);
    hidden->size = (uint32_t)number(r, fact, UINT32_MAX, name);
    if (!in_range(hidden->offset, hidden->size, kernel->kernarg_size))
      wrong(r, name);
  }
}

static void read_kernel(const struct recording *r, struct packed *fact,
                        struct kernel *kernel) {
  static const char name[] = "launches";
  const struct bytes role = next_string(r, fact, name);
  kernel->role = is_text(role, "begin")   ? ROLE_BEGIN
                 : is_text(role, "start") ? ROLE_START
                 : is_text(role, "end")   ? ROLE_END
                                          : ROLE_PLAIN;
  kernel->single = kernel->role != ROLE_START && !is_text(role, "named");
  struct bytes symbol = next_string(r, fact, name);
  kernel->symbol = text_of(symbol);
  if (symbol.size > 3 && memcmp(symbol.data + symbol.size - 3, ".kd", 3) == 0)
    symbol.size -= 3;
  kernel->name = text_of(symbol);
  kernel->wave_size = (uint32_t)number(r, fact, 64, name);
  kernel->arguments_size = (uint32_t)number(r, fact, MOST_ARGUMENT_BYTES, name);
  kernel->kernarg_size = (uint32_t)number(r, fact, MOST_ARGUMENT_BYTES, name);
  kernel->shared_size = (uint32_t)number(r, fact, MOST_SHARED, name);
  kernel->dynamic_stack = number(r, fact, 1, name) != 0;
  read_hidden(r, fact, kernel);
  const uint32_t size = kernel->arguments_size;
  const bool fits = kernel->role == ROLE_BEGIN   ? size == BEGIN_SIZE
                    : kernel->role == ROLE_START ? size == START_SIZE
                    : kernel->role == ROLE_END   ? !size || size == STATUS_SIZE
                                                 : !size;
  if (!fits || (kernel->wave_size != 32 && kernel->wave_size != 64) ||
      (kernel->kernarg_size && size > kernel->kernarg_size))
    wrong(r, name);
}

static void read_kernels(struct plan *plan, const struct recording *r) {
  struct packed fact = find_fact(r, "launches");
  read_number(&fact);
  while (fact.left.size) {
    if (plan->kernel_count == MOST_KERNELS)
      wrong(r, "launches");
    struct kernel *kernel = &plan->kernels[plan->kernel_count++];
    read_kernel(r, &fact, kernel);
    if (plan->lanes < kernel->wave_size)
      plan->lanes = kernel->wave_size;
    plan->one_status |= kernel->role == ROLE_END && kernel->arguments_size;
  }
  if (!plan->kernel_count)
    wrong(r, "launches");
}

static void read_grid(struct plan *plan, const struct recording *r) {
  struct packed threads = fact_of(r, "launched threads", 3),
                blocks = fact_of(r, "launched blocks", 3);
  for (unsigned axis = 0; axis < 3; ++axis) {
    plan->grid.threads[axis] =
        (uint32_t)number(r, &threads, UINT16_MAX, "launched threads");
    plan->grid.blocks[axis] =
        (uint32_t)number(r, &blocks, UINT32_MAX, "launched blocks");
    if (!plan->grid.threads[axis] || !plan->grid.blocks[axis] ||
        (uint64_t)plan->grid.threads[axis] * plan->grid.blocks[axis] >
            UINT32_MAX)
      wrong(r, "launched threads");
  }
}

void read_plan(struct plan *plan, const struct recording *r) {
  struct packed version = find_fact(r, "stand-alone");
  uint64_t found = 0;
  if (read_number(&version) == 1 && !version.failed)
    found = next_fact_number(r, &version, "stand-alone");
  if (found != PLAN_VERSION)
    fail(STATUS_FAILED,
         "%s: %s: record it again with the gpuexec of this gpu-replay", r->name,
         found > PLAN_VERSION
             ? "recorded by a newer gpuexec"
             : "recorded without what a stand-alone replay needs");
  struct packed program = fact_of(r, "program", 1),
                format = fact_of(r, "image format", 1);
  plan->program = text_of(next_string(r, &program, "program"));
  const struct bytes kind = next_string(r, &format, "image format");
  plan->is_amd = is_text(kind, "amdgpu");
  plan->is_ptx = is_text(kind, "ptx");
  plan->processors[0] = processor_of(r, "image target");
  plan->processors[1] = processor_of(r, "device target"); // of a generic image
  plan->unknown_stack = single_number(r, "unknown stack", 1) != 0;
  plan->stack_size = optional_number(r, "stack size");
  plan->heap_size = optional_number(r, "heap size");
  if (find_fact(r, "recursion size").left.size)
    plan->recursion_size = optional_number(r, "recursion size");
  if (find_fact(r, "emulator memory").left.size)
    plan->emulator_memory =
        single_number(r, "emulator memory", (uint64_t)1 << 47) &
        ~(uint64_t)0xfff;
  read_kernels(plan, r);
  read_grid(plan, r);
  struct names client = read_names(r, "mailbox client", 0);
  if (client.count == 2) {
    struct packed fact = fact_of(r, "mailbox client", 2);
    plan->client = client.all[0];
    next_string(r, &fact, "mailbox client");
    plan->client_size = number(r, &fact, UINT32_MAX, "mailbox client");
    plan->version_19 = strcmp(plan->client, GPUEXEC_RPC_CLIENT_19) == 0;
    plan->ports = single_number(r, "ports", UINT16_MAX);
    plan->bulk_threshold = single_number(r, "bulk threshold", UINT64_MAX);
    if (!plan->ports)
      wrong(r, "ports");
  }
  plan->constructors = read_names(r, "constructor objects", 0);
  plan->destructors = read_names(r, "destructor objects", 0);
}

uint64_t recorded_heap(const struct recording *r) {
  // Each allocation is aligned to this many bytes.
  const uint64_t piece = 2 << 20, most = HEAP_UNKNOWN / 8;
  uint64_t total = 0, begin = UINT64_MAX, end = 0;
  for (size_t i = 0; i < r->call_count; ++i) {
    const struct recorded_call *call = &r->calls[i];
    if (call->opcode != RPC_MALLOC && call->opcode != RPC_ALLOCATE)
      continue;
    struct packed from = {call->request, false}, to = {call->answer, false};
    for (uint64_t mask = call->mask; mask; mask &= mask - 1) {
      const uint64_t size = read_number(&from);
      const uint64_t alignment =
          call->opcode == RPC_ALLOCATE ? read_number(&from) : piece;
      const uint64_t address = read_number(&to);
      (void)read_number(&to); // an error
      if (!address || size > most || alignment > most || address > most)
        continue;
      if (total < most)
        total += (size + piece - 1) / piece * piece + alignment;
      begin = address < begin ? address : begin;
      end = address + size > end ? address + size : end;
    }
  }
  // In this run other waves may allocate first, and leave other gaps.
  const uint64_t spread = end > begin ? 2 * (end - begin) : 0;
  return spread < total ? spread : total;
}
