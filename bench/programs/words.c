// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A hash table of words with chains that grows, counts, deletes and lists in order (qsort). A unit is 4000 words. */
#include "../workloads/workload.h"
#include <string.h>

struct entry {
  struct entry *next;
  unsigned count;
  char word[12];
};

struct map {
  struct entry **slots;
  unsigned size, used;
};

static unsigned hash(const char *word) {
  unsigned h = 2166136261u;
  while (*word)
    h = (h ^ (unsigned char)*word++) * 16777619u;
  return h;
}

static void grow(struct map *map) {
  unsigned size = map->size * 2;
  struct entry **slots = calloc(size, sizeof *slots);
  for (unsigned i = 0; i < map->size; i++)
    for (struct entry *e = map->slots[i], *next; e; e = next) {
      struct entry **slot = &slots[hash(e->word) & (size - 1)];
      next = e->next;
      e->next = *slot;
      *slot = e;
    }
  free(map->slots);
  map->slots = slots;
  map->size = size;
}

static struct entry **find(struct map *map, const char *word) {
  struct entry **link = &map->slots[hash(word) & (map->size - 1)];
  while (*link && strcmp((*link)->word, word))
    link = &(*link)->next;
  return link;
}

static void count(struct map *map, const char *word) {
  struct entry **link = find(map, word);
  if (!*link) {
    if (map->used == map->size) {
      grow(map);
      link = find(map, word);
    }
    *link = calloc(1, sizeof **link);
    strcpy((*link)->word, word);
    map->used++;
  }
  (*link)->count++;
}

static int by_count(const void *a, const void *b) {
  const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;
  return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp(x->word, y->word);
}

static uint32_t list(struct map *map) {
  struct entry **all = malloc(map->used * sizeof *all);
  unsigned n = 0;
  uint32_t sum = 0;
  for (unsigned i = 0; i < map->size; i++)
    for (struct entry *e = map->slots[i]; e; e = e->next)
      all[n++] = e;
  qsort(all, n, sizeof *all, by_count);
  for (unsigned i = 0; i < n; i++)
    sum = sum * 31 + all[i]->count + hash(all[i]->word);
  free(all);
  return sum;
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct map map = {calloc(16, sizeof(struct entry *)), 16, 0};
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    for (int i = 0; i < 4000; i++) {
      char word[12];
      int length = 1 + (int)((seed = seed * 1664525u + 1013904223u) >> 30);
      for (int k = 0; k < length; k++)
        word[k] = "etaoinshrdlu"[((seed = seed * 1664525u + 1013904223u) >> 16) % 12];
      word[length] = 0;
      count(&map, word);
    }
    sum = sum * 31 + list(&map);
    for (unsigned i = 0; i < map.size; i++)
      if (map.slots[i] && map.slots[i]->count < 3) {
        struct entry *e = map.slots[i];
        map.slots[i] = e->next;
        free(e);
        map.used--;
      }
  }
  for (unsigned i = 0; i < map.size; i++)
    for (struct entry *e = map.slots[i], *next; e; e = next) {
      next = e->next;
      free(e);
    }
  free(map.slots);
  return sum;
}
