// Values that cost nothing, at a join of several ways: LLVM 22's structurizer gave those of one way to others
// (toolchain/passes/fixes/keep_phi_values.cpp). At every level, with machine code made at the link and before it.
// RUN: %hostcc %s -o %t.host && %t.host '\2 at \1' > %t.expected
// RUN: %gpucc -O0 %s -o %t
// RUN: %run %t '\2 at \1' | diff %t.expected -
// RUN: %gpucc -O1 %s -o %t
// RUN: %run %t '\2 at \1' | diff %t.expected -
// RUN: %gpucc -O2 %s -o %t
// RUN: %run %t '\2 at \1' | diff %t.expected -
// RUN: %gpucc -O3 %s -o %t
// RUN: %run %t '\2 at \1' | diff %t.expected -
// RUN: %gpucc -Os %s -o %t
// RUN: %run %t '\2 at \1' | diff %t.expected -
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct range {
  int from, to;
};

// Pointers of 1 on, of several on, or as they were.
static char *expand(char *to, const char *text, const char *with, const struct range *ranges) {
  for (const char *at = with; *at; ++at)
    if (*at == '\\' && isdigit((unsigned char)at[1])) {
      int which = *++at - '0';
      if (ranges[which].from >= 0) {
        memcpy(to, text + ranges[which].from, (size_t)(ranges[which].to - ranges[which].from));
        to += ranges[which].to - ranges[which].from;
      }
    } else
      *to++ = *at;
  return to;
}

// Halves of a word, or other words.
static unsigned fold(const char *text) {
  unsigned long state = 88172645463325252ul;
  unsigned result = 7;
  for (; *text; ++text) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    unsigned value;
    switch (*text % 7) {
    case 0: value = (unsigned)state; break;
    case 1: value = (unsigned)(state >> 32); break;
    case 3: value = result + 1; break;
    case 5: if (state & 64) continue; value = (unsigned char)state; break;
    default: value = *text > 'm' ? (unsigned)(short)state : result;
    }
    result = result * 31 + value;
  }
  return result;
}

struct list {
  struct list *next;
  int value;
};

// The head or the inside of a list, found by several ways out.
static struct list **place(struct list **at, int value, int most) {
  while (*at) {
    if ((*at)->value == value)
      return at;
    if ((*at)->value > value && most)
      break;
    if (--most < 0)
      return NULL;
    at = &(*at)->next;
  }
  return *at ? &(*at)->next : at;
}

// The end of the name at the start of a text: the loop goes on in several ways. Made for the loop's next round, one pointer
// was taken for the one behind the loop.
static const char *end_of_name(const char *at) {
  for (; (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_' || *at == '.' || *at == '-';)
    ++at;
  if (*at == ' ' || *at == '>' || *at == '/' || *at == '[' || *at == ']' || *at == ':' || *at == '@' || *at == '*')
    return at;
  return NULL;
}

int main(int argc, char **argv) {
  static const struct range ranges[] = {{0, 19}, {0, 7}, {8, 19}, {-1, -1}};
  static char text[100];
  char local[100];
  *expand(text, "foo.bar@example.org", "\\2 at \\1", ranges) = 0;
  puts(text);
  *expand(local, "foo.bar@example.org", argv[1], ranges) = 0;
  puts(local);
  *expand(local, "foo.bar@example.org", "<\\3|\\x\\0\\\\1>", ranges) = 0;
  puts(local);
  printf("%u %u %u\n", fold(argv[1]), fold("the quick brown fox jumps"), fold(text));
  struct list nodes[6];
  for (int i = 0; i < 6; ++i)
    nodes[i] = (struct list){i < 5 ? &nodes[i + 1] : NULL, 3 * i};
  struct list *head = nodes;
  for (int value = -1; value < 18; value += 2) {
    struct list **found = place(&head, value, value < 12 ? 4 : 9);
    printf("%d ", !found ? -1 : found == &head ? 0 : (int)((char *)found - (char *)nodes));
  }
  puts("");
  static const char *const names[] = {"sum(x)", "string-length(/*)", "local-name *", "a_b.c-d/e", "x", "*", "9-[", ""};
  for (int i = 0; i < 8; ++i) {
    const char *end = end_of_name(names[i]);
    puts(end ? end : "none");
  }
  return 0;
}
