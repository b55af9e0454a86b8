/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/printf.c - vprintf ----------------------------===*/
#include "emulator/ptx/device/records.h"

/* A longer text of %s is cut, so that each record has room in the ring. */
#define MOST_TEXT 4096
/* A format with more arguments is refused. */
#define MOST_ARGUMENT_BYTES 1024

/* A walk over the conversions of a format. */
struct conversions {
  const char *format;
  uint64_t offset; /* behind the last argument */
  int count;
};

/* The next argument's bytes, 4 or 8, and the character of its conversion ('*'
 * for a width); 0 at the end. `offset` is moved behind it. */
static int next_argument(struct conversions *walk, char *kind, int *in_one) {
  const char *at = walk->format;
  int bytes = 4;
  while (*at) {
    if (!*in_one) {
      if (*at++ != '%')
        continue;
      if (*at == '%') {
        ++at;
        continue;
      }
      *in_one = 1;
    }
    const char c = *at++;
    if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
      *in_one = 2;
      continue;
    }
    const int is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c != '*' && (!is_letter || c == 'h' || c == 'L'))
      continue; /* flags, digits, a dot */
    *kind = c;
    if (c != '*') {
      const int is_real = c == 'f' || c == 'F' || c == 'e' || c == 'E' ||
                          c == 'g' || c == 'G' || c == 'a' || c == 'A';
      if (*in_one == 2 || is_real || c == 's' || c == 'p' || c == 'n')
        bytes = 8;
      *in_one = 0;
    }
    walk->format = at;
    walk->offset = ((walk->offset + bytes - 1) & -(uint64_t)bytes) + bytes;
    ++walk->count;
    return bytes;
  }
  return 0;
}

/* Calls for each %s whose pointer is not null, until there is none. */
static const char *next_text(struct conversions *walk, uint64_t arguments,
                             int *in_one) {
  char kind;
  while (next_argument(walk, &kind, in_one))
    if (kind == 's') {
      const char *text = *(const char **)(arguments + walk->offset - 8);
      if (text)
        return text;
    }
  return 0;
}

static uint64_t cut_length(const char *text) {
  const uint64_t length = text_length(text);
  return length < MOST_TEXT ? length : MOST_TEXT;
}

static int print(struct gpuexec_cuda_client *client, uint64_t format,
                 uint64_t arguments) {
  struct conversions walk = {(const char *)format, 0, 0};
  char kind;
  int in_one = 0;
  while (next_argument(&walk, &kind, &in_one))
    ;
  const uint64_t bytes = walk.offset;
  const int count = walk.count;
  uint64_t all = 24 + ((bytes + 7) & ~(uint64_t)7);
  walk = (struct conversions){(const char *)format, 0, 0};
  in_one = 0;
  for (const char *text; (text = next_text(&walk, arguments, &in_one));)
    all += text_bytes(cut_length(text));
  if (bytes > MOST_ARGUMENT_BYTES || all > client->ring_bytes)
    return -1;
  struct record record = begin_record(client, all);
  put_word(&record, format);
  put_word(&record, bytes);
  put_bytes(&record, (const char *)arguments, bytes);
  walk = (struct conversions){(const char *)format, 0, 0};
  in_one = 0;
  for (const char *text; (text = next_text(&walk, arguments, &in_one));)
    put_text(&record, text, cut_length(text));
  end_record(&record, GPUEXEC_CUDA_PRINTF);
  return count;
}

/* Returns the number of arguments, or -1. */
int vprintf(uint64_t format, uint64_t arguments) {
  struct gpuexec_cuda_client *client = __gpuexec_cuda;
  int result = -1;
  if (!client || !client->ring || !format)
    return result;
  EACH_LANE(result = print(client, format, arguments))
  return result;
}
