// Uses variables of all kinds; each must belong to the instance.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, number, constructed;
int target;
static int *pointer = &target; // its initial value is an address
static char text[32] = "word";
static struct {
  const char *name;
  int *where;
} const table[] = {{"a", &target}, {"b", &number}}; // a constant with addresses
static int seven = 7;

__attribute__((constructor)) static void construct(void) { ++constructed; }

static void at_exit(void) { printf("at exit %d\n", number); }

static int random_is_own(void) {
  srand((unsigned)number);
  const int first = rand();
  char *kept[20];
  for (int i = 0; i < 20; ++i)
    memset(kept[i] = malloc(100 + i), number, 100 + i);
  for (int i = 0; i < 20; ++i) {
    for (int at = 0; at < 100 + i; ++at)
      if (kept[i][at] != (char)number)
        return 0;
    free(kept[i]);
  }
  srand((unsigned)number);
  return rand() == first;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "fault"))
    *(volatile int *)8 = 1;
  if (argc > 1 && !strcmp(argv[1], "endless"))
    for (;;)
      ;
  number = atoi(argv[1]);
  *pointer = number;
  for (int i = 0; i < 10; ++i)
    ++count;
  snprintf(text + strlen(text), 20, "-%d", number);
  int *heap = malloc(sizeof(int));
  *heap = number;
  printf("instance %d: count %d, string %s, pointer %d, table %d, heap %d, "
         "constructor %d, random %s, argument %s\n",
         number, count, text, target, *table[1].where, *heap, constructed,
         random_is_own() ? "ok" : "shared", argv[1]);
  if (number % seven)
    return 0;
  atexit(at_exit);
  exit(3);
}
