// printf, scanf, strtod and strtol families: a cross product of flags, widths, precisions, lengths and conversions with
// hard values, a text per case. The same program for host and device: every thread takes the next case until all are
// done, the one that finishes the last writes a hash per case. cross_product.test compares.
//   cross_product [STRIDE [OFFSET]]            hashes of every STRIDE-th case from OFFSET on, eight bytes each
//   cross_product --compare FILE STRIDE OFFSET prints the cases of which FILE has another hash; status 1 if any
//   cross_product --show CASE                  prints a case and its text
//   cross_product --count                      prints how many there are
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { TEXT = 2048 };

#define COUNT(array) (unsigned)(sizeof array / sizeof *array)

static const char *const precisions[] = {"", ".", ".0", ".1", ".3", ".17", ".*"};
static const char *const widths[] = {"", "1", "9", "28", "*", "-*"};
static const int star_widths[] = {11, -13}; // for "*" and "-*"

// "%" and all of what `*index` chooses except length and conversion; takes what it used off `*index`.
static void begin_format(char *format, unsigned *index, int *width, int *precision) {
  unsigned flags = *index % 32, wide = *index / 32 % COUNT(widths), precise = *index / 32 / COUNT(widths) % COUNT(precisions);
  *index /= 32 * COUNT(widths) * COUNT(precisions);
  *format++ = '%';
  for (int i = 0; i < 5; ++i)
    if (flags >> i & 1)
      *format++ = "-+ #0"[i];
  // Two ways to give a width by an argument: a positive and a negative number.
  *width = wide >= 4 ? star_widths[wide - 4] : INT_MIN;
  *precision = precise == 6 ? (int)(flags % 5) * 4 - 1 : INT_MIN; // -1, 3, 7, ...
  strcpy(format, wide >= 4 ? "*" : widths[wide]);
  strcat(format, precisions[precise]);
}
enum { FORMATS = 32 * 6 * 7 };

// snprintf with as many numbers before the value as the format has stars.
#define FORMATTED(value)                                                                                               \
  (width != INT_MIN ? precision != INT_MIN ? snprintf(text, TEXT, format, width, precision, value)                     \
                                           : snprintf(text, TEXT, format, width, value)                                \
   : precision != INT_MIN ? snprintf(text, TEXT, format, precision, value)                                             \
                          : snprintf(text, TEXT, format, value))

static const double doubles[] = {0,
                                 -0.0,
                                 1,
                                 -9.9995,
                                 999999.5,
                                 0.00009999995,
                                 123456789.125,
                                 2.5,
                                 0.5,
                                 1e23,
                                 -1e100,
                                 5e-324,
                                 2.2250738585072011e-308,
                                 1.7976931348623157e308,
                                 9007199254740993.0,
                                 0.1,
                                 1.0 / 0.0,
                                 -(0.0 / 0.0)};
static const char *const float_conversions[] = {"f", "e", "g", "a", "F", "E", "G", "A"};

static void float_case(unsigned index, char *text) {
  unsigned value = index % COUNT(doubles);
  unsigned conversion = index / COUNT(doubles) % COUNT(float_conversions);
  index /= COUNT(doubles) * COUNT(float_conversions);
  char format[32];
  int width, precision;
  begin_format(format, &index, &width, &precision);
  strcat(format, float_conversions[conversion]);
  int size = FORMATTED(doubles[value]);
  sprintf(text + strlen(text), "|%d|%s", size, format);
}
enum { FLOAT_CASES = FORMATS * 18 * 8 };

static const int64_t integers[] = {0, 1, -1, 255, -32769, 2147483648, INT64_MIN, INT64_MAX};
static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
static const char integer_conversions[] = "diuoxX";

static void integer_case(unsigned index, char *text) {
  // The formats are many; each meets every conversion, and lengths and values in turn.
  unsigned conversion = index % 6, pair = index / 6 % 8;
  index /= 6 * 8;
  unsigned length = (pair + index) % 8, value = (pair * 3 + index / 8) % COUNT(integers);
  char format[32];
  int width, precision;
  begin_format(format, &index, &width, &precision);
  strcat(format, lengths[length]);
  strncat(format, integer_conversions + conversion, 1);
  int size = length < 3 ? FORMATTED((int)integers[value]) : FORMATTED((long)integers[value]);
  sprintf(text + strlen(text), "|%d|%s", size, format);
}
enum { INTEGER_CASES = FORMATS * 6 * 8 };

static void other_case(unsigned index, char *text) {
  static const char *const strings[] = {NULL, "", "x", "a longer text, of more than 28 bytes"};
  unsigned what = index % 11;
  index /= 11;
  char format[32];
  int width, precision, size, stored = -7;
  begin_format(format, &index, &width, &precision);
  if (what < 4) {
    strcat(format, "s");
    size = FORMATTED(strings[what]);
  } else if (what < 6) {
    strcat(format, "ls");
    size = FORMATTED(what == 4 ? L"wide" : NULL);
  } else if (what == 6) {
    strcat(format, "c");
    size = FORMATTED('z');
  } else if (what == 7) {
    strcat(format, "lc");
    size = FORMATTED((wint_t)'w');
  } else if (what < 10) {
    strcat(format, "p");
    size = FORMATTED(what == 8 ? NULL : (void *)(uintptr_t)0x7ffe12345678);
  } else {
    // %n: how many so far, through every length.
    static const char *const counts[] = {"d%n.", "d%hhn.", "d%hn.", "d%ln."};
    unsigned which = strlen(format) % 4;
    strcat(format, counts[which]);
    signed char tiny = -7;
    short small = -7;
    long large = -7;
    void *to = which == 0 ? (void *)&stored : which == 1 ? (void *)&tiny : which == 2 ? (void *)&small : (void *)&large;
    size = width != INT_MIN ? precision != INT_MIN ? snprintf(text, TEXT, format, width, precision, 42, to)
                                                   : snprintf(text, TEXT, format, width, 42, to)
           : precision != INT_MIN ? snprintf(text, TEXT, format, precision, 42, to)
                                  : snprintf(text, TEXT, format, 42, to);
    sprintf(text + strlen(text), "|%d %d %d %ld", stored, tiny, small, large);
  }
  sprintf(text + strlen(text), "|%d|%s", size, format);
}
enum { OTHER_CASES = FORMATS * 11 };

// Texts of numbers: sign and space, digits, exponent or suffix.
static const char *const starts[] = {"", "-", "+", " \t", "\n -", "+-", "0", "-0", "x"};
static const char *const bodies[] = {"", "0", "1", "7.", ".5", ".", "3.25", "9007199254740993", "179769313486231580793728971405",
                                     "0.00000000000000000000000000000000000000000000001", "123456789012345678901234567890.1234567890",
                                     "0x1.8", "0x", "0x.", "0X1F.ABCDEFp", "inf", "INFINITY", "infinit", "nan", "nan(", "NaN(12ab)",
                                     "2.2250738585072011", "4.9406564584124654", "1.7976931348623158", "2.4703282292062327",
                                     "0x1.fffffffffffff8", "0x0.fffffffffffff8p-1022", "1,5", "08", "0b101",
                                     "1.00000000000000011102230246251565404236316680908203125",
                                     "1.00000000000000011102230246251565404236316680908203126"};
static const char *const ends[] = {"", "e", "e+", "e5", "E-5", "e308", "e309", "e-308", "e-324", "e-400", "e99999999999", "p3",
                                   "p-1074", "p-1075", "p1023", "p1024", " 5", "abc", "l", "e-323"};

static void number_text(unsigned *index, char *text) {
  strcpy(text, starts[*index % COUNT(starts)]);
  *index /= COUNT(starts);
  strcat(text, bodies[*index % COUNT(bodies)]);
  *index /= COUNT(bodies);
  strcat(text, ends[*index % COUNT(ends)]);
  *index /= COUNT(ends);
}
_Static_assert(COUNT(starts) == 9 && COUNT(bodies) == 32 && COUNT(ends) == 20, "counted below");
enum { NUMBER_TEXTS = 9 * 32 * 20 };

static void strtod_case(unsigned index, char *text) {
  char number[128], *end = number;
  number_text(&index, number);
  errno = 0;
  double value;
  if (index == 1) {
    // The sign by itself: a GPU may lose that of NaN when it makes a double of a float.
    float single = strtof(number, &end);
    volatile uint32_t bits; // or LLVM takes both for the same sign
    memcpy((void *)&bits, &single, sizeof bits);
    value = copysign(single, bits >> 31 ? -1 : 1);
  } else {
    value = strtod(number, &end);
  }
  int error = errno;
  if (index == 2)
    value = atof(number);
  snprintf(text, TEXT, "%a|%td|%d|%s", value, end - number, error, number);
}
enum { STRTOD_CASES = NUMBER_TEXTS * 3 };

static void strtol_case(unsigned index, char *text) {
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  char number[128], *end = number;
  number_text(&index, number);
  int base = bases[index % 6];
  errno = 0;
  unsigned long value = index / 6 ? strtoul(number, &end, base) : (unsigned long)strtol(number, &end, base);
  snprintf(text, TEXT, "%lu|%td|%d|%d|%s", value, end - number, errno, base, number);
}
enum { STRTOL_CASES = NUMBER_TEXTS * 12 };

static const char *const scan_formats[] = {"%d", "%i", "%u", "%o", "%x", "%lf", "%f", "%e", "%a", "%s", "%c", "%[0-9.]", "%[^5]",
                                           "%p", "%n"};
static void scan_case(unsigned index, char *text) {
  static const char *const scan_widths[] = {"", "1", "3", "*", "*2", "12"};
  static const char *const scan_lengths[] = {"", "h", "l"};
  static const char *const tails[] = {"", " %d%n", "%c%n", "x%n"};
  char number[128], format[32];
  number_text(&index, number);
  const char *conversion = scan_formats[index % COUNT(scan_formats)];
  // Not every number meets every combination; each combination meets a thousand.
  unsigned mix = index / COUNT(scan_formats) + (unsigned)strlen(number) * 7 + (unsigned char)number[0];
  const char *width = scan_widths[mix % 6], *length = scan_lengths[mix / 6 % 3], *tail = tails[mix / 18 % 4];
  int is_float = strchr("fea", conversion[strlen(conversion) - 1]) != NULL;
  if (*length == 'h' && (is_float || strchr("sc[p", conversion[1])))
    length = "";
  if (*length == 'l' && (conversion[1] == 'l' || strchr("sc[p", conversion[1])))
    length = "";
  if (!strcmp(conversion, "%n") && *width)
    width = "";
  snprintf(format, sizeof format, "%%%s%s%s%s", width, length, conversion + 1, tail);
  unsigned char values[3][136];
  memset(values, 0x5a, sizeof values);
  errno = 0;
  // With the first suppressed the rest take the first places.
  int count = sscanf(number, format, values[0], values[1], values[2]);
  int at = snprintf(text, TEXT, "%d|", count);
  for (int i = 0; i < 3; ++i) {
    uint64_t hash = 14695981039346656037u;
    for (unsigned j = 0; j < sizeof values[i]; ++j)
      hash = (hash ^ values[i][j]) * 1099511628211u;
    at += snprintf(text + at, TEXT - at, "%016lx|", (unsigned long)hash);
  }
  snprintf(text + at, TEXT - at, "%s|%s", format, number);
}
enum { SCAN_CASES = NUMBER_TEXTS * 15 };

static const struct {
  void (*run)(unsigned, char *);
  unsigned count;
} families[] = {{float_case, FLOAT_CASES},   {integer_case, INTEGER_CASES}, {other_case, OTHER_CASES},
                {strtod_case, STRTOD_CASES}, {strtol_case, STRTOL_CASES},   {scan_case, SCAN_CASES}};
enum { CASES = FLOAT_CASES + INTEGER_CASES + OTHER_CASES + STRTOD_CASES + STRTOL_CASES + SCAN_CASES };

static void run_case(unsigned index, char *text) {
  for (unsigned i = 0; i < COUNT(families); ++i) {
    if (index < families[i].count) {
      families[i].run(index, text);
      return;
    }
    index -= families[i].count;
  }
}

static uint64_t hash_case(unsigned index) {
  char text[TEXT];
  text[0] = 0;
  run_case(index, text);
  uint64_t hash = 14695981039346656037u;
  for (const char *c = text; *c; ++c)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  return hash;
}

static uint64_t hashes[CASES];
static unsigned taken, done;

static int compare(const char *path, unsigned stride, unsigned offset) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return perror(path), 2;
  unsigned different = 0, cases = 0;
  for (unsigned index = offset; index < CASES; index += stride, ++cases) {
    uint64_t hash;
    if (fread(&hash, sizeof hash, 1, file) != 1)
      return fprintf(stderr, "%s ends before case %u\n", path, index), 2;
    if (hash == hash_case(index) || ++different > 20)
      continue;
    char text[TEXT] = "";
    run_case(index, text);
    printf("case %u: here %s\n", index, text);
  }
  printf("%u cases, %u different\n", cases, different);
  return different != 0 || fgetc(file) != EOF;
}

int main(int argc, char **argv) {
  if (argc == 2 && !strcmp(argv[1], "--count"))
    return printf("%d\n", CASES) < 0;
  if (argc == 3 && !strcmp(argv[1], "--show")) {
    char text[TEXT] = "";
    run_case(strtoul(argv[2], NULL, 10) % CASES, text);
    return puts(text) < 0;
  }
  if (argc == 5 && !strcmp(argv[1], "--compare"))
    return compare(argv[2], atoi(argv[3]), atoi(argv[4]));
  const unsigned stride = argc > 1 ? atoi(argv[1]) : 1, offset = argc > 2 ? atoi(argv[2]) : 0;
  const unsigned cases = (CASES - offset + stride - 1) / stride;
  for (unsigned i; (i = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED)) < cases;) {
    hashes[i] = hash_case(offset + i * stride);
    if (__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) == cases)
      return fwrite(hashes, sizeof *hashes, cases, stdout) != cases;
  }
  return 0;
}
