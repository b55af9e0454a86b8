// Variable arguments lie as on x86-64, in slots of 8 bytes: programs pass a size_t for an int, end a list of pointers with a
// plain 0, and hand lists on. va_arg of structures, and of what is larger or smaller than a slot. No warning comes with it.
// RUN: %hostcc -O1 -w %s -o %t.host
// RUN: %t.host > %t.expected
// RUN: %gpucc -O0 -Wall -Wextra -Wpedantic -Werror -Wno-varargs %s -o %t.0
// RUN: %gpucc -O2 -Wall -Wextra -Wpedantic -Werror -Wno-varargs %s -o %t.2
// RUN: %run %t.0 | diff %t.expected -
// RUN: %run %t.2 | diff %t.expected -
// RUN: %gpucc -O2 -fno-lto %s -o %t.object
// RUN: %run %t.object | diff %t.expected -
// RUN: %gpucc -E %s -o %t.i
// RUN: %gpucc -O1 -w %t.i -o %t.preprocessed
// RUN: %run %t.preprocessed | diff %t.expected -
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  int a, b, c;
} three;
typedef struct {
  int x, y;
} point;
typedef struct {
  char letter;
} letter;
typedef struct {
  point p;
  int rest[3];
} nested;
typedef struct {
  unsigned narrow : 3;
  int wide : 9;
} bits;
typedef struct {
  float value;
} fraction;
typedef struct {
  _Alignas(16) int value;
} aligned;
typedef struct {
  double d[2];
} doubles;
typedef struct {
  char bytes[100];
} large;
// Where one member has padding, the other has data.
typedef union {
  struct {
    char letter;
    int number;
  } padded;
  char bytes[8];
} padding;
__extension__ typedef __int128 quad;
typedef int (*function)(int);
typedef int row[3];

static int twice(int value) { return 2 * value; }

static const char *print_one(const char *kinds, va_list *list) {
  switch (*kinds) {
  case 'i':
    printf(" i%d", va_arg(*list, int));
    break;
  case 'u':
    printf(" u%u", va_arg(*list, unsigned));
    break;
  case 'l':
    printf(" l%ld", va_arg(*list, long));
    break;
  case 'd':
    printf(" d%g", va_arg(*list, double));
    break;
  case 's':
    printf(" s%s", va_arg(*list, const char *));
    break;
  case '-':
    va_arg(*list, int);
    break;
  case 'f':
    printf(" f%d", va_arg(*list, function)(21));
    break;
  case 'g':
    printf(" g%d", va_arg(*list, int (*)(int))(22));
    break;
  case 'r':
    printf(" r%d", (*va_arg(*list, row *))[1]);
    break;
  case 'v':
    print_one(kinds + 1, va_arg(*list, va_list *));
    return kinds + 1;
  }
  return kinds;
}

static void print_structure(char kind, va_list *list) {
  switch (kind) {
  case 'T': {
    three t = va_arg(*list, three);
    printf(" T%d,%d,%d", t.a, t.b, t.c);
    break;
  }
  case 'P': {
    point p = va_arg(*list, point);
    printf(" P%d,%d", p.x, p.y);
    break;
  }
  case 'L':
    printf(" L%c", va_arg(*list, letter).letter);
    break;
  case 'N': {
    nested n = va_arg(*list, nested);
    printf(" N%d,%d,%d,%d,%d", n.p.x, n.p.y, n.rest[0], n.rest[1], n.rest[2]);
    break;
  }
  case 'B': {
    bits b = va_arg(*list, bits);
    printf(" B%d,%d", b.narrow, b.wide);
    break;
  }
  case 'F':
    printf(" F%g", (double)va_arg(*list, fraction).value);
    break;
  case 'A':
    printf(" A%d", va_arg(*list, aligned).value);
    break;
  case 'D':
    printf(" D%g", va_arg(*list, doubles).d[1]);
    break;
  case 'G': {
    large g = va_arg(*list, large);
    printf(" G%d,%d", g.bytes[0], g.bytes[99]);
    break;
  }
  case 'U': {
    padding u = va_arg(*list, padding);
    printf(" U%d,%d,%d,%d", u.bytes[0], u.bytes[1], u.bytes[3], u.padded.number);
    break;
  }
  case 'C': {
    _Complex float c = va_arg(*list, _Complex float);
    printf(" C%g,%g", (double)__real__ c, (double)__imag__ c);
    break;
  }
  case 'Z': {
    _Complex double z = va_arg(*list, _Complex double);
    printf(" Z%g,%g", __real__ z, __imag__ z);
    break;
  }
  case 'Q': {
    quad q = va_arg(*list, quad);
    printf(" Q%ld,%ld", (long)q, (long)(q >> 64));
  }
  }
}

static void vprint(const char *kinds, va_list list) {
  va_list copy;
  va_copy(copy, list);
  printf("%s:", kinds);
  for (const char *kind = kinds; *kind; ++kind)
    if (*kind >= 'A' && *kind <= 'Z')
      print_structure(*kind, &copy);
    else
      kind = print_one(kind, &copy);
  puts("");
  va_end(copy);
}

static void print(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  vprint(kinds, list);
  if (*kinds != 'v') // the lists among the arguments are at their ends
    vprint(kinds, list);
  va_end(list);
}

// Joins strings up to a null pointer.
static char *join(char *to, ...) {
  va_list list;
  va_start(list, to);
  for (const char *text; (text = va_arg(list, const char *));)
    strcat(to, text);
  va_end(list);
  return to;
}

static void with_list(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  print("vivsl", &list, &list, 5l);
  va_end(list);
}

static three make(int first) { return (three){first, first + 1, first + 2}; }

static three global = {1, 2, 3};
static point points[3] = {{1, 2}, {3, 4}, {5, 6}};
static nested deep = {{1, 2}, {3, 4, 5}};

static void structures(int count, const point *p) {
  letter l = {'x'};
  bits b = {5, -7};
  fraction f = {1.5f};
  aligned a = {count};
  doubles d = {{1, 2.5}};
  large g = {{7}};
  padding u;
  g.bytes[99] = 8;
  u.padded.number = 77;
  memcpy(u.bytes, "\1\2\3\4", 4);
  print("Ti", global, 9);
  print("TiTi", global, 9, make(count), 8);
  print("PPPi", points[0], points[1], p[2], 4);
  print("iiii", p->x, p->y, p[1].x, p[1].y);
  print("iii", points[0].x, points[0].y, points[1].x);
  print("NiNPi", deep, 1, deep, deep.p, 2);
  print("LLLLi", l, l, l, l, 1);
  print("BiFFi", b, 1, f, f, 2);
  print("AiAi", a, 1, a, 2);
  print("iDiGi", 1, d, 2, g, 3);
  print("UiUi", u, 1, u, 2);
  _Complex float c;
  _Complex double z;
  __real__ c = 1, __imag__ c = 2;
  __real__ z = 3, __imag__ z = 4;
  print("CiZi", c, 1, z, 2);
  print("iQi", 1, (quad)5 << 64 | (unsigned)count, 2);
}

int main(int argc, char **argv) {
  char text[64] = "";
  size_t size = (size_t)argc + 4;
  void (*volatile indirect)(const char *, ...) = print;
  (void)argv;
  print("ilds", 1, 2l, 3.0, "x");
  print("iiiu", size, size, (uintptr_t)7, 8ul);
  print("lul", 0x100000001, -1, -1u);
  print("sid", "y", -argc, (double)(float)argc);
  print("-i-s", 1, 2, 3, "z");
  print("fgr", twice, twice, (row *)&(row){1, 2, 3});
  indirect("idTl", size, 2.5, make(7), 9l);
  with_list("", 3, "four");
  puts(join(text, "a", "b", "c", 0));
  printf("%d %s %u %c|%*d|%.*f\n", (int)size, "text", (unsigned)size, 'c', 5, argc, 2, 3.25);
  structures(argc, points);
  return 0;
}
